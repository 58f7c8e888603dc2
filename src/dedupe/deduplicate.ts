import type { Lease } from "../engine/hold.ts";
import { isUnavailable, mayRunUnprotected } from "../engine/unavailable.ts";
import { attempts, type Turn } from "../kinds/attempts.ts";
import { stopwatch, systemClock } from "../redis/clock.ts";
import { connectionOf } from "../redis/connect.ts";
import type { LeaseholdError } from "../shared/errors.ts";
import { isHost } from "../shared/request-url.ts";
import { boundWaitUntil, noop } from "../shared/wait-until.ts";
import { dedupeKey, joinParts } from "./dedupe-key.ts";
import { bodyDigest, type Exchange } from "./exchange.ts";
import { isResponse, type Settings } from "./options.ts";
import { type DedupeStatus, problem, STATUS_HEADER, setStatus } from "./response.ts";
import { type Execution, runHandler, unavailable } from "./run-handler.ts";
import { replay } from "./stored-answer.ts";

/** A delivery that this attempt runs, as its handler sees it. */
export interface Delivery {
  readonly protected: true;
  /**
   * The lease of this attempt. Pass its `token` with every write. It ends with the handler, so its `ticket()` throws a
   * TypeError: what goes on elsewhere takes a lock, and hands over the ticket of that.
   */
  readonly lease: Lease;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
}

/** A delivery without a lease (`onUnavailable: "run"`), as its handler sees it: copies may run elsewhere too. */
export interface Unprotected {
  readonly protected: false;
  readonly lease: undefined;
  readonly attempt: undefined;
  /** Why Redis could not be asked. */
  readonly error: LeaseholdError;
}

/** Calls the handler, and ends when the exchange has its response or its error. */
export type Next = (delivery?: Delivery | Unprotected) => Promise<void>;

/** Computes what must be the same each time that an id comes; undefined for nothing. */
async function fingerprintOf(x: Exchange, { fingerprint, sender }: Settings): Promise<string | undefined> {
  if (typeof fingerprint === "function") {
    await x.body.bytes();
    const print: unknown = await fingerprint(...x.args);
    if (typeof print !== "string") throw new TypeError("fingerprint must give text");
    return print;
  }
  if (fingerprint === false || sender.binds === "nothing") return undefined;
  if (sender.binds === "body") return bodyDigest(x);
  const { pathname, search } = new URL(x.c.req.url);
  return joinParts([x.c.req.method, pathname + search, await bodyDigest(x)]);
}

/** Refuses a `Host` that is not a host: some servers, such as Deno's, make the URL of it, and so its path. */
function refuseHost({ c }: Exchange): Response | undefined {
  const host = c.req.header("host");
  if (host === undefined || isHost(host)) return undefined;
  return problem(c, "malformed", { code: 400, title: "The Host header is not a host" });
}

/** Finds the key and the fingerprint; null for a request that is not deduplicated, a response for a refused one. */
async function identify(x: Exchange, settings: Settings) {
  const { sender } = settings;
  const id = await sender.id(x);
  if (id === null || isResponse(id)) return id;
  x.body.restore();
  const scope = await settings.scopeOf(x);
  x.body.restore();
  const fingerprint = await fingerprintOf(x, settings);
  return { key: await dedupeKey({ sender: sender.name, scope, id }), fingerprint };
}

/** Reports a request that was refused before it had a key. Redis is not asked. */
function reportRefusal(x: Exchange, response: Response, settings: Settings, durationMs: number): void {
  const { name } = settings.sender;
  const status = response.headers.get(STATUS_HEADER);
  // A caller's `key` refuses in words of its own.
  if (!status) return;
  try {
    const connection = connectionOf(settings.locks(x));
    connection.emit?.({ kind: "dedupe", name, type: "answered", sender: name, status, durationMs, cause: x.cause });
  } catch {
    // What is wrong with the locks is thrown when a delivery passes: whoever cannot sign is told nothing of it.
  }
}

