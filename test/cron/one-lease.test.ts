import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Run, runCron } from "../../src/cron/index.ts";
import { slotKey } from "../../src/cron/names.ts";
import { extendAll } from "../../src/index.ts";
import { answerLost, heldBack, unheard } from "../faults/faults.ts";
import { startWorld, type World } from "../faults/world.ts";
import type { Fault } from "../support/proxy.ts";
import { useStack } from "../support/use-stack.ts";

const stack = useStack({ warm: true });
const SLOT = "2026-11-21T03:00:00.000Z";

interface Settings {
  readonly maxDuration?: "3s" | "10s";
  readonly lease?: "2s" | "4s";
  readonly requestTimeout?: number;
}
function run({ name, client }: World, work: (run: Run) => unknown, settings: Settings = {}) {
  const { requestTimeout = 5000, ...rest } = settings;
  const times = rest.lease ? rest : { maxDuration: "10s" as const, ...rest };
  return runCron({ locks: client({ requestTimeout }), name, slot: SLOT, ...times }, work);
}
const again = ({ name, theirs: locks }: World) => runCron({ locks, name, slot: SLOT }, () => expect.unreachable());

/** How long the server keeps the slot, in ms. */
async function slotLeft(world: World): Promise<number> {
  const other = await again(world);
  return other.status === "skipped: still running" ? other.retryAfterMs : 0;
}

/** How long the server keeps the slot and the lock, in ms. */
async function left(world: World): Promise<{ slot: number; lock: number }> {
  // An extension may come between two answers, so the slot is asked before the lock and after it.
  const before = await slotLeft(world);
  const askedAt = performance.now();
  const state = await world.theirs.lock(`cron:${world.name}`).inspect();
  const after = await slotLeft(world);
  return {
    slot: Math.max(before, after + (performance.now() - askedAt)),
    lock: state.state === "held" ? state.remaining : 0,
  };
}

describe.concurrent("the work of one slot runs once, whatever extends the job's lock:", () => {
  /** Longer than a lease that nothing extends, which is 5.1 s. A busy machine may stand still for more than a second. */
  const LONG_MS = 6500;
  const ways: readonly (readonly [string, Settings, (run: Run, work: () => Promise<unknown>) => Promise<unknown>])[] = [
    ["keepAlive of its lease", { maxDuration: "3s" }, ({ lease }, work) => lease.keepAlive(work)],
    ["keepAlive within waitUntil", { maxDuration: "3s" }, ({ lease }, work) => lease.keepAlive({}, work)],
    ["extend", { maxDuration: "3s" }, ({ lease }, work) => lease.extend("20s").then(work)],
    ["extendAll", { maxDuration: "3s" }, ({ lease }, work) => extendAll([lease], "20s").then(work)],
    ["the cron itself", { lease: "4s" }, (_, work) => work()],
  ];
  it.each(ways)("%s (E4)", async (_, settings, extend) => {
    await using world = await startWorld(stack);
    let runs = 0;
    const report = await run(
      world,
      (given) =>
        extend(given, async () => {
          runs++;
          for (const end = performance.now() + LONG_MS; performance.now() < end; await sleep(200)) {
            const { slot, lock } = await left(world);
            expect(lock).toBeGreaterThan(0);
            expect(slot).toBeGreaterThanOrEqual(lock);
          }
        }),
      settings,
    );
    expect(report).toMatchObject({ status: "ran", attempt: 1 });
    expect((await again(world)).status).toBe("skipped: already ran");
    expect(runs).toBe(1);
    expect(await world.theirs.lock(`cron:${world.name}`).inspect()).toMatchObject({ state: "free" });
  });

  it("it has no ticket, since the lease ends with the run (E4)", async () => {
    await using world = await startWorld(stack);
    await run(world, ({ lease }) => {
      expect(() => lease.ticket()).toThrow(new TypeError("this lease ends with its run, so it has no ticket"));
    });
  });
});

describe.concurrent("a slot that is lost is a loss of the lease", () => {
  const forget = ({ theirs, name }: World) => theirs.group(`cron:${name}`).once(slotKey(name, SLOT)).forceRelease();

  it.each<[string, (lease: Run["lease"]) => Promise<unknown>]>([
    ["extend", (lease) => expect(lease.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "forced" })],
    ["verify", async (lease) => expect(await lease.verify()).toBe(false)],
    ["extendAll", async (lease) => expect((await extendAll([lease]))[0]?.error?.code).toBe("lease_lost")],
  ])("%s notices, the work is told, and the lock is kept until it has ended (E4)", async (_, notice) => {
    await using world = await startWorld(stack);
    const failed = run(world, async ({ lease, signal }) => {
      expect(await lease.verify()).toBe(true);
      await forget(world);
      await notice(lease);
      expect([lease.remaining, signal.aborted]).toEqual([0, true]);
      expect(signal.reason).toMatchObject({ names: [slotKey(world.name, SLOT)] });
      expect(await world.theirs.lock(lease.name).inspect()).toMatchObject({ state: "held" });
    });
    await expect(failed).rejects.toMatchObject({ code: "lease_lost" });
    expect(await world.theirs.lock(`cron:${world.name}`).inspect()).toMatchObject({ state: "free" });
  });

  it("the cron's own keepAlive notices too (E4)", async () => {
    await using world = await startWorld(stack);
    const failed = run(
      world,
      async ({ signal }) => {
        await forget(world);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
      { lease: "2s" },
    );
    await expect(failed).rejects.toMatchObject({ code: "lease_lost", reason: "forced" });
  });
});

describe.concurrent("the slot lasts as long as the lock", () => {
  it("after the answer to an extension was lost once, and the lease is extended (50.1)", async () => {
    await using world = await startWorld(stack);
    const report = await run(world, async ({ lease }) => {
      world.proxy.next("group-extend", answerLost);
      await lease.extend("30s");
      expect(world.proxy.unmet()).toBe(0);
      const { slot, lock } = await left(world);
      expect(lock).toBeGreaterThan(20_000);
      expect(slot).toBeGreaterThanOrEqual(lock);
    });
    expect(report).toMatchObject({ status: "ran", attempt: 1 });
  });

  it.each<[string, Fault]>([
    ["of an extension that was made", unheard],
    ["of an extension that arrives later", heldBack],
  ])("where no answer %s comes for a while (50.1)", async (_, fault) => {
    await using world = await startWorld(stack);
    const { proxy } = world;
    const working = async ({ lease }: Run): Promise<void> => {
      const end = proxy.always("group-extend", heldBack);
      proxy.next("group-extend", fault);
      const extended = lease.extend("30s").catch(({ code }) => expect(code).toBe("outcome_unknown"));
      for (const deliver of [async () => {}, () => proxy.deliver(), () => proxy.replay()]) {
        // The second one is later than `requestTimeout`.
        await sleep(1200);
        await deliver();
        const { slot, lock } = await left(world);
        expect(lock).toBeGreaterThan(0);
        expect(slot).toBeGreaterThanOrEqual(lock);
      }
      end();
      await extended;
      await lease.extend("40s");
    };
    expect(await run(world, working, { requestTimeout: 2000 })).toMatchObject({ status: "ran", attempt: 1 });
  });
});
