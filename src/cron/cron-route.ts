import { isUnavailable, type Refusing } from "../lease/unavailable.ts";
import { type Duration, toWork } from "../shared/checks.ts";
import { digest, equal } from "../shared/crypto.ts";
import { readVariable, whyDenied } from "../shared/environment.ts";
import { isResponse, verdictOf } from "../shared/handler-response.ts";
import { toIdentity } from "../shared/identity.ts";
import { inCall, kindOf, misuse, shown } from "../shared/misuse.ts";
import { toRetryAfter } from "../shared/retry-after.ts";
import { requestContext } from "../shared/vercel.ts";
import { noop } from "../shared/wait-until.ts";
import { cronCore } from "./core.ts";
import { checkWeekdays, parseExpression } from "./cron-expression.ts";
import { toPart, toSlot } from "./names.ts";
import type { CronOptions } from "./options.ts";
import type { Run, UnprotectedRun } from "./run-occurrence.ts";
import { type Occurrences, occurrences, SCHEDULE_OPTIONS, type Schedule } from "./slot.ts";

/**
 * Options of {@link cronRoute}: a schedule (`schedule` or `every`), or a function `slot`, or none of them for requests
 * of Vercel, whose header `x-vercel-cron-schedule` has the expression. A function for `locks` is called with the
 * request.
 */
export type CronRouteOptions = CronOptions<[request: Request]> & {
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
        /** Returns the occurrence of a request, if the request itself identifies it. */
        readonly slot: (request: Request) => Date | string;
        readonly schedule?: undefined;
        readonly every?: undefined;
        readonly clockTolerance?: undefined;
        readonly timezone?: undefined;
      }
  );

const SECRET = "CRON_SECRET";

/** Returns the secret, or why there is none, so that every request must be refused. */
function findSecret(configured: string | undefined): { readonly secret: string } | { readonly problem: string } {
  const reading = configured === undefined ? readVariable(SECRET) : { value: configured };
  if ("isDenied" in reading) return { problem: `${SECRET} is unknown: ${whyDenied([SECRET])}` };
  return reading.value ? { secret: reading.value } : { problem: `${SECRET} is not set` };
}

/**
 * Checks the request's secret. Digests are compared, so that the time taken reveals nothing about the secret, including
 * its length.
 */
async function knowsSecret({ headers }: Request, secret: string): Promise<boolean> {
  const [, credentials = ""] = /^bearer +(.*)$/i.exec(headers.get("authorization") ?? "") ?? [];
  return equal(await digest(credentials), await digest(secret));
}

/** Makes a JSON response. It is never cached, since a cache would answer the next invocation. */
const answer = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  });

/** `Retry-After` if the server sent no time. */
const RETRY_AFTER_MS = 10_000;

/**
 * Makes the 503 for work that could not begin because Redis is unavailable. Returns undefined for any other error,
 * which is thrown, since a person must fix its cause.
 */
function unavailable(error: unknown): Response | undefined {
  if (!isUnavailable(error)) return undefined;
  const seconds = toRetryAfter(error.retryAfterMs ?? RETRY_AFTER_MS);
  return answer(503, { status: "unavailable", code: error.code }, { "Retry-After": `${seconds}` });
}

/** The header in which Vercel sends the expression of a Cron Job, or of a schedule whose target is a path. */
const EXPRESSION_HEADER = "x-vercel-cron-schedule";

const NO_OCCURRENCE = `${EXPRESSION_HEADER} is missing: Vercel sends it; for other callers, set the option schedule, every or slot`;

/** The slot of a request, and the next one if the schedule is known. */
interface Found {
  readonly slot: Date | string;
  readonly next?: () => Date | undefined;
}

/** Makes the function that finds the slot of a request; it returns undefined if the request does not identify one. */
function slotFinder(options: CronRouteOptions): (request: Request, nowMs: number) => Found | undefined {
  const { slot, schedule, every, clockTolerance, timezone } = options;
  if (slot !== undefined) {
    if (typeof slot !== "function") throw misuse(TypeError, `slot must be a function, not ${shown(slot)}`);
    if ((schedule ?? every ?? clockTolerance ?? timezone) !== undefined)
      throw misuse(TypeError, "slot is a function, instead of schedule, every, clockTolerance and timezone");
    return (request) => ({ slot: toSlot(slot(request)) });
  }
  if (every !== undefined && timezone !== undefined) throw misuse(TypeError, "timezone is for schedule, not for every");
  function parse(expression: string): Occurrences {
    const schedule = parseExpression(expression, { timezone });
    checkWeekdays(expression);
    return occurrences({ schedule, clockTolerance });
  }
  const find = ({ due, after }: Occurrences, nowMs: number): Found => {
    const found = due(nowMs);
    return { slot: found, next: () => after(found) };
  };
  if (schedule !== undefined || every !== undefined) {
    const all = every === undefined ? parse(schedule) : occurrences(options as Schedule);
    return (_, nowMs) => find(all, nowMs);
  }
  // Rejects an invalid option now rather than at the first request.
  parse("* * * * *");
  let known: { readonly expression: string; readonly all: Occurrences } | undefined;
  return ({ headers }, nowMs) => {
    const expression = headers.get(EXPRESSION_HEADER);
    if (expression === null) return undefined;
    if (known?.expression !== expression) known = { expression, all: parse(expression) };
    return find(known.all, nowMs);
  };
}

