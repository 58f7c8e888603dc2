import { createHandler } from "./handler.ts";
import { fromWeb, toWeb } from "./http/web.ts";
import { checkGatewayOptions } from "./shared/known-options.ts";
import type { DatabasesOptions, GatewayOptions } from "./shared/options.ts";

export interface Gateway {
  /**
   * Answers one request, with the signature of the global `fetch`, so that `connect({ url, token, fetch: gateway.fetch })` works within
   * one process. It never rejects, but for what is no request.
   *
   * A `Request` has lost the segments `.` and `..` of its path (`%2e` as well) before it gets here: `/set/../flushall` is `/flushall`.
   * {@link serveGateway} looks at what was sent and refuses them; whoever builds requests from what others send must do so as well.
   */
  fetch(request: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Resolves when the first attempt to reach Redis has ended, well or not; requests before it end with 503. It never rejects. */
  readonly opened: Promise<void>;
  /** Whether every Redis behind answers. It never rejects, and asks twice a second at most. */
  isReady(): Promise<boolean>;
  /** What is counted, in Prometheus's text format. */
  metrics(): Promise<string>;
  /**
   * Takes the databases and tokens of other options, and nothing else of them. Requests in flight end as they would have, and a database
   * that is reached as before keeps its connections; streams whose token is no longer valid end. A token that opens a database which is
   * reached in another way, or another database, goes on with the one before until the new one has answered for the first time.
   *
   * @throws as {@link createGateway} does; then all stays as it was
   */
  reload(options: DatabasesOptions): void;
  /** Ends all streams and the connections to Redis; requests in flight end with 504, later ones with 503. */
  close(): void;
}

/**
 * The Upstash REST protocol in front of Redis or Valkey servers, as a handler of web-standard requests.
 *
 * It sends each command once or not at all: 503 means that nothing was sent, 504 that it was sent and no answer came.
 *
 * @throws {TypeError} for an option that does not exist, a URL that is not a Redis URL, an empty token, or one that would open two databases
 * @throws {RangeError} for a limit out of range
 */
export function createGateway(options: GatewayOptions): Gateway {
  checkGatewayOptions(options);
  const handler = createHandler(options);
  return {
    async fetch(given, init) {
      // Not by `instanceof`: servers have classes of their own for requests.
      const isRequest = typeof given === "object" && "headers" in given && init === undefined;
      const request = isRequest ? given : new Request(given, init);
      return toWeb(await handler.answer(fromWeb(request), {}), request.method);
    },
    opened: handler.opened,
    isReady: async () => (await handler.missing()).length === 0,
    metrics: handler.metrics.text,
    reload: handler.take,
    close() {
      handler.endStreams();
      handler.close();
    },
  };
}
