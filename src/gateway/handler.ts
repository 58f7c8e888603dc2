import { type Access, type Key, keyOf } from "./auth.ts";
import { originsOf, withCors } from "./cors.ts";
import type { Database } from "./database.ts";
import { createDatabases } from "./databases.ts";
import { BadRequest, GatewayError, Unauthorized } from "./errors.ts";
import type { HttpRequest, HttpResponse } from "./http.ts";
import { createGate, limitsOf } from "./limits.ts";
import { type Log, placesOf, SILENT } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { createOpenStreams } from "./open-streams.ts";
import type { DatabasesOptions, GatewayOptions } from "./options.ts";
import { fail } from "./respond.ts";
import { type Route, routeOf } from "./route.ts";
import { hasDots } from "./target.ts";

const DOTS_CHANGE_IT = "a path with . or .. as a segment would name another command: send it in a body";

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
  /** It never throws. */
  answer(request: HttpRequest, trace: Trace): Promise<HttpResponse>;
  /** The names of the databases whose Redis does not answer. */
  missing(): Promise<readonly string[]>;
  /** Takes other databases and tokens; streams whose token is no longer valid end. Throws as {@link createHandler} does. */
  take(options: DatabasesOptions): void;
  /** Ends all streams, those that begin later too. Requests are still answered. */
  endStreams(): void;
  close(): void;
}

/** @throws {TypeError} and {RangeError} for options that cannot be */
export function createHandler(options: GatewayOptions, log: Log = SILENT): Handler {
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
    const now = databases.keys.find(({ digest }) => digest.equals(key.digest));
    return ended || now?.to !== key.to || now.access !== key.access;
  }

  async function admit(request: HttpRequest, trace: Trace): Promise<HttpResponse> {
    const key = keyOf(databases.keys, request);
    // Nothing of a request is read before its token is known to be good.
    if (key === undefined) return fail(new Unauthorized());
    const { to, access } = key;
    const { route = "path" } = trace;
    trace.database = to.name;
    trace.access = access;
    try {
      gate.enter();
    } catch (error) {
      return fail(error);
    }
    to.gate.enter();
    try {
      const response = await to.apps[access](request, route);
      if (route !== "stream" || response.status !== 200) return response;
      const watched = streams.watch(response, key);
      // What began while the tokens changed, or the end came.
      streams.end(isOver);
      return watched;
    } catch (error) {
      // What nobody expected. Its message could hold a command or a secret; where it came from does not.
      if (!(error instanceof GatewayError)) log.error({ database: to.name, at: placesOf(error) }, "internal error");
      return fail(error);
    } finally {
      gate.leave();
      to.gate.leave();
    }
  }

  const inner = origins.length > 0 ? withCors(origins, admit) : admit;

  return {
    metrics,
    opened: Promise.all(databases.all.map(({ opened }) => opened)).then(() => {}),
    async answer(request, trace) {
      const start = performance.now();
      const route = routeOf(request.target);
      trace.route = route;
      const response = hasDots(request.target) ? fail(new BadRequest(DOTS_CHANGE_IT)) : await inner(request, trace);
      metrics.request(route, response.status, (performance.now() - start) / 1_000);
      return response;
    },
    async missing() {
      const { all } = databases;
      const up = await Promise.all(all.map((it) => it.isUp()));
      return all.filter((_, at) => !up[at]).map(({ name }) => name);
    },
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
