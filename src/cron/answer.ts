import { LeaseholdError } from "../shared/errors.ts";

/** Never cached: the next invocation would not get here. */
export const answer = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  });

/** When to come back, where the server did not say. */
const RETRY_AFTER_MS = 10_000;
/** Codes that say: not now. Others are for the operator, and thrown. */
const PASSING = new Set(["lock_timeout", "outcome_unknown", "rate_limited", "redis_error"]);

/** What to answer when the work could not begin since Redis is not there; undefined for any other error. */
export function unavailable(error: unknown): Response | undefined {
  if (!(error instanceof LeaseholdError) || !PASSING.has(error.code)) return undefined;
  const seconds = Math.max(1, Math.ceil((error.retryAfterMs ?? RETRY_AFTER_MS) / 1000));
  return answer(503, { status: "unavailable", code: error.code }, { "Retry-After": `${seconds}` });
}
