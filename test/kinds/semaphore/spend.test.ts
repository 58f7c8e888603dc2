import { describe, expect, it } from "vitest";
import {
  createLocks,
  type LeaseholdEvent,
  type Locks,
  OutcomeUnknownError,
  type SemaphoreLease,
} from "../../../src/index.ts";
import { answerLost, heldBack } from "../../faults/faults.ts";
import { startWorld, type World } from "../../faults/world.ts";
import { freshName, pause, useStack } from "../../support/use-stack.ts";

const stack = useStack({ warm: true });

/** A client whose requests stay valid for long, so that `notAfter` does not answer in the place of the rule attacked. */
const patient = (world: World) => world.client({ requestTimeout: "20s" });
const quick = (world: World) => world.client({ requestTimeout: "900ms" });

/** A stock of ten, of which three are reserved. */
async function reserve(world: World, client = patient(world), lease = "20s") {
  const stock = world.theirs.semaphore(world.name);
  await stock.setPermits(10);
  const reserved: SemaphoreLease = await client.semaphore(world.name).acquire({ permits: 3, lease: lease as "20s" });
  const counts = async () => {
    const { permits, acquired } = await stock.inspect();
    return [permits, acquired];
  };
  return { stock, reserved, counts };
}

/** Repeats a call while its outcome is unknown, as its caller should. */
async function untilKnown<T>(call: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) throw error;
    }
}

describe("duplicates of a spend", () => {
  it("spend nothing more, also after others have the permits (51.3)", async () => {
    await using world = await startWorld(stack);
    const { stock, reserved, counts } = await reserve(world);
    world.proxy.next("semaphore-spend", answerLost);
    await reserved.spend(2);
    expect(await counts()).toEqual([8, 0]);
    const next = await stock.acquire({ permits: 8 });
    expect(await world.proxy.replay("semaphore-spend")).toEqual(["spent", "spent"]);
    expect(await counts()).toEqual([8, 8]);
    await next.spend(8);
    await stock.addPermits(5);
    await world.proxy.replay();
    await world.proxy.replay(undefined, "backward");
    expect(await counts()).toEqual([5, 0]);
  });

  it("spend nothing after a release, a force release, or the end of the lease (51.3)", async () => {
    for (const end of ["release", "force", "expire"] as const) {
      await using world = await startWorld(stack);
      const { stock, reserved, counts } = await reserve(world, patient(world), end === "expire" ? "600ms" : "20s");
      const ticket = reserved.ticket();
      world.proxy.next("semaphore-spend", heldBack);
      const caller = patient(world).semaphore(world.name);
      // Nobody waits for it: its answer is lost with the connection.
      (await caller.resume(ticket)).spend(3).catch(() => {});
      await world.proxy.arrived("semaphore-spend");
      if (end === "release") await reserved.release();
      if (end === "force") await stock.forceRelease();
      if (end === "expire") await pause(650);
      if (end === "force") await stock.setPermits(10);
      const next = await stock.acquire({ permits: 10 });
      expect(await world.proxy.deliver(), end).toEqual(["lost"]);
      const ended = { release: "released", force: "forced", expire: "expired" }[end];
      await expect((await caller.resume(ticket)).spend(3)).rejects.toMatchObject({ reason: ended });
      expect(await counts()).toEqual([10, 10]);
      expect(await next.verify()).toBe(true);
    }
  }, 60_000);

  it("that arrive after the time of their attempt spend nothing (51.3)", async () => {
    await using world = await startWorld(stack);
    const { reserved, counts } = await reserve(world, quick(world));
    world.proxy.next("semaphore-spend", heldBack, heldBack, heldBack, heldBack, heldBack, heldBack);
    await expect(reserved.spend(2)).rejects.toThrow(OutcomeUnknownError);
    await pause(1_000);
    expect(new Set(await world.proxy.deliver())).toEqual(new Set(["late"]));
    expect(await counts()).toEqual([10, 3]);
    // Nothing was spent, and it is asked for again.
    await untilKnown(() => reserved.spend(2));
    expect(await counts()).toEqual([8, 0]);
  });
});

