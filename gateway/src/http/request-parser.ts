import { timingSafeEqual } from "node:crypto";
import { END, type Part, type RequestHead } from "./client-request.ts";
import { type Flaw, Llhttp } from "./llhttp.ts";

/** The parser of one connection. */
export interface RequestParser {
  /** Whether a request has begun to arrive, and not ended. */
  readonly isInRequest: boolean;
  /** Whether the head of that request has arrived. */
  readonly isInBody: boolean;
  /**
   * Reads bytes, and adds the parts that they complete to `parts`.
   *
   * @returns a flaw, after which nothing more can be read
   */
  read(bytes: Buffer, parts: Part[]): Flaw | undefined;
  /** Must be called when the connection is gone. */
  free(): void;
}

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
interface KnownHeads {
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
 * Returns the head of bytes that were one whole request, to be remembered: bytes that begin alike mean the same. It
 * returns `undefined` if the body has no stated length, or if the parser may be in another state afterwards.
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

/** @param maxHeaderBytes the most bytes of a head, and of the trailers after a body */
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
