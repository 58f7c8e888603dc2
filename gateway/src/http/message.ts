import type { Hold } from "../shared/budget.ts";

/** A request as the protocol needs it, whoever has read it from the wire. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  /** A header by its name in lower case. */
  header(name: string): string | undefined;
  /**
   * The whole body as bytes, at most `limit` of them; none for GET and HEAD.
   *
   * @param room is where they are counted as they arrive
   * @throws {BodyTooLarge}, {@link BodyMissing}, and {@link NotSent} when there is no room
   */
  body(limit: number, room: Hold): Promise<Buffer>;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream lasts until somebody ends it; `null` is the head of one. */
  readonly body: string | Buffer<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  /** Is to be called when the body is no longer held here: it has gone out, or nobody wants it. */
  readonly gone?: () => void;
}

/** The path of a request target, without its query. */
export function pathOf(target: string): string {
  const end = target.indexOf("?");
  return end === -1 ? target : target.slice(0, end);
}

/** Whether a request has no body by its method: what comes all the same is not looked at. */
export const isBodiless = (method: string): boolean => method === "GET" || method === "HEAD";
