import { attempts, type Turn } from "../kinds/attempts.ts";
import type { Lease } from "../lease/lease.ts";
import { isUnavailable, mayRunUnprotected } from "../lease/unavailable.ts";
import { stopwatch, systemClock } from "../redis/clock.ts";
import { connectionOf } from "../redis/connect.ts";
import type { Commit } from "../shared/commit.ts";
import type { LeaseholdError } from "../shared/errors.ts";
import { isResponse } from "../shared/handler-response.ts";
import { joinParts } from "../shared/identity.ts";
import { isHost } from "../shared/request-url.ts";
import { boundWaitUntil, noop } from "../shared/wait-until.ts";
import { dedupeKey } from "./dedupe-key.ts";
import { argsOf, bodyDigest, type Exchange } from "./exchange.ts";
import type { Settings } from "./options.ts";
import { type DedupeStatus, mark, problem, STATUS_HEADER } from "./response.ts";
import { type Answered, type Ended, type Execution, runHandler, unavailable } from "./run-handler.ts";
import { replay } from "./stored-answer.ts";

/** A delivery that this attempt runs, as its handler sees it. */
export interface Delivery {
  readonly protected: true;
  /**
   * The lease of this attempt. Pass its `token` with every write. It ends with the handler, so its `ticket()` throws a
   * TypeError; for work that continues elsewhere, acquire a lock and hand over its ticket.
   */
  readonly lease: Lease;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  /**
   * Does the work of this delivery exactly once in one database: in a transaction that also stores its result, which a
   * later attempt gets instead of doing the work. See {@link Commit}.
   */
  readonly commit: Commit;
}

/** A delivery without a lease (`onUnavailable: "run"`), as its handler sees it. Duplicates may run at the same time. */
export interface Unprotected {
  readonly protected: false;
  readonly lease: undefined;
  readonly attempt: undefined;
  readonly commit: undefined;
  /** Why Redis is unavailable. */
  readonly error: LeaseholdError;
}

/** Calls the handler. */
export type Next = (delivery?: Delivery | Unprotected) => Promise<Ended>;

/** Computes the value that must match on every delivery of an ID; undefined for none. */
async function fingerprintOf(x: Exchange, { fingerprint, sender }: Settings): Promise<string | undefined> {
  if (typeof fingerprint === "function") {
    await x.held.bytes();
    const print: unknown = await fingerprint(...argsOf(x));
    if (typeof print !== "string") throw new TypeError("fingerprint must return a string");
    return print;
  }
  if (fingerprint === false || sender.binds === "nothing") return undefined;
  if (sender.binds === "body") return bodyDigest(x);
  const { method, url } = x.held.request;
  const { pathname, search } = new URL(url);
  return joinParts([method, pathname + search, await bodyDigest(x)]);
}

/** Refuses an invalid `Host`: some servers, such as Deno's, build the URL from it, with its path. */
function refuseHost({ held, newResponse }: Exchange): Response | undefined {
  const host = held.request.headers.get("host");
  if (host === null || isHost(host)) return undefined;
  return problem(newResponse, "malformed", { code: 400, title: "The Host header is not a host" });
}

/**
 * Finds the key and the fingerprint. Returns null for a request that is not deduplicated, and a response for a refused
 * one.
 */
async function identify(x: Exchange, settings: Settings) {
  const { sender } = settings;
  const id = await sender.id(x);
  if (id === null || isResponse(id)) return id;
  x.held.restore();
  const scope = await settings.scopeOf(x);
  x.held.restore();
  const fingerprint = await fingerprintOf(x, settings);
  return { key: await dedupeKey({ sender: sender.name, scope, id }), fingerprint };
}

/** Reports a request that was refused before it had a key. Nothing is sent to Redis. */
function reportRefusal(x: Exchange, response: Response, settings: Settings, durationMs: number): void {
  const { name } = settings.sender;
  const status = response.headers.get(STATUS_HEADER);
  // A caller's `key` refuses with its own response.
  if (!status) return;
  try {
    const connection = connectionOf(settings.locks(x));
    connection.emit?.({ kind: "dedupe", name, type: "answered", sender: name, status, durationMs, cause: x.cause });
  } catch {
    // Errors of the locks are thrown only for a verified delivery: an unverified caller must not see them.
  }
}

