import { createLocks } from "../../src/index.ts";
import { bunRedis } from "../../src/tcp/bun.ts";
import { contracts } from "../contract/all.ts";
import { lockContract } from "../contract/lock.ts";
import { type Result, runTests } from "../platforms/runtime/vitest.ts";
import { gapAfter } from "../support/gap.ts";

type Client = Parameters<typeof bunRedis>[0];
declare const Bun: {
  readonly version: string;
  readonly argv: readonly string[];
  readonly RedisClient: new (url: string) => Client;
};

/** Bun's report on itself, on the contract, and on locks whose server is in trouble. */
export interface BunReport {
  readonly runtime: string;
  readonly results: readonly Result[];
  /** How `tryAcquire` ended where nobody listens. */
  readonly nobody: { readonly code?: string; readonly message?: string; readonly ms: number };
  /** Tokens of a lock whose answers get lost on the way, and of the next one. */
  readonly tokens: readonly number[];
  /** With one replica asked for, of none. */
  readonly replicated?: string | undefined;
  /** A waiter behind a hold of 1.5 s: how long after the release it had the lock, and with how many polls. */
  readonly woken: { readonly gapMs: number; readonly polls: number };
  /** How a release ended after the application had closed the client, and whether that opened it again. */
  readonly afterClose: { readonly code?: string; readonly message?: string; readonly isOpen: boolean };
  /** The token after the application had opened it again. */
  readonly reopened: number | undefined;
}

interface Failure {
  readonly code?: string;
  readonly message?: string;
}
const failureOf = (call: Promise<unknown>): Promise<Failure> =>
  call.then(
    () => ({}),
    (error: Failure) => error,
  );
const [url = "", lossy = "", closed = "", long = ""] = Bun.argv.slice(2);

const client = new Bun.RedisClient(url);
const results = await runTests(() => {
  const contract = long === "long" ? contracts : lockContract;
  contract("Bun's client", () => ({ redis: bunRedis(client) }));
});

const faulty = createLocks({ redis: bunRedis(new Bun.RedisClient(lossy)) }).lock("lossy");
const tokens: number[] = [];
for (let round = 0; round < 2; round++) {
  const lease = await faulty.acquire({ wait: "30s" });
  tokens.push(lease.token);
  await lease.release();
}

const start = performance.now();
const absent = createLocks({ redis: bunRedis(new Bun.RedisClient(closed)) });
const { code = "", message = "" } = await failureOf(absent.lock("a").tryAcquire());
const nobody = { code, message, ms: performance.now() - start };
const alone = createLocks({ redis: bunRedis(client) }).lock("b");
const { code: replicated } = await failureOf(alone.tryAcquire({ replicas: { min: 1, timeout: 50 } }));

let polls = 0;
const listening = createLocks({
  redis: bunRedis(new Bun.RedisClient(url)),
  onEvent: (event) => (polls += event.type === "request" && event.operation === "acquire" ? 1 : 0),
});
const gapMs = await gapAfter(
  () => alone.acquire(),
  () => listening.lock("b").acquire({ wait: "20s" }),
  1500,
);
const woken = { gapMs, polls };

const own = new Bun.RedisClient(url);
const kept = createLocks({ redis: bunRedis(own) }).lock("closed by its owner");
const lease = await kept.acquire();
own.close();
const refusal = await failureOf(lease.release());
const afterClose = { code: refusal.code ?? "", message: refusal.message ?? "", isOpen: own.connected };
await own.connect();
await kept.forceRelease();
const reopened = (await kept.tryAcquire())?.token;

const report: BunReport = {
  runtime: `Bun ${Bun.version}`,
  results,
  nobody,
  tokens,
  replicated,
  woken,
  afterClose,
  reopened,
};
console.log(JSON.stringify(report));
// Bun goes on trying to connect to the one where nobody listens.
(globalThis as unknown as { process: { exit(): never } }).process.exit();
