import { timingSafeEqual } from "node:crypto";

/** The head of an HTTP request. A client may send the same one again and again. */
export interface RequestHead {
  readonly method: string;
  /** The path and the query, or another target, as it was sent. */
  readonly target: string;
  /** Whether it is in HTTP/1.0. */
  readonly isOld: boolean;
  /** Whether the client means to go on with the connection. */
  readonly isKeptAlive: boolean;
  /** Whether it has come before on its connection, byte for byte; then it is the same object. */
  isRepeated: boolean;
  /** A header by its name in lower case. Several of one name are joined by a comma and a space. */
  header(name: string): string | undefined;
  /** How many headers have a name. */
  count(name: string): number;
}

interface Fields extends Pick<RequestHead, "method" | "target" | "isOld" | "isKeptAlive"> {
  readonly names: readonly string[];
  readonly values: readonly string[];
}

const isNamed = (given: string, name: string): boolean =>
  given.length === name.length && (given === name || given.toLowerCase() === name);

/** The value without the spaces and tabs after it. */
function trimmed(value: string): string {
  let end = value.length;
  while (end > 0 && (value[end - 1] === " " || value[end - 1] === "\t")) end--;
  return end === value.length ? value : value.slice(0, end);
}

class Head implements RequestHead {
  readonly method: string;
  readonly target: string;
  readonly isOld: boolean;
  readonly isKeptAlive: boolean;
  isRepeated = false;
  readonly #names: readonly string[];
  readonly #values: readonly string[];

  constructor({ method, target, isOld, isKeptAlive, names, values }: Fields) {
    this.method = method;
    this.target = target;
    this.isOld = isOld;
    this.isKeptAlive = isKeptAlive;
    this.#names = names;
    this.#values = values;
  }

  header(name: string): string | undefined {
    let found: string | undefined;
    for (let at = 0; at < this.#names.length; at++) {
      if (!isNamed(this.#names[at] ?? "", name)) continue;
      const value = trimmed(this.#values[at] ?? "");
      found = found === undefined ? value : `${found}, ${value}`;
    }
    return found;
  }

  count(name: string): number {
    return this.#names.filter((given) => isNamed(given, name)).length;
  }
}

export const createHead = (fields: Fields): RequestHead => new Head(fields);

/** The end of a request, after its head and the pieces of its body. */
export const END: unique symbol = Symbol("end");

/** A part of a request: its head, a piece of its body, or its end. */
export type Part = RequestHead | Buffer | typeof END;

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
