import { type Access, type Key, keyOf } from "../access/tokens.ts";
import type { Database as DatabaseOf } from "../databases/database.ts";
import { createDatabases } from "../databases/databases.ts";
import { originsOf, withCors } from "../http/cors.ts";
import { bytesIn, type HttpRequest, type HttpResponse, hasDots, type Stage } from "../http/message.ts";
import { createMetrics, type Metrics } from "../metrics/metrics.ts";
import { type App, createApp, type Sending } from "../rest/protocol.ts";
import { type Route, routeOf } from "../rest/request.ts";
import { fail } from "../rest/response.ts";
import { type Hold, SMALL_BYTES } from "../shared/budget.ts";
import { BadRequest, GatewayError, Unauthorized } from "../shared/error-answers.ts";
import { checkServeOptions } from "../shared/known-options.ts";
import { limitsOf } from "../shared/limits.ts";
import { type Log, placesOf, SILENT } from "../shared/log.ts";
import type { DatabasesOptions, GatewayOptions } from "../shared/options.ts";
import type { Receiver } from "../shared/receiver.ts";
import { createShares, type Held, type Shares } from "../shared/token-shares.ts";
import { createOpenStreams, type OpenStreams } from "../streams/open-streams.ts";

type Database = DatabaseOf<App>;

const DOTS_CHANGE_IT = "a path with . or .. as a segment would name another command: send the command in a body";

/** The facts of a request for the log, filled in as they become known. */
export interface Trace {
  /** The fields that the log may show. */
  readonly shown: Shown;
  /** The request's commands, of which only names and numbers may be shown. */
  readonly sending: Sending;
  /** When the request came, in ms as of `performance.now()`. */
  readonly startedAt: number;
  /** How long it took, in ms, once it is counted. */
  tookMs?: number;
}

interface Shown {
  /** The caller's, if it is well-formed. */
  traceparent?: string;
  route?: Route;
  database?: string;
  /** The name of the token, which is no secret. */
  token?: string;
  access?: Access;
  /** The reason nothing was sent, or no answer came. */
  reason?: string;
}

/** The stages between a request and its database: tokens, limits, counters. */
export interface Handler {
  readonly metrics: Metrics;
  /** Resolves when the first attempt to reach each Redis has ended, well or not. */
  readonly opened: Promise<void>;
  /** Answers a request, and counts it. */
  readonly answer: Stage<Trace>;
  /** The names of the databases whose Redis does not answer. */
  missing(): Promise<readonly string[]>;
  /**
   * Takes other databases and tokens, and ends streams whose token is no longer valid. Throws as {@link createHandler}
   * does.
   */
  take(options: DatabasesOptions): void;
  /**
   * Ends all streams, and those that begin later, and answers requests that wait for their turn. Requests are still
   * answered, and none waits.
   */
  endStreams(): void;
  close(): void;
}

/** The length of a body in bytes; 0 for a stream, whose bytes are counted as they go. */
const lengthOf = (body: HttpResponse["body"]): number =>
  body === null || body instanceof ReadableStream ? 0 : bytesIn(body);

function failed(error: unknown, shown: Shown): HttpResponse {
  if (error instanceof GatewayError && error.status > 500) shown.reason = error.message;
  return fail(error);
}

/**
 * Counts the bytes of a large response until it has gone out. A small one most likely goes out at once, and does not
 * count.
 */
function withRoom(response: HttpResponse, room: Hold): HttpResponse {
  const { body } = response;
  const bytes = typeof body === "string" ? body.length : lengthOf(body);
  if (bytes <= SMALL_BYTES) {
    room.release();
    return response;
  }
  room.settle(bytes);
  return { ...response, gone: () => room.release() };
}

type Count = (trace: Trace, response: HttpResponse, key?: Key<Database>, bytesIn?: number) => HttpResponse;

/** Makes the function that counts a request which has ended, and gives its response. */
const countBy =
  (metrics: Metrics): Count =>
  (trace, response, key, bytesIn = 0) => {
    const { route = "path" } = trace.shown;
    trace.tookMs = performance.now() - trace.startedAt;
    const seconds = (trace.tookMs - (trace.sending.heldMs ?? 0)) / 1_000;
    metrics.request(route, response, seconds);
    if (key !== undefined) {
      const { status, isScriptMiss = false } = response;
      const bytesOut = lengthOf(response.body);
      metrics.ofToken(key.to.name, key.name).request({ status, isScriptMiss, seconds, bytesIn, bytesOut });
    }
    return response;
  };

