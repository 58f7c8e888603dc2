import type { Context, Env, MiddlewareHandler, Next } from "hono";
import { deduplicate } from "../dedupe/deduplicate.ts";
import type { Exchange } from "../dedupe/exchange.ts";
import { toSettings } from "../dedupe/options.ts";
import type { Execution } from "../dedupe/run-handler.ts";
import type { Refusing } from "../engine/unavailable.ts";
import { requestBody } from "./request-body.ts";
import type { AnyEnv, DedupeEnv, DedupeOptions, FailOpenVariables } from "./types.ts";

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

/**
 * Makes a middleware for Hono that runs a handler once per delivery, however often the delivery arrives:
 *
 * - While the handler runs, duplicates get 409 with `Retry-After`.
 * - Once it is done, duplicates get the stored status (and the body, with `replay`).
 * - When it throws, answers 5xx, 408, 425 or 429, or a 4xx with `Retry-After`, nothing is stored and the retry runs.
 * - When its response cannot be sent (`Response.error()`, a body that has been read), the same, and the answer is 500.
 * - When it freezes, another delivery takes over after `lease`, and the answer of the frozen one is refused.
 * - When Redis is unavailable, the answer is 503 and the handler does not run, unless `onUnavailable` is `"run"`.
 *
 * The handler finds its lease and the number of its attempt in `c.var` (`DedupeVariables`; with `onUnavailable: "run"`
 * these are `FailOpenVariables`).
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
export function dedupe<E extends Env = AnyEnv>(options: DedupeOptions<E> & Refusing): MiddlewareHandler<DedupeEnv<E>>;
export function dedupe<E extends Env = AnyEnv>(
  options: DedupeOptions<E>,
): MiddlewareHandler<DedupeEnv<E, FailOpenVariables>>;
export function dedupe(options: object): MiddlewareHandler {
  const settings = toSettings(options);
  return async function dedupe(c: Context, next: Next): Promise<Response | undefined> {
    const body = requestBody(c);
    return deduplicate(
      { c: c as Exchange["c"], body, args: [c] },
      async (delivery) => {
        body.release();
        if (delivery) {
          c.set("lease", delivery.lease);
          c.set("attempt", delivery.attempt);
          c.set("protected", delivery.protected);
          // Makes Hono set the content type of text; some platforms set it only when sending, and lose it with a copy.
          if (settings.replay) void c.res;
        }
        await next();
      },
      settings,
      executionOf(c),
    );
  };
}
