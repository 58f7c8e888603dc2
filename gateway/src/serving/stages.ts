import { randomUUID } from "node:crypto";
import { isBodiless, pathOf, type Route, routeOf } from "leasehold-engine/rest";
import { type Access, type Key, keyOf } from "../access/tokens.ts";
import type { Database as DatabaseOf } from "../databases/database.ts";
import { withCors } from "../http/cors.ts";
import { bytesIn, type HttpRequest, type HttpResponse, hasDots, type Respond, type Stage } from "../http/message.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { App, Sending } from "../rest/app.ts";
import { fail } from "../rest/response.ts";
import { type Hold, SMALL_BYTES } from "../shared/budget.ts";
import { BadRequest, GatewayError, Unauthorized } from "../shared/error-answers.ts";
import { type Log, placesOf } from "../shared/log.ts";
import { passOn, type Receiver } from "../shared/receiver.ts";
import type { Held, Shares } from "../shared/token-shares.ts";

/** A database with its request handler. */
export type Database = DatabaseOf<App>;

const DOTS_CHANGE_IT = "a path with . or .. as a segment would name another command: send the command in a body";

/** The facts of a request for the log, filled in as they become known. */
export interface Trace {
  /** The fields that the log may show. */
  readonly shown: Shown;
  /** The request's commands, of which only names and numbers may be shown. */
  readonly sending: Sending;
  /** When the request arrived, in ms as of `performance.now()`. */
  readonly startedAt: number;
  /** How long it took, in ms, once it is counted. */
  tookMs?: number;
}

interface Shown {
  /** The caller's `traceparent`, if it is well-formed. */
  traceparent?: string;
  route?: Route;
  database?: string;
  /** The name of the token, which is no secret. */
  token?: string;
  access?: Access;
  /** Why nothing was sent, or why there was no reply. */
  reason?: string;
}

const TWO_HOSTS = "more than one Host header";

/** Whether a request has two Host headers, which are joined. A proxy may have used the other one. */
const hasTwoHosts = (request: HttpRequest): boolean => request.header("host")?.includes(", ") === true;

const SANE_ID = /^[\w.:/+=@-]{1,128}$/;

/** The caller's own `X-Request-Id` if it is safe in a header and a log. */
function requestIdOf(request: HttpRequest): string | undefined {
  const presented = request.header("x-request-id");
  return presented !== undefined && SANE_ID.test(presented) ? presented : undefined;
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** The caller's `traceparent` of the W3C's Trace Context, if it is well-formed. */
function traceparentOf(request: HttpRequest): string | undefined {
  const presented = request.header("traceparent");
  return presented !== undefined && TRACEPARENT.test(presented) ? presented : undefined;
}

/**
 * Wraps `answer`: adds an ID and a log line for each request.
 *
 * @param ended called for each ended request; absent without a log
 */
export function identified(
  answer: Stage<Trace>,
  log: Log,
  ended?: (id: string, trace: Trace, response: HttpResponse) => void,
): Respond {
  return (request, take) => {
    const id = requestIdOf(request) ?? randomUUID();
    const traceparent = traceparentOf(request);
    const shown = traceparent === undefined ? {} : { traceparent };
    const trace: Trace = { shown, sending: {}, startedAt: performance.now() };
    const receiver: Receiver<HttpResponse> = {
      receive(response) {
        ended?.(id, trace, response);
        // Without a spread, which costs each request more than the fields do.
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

/** The pages answered without a database, by path. */
export type Pages = ReadonlyMap<string, (request: HttpRequest) => Promise<HttpResponse>>;

/** Wraps `others`: answers the requests for pages. */
export const withPages =
  (pages: Pages, others: Stage<Trace>): Stage<Trace> =>
  (request, trace, to) => {
    const page = isBodiless(request.method) ? pages.get(pathOf(request.target)) : undefined;
    if (page === undefined) others(request, trace, to);
    else passOn(page(request), to);
  };

/** The length of a body in bytes; 0 for a stream, whose bytes are counted when they are sent. */
const lengthOf = (body: HttpResponse["body"]): number =>
  body === null || body instanceof ReadableStream ? 0 : bytesIn(body);

function failed(error: unknown, shown: Shown): HttpResponse {
  if (error instanceof GatewayError && error.status > 500) shown.reason = error.message;
  return fail(error);
}

/**
 * Counts the bytes of a large response until it is sent. A small response is usually sent immediately, and does not
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

/** Makes the function that counts an ended request, and returns its response. */
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

/** The parts of a gateway that the stages use. */
interface Parts {
  /** The tokens, which may change. */
  readonly databases: { readonly keys: readonly Key<Database>[] };
  readonly shares: Shares;
  readonly metrics: Metrics;
  readonly log: Log;
  /** The origins whose pages may send requests. */
  readonly origins: readonly string[];
  /** Watches a stream that was opened with a key. */
  watch(response: HttpResponse, key: Key<Database>): HttpResponse;
}

/** Reserves a place for a request in the share of its token and at its database, and releases both with the answer. */
function admitted(
  { shares, log, watch }: Parts,
  count: Count,
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
      if (response.status < 500) database.outage.answered();
      end(route === "stream" && response.status === 200 ? watch(response, key) : response);
    },
    fail(error) {
      held.replies.release();
      held.leave();
      database.gate.leave();
      // The message of an unexpected error could contain a command or a secret; its stack positions cannot.
      if (!(error instanceof GatewayError))
        log.error({ database: database.name, at: placesOf(error) }, "internal error");
      const response = failed(error, shown);
      const advice = database.outage.adviceFor(error, request.header("prefer") !== undefined);
      end({ ...response, headers: { ...response.headers, ...advice } });
    },
  };
  try {
    database.apps[access](request, route, held, sending, leaving);
  } catch (error) {
    leaving.fail(error);
  }
}

/**
 * Creates the handler that answers and counts every request: it finds its token, reserves a place, and then asks its
 * database.
 */
export function createStages(parts: Parts): Stage<Trace> {
  const { databases, metrics, origins } = parts;
  const count = countBy(metrics);

  const admit: Stage<Trace> = (request, trace, to) => {
    const key = keyOf(databases.keys, request);
    // Nothing of a request is read before its token is known to be valid.
    if (key === undefined) to.receive(count(trace, fail(new Unauthorized())));
    else admitted(parts, count, key, request, trace, to);
  };
  const inner = origins.length > 0 ? withCors(origins, admit, count) : admit;

  return (request, trace, to) => {
    const { target } = request;
    trace.shown.route = routeOf(target);
    if (hasDots(target)) to.receive(count(trace, fail(new BadRequest(DOTS_CHANGE_IT))));
    else inner(request, trace, to);
  };
}
