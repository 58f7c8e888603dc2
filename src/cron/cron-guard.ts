import { isUnavailable, type Refusing } from "../engine/unavailable.ts";
import { type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { type Duration, toWork } from "../shared/checks.ts";
import { digest, equal } from "../shared/crypto.ts";
import { variable } from "../shared/environment.ts";
import { verdictOf } from "../shared/handler-response.ts";
import { requestContext } from "../shared/vercel.ts";
import { boundWaitUntil, noop } from "../shared/wait-until.ts";
import { cronExpression } from "./cron-expression.ts";
import { toPart, toSlot } from "./names.ts";
import { type Run, runOccurrence, type UnprotectedRun } from "./run-occurrence.ts";
import { type CronSettings, toSettings } from "./settings.ts";
import { occurrences, SCHEDULE_OPTIONS, type Schedule } from "./slot.ts";

/**
 * Options of {@link cronGuard}: a schedule (`schedule` or `every`), or a function `slot`, or none of them where the
 * requests come from Vercel: their header `x-vercel-cron-schedule` has the expression.
 */
export type CronGuardOptions = CronSettings & {
  /**
   * The locks or connection, or a function that returns them: for an environment that is known with the request only.
   */
  readonly locks: ConnectionSource | (() => ConnectionSource);
  /** The job's name, 1 to 200 bytes. Runs of one name happen once per slot and never overlap. */
  readonly name: string;
  /**
   * The secret that the platform sends as `Authorization: Bearer …`. Default: the environment variable `CRON_SECRET`,
   * read with every request.
   */
  readonly secret?: string | undefined;
} & (
    | (Schedule<string> & {
        readonly slot?: undefined;
        /**
         * The IANA name of the time zone that the expression is in: the same as in `vercel.json`. See
         * {@link CronExpressionOptions} for hours that a clock skips or shows twice. Default UTC.
         */
        readonly timezone?: string | undefined;
      })
    | {
        readonly clockTolerance?: Duration | undefined;
        readonly timezone?: string | undefined;
        readonly schedule?: undefined;
        readonly every?: undefined;
        readonly slot?: undefined;
      }
    | {
        /** Returns the occurrence that a request stands for, where the request itself says so. */
        readonly slot: (request: Request) => Date | string;
        readonly schedule?: undefined;
        readonly every?: undefined;
        readonly clockTolerance?: undefined;
        readonly timezone?: undefined;
      }
  );

/**
 * Checks the request's secret; undefined when no secret is set, so that every request must be refused. The digests are
 * compared, so that the time taken reveals nothing about the secret, its length included.
 */
async function knowsSecret(request: Request, given: string | undefined): Promise<boolean | undefined> {
  const secret = given ?? variable("CRON_SECRET");
  if (!secret) return undefined;
  const [, credentials = ""] = /^bearer +(.*)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  return equal(await digest(credentials), await digest(secret));
}

/** Makes a JSON response. It is never cached: a cache would answer the next invocation in our place. */
const answer = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  });

/** `Retry-After` where the server named no time. */
const RETRY_AFTER_MS = 10_000;

/**
 * Makes the 503 for work that could not begin because Redis is unavailable; undefined for any other error, which is
 * thrown: a person has to repair what it reports.
 */
function unavailable(error: unknown): Response | undefined {
  if (!isUnavailable(error)) return undefined;
  const seconds = Math.max(1, Math.ceil((error.retryAfterMs ?? RETRY_AFTER_MS) / 1000));
  return answer(503, { status: "unavailable", code: error.code }, { "Retry-After": `${seconds}` });
}

/** The header in which Vercel tells the expression of a Cron Job, or of a schedule whose target is a path. */
const EXPRESSION_HEADER = "x-vercel-cron-schedule";

/** Makes the function that finds the slot of a request; undefined for a request that does not tell it. */
function slotFinder(options: CronGuardOptions): (request: Request, nowMs: number) => string | undefined {
  const { slot, schedule, every, clockTolerance, timezone } = options;
  if (slot !== undefined) {
    if (typeof slot !== "function" || (schedule ?? every ?? clockTolerance ?? timezone) !== undefined)
      throw new TypeError("slot must be a function, given instead of a schedule");
    return (request) => toSlot(slot(request));
  }
  if (every !== undefined && timezone !== undefined) throw new TypeError("timezone is for schedule, not for every");
  const parse = (expression: string): ((nowMs: number) => Date) =>
    occurrences({ schedule: cronExpression(expression, { timezone }), clockTolerance });
  if (schedule !== undefined || every !== undefined) {
    const due = every === undefined ? parse(schedule) : occurrences(options as Schedule);
    return (_, nowMs) => toSlot(due(nowMs));
  }
  // Tells of a wrong option now rather than with the first request.
  parse("* * * * *");
  let known: { readonly expression: string; readonly due: (nowMs: number) => Date } | undefined;
  return ({ headers }, nowMs) => {
    const expression = headers.get(EXPRESSION_HEADER);
    if (expression === null) return undefined;
    if (known?.expression !== expression) known = { expression, due: parse(expression) };
    return toSlot(known.due(nowMs));
  };
}

