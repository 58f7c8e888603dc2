import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findWorkerd, usageOf } from "../bench/process.ts";
import { type ReadyWorker, startWorker } from "./support/workerd.ts";

/** How many names are held at once, each in an object of its own: some hundred, or as many as the variable says. */
const NAMES = Number(process.env["OBJECT_NAMES"] ?? 300);
/** Names of one request to the Worker, and how many of them it asks for at once. */
const [BATCH, PARALLEL] = [100, 25];

let folder: string;
let worker: ReadyWorker;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "leasehold-names-"));
  worker = await startWorker("durable-object/test/support/names-worker.ts", {}, folder);
});
afterAll(async () => {
  await worker?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}, 600_000);

const MB = 1_000_000;
/** What the objects' files take. A file of SQLite that is being written to may come and go. */
function diskBytes(): number {
  let sum = 0;
  for (const { parentPath, name } of readdirSync(folder, { recursive: true, withFileTypes: true }))
    sum += statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0;
  return sum;
}
let mostBytes = 0;

/** Does something with each name, in batches. Returns the results in the names' order, and the time of one. */
async function each<T>(path: string, body: (from: number) => unknown = () => undefined): Promise<T[]> {
  const all: T[] = [];
  const began = performance.now();
  for (let from = 0; from < NAMES; from += BATCH) {
    const count = Math.min(BATCH, NAMES - from);
    const response = await fetch(`${worker.url}${path}?from=${from}&count=${count}&parallel=${PARALLEL}`, {
      method: "POST",
      body: JSON.stringify(body(from) ?? null),
    });
    all.push(...((await response.json()) as T[]));
    if (process.platform === "linux") mostBytes = Math.max(mostBytes, usageOf(findWorkerd()).residentBytes);
  }
  console.log(`${path}: ${((performance.now() - began) / NAMES).toFixed(2)} ms a name`);
  return all;
}

it(
  `keeps ${NAMES} names at once in objects of their own, which leave memory and come back (R1, R2)`,
  async () => {
    const held = await each<{ readonly ticket: string; readonly token: number }>("/hold");
    expect(held.length).toBe(NAMES);
    console.log(`${(diskBytes() / MB).toFixed(0)} MB of disk`);
    // By now most of a large number have left memory.
    const refused = await each<boolean>("/try");
    expect(refused.filter((isRefused) => !isRefused).length).toBe(0);
    const released = await each<boolean>("/release", (from) =>
      held.slice(from, from + BATCH).map(({ ticket }) => ticket),
    );
    expect(released.filter((isReleased) => !isReleased).length).toBe(0);
    const again = await each<{ readonly token: number }>("/hold");
    expect(again.filter(({ token }, n) => token <= (held[n]?.token ?? 0)).length).toBe(0);
    console.log(`${(mostBytes / MB).toFixed(0)} MB of memory at most`);
  },
  4 * 60 * 60_000,
);
