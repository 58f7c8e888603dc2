/** What a client answers to an order. */
import { StaleTokenError } from "../../src/fence/index.ts";
import type { LeaseholdError, LockTimeoutError } from "../../src/index.ts";
import type { Status } from "./history.ts";
import type { Answer, Order } from "./orders.ts";

export type Outcome = Omit<Answer, "id">;

/** Whether an operation starts a hold or an attempt. */
const isStart = (action: Order["action"]): boolean => action === "acquire" || action === "begin";

/** An error of the library. It is told by its code, since Deno has the library twice: installed, and from the sources. */
function ownError(error: unknown): (LeaseholdError & Pick<LockTimeoutError, "remainingMs">) | undefined {
  const { code } = Object(error) as { readonly code?: unknown };
  return error instanceof Error && typeof code === "string" ? (error as never) : undefined;
}

export function outcomeOf(error: unknown, { action }: Order): Outcome {
  if (error instanceof StaleTokenError) return { status: "refused" };
  const own = ownError(error);
  if (!own) return { status: "unknown", error: String(error) };
  // The last response was a refusal. Without one, the current holder is unknown.
  if (own.code === "lock_timeout" && own.remainingMs !== undefined) return { status: "refused" };
  const starts = isStart(action);
  const codes: Partial<Record<typeof own.code, Status>> = {
    // An attempt whose lease had ended when its start was answered.
    lease_lost: starts ? "unknown" : "lost",
    not_reentrant: "own",
    lock_timeout: starts ? "failed" : "unknown",
    redis_error: starts ? "failed" : "unknown",
    outcome_unknown: "unknown",
    unreachable: "unknown",
  };
  const status = codes[own.code];
  if (status === "failed") return { status, isError: true };
  return status ? { status } : { status: "unknown", error: `${own.code}: ${own.message}` };
}
