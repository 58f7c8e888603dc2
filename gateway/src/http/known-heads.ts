import { timingSafeEqual } from "node:crypto";
import type { RequestHead } from "./request-head.ts";
import { END, type Part } from "./request-part.ts";

/** The number of heads that a connection remembers, and the longest one. */
const KNOWN_HEADS = 4;
const KNOWN_BYTES = 2_048;
const KNOWN_FIELDS = 64;
/** The headers after which a request is not told by its length, or the connection is not for HTTP any more. */
const UNUSUAL: readonly string[] = ["transfer-encoding", "upgrade", "expect"];

/** A head that has come before, and the length of the body that it tells. */
interface KnownHead {
  /** From where the request begins up to its body. */
  readonly bytes: Buffer;
  readonly head: RequestHead;
  readonly bodyBytes: number;
}

/**
 * The heads that one connection remembers. Clients send the same head with each request, and to parse it takes longer
 * than to compare it.
 */
export interface KnownHeads {
  /**
   * Reads bytes that are one whole request whose head has come before, and adds its parts to `parts`; false for any
   * other bytes.
   */
  recall(bytes: Buffer, parts: Part[]): boolean;
  /**
   * Remembers the head of bytes that were read into `parts`, if they were one whole request and a length told its body.
   *
   * @param fields the number of its headers
   */
  learn(bytes: Buffer, parts: readonly Part[], fields: number): void;
}

/**
 * Gives the head of bytes that were one whole request, to be remembered: bytes that begin in the same way mean the
 * same. It gives `undefined` if no length tells the body, or if the parser may be in another state afterwards.
 */
function learned(bytes: Buffer, parts: readonly Part[], fields: number): KnownHead | undefined {
  const [head, body] = parts;
  if (head === undefined || head === END || Buffer.isBuffer(head)) return undefined;
  const bodyBytes = Buffer.isBuffer(body) ? body.length : 0;
  // A line break may stand behind a request.
  if (Buffer.isBuffer(body) && body.byteOffset + body.length !== bytes.byteOffset + bytes.length) return undefined;
  if (parts.length !== (bodyBytes > 0 ? 3 : 2)) return undefined;
  if (head.method === "CONNECT" || UNUSUAL.some((name) => head.count(name) > 0)) return undefined;
  const length = bytes.length - bodyBytes;
  if (length > KNOWN_BYTES || fields > KNOWN_FIELDS) return undefined;
  // Memory of its own: a short buffer of Node's pool would keep 64 KiB for as long as the connection.
  const copy = Buffer.allocUnsafeSlow(length);
  bytes.copy(copy, 0, 0, length);
  return { bytes: copy, head, bodyBytes };
}

export function createKnownHeads(): KnownHeads {
  const known: KnownHead[] = [];
  return {
    // The comparison always takes the same time: a proxy may send the requests of several clients, with tokens in their
    // heads, on one connection.
    recall(bytes, parts) {
      for (const { bytes: before, head, bodyBytes } of known) {
        if (bytes.length !== before.length + bodyBytes) continue;
        if (!timingSafeEqual(bytes.subarray(0, before.length), before)) continue;
        head.isRepeated = true;
        parts.push(head);
        if (bodyBytes > 0) parts.push(bytes.subarray(before.length));
        parts.push(END);
        return true;
      }
      return false;
    },
    learn(bytes, parts, fields) {
      const one = learned(bytes, parts, fields);
      if (one !== undefined && known.unshift(one) > KNOWN_HEADS) known.pop();
    },
  };
}
