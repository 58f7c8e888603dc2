import type { Worker } from "../worker.ts";
import { lockRound } from "./lock.ts";

/** The work of one round, by kind. */
export const WORKLOADS: Readonly<Record<string, (worker: Worker) => Promise<void>>> = {
  lock: lockRound,
};
