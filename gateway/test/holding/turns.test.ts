import { describe, expect, it } from "vitest";
import { buildAll } from "../../../tools/lua-scripts.ts";
import { call, pause, until } from "../support/client.ts";
import { startRelay } from "../support/relay.ts";
import { commandsSince, heldNow, holdingStage, metric, waitingLocks } from "./stage.ts";

const it_ = holdingStage();
const { serve } = it_;
/** On a busy machine, and long before the end of a wait of 20 s. */
const SOON_MS = 3_000;

describe("a waiter is answered when its turn comes", () => {
  it.each(["through its own gateway", "through another gateway"])("by a release %s", async (which) => {
    const here = await serve();
    const there = which.endsWith("own gateway") ? here : await serve();
    const { locks, heard } = waitingLocks(here.url);
    const holder = await waitingLocks(there.url).locks.lock("a").acquire({ lease: "60s" });
    const waiting = locks.lock("a").acquire({ lease: "5s", wait: "20s" });
    await heldNow(here, 1);
    const since = performance.now();
    await holder.release();
    const lease = await waiting;
    expect(performance.now() - since).toBeLessThan(SOON_MS);
    expect(lease.token).toBeGreaterThan(holder.token);
    expect(heard).toEqual({ requests: expect.any(Number), held: 1 });
    await heldNow(here, 0);
  });

  it("by a release that Redis has not answered yet: the first try goes out right after it", async () => {
    const relay = await startRelay(it_.redis.port);
    const [here, there] = [await serve({ redis: relay.url }), await serve()];
    const { locks } = waitingLocks(here.url);
    const next = async () => {
      const lease = locks.lock("a").acquire({ lease: "60s", wait: "20s" });
      await heldNow(here, 1);
      return { lease };
    };
    // From the second waiter on Redis knows the scripts, and reports the name.
    const first = await locks.lock("a").acquire({ lease: "60s" });
    const second = await next();
    await first.release();
    const holder = await second.lease;
    const waiting = (await next()).lease;
    const answers = relay.holdBack();
    const since = performance.now();
    const released = holder.release();
    const { token } = await until(
      () => waitingLocks(there.url).locks.lock("a").inspect(),
      (seen) => seen.state === "held" && seen.token > holder.token,
    );
    expect(performance.now() - since).toBeLessThan(SOON_MS);
    answers.pass();
    expect(await released).toBe(true);
    expect((await waiting).token).toBe(token);
    await relay.close();
  });

  it("by a removal whose report arrives together with the refusal", async () => {
    const relay = await startRelay(it_.redis.port);
    const here = await serve({ redis: relay.url });
    const { locks } = waitingLocks(here.url);
    await locks.lock("a").acquire({ lease: "60s" });
    // From the first waiter on, Redis reports the name for some seconds.
    await expect(locks.lock("a").acquire({ wait: "500ms" })).rejects.toMatchObject({ code: "lock_timeout" });
    const grantMs = async (): Promise<number> => {
      const answers = relay.holdBack();
      const waiting = locks.lock("a").acquire({ lease: "5s", wait: "4s" });
      await pause(100);
      await it_.redis.command("DEL", "leasehold:{a}");
      await pause(50);
      const since = performance.now();
      answers.pass();
      await waiting;
      return performance.now() - since;
    };
    // At once: a waiter with a place in a queue would be tried 250 ms later. A busy machine may be late, but not always.
    await expect.poll(grantMs).toBeLessThan(250);
    await relay.close();
  });

  it("by a release that Redis runs, and reports, together with the request that joins the queue", async () => {
    const [here, there] = [await serve(), await serve()];
    const { locks, heard } = waitingLocks(here.url);
    const others = waitingLocks(there.url).locks;
    const grantMs = async (): Promise<number> => {
      const holder = await others.fairLock("a").acquire({ lease: "60s", wait: "4s" });
      // From the first waiter on, Redis reports the name for some seconds.
      await expect(locks.fairLock("a").acquire({ wait: "300ms" })).rejects.toMatchObject({ code: "lock_timeout" });
      const before = heard.held;
      it_.redis.freeze();
      const waiting = locks.fairLock("a").acquire({ lease: "5s", wait: "4s" });
      await pause(100);
      const released = holder.release();
      await pause(100);
      const since = performance.now();
      it_.redis.thaw();
      const lease = await waiting;
      const ms = performance.now() - since;
      await released;
      await lease.release();
      // It was not held if it ran after the release, and it was woken at once if Redis reported each write on its own.
      return heard.held > before && ms >= 250 ? ms : Number.POSITIVE_INFINITY;
    };
    // Then the key is checked after 250 ms. Its place in the queue alone brings the waiter back after more than 500 ms.
    await expect.poll(grantMs, { timeout: 20_000 }).toBeLessThan(450);
  });

  it("by an operator's DEL over TCP, and at the end of a lease", async () => {
    const here = await serve();
    const { locks } = waitingLocks(here.url);
    await locks.lock("a").acquire({ lease: "60s" });
    const waiting = locks.lock("a").acquire({ lease: "700ms", wait: "4s" });
    await heldNow(here, 1);
    await it_.redis.command("DEL", "leasehold:{a}");
    await waiting;
    const next = await locks.lock("a").acquire({ lease: "5s", wait: "4s" });
    expect(next.token).toBeGreaterThan(0);
  });

  it("in the order of arrival, one for each release, in a plain lock and in a fair one", async () => {
    const here = await serve();
    for (const kind of ["lock", "fairLock"] as const) {
      const { locks } = waitingLocks(here.url);
      const holder = await locks[kind](kind).acquire({ lease: "60s" });
      const order: number[] = [];
      const waiters: Promise<void>[] = [];
      for (let index = 0; index < 5; index++) {
        waiters.push(
          locks[kind](kind).run({ wait: "4s", lease: "10s" }, async () => {
            order.push(index);
            await pause(5);
          }),
        );
        await heldNow(here, index + 1);
      }
      await holder.release();
      await Promise.all(waiters);
      expect(order).toEqual([0, 1, 2, 3, 4]);
    }
  });

  it("costs no more commands when thirty wait than when two do", async () => {
    const here = await serve();
    for (const kind of ["lock", "fairLock"] as const) {
      const costs: number[] = [];
      for (const crowd of [2, 30]) {
        const { locks } = waitingLocks(here.url);
        const holder = await locks[kind](`${kind} ${crowd}`).acquire({ lease: "60s" });
        const waiters = Array.from({ length: crowd }, () =>
          locks[kind](`${kind} ${crowd}`).run({ wait: "20s", lease: "10s" }, () => pause(1)),
        );
        await heldNow(here, crowd);
        await it_.redis.command("CONFIG", "RESETSTAT");
        await holder.release();
        await Promise.all(waiters);
        costs.push((await commandsSince(it_.redis)) / crowd);
      }
      const [few = 0, many = 0] = costs;
      expect(many).toBeLessThan(few + 2);
    }
  });

  it("when a latch reaches zero: all of them, whoever counts down", async () => {
    const [here, there] = [await serve(), await serve()];
    const { locks, heard } = waitingLocks(here.url);
    const parts = waitingLocks(there.url).locks.latch("a");
    await parts.trySetCount(2);
    const waiters = Array.from({ length: 10 }, () => locks.latch("a").wait({ wait: "20s" }));
    await heldNow(here, 10);
    await parts.countDown();
    await pause(100);
    await heldNow(here, 10);
    const since = performance.now();
    await parts.countDown();
    expect(await Promise.all(waiters)).toEqual(Array(10).fill(true));
    expect(performance.now() - since).toBeLessThan(SOON_MS);
    expect(heard.held).toBe(10);
  });
});

