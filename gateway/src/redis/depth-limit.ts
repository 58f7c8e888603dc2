import type { Duplex } from "node:stream";
import { ARRAY, BULK } from "./resp.ts";

/**
 * How deep arrays may be in arrays. The parser of ioredis calls itself for each level and is out of stack after some 1 200, compiled
 * after some 2 500: then it drops the connection, and with it what everybody has in flight. Redis ends a script's reply at 7 994 only.
 */
export const MAX_DEPTH = 512;
/** Stands where an array is too deep: Redis puts such an error there as well, at its own limit. */
const TOO_DEEP = Buffer.from(`-ERR arrays in more than ${MAX_DEPTH} arrays are left out\r\n`);

const CRLF_BYTES = 2;
const LF = 0x0a;
const MINUS = 0x2d;
const ZERO = 0x30;

/** Reads RESP2 in chunks that are cut anywhere, and gives them without the arrays that are too deep. It never calls itself. */
export function createDepthLimit(): (chunk: Buffer) => Buffer {
  /** For each array that has begun, how many of its items are not over; the innermost is last. */
  const open: number[] = [];
  /** How many items of an array that is too deep are not over, and of those in it. */
  let extra = 0;
  let isLeftOut = false;
  /** Bytes to come of a bulk string. */
  let skip = 0;
  /** Of the line that has begun: its first byte, 0 while there is none, and its number, -1 for null. */
  let type = 0;
  let count = 0;

  /** An item is over, and with it the arrays whose last one it is. True if what comes next is to be kept again. */
  function endItem(): boolean {
    const wasLeftOut = isLeftOut;
    if (isLeftOut && --extra > 0) return false;
    isLeftOut = false;
    for (let last = open.length - 1; last >= 0; last--) {
      const missing = (open[last] ?? 0) - 1;
      open[last] = missing;
      if (missing > 0) break;
      open.pop();
    }
    return wasLeftOut;
  }

  return (chunk) => {
    const { length } = chunk;
    const kept: Buffer[] = [];
    let from = 0;
    let wasCut = isLeftOut;
    let at = 0;
    while (at < length) {
      if (skip === 0) {
        if (type === 0) {
          type = chunk[at] ?? 0;
          count = 0;
          if (type === ARRAY && open.length === MAX_DEPTH && !isLeftOut) {
            kept.push(chunk.subarray(from, at));
            isLeftOut = wasCut = true;
          }
          at++;
        }
        const isCounted = type === BULK || type === ARRAY;
        let byte = 0;
        while (at < length && byte !== LF) {
          byte = chunk[at++] ?? 0;
          if (!isCounted) continue;
          if (byte === MINUS) count = -1;
          else if (byte >= ZERO && count >= 0) count = count * 10 + byte - ZERO;
        }
        if (byte !== LF) break;
        const ended = type;
        type = 0;
        if (ended === BULK && count >= 0) {
          skip = count + CRLF_BYTES;
          continue;
        }
        if (ended === ARRAY) {
          const isFirst = isLeftOut && extra === 0;
          // One that is empty or null has no depth.
          if (isFirst) kept.push(count > 0 ? TOO_DEEP : Buffer.from(`*${count}\r\n`));
          if (count > 0) {
            if (isLeftOut) extra += isFirst ? count : count - 1;
            else open.push(count);
            continue;
          }
          if (isFirst) extra = 1;
        }
      } else {
        const step = Math.min(skip, length - at);
        at += step;
        skip -= step;
        if (skip > 0) break;
      }
      if (endItem()) from = at;
    }
    if (!wasCut) return chunk;
    if (!isLeftOut) kept.push(chunk.subarray(from));
    return Buffer.concat(kept);
  };
}

/** Lets those who listen to a socket already hear what is left of its bytes; those who come later hear all of them. */
export function limitDepth(socket: Duplex): void {
  const limit = createDepthLimit();
  for (const listener of socket.listeners("data") as ((chunk: Buffer) => void)[]) {
    socket.off("data", listener);
    socket.prependListener("data", (chunk: Buffer) => listener(limit(chunk)));
  }
}
