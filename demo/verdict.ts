/** The claims that must hold at the end, checked against D1 and not only against the answers. */
import type { CronOutcome } from "./cron.ts";
import type { Outcome } from "./scenario.ts";

const short = (id: string): string => id.slice(0, 8);

function faultsOfCron({ invocations, slots, runs, last }: CronOutcome): string[] {
  const faults: string[] = [];
  for (const slot of slots) {
    const count = runs.filter((run) => run.slot === slot).length;
    if (count !== 1) faults.push(`the cron of ${slot} ran ${count} times for ${invocations} invocations at once`);
  }
  const newest = runs.at(-1);
  if (last?.outcome !== "ran" || last.token !== newest?.token || last.slot !== slots[1])
    faults.push("the record of the cron's last run is not that of the newest run");
  return faults;
}

/** One line for each failure. */
export function faultsOf(outcome: Outcome): string[] {
  const { deliveries, frozen, answers, rows } = outcome;
  const faults: string[] = [];
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { id } of deliveries) {
    const row = byId.get(id);
    if (!row?.processed_at || row.writes === 0) faults.push(`delivery ${short(id)} was not processed`);
    else if (row.writes > 1) faults.push(`delivery ${short(id)} was processed ${row.writes} times`);
    const own = answers.filter((answer) => answer.id === id);
    const claimed = own.filter((answer) => answer.status === "processed").length;
    if (claimed !== 1) faults.push(`delivery ${short(id)} was answered as processed ${claimed} times`);
    const odd = own.find(({ code }) => code !== 200 && code !== 409);
    if (odd) faults.push(`delivery ${short(id)} was answered ${odd.code} ${odd.status}`);
  }
  if (rows.length !== deliveries.length) faults.push(`${rows.length} rows in D1 for ${deliveries.length} deliveries`);

  const refused = answers.some(({ id, status }) => id === frozen.id && status === "stale");
  if (!refused) faults.push("the write of the frozen handler was not refused");
  const attempt = byId.get(frozen.id)?.attempt ?? 0;
  if (attempt < 2) faults.push("the frozen delivery's row is not that of the handler that took over");
  return [...faults, ...faultsOfCron(outcome.cron)];
}
