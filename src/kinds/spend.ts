import type { Spend, SpendReply } from "../lease/hold.ts";
import type { Call } from "../redis/call.ts";
import { runScript } from "../redis/run.ts";
import { semaphoreSpend } from "../redis/scripts.gen.ts";
import { dueOf, type Target } from "../redis/target.ts";
import { LeaseholdError } from "../shared/errors.ts";

/** The names with these numbers, which begin at 1. */
const named = (names: readonly string[], numbers: string): readonly string[] =>
  names.filter((_, n) => numbers.split(" ").includes(`${n + 1}`));

/**
 * Spends permits of holds whose names share a slot: of all names or of none. `target` is that of the whole lease, for
 * errors.
 *
 * @throws LeaseholdError `state_lost` if no number of permits is known.
 */
export async function spendPermits(target: Target, spends: readonly Spend[], call: Call): Promise<SpendReply> {
  const { connection } = spends[0]?.target ?? target;
  const keys = spends.flatMap((spend) => spend.target.keys);
  const parts = spends.flatMap(({ id, token, count, stock }) => [id, token, count, stock.initial, stock.ttlMs]);
  const due = call.doubted ? dueOf({ ...target, connection, keys }) : 0;
  const args = [connection.retentionMs, due, ...parts] as const;
  const answer = await runScript({ ...target, connection, keys }, semaphoreSpend, args, call);
  if (answer.status === "spent") return answer;
  const names = named(
    spends.flatMap((spend) => spend.target.names),
    answer.names,
  );
  if (answer.status === "lost") return { ...answer, lost: spends.length > 1 ? names : undefined };
  throw new LeaseholdError(
    "state_lost",
    `no number of permits of "${names.join(", ")}" is known, so nothing was spent: set it by setPermits or trySetPermits`,
  );
}
