import { type Access, findKey, type Key, presented } from "./auth.ts";
import { originsOf, withCors } from "./cors.ts";
import type { Database } from "./database.ts";
import { createDatabases, type DatabasesOptions } from "./databases.ts";
import { BadRequest, Unauthorized } from "./errors.ts";
import { createGate, type LimitOptions, limitsOf } from "./limits.ts";
import { type Log, SILENT } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { createOpenStreams } from "./open-streams.ts";
import { fail } from "./respond.ts";
import { type Route, routeOf } from "./route.ts";
import { hasDots } from "./target.ts";

const DOTS_CHANGE_IT = "a path with . or .. as a segment would name another command: send it in a body";

export interface HandlerOptions extends DatabasesOptions, LimitOptions {
  /**
   * The origins whose scripts may use the gateway from a browser (`https://app.example`), or `*` for all. None by default: a token in
   * a web page is everybody's, so give it one that only reads.
   */
  readonly corsOrigin?: string | readonly string[];
}

/** What a log may say of a request; filled in as it is found out. */
export interface Trace {
  route?: Route;
  database?: string;
  access?: Access;
}

/** All that stands between a request and the database it is for: tokens, limits, counters. */
export interface Handler {
  readonly metrics: Metrics;
  /** Resolves when the first attempt to reach each Redis has ended, well or not. */
  readonly opened: Promise<void>;
  /**
   * It never throws.
   *
   * @param target the request target as it was sent, which the URL of `request` need not be
   */
  answer(request: Request, trace: Trace, target?: string): Promise<Response>;
  /** Whether every Redis answers. */
  isReady(): Promise<boolean>;
  /** Takes other databases and tokens; streams whose token is no longer valid end. Throws as {@link createHandler} does. */
  take(options: DatabasesOptions): void;
  /** Ends all streams, those that begin later too. Requests are still answered. */
  endStreams(): void;
  close(): void;
}

/** @throws {TypeError} and {RangeError} for options that cannot be */
export function createHandler(options: HandlerOptions, log: Log = SILENT): Handler {
  const limits = limitsOf(options);
  const origins = originsOf(options.corsOrigin);
  const gate = createGate(limits.maxInFlight, () => metrics.overloaded());
  const streams = createOpenStreams<Key<Database>>();
  let ended = false;

  const metrics = createMetrics({
    inFlight: () => gate.inFlight,
    streams: () => streams.count,
    redis: async () => new Map(await Promise.all(databases.all.map(async (it) => [it.name, await it.isUp()] as const))),
  });
  const databases = createDatabases({ limits, metrics, log });
  databases.take(options);

  function isOver(key: Key<Database>): boolean {
    const now = findKey(databases.keys, key.digest);
    return ended || now?.to !== key.to || now.access !== key.access;
  }

  async function admit(request: Request, trace: Trace): Promise<Response> {
    const digest = presented(request);
    const key = digest === undefined ? undefined : findKey(databases.keys, digest);
    // Nothing of a request is read before its token is known to be good.
    if (key === undefined) return fail(new Unauthorized());
    trace.database = key.to.name;
    trace.access = key.access;
    const response = await gate.pass(() => key.to.answer(request, key.access)).catch(fail);
    if (trace.route !== "stream" || response.status !== 200) return response;
    const watched = streams.watch(response, key);
    // What began while the tokens changed, or the end came.
    streams.end(isOver);
    return watched;
  }

  const inner = origins.length > 0 ? withCors(origins, admit) : admit;

  return {
    metrics,
    opened: Promise.all(databases.all.map(({ opened }) => opened)).then(() => {}),
    async answer(request, trace, target = request.url) {
      const start = performance.now();
      trace.route = routeOf(request.url);
      const response = hasDots(target) ? fail(new BadRequest(DOTS_CHANGE_IT)) : await inner(request, trace);
      metrics.request(trace.route, response.status, (performance.now() - start) / 1_000);
      return response;
    },
    isReady: async () => (await Promise.all(databases.all.map((it) => it.isUp()))).every((isUp) => isUp),
    take(given) {
      databases.take(given);
      streams.end(isOver);
    },
    endStreams() {
      ended = true;
      streams.end(() => true);
    },
    close: () => databases.close(),
  };
}
