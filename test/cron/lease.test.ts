import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { type Run, runCron } from "../../src/cron/index.ts";
import { redisFence } from "../../src/fence/index.ts";
import { startWorld, type World } from "../faults/world.ts";
import { useStack } from "../support/use-stack.ts";

const stack = useStack({ warm: true });
const SLOT = "2026-11-21T03:00:00.000Z";
/** The lease is not extended then, unless the work does it. */
const settings = { maxDuration: 10 } as const;

const run = ({ name, client }: World, work: (run: Run) => unknown) =>
  runCron({ locks: client({ requestTimeout: 5000 }), name, slot: SLOT, ...settings }, work);
const again = ({ name, theirs: locks }: World) =>
  runCron({ locks, name, slot: SLOT, ...settings }, () => expect.unreachable());

describe.concurrent("work that extends its lease", () => {
  it("has the slot for as long, so that nobody begins it again, and it counts (50.1)", async () => {
    await using world = await startWorld(stack);
    const report = await run(world, async ({ lease }) => {
      await lease.extend("30s");
      expect(lease.remaining).toBeGreaterThan(20_000);
      const other = await again(world);
      expect(other).toMatchObject({ status: "skipped: still running" });
      // So long the other one is kept from it, whatever becomes of this one.
      if (other.status === "skipped: still running") expect(other.retryAfterMs).toBeGreaterThan(lease.remaining);
      expect(await world.theirs.lock(lease.name).inspect()).toMatchObject({ state: "held" });
    });
    expect(report).toMatchObject({ status: "ran", attempt: 1 });
    expect((await again(world)).status).toBe("skipped: already ran");
  });

  it("extends the lock and the slot by one request (50.1)", async () => {
    await using world = await startWorld(stack);
    const { proxy } = world;
    await run(world, async ({ lease }) => {
      const before = proxy.count();
      await lease.extend("30s");
      expect(await lease.verify()).toBe(true);
      expect([proxy.count() - before, proxy.count("group-extend")]).toEqual([2, 2]);
    });
  });

  it("by as long as it was, where it does not say; what is no duration is refused", async () => {
    await using world = await startWorld(stack);
    await run(world, async ({ lease }) => {
      const { expiresAt } = lease;
      await sleep(100);
      const sent = world.proxy.count();
      await expect(lease.extend("long" as never)).rejects.toThrow(TypeError);
      expect(world.proxy.count()).toBe(sent);
      expect(lease.expiresAt).toBe(expiresAt);
      await lease.extend();
      expect(lease.expiresAt - expiresAt).toBeGreaterThanOrEqual(90);
      expect(lease.remaining).toBeLessThanOrEqual(12_000);
    });
  });
});

describe.concurrent("the lease of a run", () => {
  it("is one in every other way too", async () => {
    await using world = await startWorld(stack);
    const { name, theirs } = world;
    await run(world, async ({ lease, token, signal }) => {
      expect(lease).toMatchObject({ name: `cron:${name}`, token, tokens: { [lease.name]: token }, holds: 1 });
      expect(lease.signal).toBe(signal);
      expect(lease.remaining).toBeGreaterThan(0);
      expect(await lease.verify()).toBe(true);
      expect(JSON.parse(JSON.stringify(lease))).toEqual({
        name: lease.name,
        token,
        holds: 1,
        expiresAt: lease.expiresAt,
      });
      await redisFence(theirs).claim(lease);
      expect((await redisFence(theirs).read(lease.name))?.token).toBe(token);
    });
  });

  it("is verified without being extended: a crash afterwards blocks the slot for no longer", async () => {
    await using world = await startWorld(stack);
    const options = { locks: world.client({ requestTimeout: 20_000 }), name: world.name, slot: SLOT, ...settings };
    const blockedMs = async (): Promise<number> => {
      const other = await again(world);
      return other.status === "skipped: still running" ? other.retryAfterMs : expect.unreachable(other.status);
    };
    await runCron(options, async ({ lease }) => {
      const before = await blockedMs();
      expect(await lease.verify()).toBe(true);
      expect(await blockedMs()).toBeLessThanOrEqual(before);
    });
  });

  it.each<[string, (lease: Run["lease"]) => unknown]>([
    ["released", (lease) => lease.release()],
    ["disposed of", (lease) => lease[Symbol.asyncDispose]()],
  ])("is over when it is %s, and the run is lost then", async (_, end) => {
    await using world = await startWorld(stack);
    const failed = run(world, async ({ lease, signal }) => {
      await end(lease);
      expect(await world.theirs.lock(lease.name).inspect()).toMatchObject({ state: "free" });
      expect([lease.remaining, signal.aborted, await lease.verify()]).toEqual([0, true, false]);
      await expect(lease.extend()).rejects.toMatchObject({ code: "lease_lost" });
    });
    await expect(failed).rejects.toMatchObject({ code: "lease_lost" });
  });

  it("8: is not over when it is kept alive for a part of the work: the run has it until it ends", async () => {
    await using world = await startWorld(stack);
    const report = await run(world, async ({ lease, signal }) => {
      await lease.keepAlive({}, () => {});
      expect(await world.theirs.lock(lease.name).inspect()).toMatchObject({ state: "held" });
      expect([signal.aborted, await lease.verify()]).toEqual([false, true]);
    });
    expect(report).toMatchObject({ status: "ran" });
  });

  it("shows no secret on the console", async () => {
    await using world = await startWorld(stack);
    await run(world, (run) => {
      // Seen through what it is made of as well.
      const shown = [run, Object.getPrototypeOf(run.lease), inspect(run.lease, { getters: true, showHidden: true })];
      for (const each of [...shown, JSON.stringify(run)]) {
        world.keepsSecrets(each);
        world.keepsSecrets(inspect(each, { depth: 20, showHidden: true }));
      }
    });
  });
});
