/**
 * Compares builds of the SDK in one run, interleaved: a cycle of acquire and release over TCP beside redis-semaphore,
 * and over HTTP beside @upstash/lock; what a cycle allocates in this process, its client library included; and how long
 * Redis works on its scripts.
 *
 *   npm run bench:builds -- [--rounds N] [FOLDER …]
 *
 * A folder has an index.ts and a tcp/ioredis.ts. Default: ./src. Each lane is measured on one name that is used again
 * and again (hot), and with a new name for each cycle (fresh). Timings depend on the machine: read the ratios.
 */
import { join, resolve } from "node:path";
import { setImmediate as breath } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { type LockCreateConfig, Lock as UpstashLock } from "@upstash/lock";
import { Redis as UpstashRedis } from "@upstash/redis";
import { Redis } from "ioredis";
import { Mutex } from "redis-semaphore";
import { requireRedis } from "../tools/redis.ts";
import { startStage } from "./stage.ts";
import { quantile, seeded, shuffled } from "./stats.ts";
import { table } from "./tables.ts";

type Leasehold = typeof import("../src/index.ts");
type OverTcp = typeof import("../src/tcp/ioredis.ts");

const LEASE_MS = 30_000;
const WARM_UP = 200;
/** The allocation of a cycle is the smallest of so many blocks: in the others, the collector ran. */
const BLOCKS = 10;
const CYCLES_PER_BLOCK = 50;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "2000" } },
});
const rounds = Number(values.rounds);
const folders = positionals.length > 0 ? positionals : ["src"];
const collect = globalThis.gc;
if (!collect) throw new Error("run it with --expose-gc");

/** Acquires a free name and releases it. */
type Cycle = (name: string) => Promise<unknown>;
interface Lane {
  readonly label: string;
  readonly isFresh: boolean;
  /** The label of the lane that the time is compared with. */
  readonly peer: string;
  readonly cycle: Cycle;
  readonly times: number[];
}

requireRedis();
const stage = await startStage();
const { url, token, redisUrl } = stage;
const clients: Redis[] = [];
function newClient(): Redis {
  const client = new Redis(redisUrl);
  clients.push(client);
  return client;
}

const lanes: Lane[] = [];
const labelOf = (label: string, isFresh: boolean): string => `${label}, ${isFresh ? "fresh" : "hot"}`;
function addLanes(label: string, peer: string, cycle: Cycle): void {
  for (const isFresh of [false, true])
    lanes.push({ label: labelOf(label, isFresh), isFresh, peer: labelOf(peer, isFresh), cycle, times: [] });
}

const SEMAPHORE = "redis-semaphore";
const semaphoreClient = newClient();
addLanes(SEMAPHORE, SEMAPHORE, async (name) => {
  const mutex = new Mutex(semaphoreClient, name, { lockTimeout: LEASE_MS });
  await mutex.tryAcquire();
  await mutex.release();
});

const UPSTASH = "@upstash/lock";
// The same class, whose types are resolved once as ESM and once as CommonJS.
const upstash = new UpstashRedis({ url, token }) as unknown as LockCreateConfig["redis"];
addLanes(UPSTASH, UPSTASH, async (id) => {
  const lock = new UpstashLock({ id, redis: upstash, lease: LEASE_MS });
  await lock.acquire();
  await lock.release();
});

for (const folder of folders) {
  const importFrom = (file: string): Promise<unknown> => import(pathToFileURL(join(resolve(folder), file)).href);
  const sdk = (await importFrom("index.ts")) as Leasehold;
  const { ioredis } = (await importFrom("tcp/ioredis.ts")) as OverTcp;
  for (const [transport, connection, peer] of [
    ["TCP", sdk.connect({ redis: ioredis(newClient()) }), SEMAPHORE],
    ["HTTP", sdk.connect({ url, token }), UPSTASH],
  ] as const)
    addLanes(`${folder}, ${transport}`, peer, async (name) => {
      const lease = await sdk.lock(connection, name, { lease: LEASE_MS }).tryAcquire();
      await lease?.release();
    });
}

let names = 0;
const nameFor = ({ isFresh, label }: Lane): string => (isFresh ? `${label} ${names++}` : label);

const observer = newClient();
/** The time of Redis in scripts so far, in µs, and their number. */
async function scriptTime(): Promise<{ readonly us: number; readonly calls: number }> {
  const sums = { us: 0, calls: 0 };
  for (const [, calls, us] of (await observer.info("commandstats")).matchAll(
    /cmdstat_eval(?:sha)?:calls=(\d+),usec=(\d+)/g,
  )) {
    sums.calls += Number(calls);
    sums.us += Number(us);
  }
  return sums;
}

const random = seeded(1);
for (let round = -WARM_UP; round < rounds; round++) {
  for (const lane of shuffled(lanes, random)) {
    await breath();
    const name = nameFor(lane);
    const start = performance.now();
    await lane.cycle(name);
    if (round >= 0) lane.times.push(performance.now() - start);
  }
}

const medians = new Map(lanes.map(({ label, times }) => [label, quantile(times, 0.5)]));
const rows: string[][] = [];
for (const lane of lanes) {
  const before = await scriptTime();
  let bytes = Number.POSITIVE_INFINITY;
  for (let block = 0; block < BLOCKS; block++) {
    collect();
    const start = process.memoryUsage().heapUsed;
    for (let done = 0; done < CYCLES_PER_BLOCK; done++) await lane.cycle(nameFor(lane));
    const grown = (process.memoryUsage().heapUsed - start) / CYCLES_PER_BLOCK;
    if (grown > 0) bytes = Math.min(bytes, grown);
  }
  const after = await scriptTime();
  const calls = after.calls - before.calls;
  const medianMs = medians.get(lane.label) ?? Number.NaN;
  rows.push([
    lane.label,
    (medianMs * 1000).toFixed(0),
    `${(medianMs / (medians.get(lane.peer) ?? Number.NaN)).toFixed(2)} ×`,
    (bytes / 1000).toFixed(1),
    ((after.us - before.us) / calls).toFixed(1),
    (calls / BLOCKS / CYCLES_PER_BLOCK).toFixed(1),
  ]);
}
console.log(
  table(["lane", "median, in µs", "to its peer", "kB a cycle", "µs of Redis a script", "scripts a cycle"], rows),
);
for (const client of clients) client.disconnect();
await stage.stop();
