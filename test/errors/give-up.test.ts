import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks, type LeaseholdEvent, type Locks, LockTimeoutError, quorumLock } from "../../src/index.ts";
import { type Quorum, startQuorum } from "../kinds/quorum-lock/quorum.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
let quorum: Quorum;
beforeAll(async () => {
  quorum = await startQuorum(3);
});
afterAll(() => quorum.stop());
const make = (holder: string, more: object = {}): Locks =>
  createLocks({ url: stack.url, token: stack.token, holder, ...more });

/** The error of a wait that ends without a hold. */
async function timeoutOf(run: () => Promise<unknown>): Promise<LockTimeoutError> {
  const error = await run().catch((thrown: unknown) => thrown);
  if (!(error instanceof LockTimeoutError)) throw error;
  return error;
}
const LEFT = String.raw`for up to \d+ ms more`;

describe("a lock that was not acquired says who holds it", () => {
  it("kind, name, holder, label, time left and after how long it was given up", async () => {
    const name = freshName();
    await make("web-3").lock(name).acquire({ label: "nightly", lease: "30s" });
    const error = await timeoutOf(() =>
      make("web-4")
        .lock(name)
        .run({ wait: 50 }, () => {}),
    );
    expect(error.message).toMatch(
      new RegExp(`^lock\\("${name}"\\) was not acquired within 50 ms: held by "nightly" on "web-3" ${LEFT}$`),
    );
    expect(error).toMatchObject({
      code: "lock_timeout",
      kind: "lock",
      lockName: name,
      label: "nightly",
      holder: "web-3",
    });
    expect(error.remainingMs).toBeGreaterThan(0);
    expect(error.waitedMs).toBeGreaterThanOrEqual(49);
    expect(error.help).toMatch(/errors#lock_timeout$/);
  });

  it("of a holder without a label or a process, how long it lasts", async () => {
    const name = freshName();
    const locks = createLocks({ url: stack.url, token: stack.token });
    await locks.lock(name).acquire();
    const { message } = await timeoutOf(() => locks.lock(name).acquire({ wait: 0 }));
    expect(message).toMatch(
      new RegExp(
        `^lock\\("${name}"\\) was not acquired within 0 ms: held ${LEFT}. This client holds it: .*reentryKey$`,
      ),
    );
  });

  it("of kinds with a queue, how many others waited", async () => {
    const locks = make("web-3");
    const [fair, rw, permits] = [freshName(), freshName(), freshName()];
    await locks.fairLock(fair).acquire({ label: "first" });
    const waiting = locks
      .fairLock(fair)
      .acquire({ wait: "20s" })
      .catch(() => {});
    while ((await locks.fairLock(fair).inspect()).waiters < 1);
    const error = await timeoutOf(() => locks.fairLock(fair).acquire({ wait: 0 }));
    expect(error).toMatchObject({ kind: "fair", label: "first", waiters: 1 });
    expect(error.message).toMatch(
      new RegExp(`held by "first" on "web-3" ${LEFT}, 1 waiting. This client holds it: .*reentryKey$`),
    );
    await locks.fairLock(fair).forceRelease();
    await waiting;

    await locks.readWriteLock(rw).write.acquire({ label: "writer" });
    const read = await timeoutOf(() => locks.readWriteLock(rw).read.acquire({ wait: 0 }));
    expect(read).toMatchObject({ kind: "rw", label: "writer", waiters: 0 });

    const queued = locks.semaphore(permits, { permits: 1, fair: true });
    await queued.acquire();
    expect(await timeoutOf(() => queued.acquire({ wait: 0 }))).toMatchObject({ kind: "semaphore", waiters: 0 });
  });

  it("of several locks, which one is held", async () => {
    const locks = make("web-3");
    const names = [freshName(), freshName()] as const;
    await locks.lock(names[1]).acquire({ label: "other" });
    const error = await timeoutOf(() => locks.multiLock([...names]).acquire({ wait: 50 }));
    expect(error.message).toContain(`lock("${names[1]}") held by "other" on "web-3"`);
    expect(error).toMatchObject({ kind: "multi", label: "other" });
  });

  it("of several names of one group, which one is held, without one more request", async () => {
    const group = freshName();
    await make("web-3").group(group).lock("b").acquire({ label: "other" });
    const sent: string[] = [];
    const onEvent = (event: LeaseholdEvent): unknown => event.type === "request" && sent.push(event.operation);
    const both = make("web-4", { onEvent }).group(group).multiLock(["a", "b"]);
    const error = await timeoutOf(() => both.acquire({ wait: 50, maxPolls: 1 }));
    expect(error.message).toMatch(new RegExp(`: lock\\("b"\\) held by "other" on "web-3" ${LEFT}$`));
    expect(error).toMatchObject({ label: "other", holder: "web-3" });
    expect(error.remainingMs).toBeGreaterThan(0);
    expect(sent).not.toContain("inspect");
  });

  it("of a semaphore without a queue, who has the permit that ends first, without one more request", async () => {
    const name = freshName();
    const permits = { permits: 2 };
    await make("web-3").semaphore(name, permits).acquire({ label: "short", lease: "20s" });
    await make("web-5").semaphore(name, permits).acquire({ label: "long", lease: "40s" });
    const one = make("web-4").semaphore(name, permits);
    const error = await timeoutOf(() => one.acquire({ wait: 0, maxPolls: 1 }));
    expect(error).toMatchObject({ kind: "semaphore", label: "short", holder: "web-3" });
    expect(error.waiters).toBeUndefined();
    expect(error.message).toMatch(new RegExp(`within 0 ms: held by "short" on "web-3" ${LEFT}$`));
    await one.setPermits(0);
    await one.forceRelease();
    await one.setPermits(0);
    expect(await timeoutOf(() => one.acquire({ wait: 0 }))).not.toHaveProperty("label");
  });

  it("of a fair semaphore, who has the permit that ends first, and how many wait", async () => {
    const fair = { permits: 1, fair: true };
    const name = freshName();
    await make("web-3").semaphore(name, fair).acquire({ label: "first" });
    const error = await timeoutOf(() => make("web-4").semaphore(name, fair).acquire({ wait: 0 }));
    expect(error).toMatchObject({ label: "first", holder: "web-3", waiters: 0 });
  });

  it("of a counter, which nobody holds, how many permits are available", async () => {
    const name = freshName();
    const stock = make("web-3").counter(name, { permits: 3 });
    await stock.acquire({ permits: 2 });
    const error = await timeoutOf(() => stock.acquire({ permits: 2, wait: 0 }));
    expect(error.message).toBe(`counter("${name}") was not acquired within 0 ms: 1 available`);
    expect(error).toMatchObject({ kind: "counter", available: 1 });
    expect(error.holder).toBeUndefined();
  });

  it("of a lock on a majority of servers, who has that majority", async () => {
    const name = freshName();
    const majority = (holder: string) => quorumLock(quorum.connections({ holder }), name);
    await majority("web-3").acquire({ label: "nightly" });
    const error = await timeoutOf(() => majority("web-4").acquire({ wait: 50 }));
    expect(error).toMatchObject({ kind: "quorum", label: "nightly", holder: "web-3" });
    expect(error.message).toMatch(new RegExp(`: held by "nightly" on "web-3" ${LEFT}$`));
  });

  it("of a once, who runs it", async () => {
    const key = freshName();
    await make("web-3").once(key).begin();
    const error = await timeoutOf(() =>
      make("web-4")
        .once(key)
        .run({ wait: 50 }, () => 1),
    );
    expect(error).toMatchObject({ kind: "once", lockName: key, holder: "web-3" });
  });

  it("and no secret (R10)", async () => {
    const name = freshName();
    const lease = await make("web-3").lock(name).acquire({ reentryKey: "reentry-key-of-mine" });
    const [, , , , id] = JSON.parse(atob(lease.ticket())) as string[];
    const error = await timeoutOf(() => make("web-4").lock(name).acquire({ wait: 0, reentryKey: "another-one" }));
    const shown = inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error);
    for (const secret of [id, stack.token, "reentry-key-of-mine", "another-one"]) expect(shown).not.toContain(secret);
  });
});