/** Cancels the handler's response, which is not sent. @throws an error for a response that counts as one. */
function judge(candidate: unknown): void {
  if (!isResponse(candidate)) return;
  // An unread body would hold a connection. Not awaited: a stream may never finish cancelling.
  if (!candidate.body?.locked) candidate.body?.cancel?.().catch(noop);
  if (verdictOf(candidate) === "done") return;
  throw new Error(`the handler answered ${candidate.status === 0 ? "Response.error()" : candidate.status}`);
}

/**
 * Makes a route that runs a job once per occurrence, and never two occurrences at the same time, whatever the scheduler
 * sends. It works with Vercel Schedules and Cron Jobs, in Node and on the edge, and with any other scheduler that calls
 * a URL.
 *
 * The route answers with a {@link Report} as JSON:
 *
 * - 200 if the job ran or there was nothing to do;
 * - 400 if neither an option nor a header identifies the occurrence;
 * - 401 for a wrong secret;
 * - 500 if no secret is set, or it may not be read;
 * - 503 if Redis was unavailable and nothing ran, unless `onUnavailable` is `"run"`.
 *
 * It throws a permanent error, such as a rejected token or full memory (`OOM`).
 *
 * The handler's result is ignored, except that a `Response` of status 400 or above, or `Response.error()`, counts as an
 * error. An error is recorded and rethrown for the platform, and the next invocation of the slot runs the job again.
 *
 * @example
 * ```ts
 * const GET = cronRoute({ locks, name: "nightly", schedule: "0 3 * * *", maxDuration: 60 }, async ({ token }) => {
 *   await record(token);
 * });
 * const request = new Request("https://example.com/api/cron", { headers: { Authorization: "Bearer wrong" } });
 * console.log((await GET(request)).status); // 401, or 500 while CRON_SECRET is not set
 * ```
 *
 * @throws TypeError or RangeError for an invalid option.
 */
export function cronRoute(
  options: CronRouteOptions & Refusing,
  handler: (run: Run, request: Request) => unknown,
): (request: Request) => Promise<Response>;
export function cronRoute(
  options: CronRouteOptions,
  handler: (run: Run | UnprotectedRun, request: Request) => unknown,
): (request: Request) => Promise<Response>;
export function cronRoute(
  options: CronRouteOptions,
  handler: (run: never, request: Request) => unknown,
): (request: Request) => Promise<Response> {
  toWork(handler, "cronRoute", "cronRoute(options, handler)", options, "handler");
  const { connect, run } = cronCore("cronRoute", options, `name secret slot timezone tz>timezone ${SCHEDULE_OPTIONS}`);
  const { secret } = options;
  const [name, findSlot] = inCall("cronRoute", () => {
    if (secret !== undefined && typeof secret !== "string")
      throw misuse(TypeError, `secret must be a string, not ${kindOf(secret)}`);
    // A caller could send the text of a missing variable.
    if (secret) toIdentity(secret, "secret", Number.POSITIVE_INFINITY);
    return [toPart(options.name, "name"), slotFinder(options)];
  });

  return async function cron(request: Request): Promise<Response> {
    const found = findSecret(secret);
    if ("problem" in found) return answer(500, { status: "misconfigured", error: found.problem });
    if (!(await knowsSecret(request, found.secret)))
      return answer(401, { status: "unauthorized" }, { "WWW-Authenticate": "Bearer" });

    const connection = connect(request);
    const occurrence = findSlot(request, connection.clock.now());
    if (occurrence === undefined) return answer(400, { status: "malformed", error: NO_OCCURRENCE });
    let began = false;
    const work = async (run: Run | UnprotectedRun): Promise<void> => {
      began = true;
      judge(await handler(run as never, request));
    };
    try {
      return answer(200, await run({ connection, name, ...occurrence, context: requestContext(), work }));
    } catch (error) {
      const response = began ? undefined : unavailable(error);
      if (!response) throw error;
      return response;
    }
  };
}
