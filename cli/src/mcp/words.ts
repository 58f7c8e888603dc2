/** What the tools answer, in words that a model acts on: it reads the text, and often nothing else. */
import { LeaseholdError } from "../../../src/shared/errors.ts";
import { harmless } from "../text.ts";

/** Why a call did not do what it was asked for. */
type Status =
  | "held"
  | "lost"
  | "unknown_claim"
  | "outcome_unknown"
  | "unavailable"
  | "unauthorized"
  | "invalid"
  | "failed";

/** The answer to a call that failed. */
export type Refused = {
  content: { type: "text"; text: string }[];
  isError: true;
  _meta: { [name: string]: unknown };
};

/** Names and labels come from other agents: they are quoted, so that none of them reads as an instruction. */
export const quoted = (text: string): string => JSON.stringify(harmless(text));

const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

const refusal = (status: Status, text: string, retryAfterMs?: number): Refused => ({
  content: [{ type: "text", text }],
  isError: true,
  _meta: { "leasehold/status": status, ...(retryAfterMs !== undefined && { "leasehold/retryAfterMs": retryAfterMs }) },
});

/** The pause before a model asks again for a held name, in ms, unless the lease ends earlier. */
const ASK_AGAIN_MS = 60_000;
/** The pause before a model asks again while the server cannot be used, in ms. */
const AWAY_MS = 10_000;

function heldInWords(name: string, { label, holder, remainingMs = 0, available }: LeaseholdError): Refused {
  const who = [label, holder].flatMap((text) => (text === undefined ? [] : [quoted(text)])).join(" on ");
  const left = remainingMs > 0 ? ` for up to ${secondsOf(remainingMs)} more seconds` : "";
  const state = available === undefined ? `is held${who && ` by ${who}`}${left}` : "has no free permit";
  const againMs = Math.min(remainingMs || ASK_AGAIN_MS, ASK_AGAIN_MS);
  return refusal(
    "held",
    `${quoted(name)} ${state}. You do not hold it, so do not do its work. Take other work; or call wait for ${quoted(name)}; or call claim again in ${secondsOf(againMs)} seconds.`,
    againMs,
  );
}

/** How a lease ended. */
const ENDED: Readonly<Record<string, string>> = {
  expired: "it was not renewed in time",
  taken: "another holder has the name now",
  released: "it was released",
  forced: "an operator ended it",
  gone: "the server no longer remembers it",
};

/** Says that a claim has ended, and what follows for the work. */
export const lostInWords = (name: string, reason: string): Refused =>
  refusal(
    "lost",
    `Your claim of ${quoted(name)} has ended: ${ENDED[reason] ?? reason}. Stop now and write nothing more under its token: another agent may be at work. To continue, call claim for ${quoted(name)} again; if you get it, look first at what has been done meanwhile.`,
  );

/** The answer to a receipt that no claim has. */
export const unknownClaim = (): Refused =>
  refusal(
    "unknown_claim",
    "There is no claim with this receipt: it was released, or the receipt is not the text that claim returned as `claim`. Treat the name as not yours: call claim again with the name.",
  );

const unavailable = (what: string, retryAfterMs: number): Refused =>
  refusal(
    "unavailable",
    `The lock server cannot be used now: ${what}. Call again in ${secondsOf(retryAfterMs)} seconds. Until an answer comes, do not begin or write anything under this name.`,
    retryAfterMs,
  );

/** Turns what a call threw into its answer. @throws what is no error of a request. */
export function errorInWords(name: string, error: unknown): Refused {
  if (error instanceof TypeError || error instanceof RangeError)
    return refusal("invalid", `Nothing was done: ${harmless(error.message)}. Correct the arguments and call again.`);
  if (!(error instanceof LeaseholdError)) throw error;
  const message = harmless(error.message);
  switch (error.code) {
    case "lock_timeout":
      return error.cause instanceof LeaseholdError ? errorInWords(name, error.cause) : heldInWords(name, error);
    case "lease_lost":
      return lostInWords(name, error.reason ?? "expired");
    case "outcome_unknown":
      return refusal(
        "outcome_unknown",
        `It is unknown whether this took effect: ${message}. Treat ${quoted(name)} as not yours, write nothing, and call again in ${secondsOf(AWAY_MS)} seconds. A claim that you did not receive ends by itself with its lease.`,
        AWAY_MS,
      );
    case "unreachable":
    case "rate_limited":
      return unavailable(message, error.retryAfterMs ?? AWAY_MS);
    case "unauthorized":
      return refusal(
        "unauthorized",
        `The lock server refused the API token of this MCP server: ${message}. Calling again does not help: tell your user.`,
      );
    case "wrong_kind":
      return refusal("invalid", `Nothing was done: ${message}. Use the same kind as the others, or another name.`);
    default:
      return refusal("failed", `The lock server answered with an error: ${message}. Tell your user.`);
  }
}
