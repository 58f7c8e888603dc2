import { timingSafeEqual } from "node:crypto";
import { END, type Part, type RequestHead } from "./client-request.ts";
import { type Flaw, Llhttp } from "./llhttp.ts";

/** The parser of one connection. */
export interface RequestParser {
  /** Whether a request has begun to arrive and has not ended. */
  readonly isInRequest: boolean;
  /** Whether the head of that request has arrived. */
  readonly isInBody: boolean;
  /**
   * Reads bytes, and adds the parts that they complete to `parts`.
   *
   * @returns a flaw, after which nothing more can be read
   */
  read(bytes: Buffer, parts: Part[]): Flaw | undefined;
  /** Must be called when the connection has ended. */
  free(): void;
}

/** The number of heads that a connection caches, and the maximum length of one. */
const KNOWN_HEADS = 4;
const KNOWN_BYTES = 2_048;
const KNOWN_FIELDS = 64;
/** Headers with which the length does not delimit a request, or the connection leaves HTTP. */
const UNUSUAL: readonly string[] = ["transfer-encoding", "upgrade", "expect"];

/** A cached head, and the length of the body that it declares. */
interface KnownHead {
  /** From the beginning of the request to its body. */
  readonly bytes: Buffer;
  readonly head: RequestHead;
  readonly bodyBytes: number;
}

/**
 * The cached heads of one connection. Clients repeat the same head with each request, and parsing takes longer than
 * comparing.
 */
interface KnownHeads {
  /**
   * Reads bytes that are one whole request with a cached head, and adds its parts to `parts`. Returns false for any
   * other bytes.
   */
  recall(bytes: Buffer, parts: Part[]): boolean;
  /**
   * Caches the head of bytes that were read into `parts`, if they were one whole request whose body had a declared
   * length.
   *
   * @param fields the number of its headers
   */
  learn(bytes: Buffer, parts: readonly Part[], fields: number): void;
}

/**
 * Returns the head of bytes that were one whole request, for the cache: equal bytes mean the same. Returns `undefined`
 * if the body has no declared length, or if the parser may be in another state afterwards.
 */
function learned(bytes: Buffer, parts: readonly Part[], fields: number): KnownHead | undefined {
  const [head, body] = parts;
  if (head === undefined || head === END || Buffer.isBuffer(head)) return undefined;
  const bodyBytes = Buffer.isBuffer(body) ? body.length : 0;
  // A line break may follow a request.
  if (Buffer.isBuffer(body) && body.byteOffset + body.length !== bytes.byteOffset + bytes.length) return undefined;
  if (parts.length !== (bodyBytes > 0 ? 3 : 2)) return undefined;
  if (head.method === "CONNECT" || UNUSUAL.some((name) => head.count(name) > 0)) return undefined;
  const length = bytes.length - bodyBytes;
  if (length > KNOWN_BYTES || fields > KNOWN_FIELDS) return undefined;
  // A separate copy: a short buffer from Node's pool would keep 64 KiB in memory until the connection ends.
  const copy = Buffer.allocUnsafeSlow(length);
  bytes.copy(copy, 0, 0, length);
  return { bytes: copy, head, bodyBytes };
}

function createKnownHeads(): KnownHeads {
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

/** @param maxHeaderBytes the maximum bytes of a head, and of the trailers after a body */
export function createRequestParser(maxHeaderBytes: number): RequestParser {
  const parser = new Llhttp(maxHeaderBytes);
  const { request } = parser;
  const known = createKnownHeads();
  return {
    get isInRequest() {
      return request.isInRequest;
    },
    get isInBody() {
      return request.isInBody;
    },
    read(bytes, parts) {
      if (!request.isInRequest && !request.isOver && known.recall(bytes, parts)) return undefined;
      const isBetween = !request.isInRequest && parts.length === 0;
      const flaw = parser.read(bytes, parts);
      if (flaw !== undefined) return flaw;
      if (isBetween && !request.isInRequest && !request.isOver) known.learn(bytes, parts, request.names.length);
      return undefined;
    },
    free: () => parser.free(),
  };
}
