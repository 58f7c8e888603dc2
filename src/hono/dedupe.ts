import type { Context, Env, MiddlewareHandler, Next } from "hono";
import { type Delivery, deduplicate, type Unprotected } from "../dedupe/deduplicate.ts";
import type { MakeResponse } from "../dedupe/exchange.ts";
import { toSettings } from "../dedupe/options.ts";
import type { Ended, Execution } from "../dedupe/run-handler.ts";
import type { Refusing } from "../lease/unavailable.ts";
import { decoded } from "../shared/handler-response.ts";
import { heldRequestOf } from "./held-request.ts";
import type { AnyEnv, DedupeEnv, DedupeOptions, FailOpenVariables } from "./types.ts";

/** Finds the platform's execution context. */
function executionOf(c: Context): Execution | undefined {
  try {
    const { executionCtx } = c;
    return typeof executionCtx.waitUntil === "function" ? executionCtx : undefined;
  } catch {
    // Hono throws on Node, Deno and Bun, which have no execution context.
    return undefined;
  }
}

/** Makes responses that include the headers which other middleware has set. */
const responseMaker =
  (c: Context): MakeResponse =>
  (body, { status, headers }) =>
    // Hono's types allow neither bytes nor any number as a status.
    c.newResponse(body as string | null, { status: status as 200, headers });

/** Replaces the handler's response, including its headers. */
function replaceResponse(c: Context, response: Response): void {
  // Cleared first, since Hono copies the headers of a response that it already has.
  c.res = undefined;
  c.res = response;
}

/**
 * Makes a middleware for Hono that runs a handler once per delivery, however often the delivery arrives:
 *
 * - While the handler runs, duplicates get 409 with `Retry-After`.
 * - Once it is done, duplicates get the stored status (and the body, with `replay`).
 * - If the handler throws, or answers 5xx, 408, 425 or 429, or a 4xx with `Retry-After`, nothing is stored and the
 *   retry runs.
 * - If its response cannot be sent (`Response.error()`, a body that has been read), nothing is stored either, and the
 *   answer is 500.
 * - If it freezes, another delivery takes over after `lease`, and the answer of the frozen one is refused.
 * - If Redis is unavailable, the answer is 503 and the handler does not run, unless `onUnavailable` is `"run"`.
 *
 * The handler's lease and the number of its attempt are in `c.var` (`DedupeVariables`; with `onUnavailable: "run"`,
 * `FailOpenVariables`).
 *
 * @example
 * ```ts
 * import { Hono } from "hono";
 * const app = new Hono();
 * const key = idempotencyKey();
 * const scope = ({ headers }: Request) => headers.get("X-Client") ?? ""; // "" is refused
 * app.post("/payments", dedupe({ locks, key, scope }), async (c) => {
 *   await record(c.var.lease.token);
 *   return c.json({ attempt: c.var.attempt }, 201);
 * });
 * const headers = { "Idempotency-Key": '"a1"', "X-Client": "shop 7" };
 * await app.request("/payments", { method: "POST", headers }); // 201
 * ```
 *
 * @throws TypeError or RangeError for an invalid option.
 */
export function dedupe(options: DedupeOptions & Refusing): MiddlewareHandler<DedupeEnv<AnyEnv>>;
export function dedupe(options: DedupeOptions): MiddlewareHandler<DedupeEnv<AnyEnv, FailOpenVariables>>;
export function dedupe<E extends Env>(options: DedupeOptions<E> & Refusing): MiddlewareHandler<DedupeEnv<E>>;
export function dedupe<E extends Env>(options: DedupeOptions<E>): MiddlewareHandler<DedupeEnv<E, FailOpenVariables>>;
export function dedupe(options: object): MiddlewareHandler {
  const settings = toSettings(options);
  return async function dedupe(c: Context, next: Next): Promise<Response | undefined> {
    const held = await heldRequestOf(c);
    let ran = false;
    async function handle(delivery: Delivery | Unprotected | undefined): Promise<Ended> {
      ran = true;
      held.release();
      if (delivery) {
        c.set("lease", delivery.lease);
        c.set("attempt", delivery.attempt);
        c.set("commit", delivery.commit);
        c.set("protected", delivery.protected);
        // With a status that was set, Hono sets the content type of text; some platforms set it only when sending, and a
        // copy loses it. It is the status that other middleware has set, or Hono's default.
        if (settings.replay) c.status(c.newResponse(null).status as 200);
      }
      await next();
      return { response: c.finalized ? decoded(c.res) : undefined, error: c.error };
    }
    const exchange = { held, context: [c], newResponse: responseMaker(c) };
    try {
      const response = await deduplicate(exchange, handle, settings, executionOf(c));
      if (!ran) return response;
      if (response && response !== c.res) replaceResponse(c, response);
      return undefined;
    } catch (error) {
      // Otherwise the response to the error would inherit the headers of the handler's response, such as a wrong
      // length.
      if (c.finalized) c.res = undefined;
      throw error;
    }
  };
}
