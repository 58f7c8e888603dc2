import { expect, it } from "vitest";
import { createLocks, type OnceDatabase } from "../../../src/index.ts";
import { freshName, pause } from "../../support/names.ts";
import type { UsedStack } from "../../support/use-stack.ts";
import { type Fate, Process } from "./process.ts";

/** A database with the effects of deliveries: for each a row, and one more in the total of its account. */
export interface Shop<Tx> {
  /** The database as one process uses it. */
  open(process: Process): {
    readonly database: OnceDatabase<Tx>;
    /** The effects of one delivery, in two statements. */
    work(tx: Tx, run: string, id: string): Promise<string> | string;
    /** The same, in a transaction that stores no result. */
    bare(run: string, id: string): Promise<unknown>;
  };
  /** The IDs of the deliveries of this run, one for each effect. */
  effects(run: string): Promise<readonly string[]>;
  /** The sum of all accounts of this run. */
  total(run: string): Promise<number>;
}

/** Accounts of a run, so that deliveries contend for some rows, but not all for one. */
export const accountOf = (run: string, id: string): string => `${run} ${id.length > 2 ? id.slice(-2) : id}`;

interface Settings {
  readonly deliveries?: number;
  readonly inParallel?: number;
  readonly flushes?: boolean;
}

/** Deliveries of a run; the long form takes thousands. */
const DELIVERIES = Number(process.env["DELIVERIES"] ?? 160);
/** Deliveries of a run for another isolation level of the same database: fewer. */
export const FEWER_DELIVERIES = (3 * DELIVERIES) / 8;
/** Without `commit`, so many deliveries show some that have their effect twice. */
const MIN_DOUBTED = 100;
/** How many requests a delivery makes at most: to Redis, and to the database. */
const STEPS = 12;
const LEASE_MS = 100;

function fate(): Fate {
  const dice = Math.random();
  const at = 1 + Math.floor(Math.random() * STEPS);
  if (dice < 0.4) return { killAfter: at };
  if (dice < 0.5) return { freezeAfter: at, freezeMs: 2.5 * LEASE_MS };
  if (dice < 0.6) return { lost: 0.3 };
  if (dice < 0.7) return { killAfter: at, lost: 0.2 };
  return {};
}

/** What came of a run. */
interface Tally {
  readonly doubled: number;
  readonly missing: number;
  readonly total: number;
  /** How many processes were started: one for each attempt. */
  readonly processes: number;
}

/** Delivers until each delivery was acknowledged, through every fault. */
async function deliver<Tx>(shop: Shop<Tx>, stack: UsedStack, commits: boolean, settings: Settings): Promise<Tally> {
  const { deliveries = DELIVERIES, inParallel = 24, flushes = true } = settings;
  const run = freshName("run");
  const ids = Array.from({ length: deliveries }, (_, at) => `${at}`);
  let next = 0;
  let processes = 0;
  let last: unknown;

  /** One attempt in a process of its own. Returns whether it was acknowledged. */
  async function attempt(id: string): Promise<boolean> {
    processes++;
    const process = new Process(fate());
    const { url, token } = stack;
    const locks = createLocks({ url, token, fetch: process.fetch(stack.fetch), requestTimeout: "1s" });
    const { database, work, bare } = shop.open(process);
    const delivery = locks.once(`${run} ${id}`, { lease: `${LEASE_MS}ms`, ttl: "1h" });
    const doing = delivery.run(async ({ commit }) => {
      if (commits) return await commit(database, (tx) => work(tx, run, id));
      await bare(run, id);
      return id;
    });
    doing.catch(() => {});
    try {
      const turn = await Promise.race([doing, process.died]);
      if (turn.status === "running") await pause(turn.retryAfterMs);
      if (turn.status !== "done") return false;
      // Whoever is answered gets the result of the one effect.
      if (turn.stored || turn.fresh) expect(turn.result).toBe(id);
      return true;
    } catch (error) {
      last = error;
      return false;
    } finally {
      process.exit();
    }
  }

  async function sender(): Promise<void> {
    while (next < ids.length) {
      const id = ids[next++] as string;
      if (flushes && Math.random() < 0.02) await stack.redis.command("FLUSHALL");
      for (let tries = 0; ; tries++) {
        const twice = Math.random() < 0.1;
        const acknowledged = await Promise.all([attempt(id), ...(twice ? [attempt(id)] : [])]);
        if (flushes && Math.random() < 0.05) await stack.redis.command("FLUSHALL");
        if (acknowledged.includes(true)) break;
        if (tries === 200) throw new Error(`delivery ${id} is never done`, { cause: last });
      }
      // The sender did not see the answer.
      if (Math.random() < 0.1) await attempt(id);
    }
  }
  await Promise.all(Array.from({ length: inParallel }, sender));
  // Frozen processes wake up, and go on.
  await pause(4 * LEASE_MS);
  const effects = await shop.effects(run);
  return {
    doubled: effects.length - new Set(effects).size,
    missing: ids.length - new Set(effects).size,
    total: (await shop.total(run)) - effects.length,
    processes,
  };
}

/** Holds that each delivery has one effect, and that without `commit` some have two. */
export function deliverOnce<Tx>(label: string, shop: () => Shop<Tx>, stack: UsedStack, settings: Settings = {}): void {
  const { deliveries = DELIVERIES } = settings;
  const limit = 400_000;
  it(
    `${label}: each of ${deliveries} deliveries has its effect once, through kills, freezes, lost answers and FLUSHALL (51.1)`,
    async () => {
      const tally = await deliver(shop(), stack, true, settings);
      expect(tally).toMatchObject({ doubled: 0, missing: 0, total: 0 });
      expect(tally.processes).toBeGreaterThan(1.3 * deliveries);
    },
    limit,
  );
  it(
    `${label}: without a commit, some deliveries have their effect twice (51.1)`,
    async () => {
      const tally = await deliver(shop(), stack, false, {
        ...settings,
        deliveries: Math.max(MIN_DOUBTED, deliveries / 4),
      });
      expect(tally.doubled).toBeGreaterThan(0);
      expect(tally.missing).toBe(0);
    },
    limit,
  );
}