/** The stages that a request passes once its token is known. */
interface Admission {
  readonly shares: Shares;
  readonly log: Log;
  readonly count: Count;
  /** Watches a stream that was opened with a key. */
  watch(response: HttpResponse, key: Key<Database>): HttpResponse;
}

function watchBy(
  metrics: Metrics,
  streams: OpenStreams<Key<Database>>,
  isOver: (key: Key<Database>) => boolean,
): Admission["watch"] {
  return (response, key) => {
    const { sent } = metrics.ofToken(key.to.name, key.name);
    const watched = streams.watch(response, key, sent);
    // Ends a stream that began while the tokens changed or the gateway closed.
    streams.end(isOver);
    return watched;
  };
}

/** Gives a request its place in the share of its token and at its database, and takes them back with the answer. */
function admitted(
  { shares, log, count, watch }: Admission,
  key: Key<Database>,
  request: HttpRequest,
  trace: Trace,
  to: Receiver<HttpResponse>,
): void {
  const { to: database, access } = key;
  const { shown, sending } = trace;
  const { route = "path" } = shown;
  shown.database = database.name;
  shown.token = key.name;
  shown.access = access;
  const end = (response: HttpResponse): void =>
    to.receive(count(trace, response, key, request.target.length + (sending.bodyBytes ?? 0)));
  let held: Held;
  try {
    held = shares.of(key.id).enter();
  } catch (error) {
    end(failed(error, shown));
    return;
  }
  database.gate.enter();
  const leaving: Receiver<HttpResponse> = {
    receive(answer) {
      const response = withRoom(answer, held.replies);
      held.leave();
      database.gate.leave();
      end(route === "stream" && response.status === 200 ? watch(response, key) : response);
    },
    fail(error) {
      held.replies.release();
      held.leave();
      database.gate.leave();
      // The message of an unexpected error could hold a command or a secret; the places it came from cannot.
      if (!(error instanceof GatewayError))
        log.error({ database: database.name, at: placesOf(error) }, "internal error");
      end(failed(error, shown));
    },
  };
  try {
    database.apps[access](request, route, held, sending, leaving);
  } catch (error) {
    leaving.fail(error);
  }
}

/** The names of the databases whose Redis does not answer. */
async function missingOf(all: readonly Database[]): Promise<readonly string[]> {
  const up = await Promise.all(all.map((it) => it.isUp()));
  return all.filter((_, at) => !up[at]).map(({ name }) => name);
}

/** @throws {TypeError} and {RangeError} for invalid options */
export function createHandler(options: GatewayOptions, log: Log = SILENT): Handler {
  const limits = limitsOf(options);
  const origins = originsOf(options.corsOrigin);
  const shares = createShares(limits, () => metrics.overloaded());
  const streams = createOpenStreams<Key<Database>>();
  let ended = false;

  const metrics = createMetrics({
    inFlight: () => shares.inFlight,
    heldBytes: () => ({ bodies: shares.bodies.held, replies: shares.replies.held }),
    streams: () => streams.count,
    waiting: () => shares.waiting,
    redis: async () => new Map(await Promise.all(databases.all.map(async (it) => [it.name, await it.isUp()] as const))),
  });
  const databases = createDatabases(
    { appOf: (backend, holding) => createApp(backend, limits, holding), limits, metrics, log },
    () => streams.end(isOver),
  );
  databases.take(options);

  function isOver(key: Key<Database>): boolean {
    const now = databases.keys.find(({ id }) => id === key.id);
    return ended || now?.to !== key.to || now.access !== key.access;
  }

  const count = countBy(metrics);
  const admission: Admission = { shares, log, count, watch: watchBy(metrics, streams, isOver) };

  function admit(request: HttpRequest, trace: Trace, to: Receiver<HttpResponse>): void {
    const key = keyOf(databases.keys, request);
    // Nothing of a request is read before its token is known to be valid.
    if (key === undefined) to.receive(count(trace, fail(new Unauthorized())));
    else admitted(admission, key, request, trace, to);
  }

  const inner = origins.length > 0 ? withCors(origins, admit, count) : admit;

  return {
    metrics,
    opened: Promise.all(databases.all.map(({ opened }) => opened)).then(() => {}),
    answer(request, trace, to) {
      const { target } = request;
      trace.shown.route = routeOf(target);
      if (hasDots(target)) to.receive(count(trace, fail(new BadRequest(DOTS_CHANGE_IT))));
      else inner(request, trace, to);
    },
    missing: () => missingOf(databases.all),
    take(given) {
      checkServeOptions(given);
      databases.take(given);
      streams.end(isOver);
    },
    endStreams() {
      ended = true;
      streams.end(() => true);
      for (const database of databases.all) database.endWaiting();
    },
    close: () => databases.close(),
  };
}
