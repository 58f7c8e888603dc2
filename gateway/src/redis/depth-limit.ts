import type { Duplex } from "node:stream";
import { ARRAY, BULK } from "./resp.ts";

/**
 * The deepest nesting of arrays. The parser of ioredis calls itself for each level and is out of stack after some
 * 1 200, when compiled after some 2 500; then it drops the connection with everybody's commands in flight. Redis itself
 * cuts a script's reply at 7 994.
 */
export const MAX_DEPTH = 512;
/** The error in place of an array that is too deep, like the one that Redis puts there at its own limit. */
const TOO_DEEP = Buffer.from(`-ERR arrays in more than ${MAX_DEPTH} arrays are left out\r\n`);

const CRLF_BYTES = 2;
const LF = 0x0a;
const MINUS = 0x2d;
const ZERO = 0x30;

/**
 * Creates a filter for chunks of RESP2, cut anywhere, that leaves out arrays that are too deep. It is not recursive.
 */
export function createDepthLimit(): (chunk: Buffer) => Buffer {
  /** The number of outstanding items of each open array; the innermost is last. */
  const open: number[] = [];
  /** The number of outstanding items of an array that is too deep, and of the arrays in it. */
  let extra = 0;
  let isLeftOut = false;
  /** The outstanding bytes of a bulk string. */
  let skip = 0;
  /** The first byte of the open line, 0 while there is none, and its number, -1 for null. */
  let [type, count] = [0, 0];

  /** Ends an item, and the arrays whose last item it is. True if the next bytes are to be kept again. */
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
    let [from, at] = [0, 0];
    let wasCut = isLeftOut;
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
          // An empty array or null has no depth.
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

/** Filters the bytes of a socket for its present listeners; later listeners get all of them. */
export function limitDepth(socket: Duplex): void {
  const limit = createDepthLimit();
  for (const listener of socket.listeners("data") as ((chunk: Buffer) => void)[]) {
    socket.off("data", listener);
    socket.prependListener("data", (chunk: Buffer) => listener(limit(chunk)));
  }
}
