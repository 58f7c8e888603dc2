import type { Worker } from "../worker.ts";
import { collectRound } from "./collect.ts";
import { counterRound, latchRound } from "./counts.ts";
import { fenceRound } from "./fence.ts";
import { fairRound, fairSemaphoreRound, multiRound, quorumRound, readWriteRound, semaphoreRound } from "./leases.ts";
import { clusterRound, lockRound, replicasRound } from "./lock.ts";
import { cronRound, httpRound, onceRound } from "./once.ts";
import { lookRound, runRound, turnRound, webLocksRound } from "./run.ts";
import { sqlFenceRound } from "./sql-fence.ts";
import { stockRound } from "./stock.ts";
import { electRound, queueRound } from "./terms.ts";
import { wakeUpsRound } from "./wake-ups.ts";

/** The work of one round, by kind. */
export const WORKLOADS: Readonly<Record<string, (worker: Worker) => Promise<void>>> = {
  lock: lockRound,
  fair: fairRound,
  rw: readWriteRound,
  multi: multiRound,
  semaphore: semaphoreRound,
  "fair-semaphore": fairSemaphoreRound,
  stock: stockRound,
  counter: counterRound,
  latch: latchRound,
  once: onceRound,
  quorum: quorumRound,
  fence: fenceRound,
  http: httpRound,
  cron: cronRound,
  cluster: clusterRound,
  replicas: replicasRound,
  run: runRound,
  "web-locks": webLocksRound,
  turn: turnRound,
  collect: collectRound,
  look: lookRound,
  elect: electRound,
  queue: queueRound,
  "sql-fence": sqlFenceRound,
  "wake-ups": wakeUpsRound,
};
