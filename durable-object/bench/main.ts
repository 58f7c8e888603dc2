/**
 * Locks in Durable Objects beside a gateway in front of a Redis, in one run on one machine: `npm run
 * bench:durable-object`. The objects are workerd's on this machine; only Cloudflare's network shows the times there.
 */
import { Lock as UpstashLock } from "@upstash/lock";
import { Redis } from "@upstash/redis";
import { createLocks } from "../../src/index.ts";
import { startStack } from "../../test/support/stack.ts";
import { startWorker } from "../test/support/workerd.ts";
import { costRows } from "./costs.ts";

const token = "bench-token-0123456789";
const CYCLES = 200;

interface Way {
  readonly label: string;
  /** One acquisition, and the function that releases it. */
  readonly acquire: (name: string) => Promise<() => Promise<unknown>>;
}

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1] ?? 0;
const ms = (value: number): string => value.toFixed(1);

async function cycleOf({ acquire }: Way): Promise<number> {
  const name = crypto.randomUUID();
  const times: number[] = [];
  for (let n = 0; n < CYCLES; n++) {
    const began = performance.now();
    await (await acquire(name))();
    times.push(performance.now() - began);
  }
  return median(times);
}

/** Clients that take one name by turns, each for so long. Returns the time of all turns, and the longest wait. */
async function contention({ acquire }: Way, clients: number, workMs: number): Promise<readonly [number, number]> {
  const name = crypto.randomUUID();
  const waits: number[] = [];
  const began = performance.now();
  const client = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) {
      const asked = performance.now();
      const release = await acquire(name);
      waits.push(performance.now() - asked);
      await new Promise((resolve) => setTimeout(resolve, workMs));
      await release();
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return [performance.now() - began, Math.max(...waits)];
}

function leasehold(label: string, url: string, own: string): Way {
  return {
    label,
    async acquire(name) {
      // A client of its own, as another instance has.
      const lease = await createLocks({ url, token: own }).lock(name).acquire({ wait: "60s" });
      return () => lease.release();
    },
  };
}

const costs = process.platform === "linux" ? await costRows(token) : [];
const stack = await startStack();
const redis = new Redis({ url: stack.url, token: stack.token });
const worker = await startWorker("durable-object/bench/worker.ts", { LEASEHOLD_TOKEN: token });
const inWorker = async (path: string): Promise<number> => (await (await fetch(worker.url + path)).json()) as number;
try {
  const rows: string[] = [...costs];
  rows.push(`| first acquire of a new name in a new process | ${ms(await inWorker("/names?count=1"))} ms |`);
  rows.push(`| first acquire of a new name | ${ms(await inWorker("/names?count=50"))} ms |`);
  await inWorker("/cycles?name=a&count=50");
  rows.push(`| a cycle, Worker bound to its objects | ${ms(await inWorker("/cycles?name=a&count=300"))} ms |`);
  const ways: readonly Way[] = [
    leasehold("the ready Worker", worker.url, token),
    leasehold("gateway and Redis", stack.url, stack.token),
    {
      label: "`@upstash/lock`, gateway and Redis",
      async acquire(id) {
        const lock = new UpstashLock({
          id,
          redis: redis as never,
          lease: 30_000,
          retry: { attempts: 600, delay: 100 },
        });
        if (!(await lock.acquire())) throw new Error("not acquired");
        return () => lock.release();
      },
    },
  ];
  for (const way of ways) {
    rows.push(`| a cycle, ${way.label} | ${ms(await cycleOf(way))} ms |`);
    for (const [clients, workMs] of [
      [10, 40],
      [30, 20],
    ] as const) {
      const [all, longest] = await contention(way, clients, workMs);
      const gap = all / (clients * 5) - workMs;
      rows.push(
        `| ${clients} clients × ${workMs} ms, ${way.label} | ${ms(gap)} ms between turns, longest wait ${(longest / 1000).toFixed(1)} s |`,
      );
    }
  }
  console.log(["| | |", "|---|--:|", ...rows].join("\n"));
} finally {
  await worker.stop();
  await stack.stop();
}
