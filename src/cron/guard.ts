import { type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { boundWaitUntil, noop } from "../shared/wait-until.ts";
import { answer, unavailable } from "./answer.ts";
import { cronExpression } from "./expression.ts";
import { toPart, toSlot } from "./names.ts";
import { occur, type Run } from "./occur.ts";
import { knowsSecret } from "./secret.ts";
import { type CronSettings, toSettings } from "./settings.ts";
import { occurrences, SCHEDULE_OPTIONS, type Schedule } from "./slot.ts";
import { requestContext } from "./vercel.ts";

export type CronGuardOptions = CronSettings & {
  /** What `createLocks` or `connect` gave, or a function that gives it, for where the environment is known with the request only. */
  readonly locks: ConnectionSource | (() => ConnectionSource);
  /** Of the job, 1 to 200 bytes: one for all that must not run twice or overlap. */
  readonly name: string;
  /** What the platform sends as `Authorization: Bearer …`. Default: `CRON_SECRET` of the environment, read with every request. */
  readonly secret?: string | undefined;
} & (
    | (Schedule<string> & { readonly slot?: undefined })
    | {
        /** Says which occurrence a request stands for, where the request itself says so. */
        readonly slot: (request: Request) => Date | string;
        readonly schedule?: undefined;
        readonly every?: undefined;
        readonly clockTolerance?: undefined;
      }
  );

/** Not by `instanceof`: @hono/node-server puts a class of its own in place of the global one, and a package may bring another. */
const isResponse = (given: unknown): given is Response =>
  typeof (given as Response | null | undefined)?.status === "number" &&
  typeof (given as Response).headers?.get === "function";

/**
 * A route that runs a job once for every occurrence and never two occurrences at once, whatever the scheduler sends: for Vercel's Cron
 * Jobs, in Node and on the edge, and for whoever else calls a URL on schedule. It answers with a {@link Report} as JSON: 200 when the
 * job ran or there was nothing to do, 401 for a wrong secret, 500 while no secret is set, 503 when Redis could not be asked, so that
 * nothing ran.
 *
 * What the handler returns is ignored, but for a `Response` of 400 or above: that counts as thrown. What it throws is recorded, makes
 * room for the next invocation of the slot, and is thrown again for the platform to see.
 *
 * @throws TypeError or RangeError for an option that cannot be.
 */
export function cronGuard(
  options: CronGuardOptions,
  handler: (run: Run, request: Request) => unknown,
): (request: Request) => Promise<Response> {
  const settings = toSettings(options, `name secret slot ${SCHEDULE_OPTIONS}`);
  const { locks, secret, slot, onReport } = options;
  const name = toPart(options.name, "name");
  if (typeof handler !== "function") throw new TypeError("handler must be a function");
  if (typeof locks !== "function") connectionOf(locks);
  if (secret !== undefined && typeof secret !== "string") throw new TypeError("secret must be a string");
  if (slot !== undefined && (typeof slot !== "function" || (options.schedule ?? options.every) !== undefined))
    throw new TypeError("slot must be a function, given instead of schedule and every");
  const { schedule } = options;
  const parsed = schedule === undefined ? options : { ...options, schedule: cronExpression(schedule) };
  const due = slot === undefined ? occurrences(parsed as Schedule) : undefined;

  return async function cron(request: Request): Promise<Response> {
    const known = await knowsSecret(request, secret);
    if (known === undefined) return answer(500, { status: "misconfigured", error: "CRON_SECRET is not set" });
    if (!known) return answer(401, { status: "unauthorized" }, { "WWW-Authenticate": "Bearer" });

    const connection = connectionOf(typeof locks === "function" ? locks() : locks);
    let began = false;
    try {
      const report = await occur({
        connection,
        name,
        slot: toSlot(due ? due(connection.clock.now()) : (slot as NonNullable<typeof slot>)(request)),
        settings,
        waitUntil: boundWaitUntil(options, requestContext()),
        onReport,
        async work(run) {
          began = true;
          const given = await handler(run, request);
          if (!isResponse(given)) return;
          // Nobody reads it, and unread it would hold a connection. Not awaited: a stream may take for ever to give up.
          if (!given.body?.locked) given.body?.cancel?.().catch(noop);
          if (given.status >= 400) throw new Error(`the handler answered ${given.status}`);
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
