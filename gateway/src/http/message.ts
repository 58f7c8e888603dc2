import type { Hold } from "../shared/budget.ts";

/** A request as the protocol needs it, independent of the server that read it. */
export interface HttpRequest {
  readonly method: string;
  /** The path and the query, as they were sent. */
  readonly target: string;
  /** A header by its name in lower case. */
  header(name: string): string | undefined;
  /**
   * The whole body, at most `limit` bytes; empty for GET and HEAD.
   *
   * @param room counts the bytes as they arrive
   * @throws {BodyTooLarge}, {@link BodyMissing}, and {@link NotSent} when there is no room
   */
  body(limit: number, room: Hold): Promise<Buffer>;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The `X-Request-Id` to send besides the headers. */
  readonly id?: string;
  /** A stream lasts until somebody ends it; `null` stands for the head of a stream without its body. */
  readonly body: string | Buffer<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  /** Whether it only says that Redis does not know a script yet. */
  readonly isScriptMiss?: boolean;
  /** Must be called when the body is no longer held: it has gone out, or nobody wants it. */
  readonly gone?: () => void;
}

/** The path of a request target, without its query. */
export function pathOf(target: string): string {
  const end = target.indexOf("?");
  return end === -1 ? target : target.slice(0, end);
}

/** Whether requests with a method have no body. One that is sent all the same is ignored. */
export const isBodiless = (method: string): boolean => method === "GET" || method === "HEAD";
