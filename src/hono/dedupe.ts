import type { Context, Env, MiddlewareHandler, Next } from "hono";
import type { Lease } from "../engine/hold.ts";
import { once, type Turn } from "../kinds/once.ts";
import { connectionOf } from "../redis/connect.ts";
import { NOT_EXECUTED } from "../redis/run.ts";
import { LeaseholdError } from "../shared/errors.ts";
import { boundWaitUntil, noop } from "../shared/wait-until.ts";
import { dedupeKey, joinParts } from "./dedupe-key.ts";
import { type DedupeOptions, type Settings, toSettings } from "./dedupe-options.ts";
import { type RequestBody, requestBody } from "./request-body.ts";
import { problem } from "./response.ts";
import { type Execution, runHandler, unavailable } from "./run-handler.ts";
import type { AnyEnv } from "./sender.ts";
import { replay } from "./stored-answer.ts";

/** The variables that the handler finds in `c.var`. A request that is not deduplicated has none of them. */
export type DedupeVariables = {
  /**
   * The lease of this attempt. Pass its `token` with every write. It ends with the handler, so its `ticket()` throws a
   * TypeError: what goes on elsewhere takes a lock, and hands over the ticket of that.
   */
  lease: Lease;
  /** Number of this attempt, from 1. */
  attempt: number;
};

/**
 * The environment of the handlers behind {@link dedupe}: the named one with {@link DedupeVariables}, or these alone
 * where none was named, since an intersection with `any` would be `any`.
 */
export type DedupeEnv<E extends Env> = 0 extends 1 & E
  ? { Variables: DedupeVariables }
  : E & { Variables: DedupeVariables };

/** Finds the platform's execution context. */
function executionOf(c: Context): Execution | undefined {
  try {
    const { executionCtx } = c;
    return typeof executionCtx.waitUntil === "function" ? executionCtx : undefined;
  } catch {
    // Hono throws on Node, Deno and Bun, which have none.
    return undefined;
  }
}

/** Computes what must be the same each time that an id comes; undefined for nothing. */
async function fingerprintOf(c: Context, body: RequestBody, settings: Settings): Promise<string | undefined> {
  const { fingerprint, sender } = settings;
  if (typeof fingerprint === "function") {
    await body.bytes();
    const print: unknown = await fingerprint(c);
    if (typeof print !== "string") throw new TypeError("fingerprint must give text");
    return print;
  }
  if (fingerprint === false || sender.binds === "nothing") return undefined;
  if (sender.binds === "body") return body.digest();
  const { pathname, search } = new URL(c.req.url);
  return joinParts([c.req.method, pathname + search, await body.digest()]);
}

/** Whether Redis was unavailable, so that the sender should come again. */
const isUnreachable = (error: unknown): error is LeaseholdError =>
  error instanceof LeaseholdError &&
  (/^(lock_timeout|outcome_unknown|rate_limited)$/.test(error.code) ||
    (error.code === "redis_error" && NOT_EXECUTED.test(error.message)));

/** Makes the response to a delivery that must not run; undefined for one that must. */
async function refuse(c: Context, turn: Turn, settings: Settings): Promise<Response | undefined> {
  const { idName } = settings.sender;
  switch (turn.status) {
    case "started":
      return undefined;
    case "done":
      return replay(c, turn.result);
    case "running": {
      const { retryAfterMs } = turn;
      const title = `A request is outstanding for this ${idName}`;
      const answer = await settings.onRunning?.(c, { retryAfterMs });
      return answer ?? problem(c, "running", { code: 409, title, retryAfterMs });
    }
    case "exhausted": {
      const { attempts } = turn;
      const answer = await settings.onExhausted?.(c, { attempts });
      return answer ?? problem(c, "exhausted", { code: 422, title: `${attempts} attempts have failed` });
    }
    case "mismatch": {
      const detail = "It came before with another request.";
      const answer = await settings.onMismatch?.(c);
      return answer ?? problem(c, "mismatch", { code: 422, title: `${idName} is already used`, detail });
    }
  }
}

/**
 * Makes a middleware for Hono that runs a handler once per delivery, however often the delivery arrives:
 *
 * - While the handler runs, duplicates get 409 with `Retry-After`.
 * - Once it is done, duplicates get the stored status (and the body, with `replay`).
 * - When it throws, answers 5xx, 408, 425 or 429, or a 4xx with `Retry-After`, nothing is stored and the retry runs.
 * - When it freezes, another delivery takes over after `lease`, and the answer of the frozen one is refused.
 * - When Redis is unavailable, the answer is 503 and the handler does not run.
 *
 * The handler finds its lease and the number of its attempt in `c.var` ({@link DedupeVariables}).
 *
 * @example
 * ```ts
 * import { Hono } from "hono";
 * const app = new Hono();
 * const key = idempotencyKey();
 * app.post("/payments", dedupe({ locks, key, scope: (c) => c.req.header("X-Client") ?? "nobody" }), async (c) => {
 *   await record(c.var.lease.token);
 *   return c.json({ attempt: c.var.attempt }, 201);
 * });
 * await app.request("/payments", { method: "POST", headers: { "Idempotency-Key": '"a1"' } }); // 201
 * ```
 *
 * @throws TypeError or RangeError for an invalid option.
 */
export function dedupe<E extends Env = AnyEnv>(options: DedupeOptions<E>): MiddlewareHandler<DedupeEnv<E>> {
  const settings = toSettings(options);
  const { sender, scopeOf, leaseMs, ttlMs, maxAttempts } = settings;

  /** Finds the key and the fingerprint; null for a request that is not deduplicated, a response for a refused one. */
  async function identify(c: Context, body: RequestBody) {
    const id = await sender.id(c, body);
    if (id === null) return null;
    if (typeof id === "object" && "headers" in id) return id;
    body.restore();
    const scope = await scopeOf(c);
    body.restore();
    const fingerprint = await fingerprintOf(c, body, settings);
    return { key: await dedupeKey({ sender: sender.name, scope, id }), fingerprint };
  }

  /** Begins the delivery and runs the handler, or answers in its place. */
  async function attempt(
    c: Context,
    next: Next,
    key: string,
    fingerprint: string | undefined,
    execution: Execution | undefined,
  ) {
    const connection = connectionOf(settings.locks(c));
    const lease = leaseMs === undefined ? undefined : (`${leaseMs}ms` as const);
    const delivery = once(connection, key, { lease, ttl: `${ttlMs}ms`, maxAttempts, fingerprint });
    let turn: Turn;
    try {
      turn = await delivery.begin(execution && { waitUntil: (promise) => execution.waitUntil(promise) });
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      return unavailable(c, error.retryAfterMs);
    }
    if (turn.status !== "started") return refuse(c, turn, settings);
    const noTicket = {
      ticket() {
        throw new TypeError("this lease ends with its handler");
      },
    };
    c.set("lease", Object.assign(turn.lease, noTicket));
    c.set("attempt", turn.attempt);
    await runHandler(c, next, turn, settings, execution);
    return undefined;
  }

  return async function dedupe(c: Context, next: Next): Promise<Response | undefined> {
    const body = requestBody(c);
    const found = await identify(c, body);
    body.restore();
    if (found === null) {
      await next();
      return undefined;
    }
    if ("headers" in found) return found;
    const execution = executionOf(c);
    const answered = attempt(c, next, found.key, found.fingerprint, execution);
    // Keeps the run alive when the sender hangs up.
    boundWaitUntil(execution ?? {})?.(answered.catch(noop));
    return answered;
  };
}
