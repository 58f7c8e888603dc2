import type { Hold } from "../shared/budget.ts";
import type { Receiver } from "../shared/receiver.ts";

/** A request as the protocol needs it, independent of the server that read it. */
export interface HttpRequest {
  readonly method: string;
  /** The path and the query, as they were sent. */
  readonly target: string;
  /** A header by its name in lower case. */
  header(name: string): string | undefined;
  /**
   * The whole body, at most `limit` bytes; empty for GET and HEAD. A promise only while it is arriving: most bodies
   * come with their heads, and a promise would cost each of them turns of the microtask queue.
   *
   * @param room counts the bytes as they arrive
   * @throws {BodyTooLarge}, {@link BodyMissing}, and {@link NotSent} when there is no room
   */
  body(limit: number, room: Hold): Buffer | Promise<Buffer>;
  /**
   * Calls the listener once nobody is served by a late answer: the client has gone, or another request is waiting behind
   * this one on its connection. Returns a function that removes the listener.
   */
  whenUnwanted(listener: () => void): () => void;
}

/** A complete body. A large one comes in pieces, since to join them would take as long as to send them. */
export type WholeBody = string | Buffer | readonly Buffer[];

/** The length of a body in bytes. */
export function bytesIn(body: WholeBody): number {
  if (typeof body === "string") return Buffer.byteLength(body);
  return Buffer.isBuffer(body) ? body.length : body.reduce((sum, piece) => sum + piece.length, 0);
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The `X-Request-Id` to send besides the headers. */
  readonly id?: string;
  /** A stream lasts until somebody ends it; `null` stands for the head of a stream without its body. */
  readonly body: WholeBody | ReadableStream<Uint8Array> | null;
  /** Whether it only says that Redis does not know a script yet. */
  readonly isScriptMiss?: boolean;
  /** Must be called when the body is no longer held: it has gone out, or nobody wants it. */
  readonly gone?: () => void;
}

/** Answers a request by calling `take` once. It never throws. */
export type Respond = (request: HttpRequest, take: (response: HttpResponse) => void) => void;

/** A stage on a request's way, which answers it once, or fails; `extra` goes with the request from stage to stage. */
export type Stage<E> = (request: HttpRequest, extra: E, to: Receiver<HttpResponse>) => void;

/** Whether requests with a method have no body. If one is sent, it is ignored. */
export const isBodiless = (method: string): boolean => method === "GET" || method === "HEAD";

/** The path of a request target, without its query. */
export function pathOf(target: string): string {
  const end = target.indexOf("?");
  return end === -1 ? target : target.slice(0, end);
}

const DOTS = /^[^?#]*\/(?:\.|%2e){1,2}(?:[/?#]|$)/i;

/** Whether a request target has segments that `URL` removes, and with them whole arguments and commands. */
export const hasDots = (target: string): boolean => DOTS.test(target);

/**
 * Decodes percent escapes. Bytes that are not UTF-8 come back as a buffer, so that the path form is as binary-safe as
 * the body. A `%` without two digits stands for itself, as in URLs.
 */
export function decode(text: string): string | Buffer {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    const bytes = Buffer.from(text).toString("latin1");
    const unescaped = bytes.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return Buffer.from(unescaped, "latin1");
  }
}

/** The decoded query parameters in their order: `EX=100` is a pair, `NX` only a name. */
export function queryPairs(target: string): (string | Buffer)[][] {
  const mark = target.indexOf("?");
  if (mark === -1) return [];
  const query = target.slice(mark + 1);
  const parts = query.split("&").filter((part) => part !== "");
  return parts.map((part) => {
    const form = part.replaceAll("+", " ");
    const equals = form.indexOf("=");
    return equals === -1 ? [decode(form)] : [decode(form.slice(0, equals)), decode(form.slice(equals + 1))];
  });
}
