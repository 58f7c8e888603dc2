/** Turns that supersede each other at once, over a server that is far away: the last to arrive is the one that stays. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayServer, serveGateway } from "../../../gateway/src/index.ts";
import type { Locks } from "../../../src/index.ts";
import { answerLost, fates, slow, unheard } from "../../../test/faults/faults.ts";
import { startWorld, TIMEOUT_MS } from "../../../test/faults/world.ts";
import type { Fault } from "../../../test/support/book.ts";
import { startProxy } from "../../../test/support/proxy.ts";
import { freshName, pause, useStack } from "../../../test/support/use-stack.ts";
import { turn } from "../../src/index.ts";
import { client, gate, untilOver } from "./stage.ts";

const stack = useStack({ warm: true });
let holding: GatewayServer;
beforeAll(async () => {
  holding = await serveGateway({ redis: stack.redis.url, token: stack.token, port: 0 });
});
afterAll(() => holding?.close());

const SUPERSEDE = { onBusy: "supersede", wait: "30s" } as const;

/** Half of the round trip, in ms. */
const ONE_WAY_MS = 75;
const far: Fault = async ({ forward, answer }) => {
  await pause(ONE_WAY_MS);
  const answered = await forward();
  await pause(ONE_WAY_MS);
  answer(answered);
};

describe.each(["polled", "holding"] as const)(
  "a round trip of 150 ms away, over a %s server",
  { timeout: 90_000 },
  (server) => {
    const startFar = async () => {
      const proxy = await startProxy(server === "polled" ? stack.url : holding.url);
      proxy.always(() => true, far);
      // Patient, for a machine that stands still for a while.
      const locks = client({ url: proxy.url, token: stack.token }, { requestTimeout: "20s", lease: "60s" });
      return { proxy, locks, [Symbol.asyncDispose]: proxy.close };
    };

    it("of two messages 200 ms apart the newer survives, 12 times of 12 (B8)", async () => {
      await using way = await startFar();
      const race = async (): Promise<string> => {
        const name = freshName();
        const running = await client(stack).fairLock(name).acquire({ lease: "60s" });
        const [begun, ended] = [gate(), gate()];
        const survivors: string[] = [];
        const message = (text: string): Promise<unknown> =>
          turn(way.locks, name, SUPERSEDE, async (mine) => {
            if (text === "newer") begun.open();
            await Promise.race([untilOver(mine), ended.opened]);
            survivors.push(text);
          }).catch(({ code }) => expect(code).toBe("lease_lost"));
        const older = message("older");
        // It is the older one where it arrives, so nothing slow here may hold it up for longer than the newer one.
        while (way.proxy.count(({ body }) => body.includes(`{${name}}`)) === 0) await pause(5);
        await pause(200);
        const newer = message("newer");
        await Promise.race([begun.opened, newer]);
        // Longer than the older one needs for its retries, and to notice.
        await pause(3000);
        ended.open();
        await Promise.all([older, newer]);
        expect(await running.verify()).toBe(false);
        return survivors.join();
      };
      expect(await Promise.all(Array.from({ length: 12 }, race))).toEqual(Array(12).fill("newer"));
    });

    it("of 80 at once few begin, one completes, the last to arrive, and they send few requests (B8)", async () => {
      await using way = await startFar();
      const name = freshName();
      const running = await client(stack).fairLock(name).acquire({ lease: "60s" });
      // However slowly they are made, they arrive together.
      const all = gate();
      way.proxy.always("fair-supersede", async (exchange) => {
        if (way.proxy.count("fair-supersede") === 80) all.open();
        await all.opened;
        await far(exchange);
      });
      const [begun, completed, superseded]: [number[], number[], unknown[]] = [[], [], []];
      const ended = gate();
      const turns = Array.from({ length: 80 }, () =>
        turn(way.locks, name, SUPERSEDE, async (mine) => {
          begun.push(mine.token);
          await Promise.race([untilOver(mine), ended.opened]);
          completed.push(mine.token);
        }).catch(({ code, reason }) => superseded.push(`${code}: ${reason}`)),
      );
      await expect.poll(() => superseded.length, { timeout: 60_000 }).toBe(79);
      const { token } = await client(stack).fairLock(name).inspect();
      const requests = way.proxy.count();
      ended.open();
      await Promise.all(turns);
      expect(new Set(superseded)).toEqual(new Set(["lease_lost: forced"]));
      expect(completed).toEqual([token]);
      expect(begun.length).toBeLessThan(8);
      expect(requests).toBeLessThan(4 * 80);
      expect(await running.verify()).toBe(false);
    });
  },
);

/** A turn that runs until another one supersedes it, and what became of it. */
function running(locks: Locks, name: string) {
  const begun = gate<number>();
  const state = { isAlive: true, reason: "" };
  const ended = turn(locks, name, SUPERSEDE, (mine) => {
    begun.open(mine.token);
    return untilOver(mine);
  }).catch((error: { code: string; reason: string }) => {
    expect(error.code).toBe("lease_lost");
    Object.assign(state, { isAlive: false, reason: error.reason });
  });
  return { begun: begun.opened, ended, state };
}

