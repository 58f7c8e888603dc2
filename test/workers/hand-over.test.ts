import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks, type Locks } from "../../src/index.ts";
import { pause, useStack } from "../support/use-stack.ts";
import { startUpstream, type Upstream } from "./upstream.ts";
import { type ExampleWorker, startWorker } from "./worker.ts";

const QUEUE = "leasehold-exports";
/** Short enough to be outlasted, and long enough for several requests on a busy machine. */
const LEASE = "8s";

const stack = useStack();
let source: Upstream;
let worker: ExampleWorker;
let locks: Locks;
const start = (lease = LEASE): Promise<ExampleWorker> =>
  startWorker("hand-over", stack, { vars: { SOURCE_URL: source.url, LEASE: lease } });
beforeAll(async () => {
  source = await startUpstream();
  worker = await start();
  locks = createLocks({ url: stack.url, token: stack.token, lease: LEASE });
});
afterAll(async () => {
  await worker?.stop();
  await source?.stop();
});

const freshTenant = (): string => crypto.randomUUID().replaceAll("-", "");
const lockOf = (tenant: string) => locks.lock(`export:${tenant}`);
const stateOf = async (tenant: string): Promise<string> => (await lockOf(tenant).inspect()).state;
/** The exported text, without the token in front of it. */
async function exported(tenant: string, from = worker): Promise<string | undefined> {
  const object = await (await from.mf.getR2Bucket("BUCKET")).get(`${tenant}.csv`);
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
    const tenant = freshTenant();
    // With a lease that outlasts the queue of a busy machine.
    const patient = await start("2m");
    try {
      const ask = () => patient.fetch(`/exports/${tenant}`, { method: "POST" });
      const held = source.hold(`/${tenant}`);
      const first = await ask();
      expect(first.status).toBe(202);
      const { token } = (await first.json()) as { token: number };
      await held.arrived;
      expect((await ask()).status).toBe(409);
      expect(await lockOf(tenant).inspect()).toMatchObject({ state: "held", token, holds: 1 });
      held.answer("a,b");
      await until(async () => (await stateOf(tenant)) === "free");
      expect(await exported(tenant, patient)).toBe("a,b");

      source.reply(`/${tenant}`, "c,d");
      const next = (await (await ask()).json()) as { token: number };
      expect(next.token).toBeGreaterThan(token);
      await until(async () => (await stateOf(tenant)) === "free" && (await exported(tenant, patient)) === "c,d");
    } finally {
      await patient.stop();
    }
  });

  it("lasts longer than its lease, and is done once however often its message comes", async () => {
    const tenant = freshTenant();
    const lease = await lockOf(tenant).acquire();
    const held = source.hold(`/${tenant}`);
    const first = deliver(worker, tenant, lease.ticket());
    await held.arrived;
    const beyond = lease.expiresAt + 1500;
    while (Date.now() < beyond) {
      expect(await deliver(worker, tenant, lease.ticket())).toMatch(/^again in [1-9] s$/);
      expect(await stateOf(tenant)).toBe("held");
      await pause(300);
    }
    held.answer("once");
    expect(await first).toBe("done");
    expect(await stateOf(tenant)).toBe("free");
    const object = await (await worker.mf.getR2Bucket("BUCKET")).head(`${tenant}.csv`);
    expect(await deliver(worker, tenant, lease.ticket())).toBe("done");
    expect(source.asked(`/${tenant}`)).toHaveLength(1);
    expect((await (await worker.mf.getR2Bucket("BUCKET")).head(`${tenant}.csv`))?.etag).toBe(object?.etag);
  });

  it("that failed frees the lock, and the queue's next try does it under another token", async () => {
    const tenant = freshTenant();
    const lease = await lockOf(tenant).acquire();
    source.reply(`/${tenant}`, "no", 500);
    expect(await deliver(worker, tenant, lease.ticket())).toBe("exception");
    expect(await stateOf(tenant)).toBe("free");
    source.reply(`/${tenant}`, "yes");
    expect(await deliver(worker, tenant, lease.ticket())).toBe("done");
    expect(await exported(tenant)).toBe("yes");
    expect((await lockOf(tenant).inspect()).token).toBeGreaterThan(lease.token);
  });

  it("whose consumer dies is left to the lease, and then done by the queue's next try", async () => {
    const doomed = await start();
    const tenant = freshTenant();
    const lease = await lockOf(tenant).acquire();
    const held = source.hold(`/${tenant}`);
    const gone = deliver(doomed, tenant, lease.ticket()).catch(() => "gone");
    await held.arrived;
    await doomed.stop();
    await gone;
    expect(await stateOf(tenant)).toBe("held");
    expect(await deliver(worker, tenant, lease.ticket())).toMatch(/^again in [1-9] s$/);
    source.reply(`/${tenant}`, "at last");
    await until(async () => (await deliver(worker, tenant, lease.ticket())) === "done");
    expect(await exported(tenant)).toBe("at last");
    expect(source.asked(`/${tenant}`)).toHaveLength(2);
    expect(await stateOf(tenant)).toBe("free");
  });

  it("whose message arrives after another process has begun is left to that process", async () => {
    const tenant = freshTenant();
    const lease = await lockOf(tenant).acquire();
    await lease.release();
    const other = await lockOf(tenant).acquire({ lease: "60s" });
    expect(await deliver(worker, tenant, lease.ticket())).toBe("done");
    expect(source.asked(`/${tenant}`)).toEqual([]);
    expect(await other.verify()).toBe(true);
  });

  it("that was overtaken while it asked the source writes nothing", async () => {
    const tenant = freshTenant();
    const lease = await lockOf(tenant).acquire();
    const held = source.hold(`/${tenant}`);
    const first = deliver(worker, tenant, lease.ticket());
    await held.arrived;
    await lockOf(tenant).forceRelease();
    const other = await lockOf(tenant).acquire();
    source.reply(`/${tenant}`, "newer");
    expect(await deliver(worker, tenant, other.ticket())).toBe("done");
    held.answer("stale");
    expect(await first).toBe("exception");
    expect(await exported(tenant)).toBe("newer");
  });
});
