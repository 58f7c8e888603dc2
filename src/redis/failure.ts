import { LeaseholdError, OutcomeUnknownError, wrongKind } from "../shared/errors.ts";
import type { Connection } from "./connect.ts";
import { type Failed, type NotSent, refused, type Unknown, type Unsent } from "./port.ts";
import type { Target } from "./target.ts";

/** Error replies that mean "not executed". */
export const NOT_EXECUTED: RegExp = /^(LOADING|READONLY|\w+DOWN|TRYAGAIN|BUSY) /;

/** Operations that change nothing. */
export const READS: RegExp = /^(inspect|verify|count|wait|read|list)$/;

/**
 * Why nothing was sent, and what to do. The reason is temporary, temporary only if the server was reached before, or
 * permanent, so that a person must fix it.
 */
const REASONS: Readonly<
  Record<Unsent, { readonly passes: "soon" | "if known" | "never"; says(host: string, error: string): string }>
> = {
  refused: {
    passes: "soon",
    says: (host, error) => `${host} refused the connection (${error}): check its port, and that the server runs`,
  },
  unreachable: {
    passes: "soon",
    says: (host, error) => `${host} cannot be reached (${error}): check its address, and that the server runs`,
  },
  closed: {
    passes: "soon",
    says: (host) => `the client of ${host} is closed: open it, or make another one`,
  },
  "not found": {
    passes: "if known",
    says: (host, error) => `the host ${host} was not found (${error}): check the url`,
  },
  "no TLS": {
    passes: "never",
    says: (host, error) => `${host} does not speak TLS (${error}): use http:// instead of https://, or its other port`,
  },
  "not trusted": {
    passes: "never",
    says: (host, error) => `the certificate of ${host} is not trusted (${error}): check the url, or trust its issuer`,
  },
  "not allowed": {
    passes: "never",
    says: (host, error) =>
      `a connection to ${host} is not allowed (${error}): allow it (Deno: --allow-net), or use another port`,
  },
};

/** Whether no answer came from the server itself. */
const isFromNoServer = (failure: Failed): failure is NotSent | Unknown =>
  failure.type === "not sent" || (failure.type === "unknown" && !failure.failsAgain);

/** Whether no server could be reached, as far as the failure shows. */
export const isAway = (failure: Failed): boolean =>
  failure.type === "not sent" || (failure.type === "unknown" && failure.looksUnreachable === true);

/** Whether retries are pointless, since the server was never reached and the failure is rarely temporary. */
export const isHopeless = (failure: Failed, { state }: Connection): boolean =>
  "reason" in failure &&
  failure.reason !== undefined &&
  REASONS[failure.reason].passes === "if known" &&
  state.offsets.size === 0;

/** Whether another attempt may succeed; so it may after error replies that match `also`. */
export function mayPass(failure: Failed, also?: RegExp): boolean {
  if (failure.type === "not sent") return REASONS[failure.reason].passes !== "never";
  if (isFromNoServer(failure)) return true;
  const isTooMany = failure.type === "refused" && failure.code === "rate_limited";
  return isTooMany || NOT_EXECUTED.test(failure.error) || also?.test(failure.error) === true;
}

/** Says why there was no answer, and what to do if that is known. */
function whyUnanswered(failure: NotSent | Unknown, host: string): string {
  const { reason, error, cause } = failure;
  if (reason === undefined) return `${error} (${host})`;
  return REASONS[reason].says(host, error === "TypeError" ? (cause?.message ?? error) : error);
}

/** What a failed request was for. */
type Subject = Pick<Target, "name" | "connection"> & Partial<Pick<Target, "keys">>;

/** What to do about a refusal; it follows the reason in the message. */
function refusal(code: string, error: string, { connection, keys = [] }: Subject): string {
  const host = hostOf(connection);
  if (/^NOPERM .*\bkeys?\b/.test(error))
    return `${error}: allow the user the keys of the prefix, ~${connection.prefix}* (here ${keys.join(", ")})`;
  if (/^NOPERM/.test(error)) {
    const [, command] = /'([\w|-]+)' command/.exec(error) ?? [];
    const right = command === undefined ? "" : `, or allow the user +${command}`;
    return `${error}: use a token that may run scripts, the read-write token of the database${right}`;
  }
  if (code === "unauthorized") return `${error} by ${host}: check it`;
  if (code === "malformed_answer") return `${host} answered ${error}: check the url and its path`;
  return error;
}

/** The host of a server, for errors. */
export const hostOf = ({ server }: Connection): string => server.split("/")[0] || "the server";

/**
 * The error for a refusal while an earlier attempt may have run: the refusal says nothing about that attempt, so it is
 * only the cause.
 */
export const inDoubt = (name: string, refusal: LeaseholdError): OutcomeUnknownError =>
  new OutcomeUnknownError(name, `it may have run; the last answer was: ${refusal.message}`, refusal);

/** The caller's error for a failed attempt; `isDoubted` if an earlier one may have run. */
export function errorOf(
  subject: Subject,
  failure: Failed,
  {
    cause = failure.cause,
    isDoubted = false,
  }: { readonly cause?: Error | undefined; readonly isDoubted?: boolean } = {},
): LeaseholdError {
  const { name, connection } = subject;
  const { error, retryAfterMs } = failure;
  if (isFromNoServer(failure)) {
    const why = whyUnanswered(failure, hostOf(connection));
    // An earlier attempt may have been sent.
    const isUnsent = failure.type === "not sent" && !isDoubted;
    if (isUnsent) return new LeaseholdError("unreachable", `nothing was sent for "${name}": ${why}`, { cause });
    return new OutcomeUnknownError(name, why, cause);
  }
  if (/^WRONGTYPE/.test(error)) return wrongKind(name, "foreign");
  const { code } = failure.type === "refused" ? failure : refused(error);
  const message = refusal(code, error, subject);
  return code === "rate_limited"
    ? new LeaseholdError(code, message, { retryAfterMs })
    : new LeaseholdError(code, message);
}
