import type { Hold } from "../shared/budget.ts";
import { BodyTooLarge, type GatewayError, NotSent } from "../shared/errors.ts";

/** The parts of a body, put together as they arrive: a list of them would be hundreds of times as large where each is one byte. */
export interface Collector {
  /** @throws {BodyTooLarge} for what would be more than the limit, and {@link NotSent} where there is no room; then nothing of the body is kept */
  add(chunk: Uint8Array): void;
  /** All that has arrived. */
  whole(): Buffer;
}

const NOTHING: Uint8Array = new Uint8Array(0);

export function createCollector(limit: number, room: Hold): Collector {
  let kept = NOTHING;
  let size = 0;
  let refusal: GatewayError | undefined;

  function refuse(error: GatewayError): never {
    kept = NOTHING;
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
      // Mostly the first one is all.
      const isFirst = before === 0;
      const wanted = isFirst ? size : Math.min(Math.max(size, 2 * kept.length), limit);
      if (size > kept.length && !room.take(wanted - kept.length))
        refuse(new NotSent("too many bytes of request bodies at once"));
      if (isFirst) {
        kept = chunk;
        return;
      }
      if (size > kept.length) {
        const larger = new Uint8Array(wanted);
        larger.set(kept.subarray(0, before));
        kept = larger;
      }
      kept.set(chunk, before);
    },
    whole: () =>
      kept instanceof Buffer && kept.length === size
        ? kept
        : Buffer.from(kept.buffer, kept.byteOffset, Math.min(size, kept.length)),
  };
}