/** Avoids `instanceof`: @hono/node-server replaces the global class by its own, and a package may bring another. */
const isResponse = (given: unknown): given is Response =>
  typeof (given as Response | null | undefined)?.status === "number" &&
  typeof (given as Response).headers?.has === "function";

/**
 * Makes a route that runs a job once per occurrence and never two occurrences at once, whatever the scheduler sends. It
 * serves Vercel's Cron Jobs, in Node and on the edge, and any other scheduler that calls a URL.
 *
 * The route answers with a {@link Report} as JSON:
 *
 * - 200 when the job ran or there was nothing to do;
 * - 400 when no option and no header tells the occurrence;
 * - 401 for a wrong secret;
 * - 500 while no secret is set;
 * - 503 when Redis was unavailable, so that nothing ran, unless `onUnavailable` is `"run"`.
 *
 * It throws an error that does not pass by itself, such as a refused token or full memory (`OOM`).
 *
 * The handler's result is ignored, except a `Response` of status 400 or above, or `Response.error()`: that counts as an
 * error. An error is
 * recorded, lets the next invocation of the slot run the job again, and is rethrown for the platform to see.
 *
 * @example
 * ```ts
 * const GET = cronGuard({ locks, name: "nightly", schedule: "0 3 * * *", maxDuration: 60 }, async ({ token }) => {
 *   await record(token);
 * });
 * const request = new Request("https://example.com/api/cron", { headers: { Authorization: "Bearer wrong" } });
 * console.log((await GET(request)).status); // 401, or 500 while CRON_SECRET is not set
 * ```
 *
 * @throws TypeError or RangeError for an invalid option.
 */
export function cronGuard(
  options: CronGuardOptions & Refusing,
  handler: (run: Run, request: Request) => unknown,
): (request: Request) => Promise<Response>;
export function cronGuard(
  options: CronGuardOptions,
  handler: (run: Run | UnprotectedRun, request: Request) => unknown,
): (request: Request) => Promise<Response>;
export function cronGuard(
  options: CronGuardOptions,
  handler: (run: never, request: Request) => unknown,
): (request: Request) => Promise<Response> {
  toWork(handler, "cronGuard", "cronGuard(options, handler)", options, "handler");
  const settings = toSettings(options, `name secret slot timezone tz>timezone ${SCHEDULE_OPTIONS}`);
  const { locks, secret, onReport } = options;
  const name = toPart(options.name, "name");
  if (typeof locks !== "function") connectionOf(locks);
  if (secret !== undefined && typeof secret !== "string") throw new TypeError("secret must be a string");
  const findSlot = slotFinder(options);

  return async function cron(request: Request): Promise<Response> {
    const known = await knowsSecret(request, secret);
    if (known === undefined) return answer(500, { status: "misconfigured", error: "CRON_SECRET is not set" });
    if (!known) return answer(401, { status: "unauthorized" }, { "WWW-Authenticate": "Bearer" });

    const connection = connectionOf(typeof locks === "function" ? locks() : locks);
    const slot = findSlot(request, connection.clock.now());
    if (slot === undefined) return answer(400, { status: "malformed", error: `${EXPRESSION_HEADER} is missing` });
    let began = false;
    try {
      const report = await runOccurrence({
        connection,
        name,
        slot,
        settings,
        waitUntil: boundWaitUntil(options, requestContext()),
        onReport,
        async work(run) {
          began = true;
          const given = await handler(run as never, request);
          if (!isResponse(given)) return;
          // An unread body would hold a connection. Not awaited: a stream may never finish cancelling.
          if (!given.body?.locked) given.body?.cancel?.().catch(noop);
          if (verdictOf(given) !== "done")
            throw new Error(`the handler answered ${given.status || "Response.error()"}`);
        },
      });
      return answer(200, report);
    } catch (error) {
      const response = began ? undefined : unavailable(error);
      if (!response) throw error;
      return response;
    }
  };
}
