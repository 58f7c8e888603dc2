import { randomUUID } from "node:crypto";
import { keysTo } from "../access/tokens.ts";
import { type Listening, listen } from "../http/listener.ts";
import type { HttpRequest, HttpResponse, Respond, Stage } from "../http/message.ts";
import { certificateOf } from "../http/server-socket.ts";
import { fail } from "../rest/response.ts";
import { BadRequest, GatewayError } from "../shared/errors.ts";
import { checkServeOptions } from "../shared/known-options.ts";
import { httpLimitsOf } from "../shared/limits.ts";
import { type Log, neverThrowing, placesOf, SILENT } from "../shared/log.ts";
import type { ReloadOptions, ServeOptions } from "../shared/options.ts";
import { passOn, type Receiver } from "../shared/receiver.ts";
import { DEFAULTS, flawOf, PORT, SLOW } from "../shared/settings.ts";
import { within } from "../shared/time-limit.ts";
import { createHandler, type Trace } from "./handler.ts";
import { createHealth } from "./health.ts";
import { createRequestLog, type RequestLog } from "./request-log.ts";

const OPEN_MS = 1_000;
/** The least time for the admin port to answer that the gateway is not ready. */
const LAST_MS = 100;

export interface GatewayServer {
  /** The URL of the gateway, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** The URL of `/health`, `/ready` and `/metrics`; the same as `url` without an `adminPort`. */
  readonly adminUrl: string;
  /**
   * Takes other databases and tokens, as {@link Gateway.reload} does, and another certificate with its key, which the
   * next connections see. TLS itself cannot begin or end while the server runs.
   */
  reload(options: ReloadOptions): void;
  /**
   * Takes no more connections, ends streams, and answers requests that are in flight or on their way; each answer is
   * announced as the last on its connection. Connections without requests are ended half a second later, all others
   * when `drainTimeoutMs` are over.
   */
  close(): Promise<void>;
}

/** 404, on a port that has only the pages of {@link createHealth}. */
class NotFound extends GatewayError {
  override readonly name = "NotFound";

  constructor() {
    super(404, "Not Found");
  }
}

const TWO_HOSTS = "more than one Host header";

/** Whether a request has two Host headers, which are joined. A proxy in front may have looked at the other one. */
const hasTwoHosts = (request: HttpRequest): boolean => request.header("host")?.includes(", ") === true;

const SANE_ID = /^[\w.:/+=@-]{1,128}$/;

/** The caller's own `X-Request-Id` if it can go into a header and a log as it is. */
function requestIdOf(request: HttpRequest): string | undefined {
  const given = request.header("x-request-id");
  return given !== undefined && SANE_ID.test(given) ? given : undefined;
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** The caller's `traceparent` of the W3C's Trace Context, if it is well-formed. */
function traceparentOf(request: HttpRequest): string | undefined {
  const given = request.header("traceparent");
  return given !== undefined && TRACEPARENT.test(given) ? given : undefined;
}

/** Wraps `answer`: gives each request an id and a line in the log. */
function logged(answer: Stage<Trace>, log: Log, requests: RequestLog): Respond {
  return (request, take) => {
    const id = requestIdOf(request) ?? randomUUID();
    const traceparent = traceparentOf(request);
    const shown = traceparent === undefined ? {} : { traceparent };
    const trace: Trace = { shown, sending: {}, startedAt: performance.now() };
    const receiver: Receiver<HttpResponse> = {
      receive(response) {
        requests.ended(id, trace, response);
        // Not by a spread, which costs each request more than the fields do.
        const { status, headers, body, gone } = response;
        take(gone === undefined ? { status, headers, id, body } : { status, headers, id, body, gone });
      },
      fail(error) {
        log.error({ id, at: placesOf(error) }, "internal error");
        receiver.receive(fail(error));
      },
    };
    if (hasTwoHosts(request)) receiver.receive(fail(new BadRequest(TWO_HOSTS)));
    else answer(request, trace, receiver);
  };
}

/**
 * Starts a gateway on its own port. It listens whether Redis is up yet or not.
 *
 * @throws as {@link createGateway} does, and with Node's own error (`EADDRINUSE`, `EACCES`) when it cannot listen
 */
export async function serveGateway(options: ServeOptions): Promise<GatewayServer> {
  checkServeOptions(options);
  const certificate = certificateOf(options);
  const { port = DEFAULTS.port, host = DEFAULTS.host, adminPort } = options;
  const log = neverThrowing(options.log ?? SILENT);
  const { slowRequestMs = DEFAULTS.slowRequestMs } = options;
  const http = httpLimitsOf(options);
  const flaw =
    flawOf("port", port, PORT) ??
    (adminPort === undefined ? undefined : flawOf("adminPort", adminPort, PORT)) ??
    flawOf("slowRequestMs", slowRequestMs, SLOW);
  if (flaw !== undefined) throw new RangeError(flaw);
  const { adminToken: token = [], adminTokenSha256: tokenSha256 = [] } = options;
  const adminKeys = keysTo("health" as const, { token, tokenSha256 }, (option) =>
    option === "token" ? "adminToken" : "adminTokenSha256",
  );
  const handler = createHandler(options, log);
  const health = createHealth(handler, adminKeys);
  if (options.processMetrics) handler.metrics.withProcess();

  /** Answers the pages of {@link createHealth}, and leaves other requests to `others`. */
  const withHealth =
    (others: Stage<Trace>): Stage<Trace> =>
    (request, trace, to) => {
      const page = health.answer(request);
      if (page === undefined) others(request, trace, to);
      else passOn(page, to);
    };
  const nothingElse: Stage<Trace> = (_request, _trace, to) => to.receive(fail(new NotFound()));
  const requests = createRequestLog(log, slowRequestMs);
  const listening: Listening[] = [];
  try {
    const main = await listen(
      logged(adminPort === undefined ? withHealth(handler.answer) : handler.answer, log, requests),
      { port, host, certificate },
      http,
    );
    listening.push(main);
    if (adminPort !== undefined)
      listening.push(
        await listen(
          logged(withHealth(nothingElse), log, requests),
          { port: adminPort, host: options.adminHost ?? host },
          http,
        ),
      );
    handler.metrics.withConnections(() => main.connections);
    // So that the first request after a start finds Redis, if it is up.
    await within(OPEN_MS, handler.opened);
    // Databases that do not answer are named in the log.
    if (log !== SILENT) void handler.missing();
    const close = async (): Promise<void> => {
      health.drain();
      for (const it of listening) it.drain();
      handler.endStreams();
      const [first, admin] = listening;
      // The admin port says until the end that the gateway is not ready. Both ports share one time limit.
      const since = performance.now();
      await first?.close(http.drainTimeoutMs);
      await admin?.close(Math.max(http.drainTimeoutMs - (performance.now() - since), LAST_MS));
      handler.close();
      requests.flush();
    };
    /** Takes all or nothing: what can fail comes first. */
    const reload = ({ tlsCert, tlsKey, ...databases }: ReloadOptions): void => {
      const renewed = certificateOf({ ...(tlsCert && { tlsCert }), ...(tlsKey && { tlsKey }) });
      if (renewed !== undefined && certificate === undefined)
        throw new TypeError("a server that began without TLS needs a restart for tlsCert");
      handler.take(databases);
      if (renewed !== undefined) main.renew(renewed);
    };
    let closing: Promise<void> | undefined;
    return {
      url: main.url,
      port: main.port,
      adminUrl: (listening[1] ?? main).url,
      reload,
      close: () => (closing ??= close()),
    };
  } catch (error) {
    for (const it of listening) void it.close(0);
    handler.close();
    throw error;
  }
}
