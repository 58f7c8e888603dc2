import { type LastRun, lastRun } from "../../../src/cron/last-run.ts";
import type { Listed } from "../../../src/list/index.ts";
import type { Connection } from "../../../src/redis/connect.ts";
import type { Runs } from "./wire.ts";

const MAX_JOBS = 50;

/** Makes the function that reads the last run of each job whose record has changed since. */
export function makeLastRuns(
  connection: Connection,
): (entries: Iterable<Listed>) => Promise<Pick<Runs, "jobs" | "left">> {
  const known = new Map<string, { readonly entry: Listed; readonly run: LastRun | null }>();
  return async (entries) => {
    const records = [...entries].filter(({ kind, job }) => kind === "fence" && job !== undefined);
    const shown = records.slice(0, MAX_JOBS);
    await Promise.all(
      shown.map(async (entry) => {
        const job = `${entry.job}`;
        const last = known.get(job);
        const isSame = last?.run?.outcome !== "running" && last?.entry.token === entry.token;
        if (!isSame) known.set(job, { entry, run: await lastRun(connection, job) });
      }),
    );
    const jobs = shown.flatMap(({ job }) => known.get(`${job}`)?.run ?? []);
    return { jobs, left: records.length - shown.length };
  };
}
