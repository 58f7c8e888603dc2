import { BodyTooLarge } from "./errors.ts";

/** The parts of a body, put together as they arrive: a list of them would be hundreds of times as large where each is one byte. */
export interface Collector {
  /** @throws {BodyTooLarge} for what would be more than the limit; then nothing of the body is kept */
  add(chunk: Uint8Array): void;
  /** All that has arrived. */
  whole(): Buffer;
}

const NOTHING: Uint8Array = new Uint8Array(0);

export function createCollector(limit: number): Collector {
  let room = NOTHING;
  let size = 0;
  return {
    add(chunk) {
      const before = size;
      size += chunk.length;
      if (size > limit) {
        room = NOTHING;
        throw new BodyTooLarge(limit);
      }
      if (before === 0) {
        // Mostly that is all.
        room = chunk;
        return;
      }
      if (size > room.length) {
        const larger = new Uint8Array(Math.min(Math.max(size, 2 * room.length), limit));
        larger.set(room.subarray(0, before));
        room = larger;
      }
      room.set(chunk, before);
    },
    whole: () =>
      room instanceof Buffer && room.length === size
        ? room
        : Buffer.from(room.buffer, room.byteOffset, Math.min(size, room.length)),
  };
}
