import { type Key, keysTo } from "../access/tokens.ts";
import { certificateOf } from "../http/certificate.ts";
import { type Address, type Listening, listen } from "../http/listener.ts";
import type { Stage } from "../http/message.ts";
import { fail } from "../rest/response.ts";
import { GatewayError } from "../shared/error-answers.ts";
import { checkServeOptions } from "../shared/known-options.ts";
import { flawOf, type HttpLimits, httpLimitsOf } from "../shared/limits.ts";
import { type Log, neverThrowing, SILENT } from "../shared/log.ts";
import type { ReloadOptions, ServeOptions } from "../shared/options.ts";
import { DEFAULTS, PORT, SLOW } from "../shared/settings.ts";
import { within } from "../shared/time-limit.ts";
import { createHandler, type Handler } from "./handler.ts";
import { createHealth, type Health } from "./health.ts";
import { createRequestLog, type RequestLog } from "./request-log.ts";
import { identified, type Trace, withPages } from "./stages.ts";

const OPEN_MS = 1_000;
/** The minimum time in which the admin port answers that the gateway is not ready. */
const LAST_MS = 100;

export interface GatewayServer {
  /** The URL of the gateway, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** The URL of `/health`, `/ready` and `/metrics`; the same as `url` without an `adminPort`. */
  readonly adminUrl: string;
  /**
   * Changes databases and tokens, like {@link Gateway.reload}, and the certificate with its key for the next
   * connections. TLS itself cannot be switched on or off while the server runs.
   */
  reload(options: ReloadOptions): void;
  /**
   * Accepts no more connections, ends streams, and answers requests in flight or still arriving; each answer is
   * announced as the last on its connection. Connections without requests are ended half a second later, all others
   * after `drainTimeoutMs`.
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

/** The settings of a server, checked. */
interface Settings {
  readonly log: Log;
  readonly http: HttpLimits;
  readonly slowRequestMs: number;
  readonly main: Address;
  readonly admin: Address | undefined;
  readonly adminKeys: readonly Key<"health">[];
}

/** @throws {TypeError} and {RangeError} for an invalid setting of the server; those of the databases are not checked */
function settingsOf(options: ServeOptions): Settings {
  checkServeOptions(options);
  const certificate = certificateOf(options);
  const { port = DEFAULTS.port, host = DEFAULTS.host, adminPort, adminHost = host } = options;
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
  return {
    log: neverThrowing(options.log ?? SILENT),
    http,
    slowRequestMs,
    main: { port, host, certificate },
    admin: adminPort === undefined ? undefined : { port: adminPort, host: adminHost },
    adminKeys,
  };
}

const nothingElse: Stage<Trace> = (_request, _trace, to) => to.receive(fail(new NotFound()));

/** The ports of a server: the main one, and a separate one for operators if configured. */
type Ports = readonly [Listening, ...Listening[]];

/** @throws Node's own error if it cannot listen; then no port is open */
async function openPorts(settings: Settings, handler: Handler, health: Health, requests?: RequestLog): Promise<Ports> {
  const { log, http, main, admin } = settings;
  const listenAt = (address: Address, answer: Stage<Trace>): Promise<Listening> =>
    listen(identified(answer, log, requests?.ended), address, http);
  if (admin === undefined) return [await listenAt(main, withPages(health.pages, handler.answer))];
  const first = await listenAt(main, handler.answer);
  try {
    return [first, await listenAt(admin, withPages(health.pages, nothingElse))];
  } catch (error) {
    void first.close(0);
    throw error;
  }
}

/** Ends a server: its ports share one time limit, and the admin port answers "not ready" until the end. */
async function closePorts([main, admin]: Ports, drainTimeoutMs: number): Promise<void> {
  const since = performance.now();
  await main.close(drainTimeoutMs);
  await admin?.close(Math.max(drainTimeoutMs - (performance.now() - since), LAST_MS));
}

/**
 * Starts a gateway on its own port. It listens even if Redis is not up yet.
 *
 * @throws like {@link createGateway}, and Node's own error (`EADDRINUSE`, `EACCES`) if it cannot listen
 */
export async function serveGateway(options: ServeOptions): Promise<GatewayServer> {
  const settings = settingsOf(options);
  const { log, http } = settings;
  const handler = createHandler(options, log);
  const health = createHealth(handler, settings.adminKeys);
  if (options.processMetrics) handler.metrics.withProcess();
  const requests = log === SILENT ? undefined : createRequestLog(log, settings.slowRequestMs);
  const ports = await openPorts(settings, handler, health, requests).catch((error: unknown) => {
    handler.close();
    throw error;
  });
  const [main, admin = main] = ports;
  handler.metrics.withConnections(() => main.connections);
  // So that the first request after a start finds Redis, if it is up.
  await within(OPEN_MS, handler.opened);
  // The log names databases that do not answer.
  if (log !== SILENT) void handler.missing();

  async function close(): Promise<void> {
    health.drain();
    for (const it of ports) it.drain();
    handler.endStreams();
    await closePorts(ports, http.drainTimeoutMs);
    handler.close();
    requests?.flush();
  }

  /** Changes all or nothing: everything that can fail comes first. */
  function reload({ tlsCert, tlsKey, ...databases }: ReloadOptions): void {
    const renewed = certificateOf({ ...(tlsCert && { tlsCert }), ...(tlsKey && { tlsKey }) });
    if (renewed !== undefined && settings.main.certificate === undefined)
      throw new TypeError("a server that began without TLS needs a restart for tlsCert");
    handler.take(databases);
    if (renewed !== undefined) main.renew(renewed);
  }

  let closing: Promise<void> | undefined;
  return { url: main.url, port: main.port, adminUrl: admin.url, reload, close: () => (closing ??= close()) };
}
