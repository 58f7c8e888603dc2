/** What objects cost a machine: processor time, memory, and many names. */
import { createObjectServer } from "../src/server.ts";
import { openSqlite } from "../test/support/sqlite-storage.ts";
import { startWorker } from "../test/support/workerd.ts";
import { findWorkerd, type Usage, usageOf } from "./process.ts";

const ENTRY = "durable-object/bench/worker.ts";
const CYCLES = 200;
const OBJECTS = 1000;
const NAMES = 100_000;

const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/** The processor time of a new process for its first request, and for its first acquire after that. */
async function starts(token: string): Promise<string[]> {
  const worker = await startWorker(ENTRY, { LEASEHOLD_TOKEN: token });
  try {
    const pid = findWorkerd();
    const get = (path: string): Promise<string> => fetch(worker.url + path).then((response) => response.text());
    const marks: Usage[] = [usageOf(pid)];
    for (const path of ["/", "/names?count=1", "/names?count=1"]) {
      await get(path);
      marks.push(usageOf(pid));
    }
    const [first, acquire, next] = marks.slice(1).map(({ cpuMs }, at) => cpuMs - (marks[at]?.cpuMs ?? 0));
    return [
      `| processor time: a new process's first request, the ready Worker's page | ${ms(first ?? 0)} |`,
      `| processor time: its first acquire, which compiles the script | ${ms(acquire ?? 0)} |`,
      `| processor time: the first acquire of another name | ${ms(next ?? 0)} |`,
    ];
  } finally {
    await worker.stop();
  }
}

/** The processor time of a cycle, and the memory of an object. */
async function inUse(token: string): Promise<string[]> {
  const worker = await startWorker(ENTRY, { LEASEHOLD_TOKEN: token });
  try {
    const pid = findWorkerd();
    const get = (path: string): Promise<string> => fetch(worker.url + path).then((response) => response.text());
    await get(`/cycles?name=a&count=${CYCLES}`);
    const before = usageOf(pid);
    await get(`/cycles?name=a&count=${CYCLES}`);
    const cycle = (usageOf(pid).cpuMs - before.cpuMs) / CYCLES;
    const empty = usageOf(pid);
    await get(`/names?count=${OBJECTS}&parallel=50`);
    const full = usageOf(pid);
    return [
      `| processor time: a cycle, Worker and object | ${ms(cycle)} |`,
      `| processor time: the first acquire of a name, of ${OBJECTS} | ${ms((full.cpuMs - empty.cpuMs) / OBJECTS)} |`,
      `| memory of an object that holds one lock, of ${OBJECTS} | ${kB((full.residentBytes - empty.residentBytes) / OBJECTS)} |`,
    ];
  } finally {
    await worker.stop();
  }
}

/** Many names in one object, as those of a group: how long it takes to load them, and their memory. */
async function group(): Promise<string[]> {
  const storage = openSqlite();
  const first = createObjectServer({ storage });
  for (let n = 0; n < NAMES; n++)
    await first.run([["SET", `leasehold:{g}/name-${n}`, "x".repeat(120), "PX", "3600000"]]);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const began = performance.now();
  const second = createObjectServer({ storage });
  await second.run([["GET", "leasehold:{g}/name-1"]]);
  const took = performance.now() - began;
  globalThis.gc?.();
  const bytes = (process.memoryUsage().heapUsed - before) / NAMES;
  await second.run([["GET", "leasehold:{g}/name-2"]]);
  storage.close();
  return [
    `| a group of ${NAMES} names: its object wakes in | ${ms(took)} |`,
    `| a group of ${NAMES} names: memory of a name | ${kB(bytes)} |`,
  ];
}

/** Rows of the table: what objects cost. */
export const costRows = async (token: string): Promise<string[]> => [
  ...(await starts(token)),
  ...(await inUse(token)),
  ...(await group()),
];
