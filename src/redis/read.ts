import { sleep } from "../shared/timers.ts";
import { patienceOf } from "./connect.ts";
import { errorOf, mayPass } from "./failure.ts";
import { attempt, type Command } from "./port.ts";
import { RETRY_BASE_MS } from "./retry-policy.ts";
import type { Target } from "./target.ts";

const MAX_TRIES = 3;

/**
 * Sends a command that changes nothing, retries it a few times, and returns its result.
 *
 * @throws LeaseholdError; the signal's reason.
 */
export async function readCommand(
  { connection, name, emit }: Pick<Target, "connection" | "name" | "emit">,
  command: Command,
  { operation, signal }: { readonly operation: string; readonly signal?: AbortSignal | undefined },
): Promise<unknown> {
  const { port, clock } = connection;
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    const outcome = await attempt(port, command, patienceOf(connection) / MAX_TRIES, signal, clock);
    signal?.throwIfAborted();
    if (outcome.type === "answered") return outcome.result;
    if (!mayPass(outcome) || tries === MAX_TRIES) throw errorOf({ name, connection }, outcome);
    const delayMs = Math.max(RETRY_BASE_MS * tries, outcome.retryAfterMs ?? 0);
    emit?.({ type: "retried", operation, why: outcome.error, delayMs });
    await sleep(delayMs, signal, clock);
  }
}
