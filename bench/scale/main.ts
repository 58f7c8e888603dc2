/**
 * Measures what one Redis and one gateway can do, the memory of a name, and the price of operations at Upstash.
 *
 *   node bench/scale/main.ts [--only throughput,memory,prices,waits]
 *
 * Progress goes to stderr; the tables go to docs/scale.md, with the chart of prices. Processor time per cycle says more
 * than cycles per second if all processes share a few cores.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { requireRedis, startRedis } from "../../tools/redis.ts";
import { startCluster } from "../../tools/redis-topologies.ts";
import { writeCharts } from "../charts.ts";
import { commitOf, writeSection } from "../document.ts";
import { table } from "../tables.ts";
import { KINDS } from "./kinds.ts";
import { longWaits } from "./long-wait.ts";
import { memoryOfNames } from "./memory.ts";
import { commandsOfOperations } from "./prices.ts";
import { type Throughput, throughput } from "./throughput.ts";

const FILE = "docs/scale.md";
const GATEWAYS = [1, 2, 4];
/** Upstash's price of a command, in dollars, and its limit of commands per second. */
const DOLLARS = 0.2 / 100_000;
const UPSTASH_PER_SECOND = 10_000;
const MILLION = 1_000_000;
/** For how long another client holds the name of a waiter. */
const HELD_MS = 30_000;

requireRedis();
const { values } = parseArgs({ options: { only: { type: "string", default: "throughput,memory,prices,waits" } } });
const parts = values.only.split(",");
const progress = (text: string): void => console.error(text);
const date = new Date().toISOString().slice(0, 10);
const measured = `Measured on ${date} on commit \`${commitOf()}\`: Node ${process.versions.node}, ${cpus().length} cores.`;
const whole = (value: number): string => String(Math.round(value));

interface Row extends Throughput {
  readonly label: string;
}

const perCore = (us: number): string => whole(MILLION / us / 100).concat("00");

function throughputRow({ label, gateways, perSecond, redisUs, gatewayUs, clientUs }: Row): string[] {
  const costs = [redisUs, gatewayUs, clientUs].map(whole);
  return [label, String(gateways), whole(perSecond), ...costs, perCore(redisUs), (gatewayUs / redisUs).toFixed(1)];
}

async function measureThroughput(): Promise<void> {
  const rows: Row[] = [];
  const note = (label: string, it: Throughput): void => {
    rows.push({ label, ...it });
    progress(`${label}, ${it.gateways} gateways: ${it.perSecond.toFixed(0)} cycles a second`);
  };
  const redis = await startRedis();
  try {
    for (const { label } of KINDS)
      for (const gateways of label === "lock" ? GATEWAYS : [2])
        note(label, await throughput(redis.url, [redis], gateways, label));
  } finally {
    await redis.stop();
  }
  const cluster = await startCluster();
  try {
    note("lock, a Cluster of three nodes", await throughput(cluster.url, cluster.servers, 2, "lock"));
  } finally {
    await cluster.stop();
  }
  const head = [
    "acquire and release of",
    "gateways",
    "cycles per second, measured",
    "Redis, µs",
    "gateways, µs",
    "clients, µs",
  ];
  const text = table([...head, "cycles per second per Redis core", "gateways per Redis core"], rows.map(throughputRow));
  writeSection(`${measured}\n\n${text}\n\n`, "throughput", FILE);
}

async function measureMemory(): Promise<void> {
  const rows = (await memoryOfNames()).map(({ label, held, free }) => [
    label,
    ...[held, free].map(whole),
    ...[held, free].map((bytes) => whole((bytes * MILLION) / 2 ** 20)),
  ]);
  const head = ["a name of 14 characters", "held, bytes", "released, bytes", "a million held, MiB"];
  writeSection(`${measured}\n\n${table([...head, "a million released, MiB"], rows)}\n\n`, "memory", FILE);
}

async function measurePrices(): Promise<void> {
  const price = (commands: number | undefined): string =>
    commands === undefined ? "–" : `$${(commands * DOLLARS * MILLION).toFixed(2)} (${commands})`;
  const rows = (await commandsOfOperations()).map(({ label, ours, upstashLock, raw }) => [
    label,
    ...[ours, upstashLock, raw].map(price),
    whole(UPSTASH_PER_SECOND / ours),
  ]);
  const head = ["a million of (commands each)", "leasehold", "@upstash/lock", "`SET NX`, `DELEX`"];
  writeSection(`${measured}\n\n${table([...head, "leasehold: maximum per second"], rows)}\n\n`, "prices", FILE);
  writeCharts();
}

async function measureWaits(): Promise<void> {
  const rows = (await longWaits(HELD_MS)).map(({ label, requests, commands }) => [
    label,
    `${requests}`,
    commands === undefined ? "–" : `${commands}`,
    label.startsWith("Upstash") ? `$${whole((commands ?? 0) * DOLLARS * MILLION)}` : "–",
  ]);
  const head = [`a wait of ${HELD_MS / 1000} s`, "requests", "Redis commands", "a million at Upstash"];
  writeSection(`${measured}\n\n${table(head, rows)}\n\n`, "waits", FILE);
}

if (parts.includes("waits")) await measureWaits();
if (parts.includes("prices")) await measurePrices();
if (parts.includes("memory")) await measureMemory();
if (parts.includes("throughput")) await measureThroughput();
