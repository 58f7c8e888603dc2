import { LeaseholdError, OutcomeUnknownError, wrongKind } from "../shared/errors.ts";
import type { Connection } from "./connect.ts";
import { type Failed, refused } from "./port.ts";

/** Error replies that mean "not executed". */
export const NOT_EXECUTED: RegExp = /^(LOADING|READONLY|\w+DOWN|TRYAGAIN|BUSY) /;

/** Whether no answer came from the server itself. */
const isUnanswered = (failure: Failed): boolean =>
  failure.type === "not sent" || (failure.type === "unknown" && !failure.failsAgain);

/** Whether no server could be reached, as far as the failure shows. */
export const isAway = (failure: Failed): boolean =>
  failure.type === "not sent" || (failure.type === "unknown" && failure.looksUnreachable === true);

/** Whether another attempt may succeed. */
export function mayPass(failure: Failed): boolean {
  if (isUnanswered(failure)) return true;
  const isTooMany = failure.type === "refused" && failure.code === "rate_limited";
  return isTooMany || NOT_EXECUTED.test(failure.error);
}

/** The caller's error for a failed attempt. */
export function errorOf(
  { name, connection }: { readonly name: string; readonly connection: Connection },
  failure: Failed,
  cause: Error | undefined = failure.cause,
): LeaseholdError {
  const { error, retryAfterMs } = failure;
  if (isUnanswered(failure)) {
    const [host] = connection.server.split("/");
    return new OutcomeUnknownError(name, host ? `${error} (${host})` : error, cause);
  }
  if (/^WRONGTYPE/.test(error)) return wrongKind(name, "foreign");
  const { code } = failure.type === "refused" ? failure : refused(error);
  if (code === "rate_limited") return new LeaseholdError(code, error, { retryAfterMs });
  return new LeaseholdError(code, error);
}
