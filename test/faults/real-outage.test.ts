/**
 * Calls that wait through an outage of a real server, over each client with the settings that it has by default. An
 * outage of 15 s by default; `OUTAGES=15,60,180` takes minutes.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, beforeAll, expect, it } from "vitest";
import { elect } from "../../src/elect/index.ts";
import { type Connection, connect } from "../../src/index.ts";
import { ioredis } from "../../src/tcp/ioredis.ts";
import { nodeRedis } from "../../src/tcp/node-redis.ts";
import { type RedisServer, startRedis } from "../../tools/redis.ts";
import { program, ROOT } from "../support/command.ts";
import { pause } from "../support/names.ts";
import { type Front, startFront } from "../support/stack.ts";
import { WAITERS, waitThrough } from "./outage-waiters.ts";

const OUTAGES = (process.env["OUTAGES"] ?? "15").split(",").map(Number);
/**
 * The bound of a return, and time for a busy machine, on which a hundred waiters come at once. `long-outage.test.ts`
 * holds the bound itself, by a clock of its own.
 */
const BACK_MS = 5000 + 15_000;
/** Less than the waiters' return takes. */
const HALF_SECOND_MS = 500;
const WAITS: Readonly<Record<number, `${number}m`>> = { 15: "1m", 60: "5m", 180: "30m" };

let redis: RedisServer;
const fronts: Front[] = [];
const closing: (() => unknown)[] = [];
let dir: string;
let bunProgram: string;

beforeAll(async () => {
  redis = await startRedis();
  const behind = { url: redis.url, stop: async () => {} };
  fronts.push(await startFront(behind), await startFront(behind, { holds: true }));
  dir = mkdtempSync(join(tmpdir(), "leasehold-outage-"));
  bunProgram = join(dir, "bun.js");
  await build({
    entryPoints: [join(ROOT, "test/faults/outage-bun.ts")],
    outfile: bunProgram,
    bundle: true,
    format: "esm",
    target: "esnext",
    logLevel: "silent",
  });
});
afterAll(async () => {
  for (const close of closing) await close();
  for (const front of fronts) await front.stop();
  await redis.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** A connection of each kind, new for each outage. */
async function connections(): Promise<Readonly<Record<string, Connection>>> {
  const [polling, holding] = fronts as [Front, Front];
  const viaIoredis = new Redis(redis.url);
  viaIoredis.on("error", () => {});
  const viaNodeRedis = createClient({ url: redis.url });
  viaNodeRedis.on("error", () => {});
  await viaNodeRedis.connect();
  closing.push(
    () => viaIoredis.disconnect(),
    () => viaNodeRedis.destroy(),
  );
  return {
    polling: connect({ url: polling.url, token: polling.token }),
    gateway: connect({ url: holding.url, token: holding.token }),
    subscribe: connect({ url: polling.url, token: polling.token, wake: "subscribe" }),
    ioredis: connect({ redis: ioredis(viaIoredis) }),
    "node-redis": connect({ redis: nodeRedis(viaNodeRedis) }),
  };
}

/** Runs the waiters of Bun's client in Bun. */
function inBun(name: string, wait: string): Promise<number[]> {
  const child = spawn(program(".bin/bun"), ["run", bunProgram, redis.url, name, wait], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  closing.push(() => child.kill());
  const printed = new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => (text += chunk));
    child.on("error", reject);
    child.on("exit", () => resolve(text));
  });
  return printed.then((text) => JSON.parse(text) as number[]);
}

it.each(OUTAGES)(
  "after %i s without a server, every waiter has its turn within 5 s of its return (49.2)",
  async (awayS) => {
    const wait = WAITS[awayS] ?? "30m";
    const opened = await connections();
    const candidacy = new AbortController();
    const gains: number[] = [];
    const campaigns = ["one", "two", "three"].map(() =>
      elect(opened["ioredis"] as Connection, `office ${awayS}`, {
        lease: "5s",
        signal: candidacy.signal,
        onGained: () => void gains.push(Date.now()),
      }),
    );
    const waiting = Object.entries(opened).map(
      async ([way, connection]): Promise<[string, number[]]> => [
        way,
        await waitThrough(connection, `${way} ${awayS}`, wait),
      ],
    );
    waiting.push(inBun(`Bun ${awayS}`, wait).then((turns) => ["Bun", turns]));
    // All of them wait when the server goes.
    await pause(2000);
    await redis.kill();
    await pause(awayS * 1000);
    await redis.start();
    const backAt = Date.now();
    for (const [way, turns] of await Promise.all(waiting)) {
      const backs = turns.map((at) => at - backAt);
      console.info(`${way}: back after ${Math.min(...backs)} to ${Math.max(...backs)} ms`);
      expect({ way, count: backs.length }).toEqual({ way, count: WAITERS });
      expect(Math.max(...backs), way).toBeLessThan(BACK_MS);
      // They do not come in one moment.
      const most = Math.max(
        ...backs.map((from) => backs.filter((at) => at >= from && at < from + HALF_SECOND_MS).length),
      );
      expect(most, way).toBeLessThan(WAITERS);
    }
    const gained = gains.filter((at) => at > backAt).map((at) => at - backAt);
    console.info(`elect: a leader after ${gained[0]} ms`);
    expect(gained[0]).toBeLessThan(BACK_MS);
    candidacy.abort(new Error("the test has ended"));
    await Promise.all(campaigns);
  },
  400_000,
);
