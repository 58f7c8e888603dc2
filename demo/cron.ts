/** The cron part: one occurrence invoked many times at the same time, in all instances, and then the next one. */
import { type LastRun, lastRun } from "../src/cron/index.ts";
import { connect } from "../src/index.ts";
import type { CountingGateway } from "./gateway.ts";
import { CRON, type Cron } from "./workers.ts";

/** The name of the Worker's job, which is part of the run's name. */
const JOB = "sessions";
const HOUR_MS = 3_600_000;

interface Run {
  readonly slot: string;
  readonly token: number;
}

export interface CronOutcome {
  readonly invocations: number;
  /** The occurrence of all invocations, and the next one. */
  readonly slots: readonly [string, string];
  /** Rows that the runs left in D1. */
  readonly runs: readonly Run[];
  readonly last: LastRun | null;
}

export async function playCron(
  cron: Cron,
  { url, token }: CountingGateway,
  instances: number,
  invocations: number,
): Promise<CronOutcome> {
  const slot = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
  const next = new Date(slot.getTime() + HOUR_MS);
  // The Redis may remember the same occurrence from an earlier demo. The expression is part of the run's name.
  const expression = `${CRON} (demo ${crypto.randomUUID().slice(0, 8)})`;
  const invoke = (instance: number, at: Date): Promise<void> => cron.invoke(instance, at, expression);
  await Promise.all(Array.from({ length: invocations }, (_, at) => invoke(at % instances, slot)));
  await invoke(0, next);
  const { results } = await cron.db.prepare("SELECT slot, token FROM runs ORDER BY token").all<Run>();
  const last = await lastRun(connect({ url, token }), `${JOB} ${expression}`);
  return { invocations, slots: [slot.toISOString(), next.toISOString()], runs: results, last };
}