describe("a spend without an answer", () => {
  const lost = Array.from({ length: 8 }, () => answerLost);

  it("is unknown, and is asked for again until it is known (51.3)", async () => {
    await using world = await startWorld(stack);
    const { reserved, counts } = await reserve(world, quick(world));
    world.proxy.next("semaphore-spend", ...lost);
    await expect(reserved.spend(2)).rejects.toMatchObject({ code: "outcome_unknown", operation: "spend" });
    await untilKnown(() => reserved.spend(2));
    await expect(reserved.spend(1)).rejects.toMatchObject({ code: "lease_lost", reason: "spent" });
    const twin = await quick(world).semaphore(world.name).resume(reserved.ticket());
    await expect(untilKnown(() => twin.spend(3))).rejects.toMatchObject({ code: "lease_lost", reason: "spent" });
    expect(await counts()).toEqual([8, 0]);
  });

  it("does not release at the end of run or of await using, but when it is asked to (51.3)", async () => {
    await using world = await startWorld(stack);
    const stock = world.theirs.semaphore(world.name);
    await stock.setPermits(10);
    const ours = quick(world).semaphore(world.name);
    world.proxy.next("semaphore-spend", ...Array.from({ length: 40 }, () => heldBack));
    const options = { permits: 3, lease: "20s" } as const;
    const unknown = await ours
      .run(options, async (lease) => {
        await lease.spend(2);
      })
      .catch((error: unknown) => error);
    expect(unknown).toMatchObject({ code: "outcome_unknown" });
    let kept: SemaphoreLease | undefined;
    try {
      await using lease = await ours.acquire(options);
      kept = lease;
      await lease.spend(2);
    } catch {}
    expect(await stock.acquired()).toBe(6);
    expect(await kept?.release()).toBe(true);
    expect(await stock.inspect()).toMatchObject({ permits: 10, acquired: 3 });
  });

  it("stays unknown when the server has lost everything since (51.3)", async () => {
    await using world = await startWorld(stack);
    const { stock, reserved } = await reserve(world, quick(world));
    world.proxy.next("semaphore-spend", ...lost);
    await expect(reserved.spend(2)).rejects.toThrow(OutcomeUnknownError);
    await stack.redis.command("DEL", ...(await keysOf(world.name)));
    for (let n = 0; n < 12; n++) await expect(reserved.spend(2)).rejects.toThrow(OutcomeUnknownError);
    // One that was never in doubt is lost.
    await stock.setPermits(10);
    const next = await world.ours.semaphore(world.name).acquire();
    await stack.redis.command("DEL", ...(await keysOf(world.name)));
    await expect(next.spend(1)).rejects.toMatchObject({ code: "lease_lost", reason: "gone" });
    expect(await next.release()).toBe(false);
  });
});

/** The keys of a name. */
async function keysOf(name: string): Promise<string[]> {
  const reply = await stack.redis.command("KEYS", `*${name}*`);
  return [...reply.matchAll(/\r\n([^\r$*][^\r]*)\r\n/g)].map(([, key = ""]) => key);
}

