import type { HttpResponse } from "../http/message.ts";
import { fromWeb, toWeb } from "../http/web.ts";
import { checkGatewayOptions } from "../shared/known-options.ts";
import type { DatabasesOptions, GatewayOptions } from "../shared/options.ts";
import { received } from "../shared/receiver.ts";
import { createHandler } from "./handler.ts";

export interface Gateway {
  /**
   * Answers one request, with the signature of the global `fetch`, so that `connect({ url, token, fetch: gateway.fetch
   * })` works within one process. It rejects only if the arguments are not a valid request.
   *
   * A `Request` has already lost the segments `.` and `..` of its path (`%2e` as well): `/set/../flushall` is
   * `/flushall`. {@link serveGateway} sees the original path, and refuses such segments. Code that builds requests from
   * untrusted paths must do so as well.
   */
  fetch(request: Request | URL | string, init?: RequestInit): Promise<Response>;
  /**
   * Resolves when the first attempt to reach Redis has ended, successfully or not; earlier requests end with 503. It
   * never rejects.
   */
  readonly opened: Promise<void>;
  /** Checks whether every Redis answers. It never rejects, and sends a request at most twice a second. */
  isReady(): Promise<boolean>;
  /** The metrics in Prometheus's text format. */
  metrics(): Promise<string>;
  /**
   * Changes to the databases and tokens of these options; other settings are ignored. Requests in flight are not
   * disturbed, a database with the same name, address and login keeps its connections, and streams whose token is no
   * longer valid end. A token of another Redis continues with the previous one until the new one has answered for the
   * first time.
   *
   * @throws like {@link createGateway}; then nothing changes
   */
  reload(options: DatabasesOptions): void;
  /** Ends all streams and the connections to Redis; requests in flight end with 504, later ones with 503. */
  close(): void;
}

/**
 * Creates a handler of web-standard requests that serves the Upstash REST protocol for Redis or Valkey servers.
 *
 * It sends each command at most once: 503 means that nothing was sent, 504 that the command was sent and there was no
 * reply.
 *
 * @throws {TypeError} for an unknown option, an invalid Redis URL, an empty token, or a token of two databases
 * @throws {RangeError} for a limit out of range
 */
export function createGateway(options: GatewayOptions): Gateway {
  checkGatewayOptions(options);
  const handler = createHandler(options);
  return {
    async fetch(input, init) {
      // Not `instanceof`, since servers have their own classes for requests.
      const isRequest = typeof input === "object" && "headers" in input && init === undefined;
      const request = isRequest ? input : new Request(input, init);
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
