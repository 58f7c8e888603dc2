import type { HttpResponse } from "../http/message.ts";
import { fromWeb, toWeb } from "../http/web.ts";
import { checkGatewayOptions } from "../shared/known-options.ts";
import type { DatabasesOptions, GatewayOptions } from "../shared/options.ts";
import { received } from "../shared/receiver.ts";
import { createHandler } from "./handler.ts";

export interface Gateway {
  /**
   * Answers one request, with the signature of the global `fetch`, so that
   * `connect({ url, token, fetch: gateway.fetch })` works within one process. It rejects only if the arguments do not
   * make a request.
   *
   * A `Request` has lost the segments `.` and `..` of its path (`%2e` as well) before it gets here: `/set/../flushall`
   * is `/flushall`. {@link serveGateway} sees the path as it was sent, and refuses such segments. Code that builds
   * requests from untrusted paths must do so as well.
   */
  fetch(request: Request | URL | string, init?: RequestInit): Promise<Response>;
  /**
   * Resolves when the first attempt to reach Redis has ended, well or not; earlier requests end with 503. It never
   * rejects.
   */
  readonly opened: Promise<void>;
  /** Asks whether every Redis answers. It never rejects, and asks Redis at most twice a second. */
  isReady(): Promise<boolean>;
  /** The metrics in Prometheus's text format. */
  metrics(): Promise<string>;
  /**
   * Takes the databases and tokens of other options, and no other settings. Requests in flight are not disturbed, a
   * database with the same name, address and login keeps its connections, and streams whose token is no longer valid
   * end. A token that is to open another Redis continues with the previous one until the new one has answered for the
   * first time.
   *
   * @throws as {@link createGateway} does; then nothing changes
   */
  reload(options: DatabasesOptions): void;
  /** Ends all streams and the connections to Redis; requests in flight end with 504, later ones with 503. */
  close(): void;
}

/**
 * Creates a handler of web-standard requests that speaks the Upstash REST protocol in front of Redis or Valkey servers.
 *
 * It sends each command once or not at all: 503 means that nothing was sent, 504 that the command was sent and no
 * answer came.
 *
 * @throws {TypeError} for an unknown option, an invalid Redis URL, an empty token, or a token that would open two
 * databases
 * @throws {RangeError} for a limit out of range
 */
export function createGateway(options: GatewayOptions): Gateway {
  checkGatewayOptions(options);
  const handler = createHandler(options);
  return {
    async fetch(given, init) {
      // Not by `instanceof`: servers have their own classes for requests.
      const isRequest = typeof given === "object" && "headers" in given && init === undefined;
      const request = isRequest ? given : new Request(given, init);
      const trace = { shown: {}, sending: {}, startedAt: performance.now() };
      const answered = received<HttpResponse>((to) => handler.answer(fromWeb(request), trace, to));
      return toWeb(await answered, request.method);
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