/** Long enough for the retries of a turn, and for a running turn to notice that it was superseded. */
const NOTICED = { timeout: 20_000 } as const;

describe.each(Object.entries(fates(TIMEOUT_MS)))("where a request of the older turn meets: %s", (_, faults) => {
  it.concurrent("the turn that arrived last stays, whatever arrives later (B8)", async ({ expect }) => {
    await using world = await startWorld(stack);
    const { name, ours, theirs, proxy } = world;
    const holder = await theirs.fairLock(name).acquire();
    proxy.next("fair-supersede", ...faults);
    const older = running(ours, name);
    await proxy.arrived("fair-supersede");
    const [first] = proxy.seen;
    const wasFirst = first?.answers.includes("granted");
    const newer = running(theirs, name);
    if (wasFirst) {
      await older.ended;
      expect(older.state.reason).toBe("forced");
    }
    // A request that did not arrive before the newer turn's may arrive after it.
    await expect.poll(() => [older.state.isAlive, newer.state.isAlive].sort(), NOTICED).toEqual([false, true]);
    const [stays] = [older, newer].filter(({ state }) => state.isAlive);
    const token = await stays?.begun;
    await proxy.deliver();
    await proxy.replay("fair-supersede");
    await proxy.replay("fair-supersede", "backward");
    expect(await theirs.fairLock(name).inspect()).toMatchObject({ state: "held", token });
    expect(await holder.verify()).toBe(false);
    await theirs.fairLock(name).forceRelease();
    await stays?.ended;
  });

  it.concurrent("the look whether it is still the newest is repeated, and the work begins once (B8)", async () => {
    await using world = await startWorld(stack);
    const { name, ours, theirs, proxy } = world;
    await theirs.fairLock(name).acquire();
    proxy.next("crowd-extend", ...faults);
    let begins = 0;
    expect(await turn(ours, name, SUPERSEDE, () => ++begins)).toBe(1);
    await proxy.deliver();
    await proxy.replay("fair-supersede");
    expect(begins).toBe(1);
    expect((await theirs.fairLock(name).inspect()).state).toBe("free");
  });
});

describe.concurrent("a turn that supersedes", () => {
  it("is granted after its lease has expired unheard, but not if a newer turn has come and gone (B8)", async () => {
    await using world = await startWorld(stack);
    const { name, ours, theirs, proxy } = world;
    const options = { ...SUPERSEDE, lease: "500ms" } as const;
    proxy.next("fair-supersede", slow(700));
    expect(await turn(ours, name, options, ({ token }) => token)).toBeGreaterThan(0);
    expect(proxy.count("fair-supersede")).toBe(2);

    proxy.next("fair-supersede", async ({ forward, answer }) => {
      const late = await forward();
      await pause(600);
      // The newer turn needs no force: the older one's lease has expired.
      await turn(theirs, name, SUPERSEDE, () => {});
      answer(late);
    });
    const older = turn(ours, name, options, () => expect.unreachable("a newer turn has been served"));
    await expect(older).rejects.toMatchObject({ code: "lease_lost", reason: "taken" });
  });

  it("ends if its lease expired and the answer was lost, since a newer turn may have come (B8)", async () => {
    await using world = await startWorld(stack);
    const { name, ours, proxy } = world;
    proxy.next("fair-supersede", async (exchange) => {
      await exchange.forward();
      await pause(400);
      exchange.cut();
    });
    const alone = turn(ours, name, { ...SUPERSEDE, lease: "200ms" }, () => 1);
    await expect(alone).rejects.toMatchObject({ code: "lease_lost", reason: "expired" });
  });

  it("leaves the turns that wait in the queue their places (B8)", async ({ expect }) => {
    await using world = await startWorld(stack);
    const { name, ours, theirs } = world;
    await theirs.fairLock(name).acquire();
    const order: string[] = [];
    const queued: Promise<unknown>[] = [];
    for (const who of ["first", "second"]) {
      queued.push(turn(theirs, name, { onBusy: "queue", wait: "30s" }, () => order.push(who)));
      await expect.poll(async () => (await theirs.fairLock(name).inspect()).waiters).toBe(queued.length);
    }
    await turn(ours, name, SUPERSEDE, () => order.push("newest"));
    await Promise.all(queued);
    expect(order).toEqual(["newest", "first", "second"]);
  });

  it("that nobody answers is refused in time, and holds nothing (B8)", async () => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    const holder = await theirs.fairLock(name).acquire();
    const heal = proxy.always("fair-supersede", unheard);
    const impatient = world.client({ requestTimeout: 600 });
    const refused = turn(impatient, name, { ...SUPERSEDE, wait: "500ms" }, () => expect.unreachable("no answer"));
    await expect(refused).rejects.toMatchObject({ code: "lock_timeout" });
    heal();
    expect(await holder.verify()).toBe(false);
    expect((await theirs.fairLock(name).inspect()).state).toBe("free");
    proxy.next("fair-supersede", answerLost);
    await turn(world.ours, name, SUPERSEDE, () => {});
  });
});