/** Makes the response to a delivery that must not run; undefined for one that must. */
async function refuse(x: Exchange, turn: Turn, settings: Settings): Promise<Response | undefined> {
  const { idName } = settings.sender;
  const [first, ...rest] = x.args;
  switch (turn.status) {
    case "started":
      return undefined;
    case "done":
      return replay(x.c, turn.result);
    case "running": {
      const { retryAfterMs } = turn;
      const title = `A request is outstanding for this ${idName}`;
      const answer = await settings.onRunning?.(first, { retryAfterMs }, ...rest);
      return answer ?? problem(x.c, "running", { code: 409, title, retryAfterMs }, settings);
    }
    case "exhausted": {
      const { attempts } = turn;
      const answer = await settings.onExhausted?.(first, { attempts }, ...rest);
      return answer ?? problem(x.c, "exhausted", { code: 422, title: `${attempts} attempts have failed` }, settings);
    }
    case "mismatch": {
      const detail = "It came before with another request.";
      const answer = await settings.onMismatch?.(...x.args);
      return answer ?? problem(x.c, "mismatch", { code: 422, title: `${idName} is already used`, detail }, settings);
    }
  }
}

/** The lease ends with the handler, so nobody could go on with a ticket of it. */
const noTicket = {
  ticket(): never {
    throw new TypeError("this lease ends with its handler");
  },
};

/** Begins the delivery and runs the handler, or answers in its place. */
async function attempt(
  x: Exchange,
  next: Next,
  settings: Settings,
  execution: Execution | undefined,
  { key, fingerprint }: { readonly key: string; readonly fingerprint: string | undefined },
): Promise<Response | undefined> {
  const { lease, ttl, maxAttempts } = settings;
  const connection = connectionOf(settings.locks(x));
  const elapsed = stopwatch(connection.clock);
  const tell = (status: DedupeStatus): unknown =>
    connection.emit?.({
      kind: "dedupe",
      name: key,
      type: "answered",
      sender: settings.sender.name,
      status,
      durationMs: elapsed(),
      cause: undefined,
    });
  const delivery = attempts(connection, key, { lease, ttl, maxAttempts, fingerprint });
  let turn: Turn;
  try {
    turn = await delivery.begin(execution && { waitUntil: (promise) => execution.waitUntil(promise) });
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    const runs = settings.open && mayRunUnprotected(error);
    tell(runs ? "unprotected" : "unavailable");
    if (!runs) return unavailable(settings, x.c, error.retryAfterMs);
    connection.emit?.({ kind: "once", name: key, type: "unprotected", why: error.code });
    await next({ protected: false, error } as Unprotected);
    setStatus(x.c, "unprotected");
    return undefined;
  }
  if (turn.status !== "started") {
    tell(turn.status === "done" ? "duplicate" : turn.status);
    return refuse(x, turn, settings);
  }
  const told = { protected: true, lease: Object.assign(turn.lease, noTicket), attempt: turn.attempt } as const;
  let status: string | null = "failed";
  try {
    await runHandler(x.c, () => next(told), turn, settings, execution);
    // A response that switches protocols has no such header.
    if (x.c.finalized) status = x.c.res.headers.get(STATUS_HEADER) ?? "processed";
  } finally {
    tell(status as DedupeStatus);
  }
  return undefined;
}

/**
 * Deduplicates one request: returns the response that goes out in the handler's place, or undefined when the handler
 * ran, and then the exchange has the response or the error.
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
  const delivery = refuseHost(x) ?? (await identify(x, settings));
  x.body.restore();
  if (delivery === null) return next() as Promise<undefined>;
  if (isResponse(delivery)) {
    reportRefusal(x, delivery, settings, elapsed());
    return delivery;
  }
  const answered = attempt(x, next, settings, execution, delivery);
  // Keeps the run alive when the sender hangs up.
  boundWaitUntil(execution ?? {})?.(answered.catch(noop));
  return answered;
}
