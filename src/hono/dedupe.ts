import type { Context, Env, MiddlewareHandler, Next } from "hono";
import type { Lease } from "../engine/hold.ts";
import { once, type Turn } from "../kinds/once.ts";
import { connectionOf } from "../redis/connect.ts";
import { NOT_EXECUTED } from "../redis/run.ts";
import { LeaseholdError } from "../shared/errors.ts";
import { boundWaitUntil, noop } from "../shared/wait-until.ts";
import { problem } from "./answer.ts";
import { type RequestBody, requestBody } from "./body.ts";
import { type Execution, handle, unavailable } from "./handle.ts";
import { dedupeKey, joinParts } from "./key.ts";
import { recall } from "./memory.ts";
import { type DedupeOptions, type Settings, toSettings } from "./options.ts";
import type { AnyEnv } from "./sender.ts";

/** What the handler finds in `c.var`, unless the request is one that is not deduplicated. */
export type DedupeVariables = {
  /** Of this attempt. Give its `token` to whatever you write to. */
  lease: Lease;
  /** 1 for the first. */
  attempt: number;
};

/**
 * What the handlers behind it are given: nothing but this where no environment was named, which is an intersection
 * with `any` else.
 */
export type DedupeEnv<E extends Env> = 0 extends 1 & E
  ? { Variables: DedupeVariables }
  : E & { Variables: DedupeVariables };

function executionOf(c: Context): Execution | undefined {
  try {
    const { executionCtx } = c;
    return typeof executionCtx.waitUntil === "function" ? executionCtx : undefined;
  } catch {
    // Node, Deno and Bun have none.
    return undefined;
  }
}

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

/** Redis did not answer, or not now. */
const isUnreachable = (error: unknown): error is LeaseholdError =>
  error instanceof LeaseholdError &&
  (/^(lock_timeout|outcome_unknown|rate_limited)$/.test(error.code) ||
    (error.code === "redis_error" && NOT_EXECUTED.test(error.message)));

/** The answer to a delivery whose turn it is not; undefined when it is. */
async function refuse(c: Context, turn: Turn, settings: Settings): Promise<Response | undefined> {
  const { idName } = settings.sender;
  switch (turn.status) {
    case "started":
      return undefined;
    case "done":
      return recall(c, turn.result);
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
 * Runs a handler once for each delivery, whoever delivers it again: while it runs, duplicates get 409 with
 * `Retry-After`, and once it is done the status that it gave. A handler that throws, answers 5xx or asks to come
 * again is forgotten, so that the retry runs; one that froze is taken over after its `lease`, and its answer is
 * refused. When Redis cannot be reached the answer is 503 and the handler does not run.
 *
 * @throws TypeError or RangeError for an option that cannot be.
 */
export function dedupe<E extends Env = AnyEnv>(options: DedupeOptions<E>): MiddlewareHandler<DedupeEnv<E>> {
  const settings = toSettings(options);
  const { sender, scopeOf, leaseMs, ttlMs, maxAttempts } = settings;

  /** Under which key, and bound to what; null for a request that is not deduplicated. */
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
    c.set("lease", turn.lease);
    c.set("attempt", turn.attempt);
    await handle(c, next, turn, settings, execution);
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
    // A sender that hangs up must not end a run in the middle.
    boundWaitUntil(execution ?? {})?.(answered.catch(noop));
    return answered;
  };
}