/** Makes the response to a delivery that must not run. */
async function answerInPlace(
  x: Exchange,
  turn: Exclude<Turn, { readonly status: "started" }>,
  settings: Settings,
): Promise<Response> {
  const { idName } = settings.sender;
  const { newResponse } = x;
  const [request, ...context] = argsOf(x);
  switch (turn.status) {
    case "done":
      return replay(newResponse, turn.result);
    case "running": {
      const { retryAfterMs } = turn;
      const title = `A request is outstanding for this ${idName}`;
      const answer = await settings.onRunning?.(request, { retryAfterMs }, ...context);
      return answer ?? problem(newResponse, "running", { code: 409, title, retryAfterMs }, settings);
    }
    case "exhausted": {
      const { attempts } = turn;
      const title = `${attempts} attempts have failed`;
      const answer = await settings.onExhausted?.(request, { attempts }, ...context);
      return answer ?? problem(newResponse, "exhausted", { code: 422, title }, settings);
    }
    case "mismatch": {
      const title = `${idName} is already used`;
      const detail = "It came before with another request.";
      const answer = await settings.onMismatch?.(request, ...context);
      return answer ?? problem(newResponse, "mismatch", { code: 422, title, detail }, settings);
    }
  }
}

/** The lease ends with the handler, so a ticket of it would be useless. */
const noTicket = {
  ticket(): never {
    throw new TypeError("this lease ends with its handler");
  },
};

/** Runs the handler without a lease, since Redis is unavailable. */
async function runUnprotected(next: Next, error: LeaseholdError): Promise<Response | undefined> {
  const { response } = await next({ protected: false, lease: undefined, attempt: undefined, commit: undefined, error });
  return response && mark(response, "unprotected");
}

/** Begins the delivery and runs the handler, or answers instead of it. */
async function attempt(
  x: Exchange,
  next: Next,
  settings: Settings,
  execution: Execution | undefined,
  { key, fingerprint }: { readonly key: string; readonly fingerprint: string | undefined },
): Promise<Response | undefined> {
  const { lease, ttl, maxAttempts } = settings;
  const sender = settings.sender.name;
  const connection = connectionOf(settings.locks(x));
  const elapsed = stopwatch(connection.clock);
  function report(status: DedupeStatus): void {
    const durationMs = elapsed();
    connection.emit?.({ kind: "dedupe", name: key, type: "answered", sender, status, durationMs, cause: undefined });
  }
  const delivery = attempts(connection, key, { lease, ttl, maxAttempts, fingerprint });
  let turn: Turn;
  try {
    turn = await delivery.begin(execution && { waitUntil: (promise) => execution.waitUntil(promise) });
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    const runs = settings.open && mayRunUnprotected(error);
    report(runs ? "unprotected" : "unavailable");
    if (!runs) return unavailable(x.newResponse, settings, error.retryAfterMs);
    connection.emit?.({ kind: "once", name: key, type: "unprotected", why: error.code });
    return runUnprotected(next, error);
  }
  if (turn.status !== "started") {
    report(turn.status === "done" ? "duplicate" : turn.status);
    return answerInPlace(x, turn, settings);
  }
  const { lease: held, attempt: number, commit } = turn;
  const handed: Delivery = { protected: true, lease: Object.assign(held, noTicket), attempt: number, commit };
  let answered: Answered;
  try {
    answered = await runHandler(() => next(handed), turn, settings, execution);
  } catch (error) {
    report("failed");
    throw error;
  }
  report(answered.status);
  return answered.response;
}

/**
 * Deduplicates one request. Returns the response to send, from the handler or instead of it; undefined if the handler
 * made none.
 *
 * @throws what the handler throws.
 */
export async function deduplicate(
  x: Exchange,
  next: Next,
  settings: Settings,
  found: Execution | undefined,
): Promise<Response | undefined> {
  const { waitUntil } = settings;
  const execution = waitUntil ? { waitUntil } : found;
  const elapsed = stopwatch(systemClock);
  try {
    const delivery = refuseHost(x) ?? (await identify(x, settings));
    x.held.restore();
    if (delivery === null) return (await next()).response;
    if (isResponse(delivery)) {
      reportRefusal(x, delivery, settings, elapsed());
      return delivery;
    }
    const answered = attempt(x, next, settings, execution, delivery);
    // Keeps the run alive when the sender disconnects.
    boundWaitUntil(execution ?? {})?.(answered.catch(noop));
    return await answered;
  } finally {
    // Also without a handler: a server such as `wrangler dev` drains what is left of the body.
    x.held.release();
  }
}
