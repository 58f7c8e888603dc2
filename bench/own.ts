/**
 * The time of the SDK's JavaScript in a cycle of acquire and release: before each request and after its answer, with a
 * `fetch` that answers locally. Several builds run interleaved, so that a change is compared with the previous state.
 *
 *   node bench/own.ts [--hot] [--rounds N] [FOLDER …]     folders with an index.js or an index.ts; default: ./src
 *
 * The last lane is the minimum for the same two requests: an ID, JSON, `fetch`, and the answer's JSON, by hand.
 *
 * Between two steps, the processor's caches are emptied, as after waiting for a server; `--hot` leaves them. For
 * another Node: `esbuild bench/own.ts --bundle --platform=node --format=esm --outfile=own.mjs`.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { setImmediate as breath } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { quantile } from "./stats.ts";

type Leasehold = typeof import("../src/index.ts");

const STEPS = ["before acquire", "after acquire", "before release", "after release", "all of it"];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { hot: { type: "boolean" }, rounds: { type: "string", default: "1500" } },
});
const rounds = Number(values.rounds);

/** Larger than the caches of one core. */
const memory = new Int32Array(1024 * 1024);
function emptyCaches(): void {
  if (!values.hot) for (let at = 0; at < memory.length; at += 16) memory[at] = round + at;
}

/** When the last request was sent, and when its answer arrived. */
let sent = 0;
let back = 0;
let requests = 0;
let round = 0;

/** Grants, and then accepts the release. */
async function answering(_url?: unknown, _init?: RequestInit): Promise<Response> {
  sent = performance.now();
  const now = Date.now() * 1000;
  const result = requests++ % 2 === 0 ? ["granted", now, now, 30_000_000, 1] : ["closed", now];
  const response = new Response(JSON.stringify({ result }));
  await breath();
  emptyCaches();
  back = performance.now();
  return response;
}

interface Releasing {
  release(): Promise<boolean>;
}

interface Locking {
  tryAcquire(): Promise<Releasing | null>;
}

/** Sends requests of the same length as leasehold's, and reads only what it needs from the answers. */
function byHand(leaseMs: number): Locking {
  const headers = { authorization: "Bearer none", "content-type": "application/json" };
  async function run(command: readonly unknown[]): Promise<readonly unknown[]> {
    const init = { method: "POST", headers, body: JSON.stringify(command), signal: AbortSignal.timeout(5_000) };
    const response = await answering("http://127.0.0.1:1", init);
    return ((await response.json()) as { result: readonly unknown[] }).result;
  }
  return {
    async tryAcquire() {
      const id = crypto.randomUUID();
      const until = (Date.now() + 2_000) * 1_000;
      const rest = [id, leaseMs, 60_000, "", "", 1, 0, 9e15];
      const [status, , token] = await run(["EVALSHA", SHA, 1, "leasehold:{cycle}", until, ...rest]);
      if (status !== "granted") return null;
      return {
        release: async () => {
          const [answer] = await run(["EVALSHA", SHA, 1, "leasehold:{cycle}", id, token, 60_000, 0]);
          return answer === "closed";
        },
      };
    },
  };
}

async function cycle(lock: Locking): Promise<number[]> {
  const steps: number[] = [];
  let lease: Releasing | null = null;
  for (const step of [async () => (lease = await lock.tryAcquire()), async () => await lease?.release()]) {
    await breath();
    emptyCaches();
    const start = performance.now();
    if (!(await step())) throw new Error("a free name was not acquired and released");
    steps.push(sent - start, performance.now() - back);
  }
  return [...steps, steps.reduce((sum, ms) => sum + ms, 0)];
}

interface Lane {
  readonly folder: string;
  readonly lock: Locking;
  readonly times: number[][];
}

const LEASE_MS = 30_000;
const SHA = "d894269dc14d82c7734d5d8c7d7175626bae90b6";
const noTimes = (): number[][] => STEPS.map((): number[] => []);
const lanes: Lane[] = [];
for (const folder of positionals.length > 0 ? positionals : ["src"]) {
  const file = ["index.js", "index.ts"].map((name) => resolve(join(folder, name))).find((path) => existsSync(path));
  if (!file) throw new Error(`${folder}: neither index.js nor index.ts`);
  const { connect, lock }: Leasehold = await import(pathToFileURL(file).href);
  const connection = connect({ url: "http://127.0.0.1:1", token: "none", fetch: answering });
  lanes.push({ folder, lock: lock(connection, "cycle", { lease: LEASE_MS }), times: noTimes() });
}
lanes.push({ folder: "by hand", lock: byHand(LEASE_MS), times: noTimes() });
for (round = -500; round < rounds; round++) {
  // In every order, since a lane that always follows the same one is off by several per cent.
  const turns = Math.abs(round) % lanes.length;
  const order = [...lanes.slice(turns), ...lanes.slice(0, turns)];
  for (const { lock, times } of Math.random() < 0.5 ? order : order.toReversed()) {
    const steps = await cycle(lock);
    if (round >= 0) for (const [n, ms] of steps.entries()) times[n]?.push(1000 * ms);
  }
}

console.log(`| µs, median (quartiles), Node ${process.versions.node} | ${STEPS.join(" | ")} |`);
console.log(`|---|${STEPS.map(() => "--:|").join("")}`);
for (const { folder, times } of lanes) {
  const cells = times.map((all) => [0.5, 0.25, 0.75].map((q) => quantile(all, q).toFixed(1)));
  console.log(`| ${folder} | ${cells.map(([middle, low, high]) => `${middle} (${low}–${high})`).join(" | ")} |`);
}
const [first, ...others] = lanes;
for (const { folder, times } of others) {
  const ratios = times.map((all, n) => quantile(all, 0.5) / quantile(first?.times[n] ?? [], 0.5));
  console.log(`| ${folder} ÷ ${first?.folder} | ${ratios.map((ratio) => `${ratio.toFixed(2)} ×`).join(" | ")} |`);
}