describe("a spend and other requests at once", () => {
  const locks = () => createLocks({ url: stack.url, token: stack.token });

  it("counts once, whatever else happens to the hold and the number (51.3)", async () => {
    for (let round = 0; round < 20; round++) {
      const stock = locks().semaphore(freshName());
      await stock.setPermits(10);
      const lease = await stock.acquire({ permits: 3, lease: "20s" });
      const twin = async () => locks().semaphore(stock.name).resume(lease.ticket());
      const acts: readonly (() => Promise<unknown>)[] = [
        () => lease.spend(2),
        async () => (await twin()).spend(2),
        async () => (await twin()).release(),
        async () => (await twin()).extend(),
        () => stock.addPermits(5),
        () => stock.tryAcquire({ permits: 9 }).then((won) => won?.release()),
      ];
      const order = acts.map((act, n) => [(n * 7 + round * 3) % acts.length, act] as const).sort(([a], [b]) => a - b);
      const [first, second, released] = await Promise.allSettled(
        acts.map((act) => order.find(([, each]) => each === act)?.[1]()),
      );
      const isSpent = [first, second].some((each) => each?.status === "fulfilled");
      const wasReleased = released?.status === "fulfilled" && released.value === true;
      expect(isSpent).toBe(!wasReleased);
      expect(await stock.inspect()).toMatchObject({ permits: isSpent ? 13 : 15, acquired: 0 });
    }
  }, 60_000);

  it("of many leases never spend more than there is (51.3)", async () => {
    const stock = locks().semaphore(freshName());
    await stock.setPermits(40);
    let spent = 0;
    const buy = async (n: number) => {
      const lease = await stock.tryAcquire({ permits: 1 + (n % 5), lease: "20s" });
      const count = n % (lease ? lease.permits.length + 1 : 1);
      await lease?.spend(count);
      if (lease) spent += count;
    };
    await Promise.all(Array.from({ length: 60 }, (_, n) => buy(n)));
    expect(await stock.inspect()).toMatchObject({ permits: 40 - spent, acquired: 0 });
  });
});

it("what a dead process had reserved is another's within a second of the end of its lease (51.3)", async () => {
  const [dead, next] = [0, 1].map(() => createLocks({ url: stack.url, token: stack.token })) as [Locks, Locks];
  const name = freshName();
  await dead.semaphore(name).setPermits(3);
  for (const fair of [false, true]) {
    const orphan = await dead.semaphore(name).acquire({ permits: 3, lease: "1s" });
    const lease = await next.semaphore(name, { fair }).acquire({ permits: 2, wait: "20s", lease: "20s" });
    expect(Date.now() - orphan.expiresAt).toBeLessThan(1_000);
    await lease.spend(0);
  }
  expect(await next.semaphore(name).inspect()).toMatchObject({ permits: 3, acquired: 0 });
});

describe("a lease that was spent", () => {
  it("ends as by a release: its run resolves, keepAlive stops, and the event says how many (51.3)", async () => {
    const events: LeaseholdEvent[] = [];
    const locks = createLocks({ url: stack.url, token: stack.token, onEvent: (event) => events.push(event) });
    const stock = locks.semaphore(freshName());
    await stock.setPermits(3);
    const result = await stock.run({ permits: 3, lease: "2s", keepAlive: true }, async (lease) => {
      await pause(2_200);
      await lease.spend(2);
      await pause(200);
      return lease.signal.aborted;
    });
    expect([result, await stock.available()]).toEqual([true, 1]);
    expect(events.filter(({ type }) => type === "released")).toMatchObject([{ spent: 2 }]);
    expect(events.filter(({ type }) => type === "lost")).toEqual([]);
    const lease = await stock.acquire();
    await lease.spend(1);
    await expect(lease.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "released" });
    expect(JSON.stringify(events)).not.toContain(lease.ticket());
  });

  it("is a loss to another process with its ticket, with the reason (51.3)", async () => {
    const locks = createLocks({ url: stack.url, token: stack.token });
    const stock = locks.semaphore(freshName());
    await stock.setPermits(3);
    const lease = await stock.acquire({ permits: 3 });
    const [one, two] = [await locks.resume(lease.ticket()), await stock.resume(lease.ticket())];
    await lease.spend(1);
    await expect(one.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "spent" });
    expect(await two.verify()).toBe(false);
    expect(await two.releasePermits([1])).toBe(false);
    const other = locks.semaphore(freshName());
    await expect(other.resume(lease.ticket())).rejects.toThrow(/another lock/);
    await expect(stock.resume((await locks.lock(freshName()).acquire()).ticket())).rejects.toThrow(TypeError);
  });
});
