import type { Hold } from "../shared/budget.ts";
import { BodyTooLarge, type GatewayError, NoRoom } from "../shared/error-answers.ts";

/** Joins the parts of a body as they arrive, since a list of one-byte parts would be hundreds of times as large. */
export interface Collector {
  /** @throws {BodyTooLarge} beyond the limit, and {@link NoRoom} without room; then nothing of the body is kept */
  add(chunk: Uint8Array): void;
  /** The part of the body that has arrived. */
  whole(): Buffer;
}

/** The error of a body without room. */
const noRoom = (): NoRoom => new NoRoom("too many bytes of request bodies at once");

const NOTHING: Uint8Array = new Uint8Array(0);

export function createCollector(limit: number, room: Hold): Collector {
  let collected = NOTHING;
  let size = 0;
  let refusal: GatewayError | undefined;

  function refuse(error: GatewayError): never {
    collected = NOTHING;
    room.release();
    refusal = error;
    throw error;
  }

  return {
    add(chunk) {
      if (refusal !== undefined) throw refusal;
      const before = size;
      size += chunk.length;
      if (size > limit) refuse(new BodyTooLarge(limit));
      // Most bodies have one part.
      const isFirst = before === 0;
      const wanted = isFirst ? size : Math.min(Math.max(size, 2 * collected.length), limit);
      if (size > collected.length && !room.take(wanted - collected.length)) refuse(noRoom());
      if (isFirst) {
        collected = chunk;
        return;
      }
      if (size > collected.length) {
        const larger = new Uint8Array(wanted);
        larger.set(collected.subarray(0, before));
        collected = larger;
      }
      collected.set(chunk, before);
    },
    whole: () =>
      collected instanceof Buffer && collected.length === size
        ? collected
        : Buffer.from(collected.buffer, collected.byteOffset, Math.min(size, collected.length)),
  };
}