it("the time for which a request is held is no part of its duration", async () => {
  const here = await serve();
  const { locks } = waitingLocks(here.url);
  await locks.lock("a").acquire({ lease: "1500ms" });
  await locks.lock("a").acquire({ lease: "5s", wait: "4s" });
  expect(await metric(here, "request_duration_seconds_count")).toBeGreaterThanOrEqual(2);
  expect(await metric(here, "request_duration_seconds_sum")).toBeLessThan(1);
});

it("a request with an argument in its body, which is never held, runs with all of its arguments", async () => {
  const here = await serve();
  const { lua, sha } = buildAll().find(({ name }) => name === "fair-acquire") ?? {};
  await it_.redis.command("SCRIPT", "LOAD", lua ?? "");
  const notAfter = String((Date.now() + 60_000) * 1000);
  const words = [
    sha?.[0] ?? "",
    "2",
    "{a}",
    "{a}%crowd",
    notAfter,
    "1".padStart(36, "0"),
    "5000",
    "60000",
    "k",
    "1",
    "0",
    "1000",
    "0",
  ];
  const path = words.map(encodeURIComponent).join("/");
  const ownPace = Buffer.from("0");
  const { body } = await call(`${here.url}/evalsha/${path}`, ownPace, { headers: { prefer: "wait=1" } });
  expect(body).toMatchObject({ result: ["granted", expect.anything(), expect.anything(), expect.anything(), 1] });
  const other = words.with(5, "2".padStart(36, "0")).with(8, "other").map(encodeURIComponent).join("/");
  const refused = await call(`${here.url}/evalsha/${other}`, ownPace, { headers: { prefer: "wait=1" } });
  expect((refused.body as { result: unknown[] }).result[0]).toBe("held");
  expect(refused.headers.get("preference-applied")).toBeNull();
});
