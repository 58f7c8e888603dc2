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
const pass: Fault = async ({ forward, answer }) => answer(await forward());

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

/** How long the server keeps the slot and the lock, in ms. */
async function left(world: World): Promise<{ slot: number; lock: number }> {
  // The lock first: the slot has less time left when it is asked.
  const state = await world.theirs.lock(`cron:${world.name}`).inspect();
  const other = await again(world);
  return {
    slot: other.status === "skipped: still running" ? other.retryAfterMs : 0,
    lock: state.state === "held" ? state.remaining : 0,
  };
}

describe.concurrent("the work of one slot runs once, whatever extends the job's lock:", () => {
  /** Longer than a slot that nothing extends, which is 6.2 s. A busy machine may stand still for more than a second. */
  const LONG_MS = 7500;
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
            expect(slot).toBeGreaterThan(lock);
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
  const forget = ({ theirs, name }: World) => theirs.once(slotKey(name, SLOT)).forceRelease();

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

describe.concurrent("the slot outlasts the lock", () => {
  it.each<[string, readonly Fault[]]>([
    ["the slot", [answerLost]],
    ["the lock", [pass, answerLost]],
    ["both", [answerLost, pass, answerLost]],
  ])("after the answer about %s was lost once, and the lease is extended (E4)", async (_, faults) => {
    await using world = await startWorld(stack);
    const report = await run(world, async ({ lease }) => {
      world.proxy.next("hold-extend", ...faults);
      await lease.extend("30s");
      expect(world.proxy.unmet()).toBe(0);
      const { slot, lock } = await left(world);
      expect(lock).toBeGreaterThan(20_000);
      expect(slot).toBeGreaterThan(lock);
    });
    expect(report).toMatchObject({ status: "ran", attempt: 1 });
  });

  it.each<[string, readonly Fault[]]>([
    ["the slot, though it was extended,", [unheard]],
    ["the slot, which arrives later,", [heldBack]],
    ["the lock, though it was extended,", [pass, unheard]],
    ["the lock, which arrives later,", [pass, heldBack]],
  ])("where no answer about %s comes for a while (E4)", async (_, faults) => {
    await using world = await startWorld(stack);
    const { proxy } = world;
    const working = async ({ lease }: Run): Promise<void> => {
      const end = proxy.always("hold-extend", heldBack);
      proxy.next("hold-extend", ...faults);
      const extended = lease.extend("30s").catch(({ code }) => expect(code).toBe("outcome_unknown"));
      for (const deliver of [async () => {}, () => proxy.deliver(), () => proxy.replay()]) {
        // The second one is later than `requestTimeout`.
        await sleep(1200);
        await deliver();
        const { slot, lock } = await left(world);
        expect(lock).toBeGreaterThan(0);
        expect(slot).toBeGreaterThan(lock);
      }
      end();
      await extended;
      await lease.extend("40s");
    };
    expect(await run(world, working, { requestTimeout: 2000 })).toMatchObject({ status: "ran", attempt: 1 });
  });
});
