/** The cron part: one occurrence that is invoked many times at once, in all instances, and then the next. */
import { type LastRun, lastRun } from "../src/cron/index.ts";
import { connect } from "../src/index.ts";
import type { CountingGateway } from "./gateway.ts";
import { CRON, type Cron } from "./workers.ts";

/** The name of its Worker, which is part of the run's name. */
const NAME = `sessions ${CRON}`;
const HOUR_MS = 3_600_000;

interface Run {
  readonly slot: string;
  readonly token: number;
}

export interface CronOutcome {
  readonly invocations: number;
  /** The occurrence that all of them were for, and the one after it. */
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
  await Promise.all(Array.from({ length: invocations }, (_, at) => cron.invoke(at % instances, slot)));
  await cron.invoke(0, next);
  const { results } = await cron.db.prepare("SELECT slot, token FROM runs ORDER BY token").all<Run>();
  const last = await lastRun(connect({ url, token }), NAME);
  return { invocations, slots: [slot.toISOString(), next.toISOString()], runs: results, last };
}
