/** Attempts of a once, runs of a slot of a cron job, and deliveries of a message that hands a lock over. */
import { beginRun } from "../../src/cron/job.ts";
import type { Lease, Locks } from "../../src/index.ts";
import { takeOver } from "../../src/queue/index.ts";
import { connectionOf } from "../../src/redis/connect.ts";
import { NOT_STORED } from "./history.ts";
import type { Order } from "./orders.ts";
import { type Outcome, outcomeOf } from "./outcomes.ts";

/** An attempt that was started, and how it goes on. */
export interface Attempt {
  extend(ms: number): Promise<Outcome>;
  /** @param value the result: what its beginning announced, if that did */
  complete(value: string): Promise<Outcome>;
  fail(): Promise<Outcome>;
}

/** The answer to a request to begin, and the attempt if it has started. */
export interface Begun {
  readonly outcome: Outcome;
  readonly attempt?: Attempt;
}

/** How the turns of a client ended, by the key and the number of the attempt. */
export type Turns = Map<string, string>;

const noop = (): void => {};
const TTL_MS = 600_000;
const REFUSED: Begun = { outcome: { status: "refused" } };

const extendLease =
  (lease: Lease): Attempt["extend"] =>
  async (ms) => {
    await lease.extend(`${ms}ms`);
    return { status: "ok" };
  };

/** An attempt of a once. */
export async function beginOnce(locks: Locks, { name, lease }: Order): Promise<Begun> {
  const turn = await locks.once(name, { lease: `${lease}ms`, ttl: TTL_MS }).begin();
  if (turn.status === "done")
    return { outcome: { status: "ok", token: turn.token, value: String(turn.result), done: true } };
  if (turn.status !== "started") return REFUSED;
  const attempt: Attempt = {
    extend: extendLease(turn.lease),
    async complete(value) {
      const { stored } = await turn.complete(value);
      return { status: "ok", value: stored ? value : NOT_STORED };
    },
    fail: async () => ({ status: (await turn.fail()) ? "ok" : "lost" }),
  };
  return { outcome: { status: "ok", token: turn.lease.token, attempt: turn.attempt }, attempt };
}

/** What is remembered of a run, in one text. */
const told = (run: { readonly token: number; readonly startedAt: string; readonly durationMs: number }): string =>
  `${run.token} ${run.startedAt} ${run.durationMs}`;

/** A run of a slot. Its stored result names its token and its beginning, and its order in place of its duration. */
export async function beginCron(locks: Locks, order: Order): Promise<Begun> {
  const { id, slot, lease, apart } = order;
  const settings = { leaseMs: lease, ttlMs: TTL_MS, open: false, limits: { maxExtends: 0 } };
  const name = apart ? `${order.name} ${slot}` : order.name;
  const found = await beginRun({ connection: connectionOf(locks), name, slot, settings });
  if (found.status === "skipped: still running") return REFUSED;
  if (found.status === "skipped: already ran")
    return { outcome: { status: "ok", token: found.token, value: told(found), done: true } };
  const { held, startedAt, end } = found;
  const { token } = held;
  const result = { token, startedAt, durationMs: id };
  const attempt: Attempt = {
    extend: extendLease(held.lease),
    async complete() {
      await end({ outcome: "ran", durationMs: id, result, busyMs: held.remaining() });
      return { status: "ok" };
    },
    async fail() {
      await end({ outcome: "failed", durationMs: id, error: "failed" });
      return { status: "ended" };
    },
  };
  return { outcome: { status: "ok", token, attempt: found.attempt, result: told(result) }, attempt };
}

/** The token of the lease that a message's result was made under. */
const tokenIn = (value: string): number => Number(value.split(" ", 1)[0]);

/** A delivery of a message. It takes the lock over until later orders end its work. */
export function beginHandOver(locks: Locks, order: Order, turns: Turns): Promise<Begun> {
  const { id, name, ticket, lease, apart } = order;
  // The key of a message shares the names of its lock.
  const key = apart ? `${name}, message ${id}` : `${name}, message`;
  const options = { key, ttl: TTL_MS, lease: `${lease}ms` as const, maxExtends: 0 };
  return new Promise<Begun>((resolve) => {
    const taken = takeOver(locks.lock(name), ticket, options, (held, { attempt: number }) => {
      const { token } = held;
      let finish: (value: string) => void = noop;
      let abandon: (reason: Error) => void = noop;
      const work = new Promise<string>((onFinish, onAbandon) => {
        finish = onFinish;
        abandon = onAbandon;
      });
      const turn = `${key} ${number}`;
      turns.delete(turn);
      /** The answer to a failure is not reported, but the turn's status shows that there was one. */
      const failed = (): Outcome => ({ status: turns.get(turn) === "failed" ? "ended" : "unknown" });
      const attempt: Attempt = {
        extend: extendLease(held),
        async complete(value) {
          finish(value);
          try {
            const done = await taken;
            return { status: done.status === "done" && done.stored ? "ok" : "unknown" };
          } catch (error) {
            const outcome = outcomeOf(error, { ...order, action: "complete" });
            if (outcome.status !== "lost" || turns.get(turn) === "lost") return outcome;
            return { ...failed(), isFailed: true };
          }
        },
        async fail() {
          abandon(new Error("failed"));
          await taken.catch(() => undefined);
          return failed();
        },
      };
      resolve({ outcome: { status: "ok", token, attempt: number, result: `${token} by #${id}` }, attempt });
      return work;
    });
    const delivered = taken.then(
      (found): Outcome => {
        if (found.status !== "done") return { status: "refused" };
        const value = found.stored ? found.result : NOT_STORED;
        return { status: "ok", token: tokenIn(value), value, done: true };
      },
      (error: unknown) => outcomeOf(error, order),
    );
    void delivered.then((outcome) => resolve({ outcome }));
  });
}