describe("to find out who holds it", () => {
  it("takes no longer than the call may, and is left out where it fails", async () => {
    const name = freshName();
    await make("web-3").lock(name).acquire({ label: "nightly" });
    for (const answer of [
      () => new Promise<Response>(() => {}),
      async () => new Response("{}", { status: 500 }),
      async () => Promise.reject(new Error("broken")),
    ]) {
      const events: string[] = [];
      const flaky: typeof fetch = (input, init) => (events.includes("refused") ? answer() : fetch(input, init));
      const onEvent = ({ type }: { type: string }): unknown => events.push(type);
      const locks = make("web-4", { fetch: flaky, onEvent, requestTimeout: 2000 });
      const start = performance.now();
      const error = await timeoutOf(() => locks.lock(name).acquire({ wait: 0 }));
      expect(performance.now() - start).toBeLessThan(2000);
      expect(error).toMatchObject({ code: "lock_timeout", kind: "lock", lockName: name });
      expect(error.label).toBeUndefined();
      expect(error.message).toMatch(new RegExp(`: held ${LEFT}$`));
    }
  });

  it("an abort ends it with the signal's reason", async () => {
    const name = freshName();
    await make("web-3").lock(name).acquire();
    const stop = new AbortController();
    const events: string[] = [];
    const stuck: typeof fetch = (input, init) => {
      if (!events.includes("refused")) return fetch(input, init);
      stop.abort(new Error("enough"));
      return new Promise(() => {});
    };
    const onEvent = ({ type }: { type: string }): unknown => events.push(type);
    const locks = make("web-4", { fetch: stuck, onEvent });
    await expect(locks.lock(name).acquire({ wait: 0, signal: stop.signal })).rejects.toThrow("enough");
  });

  it("is one of the requests that maxPolls allows, or is left out", async () => {
    const name = freshName();
    await make("web-3").lock(name).acquire({ label: "nightly" });
    const sent: string[] = [];
    const onEvent = (event: LeaseholdEvent): unknown => event.type === "request" && sent.push(event.operation);
    const one = make("web-4", { onEvent }).lock(name);
    const error = await timeoutOf(() => one.acquire({ wait: "5s", maxPolls: 2, backoff: () => 5 }));
    expect(sent.filter((operation) => operation !== "cancel")).toEqual(["acquire", "acquire"]);
    expect(error.label).toBeUndefined();
    sent.length = 0;
    expect(await timeoutOf(() => one.acquire({ wait: 0, maxPolls: 2 }))).toMatchObject({ label: "nightly" });
    expect([...new Set(sent)]).toEqual(["acquire", "inspect"]);
  });
});
