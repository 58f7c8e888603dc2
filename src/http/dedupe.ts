import { type Delivery, deduplicate, type Next, type Unprotected } from "../dedupe/deduplicate.ts";
import { bareResponse } from "../dedupe/exchange.ts";
import { heldRequest } from "../dedupe/held-request.ts";
import { type DedupeOptions, toSettings } from "../dedupe/options.ts";
import type { Execution } from "../dedupe/run-handler.ts";
import type { Refusing } from "../lease/unavailable.ts";
import { toWork } from "../shared/checks.ts";
import { decoded, isResponse } from "../shared/handler-response.ts";
import { requestContext } from "../shared/vercel.ts";

type Answer = Response | Promise<Response>;

/** Finds what keeps the invocation alive: among the platform's arguments (Workers, Netlify), or on Vercel. */
function executionOf(context: readonly unknown[]): Execution | undefined {
  for (const each of [...context, requestContext()]) {
    const { waitUntil } = Object(each) as Partial<Execution>;
    if (typeof waitUntil === "function") return each as Execution;
  }
  return undefined;
}

/**
 * Makes a function from request to response that runs a handler once per delivery, however often the delivery arrives:
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
 * The result works as a route handler of Next.js, as the handler of `Deno.serve`, and as the `fetch` of `Bun.serve` and
 * of a Worker. Arguments after the request are passed to the handler and to every function of the options; name their
 * types, as in `dedupe<[Env, ExecutionContext]>`. The handler's second argument has the lease and the number of the
 * attempt ({@link Delivery}); a request that is not deduplicated has neither.
 *
 * The returned function throws what the handler throws.
 *
 * @example
 * ```ts
 * const scope = ({ headers }: Request) => headers.get("X-Client") ?? ""; // "" is refused
 * const POST = dedupe({ locks, key: idempotencyKey(), scope }, async (request, { lease, attempt }) => {
 *   await record(lease.token);
 *   return Response.json({ attempt, sent: await request.text() }, { status: 201 });
 * });
 * const headers = { "Idempotency-Key": '"a1"', "X-Client": "shop 7" };
 * await POST(new Request("https://example.com/payments", { method: "POST", headers, body: "10 EUR" })); // 201
 * ```
 *
 * @throws TypeError or RangeError for an invalid option.
 */
export function dedupe<Args extends unknown[] = []>(
  options: DedupeOptions<Args> & Refusing,
  handler: (request: Request, delivery: Delivery, ...context: Args) => Answer,
): (request: Request, ...context: Args) => Promise<Response>;
export function dedupe<Args extends unknown[] = []>(
  options: DedupeOptions<Args>,
  handler: (request: Request, delivery: Delivery | Unprotected, ...context: Args) => Answer,
): (request: Request, ...context: Args) => Promise<Response>;
export function dedupe(
  options: object,
  handler: (request: Request, delivery: Delivery, ...context: unknown[]) => unknown,
): (request: Request, ...context: unknown[]) => Promise<Response> {
  toWork(handler, "dedupe", "dedupe(options, handler)", options, "handler");
  const settings = toSettings(options);
  return async function dedupe(request: Request, ...context: unknown[]): Promise<Response> {
    const whenLost = "the body was read already: call what dedupe returned before that";
    const held = heldRequest(request, { whenLost });
    const next: Next = async (delivery) => {
      held.release();
      // A request that is not deduplicated has no delivery.
      const returned = await handler(held.request, (delivery ?? {}) as Delivery, ...context);
      return { response: isResponse(returned) ? decoded(returned) : undefined };
    };
    const exchange = { held, context, newResponse: bareResponse };
    const response = await deduplicate(exchange, next, settings, executionOf(context));
    if (!response) throw new TypeError("the handler must return a Response");
    return response;
  };
}
