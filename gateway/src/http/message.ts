import type { Hold } from "../shared/budget.ts";
import type { Receiver } from "../shared/receiver.ts";

/** A request as the protocol needs it, independent of the server that read it. */
export interface HttpRequest {
  readonly method: string;
  /** The path and the query, unchanged. */
  readonly target: string;
  /** A header by its name in lower case. */
  header(name: string): string | undefined;
  /**
   * The whole body, at most `limit` bytes; empty for GET and HEAD. Nothing of it is read before this is called.
   *
   * @param room counts the bytes as they arrive
   * @throws {BodyTooLarge}, {@link BodyMissing}, and {@link NotSent} without room
   */
  body(limit: number, room: Hold): Promise<Buffer>;
  /**
   * Calls the listener once a late answer is useless: the client has disconnected, or another request waits after this
   * one on its connection. Returns a function that removes the listener.
   */
  whenUnwanted(listener: () => void): () => void;
}

/** A complete body. A large body is in pieces, since joining them would take as long as sending them. */
export type WholeBody = string | Buffer | readonly Buffer[];

/** The length of a body in bytes. */
export function bytesIn(body: WholeBody): number {
  if (typeof body === "string") return Buffer.byteLength(body);
  return Buffer.isBuffer(body) ? body.length : body.reduce((sum, piece) => sum + piece.length, 0);
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The `X-Request-Id` to send in addition to the headers. */
  readonly id?: string;
  /** A stream lasts until one side ends it; `null` is the head of a stream without its body. */
  readonly body: WholeBody | ReadableStream<Uint8Array> | null;
  /** Whether it only reports that Redis does not know a script yet. */
  readonly isScriptMiss?: boolean;
  /** Must be called when the body is no longer in memory: it was sent, or is not needed. */
  readonly gone?: () => void;
}

/** Answers a request by calling `take` once. It never throws. */
export type Respond = (request: HttpRequest, take: (response: HttpResponse) => void) => void;

/**
 * A stage on a request's path, which answers it once, or fails; `extra` is passed with the request from stage to stage.
 */
export type Stage<E> = (request: HttpRequest, extra: E, to: Receiver<HttpResponse>) => void;

const DOTS = /^[^?#]*\/(?:\.|%2e){1,2}(?:[/?#]|$)/i;

/** Whether a request target has segments that `URL` removes, and with them whole arguments and commands. */
export const hasDots = (target: string): boolean => DOTS.test(target);
