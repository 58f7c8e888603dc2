import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks, type Locks } from "../../src/index.ts";
import { pause, useStack } from "../support/use-stack.ts";
import { startUpstream, type Upstream } from "./upstream.ts";
import { type ExampleWorker, startWorker } from "./worker.ts";

const QUEUE = "leasehold-exports";
const LEASE = "3s";

const stack = useStack();
let source: Upstream;
let worker: ExampleWorker;
let locks: Locks;
const start = (): Promise<ExampleWorker> =>
  startWorker("hand-over", stack, { vars: { SOURCE_URL: source.url, LEASE } });
beforeAll(async () => {
  source = await startUpstream();
  worker = await start();
  locks = createLocks({ url: stack.url, token: stack.token, lease: LEASE });
});
afterAll(async () => {
  await worker?.stop();
  await source?.stop();
});

const ask = (tenant: string): Promise<Response> => worker.fetch(`/exports/${tenant}`, { method: "POST" });
const lockOf = (tenant: string) => locks.lock(`export:${tenant}`);
const stateOf = async (tenant: string): Promise<string> => (await lockOf(tenant).inspect()).state;
/** The exported text, without the token in front of it. */
async function exported(tenant: string): Promise<string | undefined> {
  const object = await (await worker.mf.getR2Bucket("BUCKET")).get(`${tenant}.csv`);
  return (await object?.text())?.split("\n").slice(1).join("\n");
}
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(20);
}

/** A message as the queue would give it to a consumer, and what that says: done, or when to come again. */
async function deliver(to: ExampleWorker, tenant: string, ticket: string): Promise<string> {
  const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body: { tenant, ticket } };
  const { outcome, explicitAcks, retryMessages } = await (await to.mf.getWorker()).queue(QUEUE, [message]);
  if (outcome !== "ok") return outcome;
  return explicitAcks.length === 1 ? "done" : `again in ${retryMessages[0]?.delaySeconds} s`;
}

describe.concurrent("an export", () => {
  it("holds the lock from the request until the consumer is done", async () => {
    const held = source.hold("/one");
    const first = await ask("one");
    expect(first.status).toBe(202);
    const { token } = (await first.json()) as { token: number };
    await held.arrived;
    expect((await ask("one")).status).toBe(409);
    expect(await lockOf("one").inspect()).toMatchObject({ state: "held", token, holds: 1 });
    held.answer("a,b");
    await until(async () => (await stateOf("one")) === "free");
    expect(await exported("one")).toBe("a,b");

    source.reply("/one", "c,d");
    const next = (await (await ask("one")).json()) as { token: number };
    expect(next.token).toBeGreaterThan(token);
    await until(async () => (await stateOf("one")) === "free" && (await exported("one")) === "c,d");
  });

  it("lasts longer than its lease, and is done once however often its message comes", async () => {
    const lease = await lockOf("two").acquire();
    const held = source.hold("/two");
    const first = deliver(worker, "two", lease.ticket());
    await held.arrived;
    const beyond = lease.expiresAt + 1500;
    while (Date.now() < beyond) {
      expect(await deliver(worker, "two", lease.ticket())).toMatch(/^again in [1-9] s$/);
      expect(await stateOf("two")).toBe("held");
      await pause(300);
    }
    held.answer("once");
    expect(await first).toBe("done");
    expect(await stateOf("two")).toBe("free");
    const object = await (await worker.mf.getR2Bucket("BUCKET")).head("two.csv");
    expect(await deliver(worker, "two", lease.ticket())).toBe("done");
    expect(source.asked("/two")).toHaveLength(1);
    expect((await (await worker.mf.getR2Bucket("BUCKET")).head("two.csv"))?.etag).toBe(object?.etag);
  });

  it("that failed frees the lock, and the queue's next try does it under another token", async () => {
    const lease = await lockOf("three").acquire();
    source.reply("/three", "no", 500);
    expect(await deliver(worker, "three", lease.ticket())).toBe("exception");
    expect(await stateOf("three")).toBe("free");
    source.reply("/three", "yes");
    expect(await deliver(worker, "three", lease.ticket())).toBe("done");
    expect(await exported("three")).toBe("yes");
    expect((await lockOf("three").inspect()).token).toBeGreaterThan(lease.token);
  });

  it("whose consumer dies is left to the lease, and then done by the queue's next try", async () => {
    const doomed = await start();
    const lease = await lockOf("four").acquire();
    const held = source.hold("/four");
    const gone = deliver(doomed, "four", lease.ticket()).catch(() => "gone");
    await held.arrived;
    await doomed.stop();
    await gone;
    expect(await stateOf("four")).toBe("held");
    expect(await deliver(worker, "four", lease.ticket())).toMatch(/^again in [1-9] s$/);
    source.reply("/four", "at last");
    await until(async () => (await deliver(worker, "four", lease.ticket())) === "done");
    expect(await exported("four")).toBe("at last");
    expect(source.asked("/four")).toHaveLength(2);
    expect(await stateOf("four")).toBe("free");
  });

  it("whose message arrives after another process has begun is left to that process", async () => {
    const lease = await lockOf("five").acquire();
    await lease.release();
    const other = await lockOf("five").acquire({ lease: "60s" });
    expect(await deliver(worker, "five", lease.ticket())).toBe("done");
    expect(source.asked("/five")).toEqual([]);
    expect(await other.verify()).toBe(true);
  });

  it("that was overtaken while it asked the source writes nothing", async () => {
    const lease = await lockOf("six").acquire();
    const held = source.hold("/six");
    const first = deliver(worker, "six", lease.ticket());
    await held.arrived;
    await lockOf("six").forceRelease();
    const other = await lockOf("six").acquire();
    source.reply("/six", "newer");
    expect(await deliver(worker, "six", other.ticket())).toBe("done");
    held.answer("stale");
    expect(await first).toBe("exception");
    expect(await exported("six")).toBe("newer");
  });
});
