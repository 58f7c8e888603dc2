import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quorumLock } from "../../../src/index.ts";
import { shiftableClock } from "../../support/server-clock.ts";
import { freshName, pause } from "../../support/stack.ts";
import { entered, type Quorum, startQuorum } from "./quorum.ts";

let quorum: Quorum;
beforeAll(async () => {
  quorum = await startQuorum(3);
});
afterAll(() => quorum.stop());

/** Where all servers answer, only a machine that stands still has them waited for. */
const SERVER_MS = 10_000;
/** Each call takes that long where one is down. */
const DOWN_MS = 800;

/** A client of servers whose clocks are set so many ms ahead; those that are down cannot be reached. */
function client(name: string, shifts: readonly number[], down?: () => number | undefined) {
  const fetches = shifts.map((shiftMs, index): typeof fetch => {
    const clock = shiftableClock();
    clock.shiftMs = shiftMs;
    return (...request) => (down?.() === index ? Promise.reject(new Error("down")) : clock.fetch(...request));
  });
  return quorumLock(quorum.connections({ fetches }), name, { serverTimeout: down ? DOWN_MS : SERVER_MS });
}

describe.concurrent("servers whose clocks are 500 ms apart", () => {
  it("tokens rise from tenure to tenure, whichever of the servers is down", async () => {
    const name = freshName();
    const register = entered();
    for (const down of [0, 1, 2, 1, 0, 2, 0, 1, 2, 2, 1, 0, 2]) {
      const lease = await client(name, [-500, 0, 500], () => down).acquire({ wait: "30s" });
      await register.hold(lease, async () => {});
      await lease.release();
    }
    expect(register.falls()).toEqual([]);
  });

  it("of several clients one holds it at a time", async () => {
    const name = freshName();
    const register = entered();
    await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        let round = 0;
        const mine = client(name, [0, 1000, 500], () => [0, 1, 2, undefined][(round + index) % 4]);
        for (; round < 5; round++) {
          const lease = await mine.acquire({ wait: "50s", lease: "20s" });
          await register.hold(lease, () => pause(3));
          await lease.release();
        }
      }),
    );
    expect(register).toMatchObject({ overlaps: 0, refused: 0 });
    expect(register.tokens).toHaveLength(20);
    expect(register.falls()).toEqual([]);
  });

  it("a lease lasts as long as anywhere, and a dead holder's ends", async () => {
    const name = freshName();
    const dead = await client(name, [-500, 0, 500]).acquire({ lease: 3000 });
    expect(dead.remaining).toBeGreaterThan(0);
    expect(dead.remaining).toBeLessThanOrEqual(3000);
    const next = await client(name, [-500, 0, 500]).acquire({ wait: "30s" });
    expect(Date.now()).toBeGreaterThanOrEqual(dead.expiresAt);
    expect(next.token).toBeGreaterThan(dead.token);
    await next.extend();
    expect(await next.release()).toBe(true);
  });
});

describe.concurrent("forced by one majority", () => {
  it("the token has moved on for another one, though its server's clock is behind", async () => {
    const name = freshName();
    const shifts = [0, 0, -60_000];
    // The holder is known to the first and the second, the force to the second and the third.
    const lease = await client(name, shifts, () => 2).acquire();
    expect(await client(name, shifts, () => 0).forceRelease()).toBe(true);
    const { servers } = await client(name, shifts, () => 1).inspect();
    expect(Math.max(...servers.map((one) => (one.state === "unknown" ? 0 : one.token)))).toBeGreaterThan(lease.token);
    // The first still has the hold that it was not told about, so there is no majority of the first and the third.
    expect(await client(name, shifts, () => 1).tryAcquire()).toBeNull();
    const again = await client(name, shifts).acquire();
    expect(again.token).toBeGreaterThan(lease.token);
    expect(await again.release()).toBe(true);
  });
});

describe.concurrent("a server whose clock is far off", () => {
  const days = (count: number): number => count * 86_400_000;

  it("does not pull the other tokens along when it is more than a day ahead", async () => {
    const name = freshName();
    const mine = client(name, [0, days(3), 0]);
    let last = 0;
    for (let round = 0; round < 3; round++) {
      const lease = await mine.acquire({ wait: "30s" });
      expect(lease.token).toBeGreaterThan(last);
      expect(lease.token).toBeLessThan((Date.now() + days(1)) * 1000);
      last = lease.token;
      await lease.extend();
      expect(await lease.release()).toBe(true);
    }
    expect((await mine.inspect()).state).toBe("free");
  });

  it("nor when it is behind", async () => {
    const name = freshName();
    const mine = client(name, [-days(3), 0, 0]);
    const lease = await mine.acquire({ wait: "30s" });
    expect(lease.token).toBeGreaterThan((Date.now() - days(1)) * 1000);
    expect(await lease.release()).toBe(true);
    const next = await mine.acquire({ wait: "30s" });
    expect(next.token).toBeGreaterThan(lease.token);
    expect(await next.release()).toBe(true);
  });

  it("is not asked for the lock again when it answers after the round was cancelled (R3b)", async () => {
    const name = freshName();
    await client(name, [0, 0, 0], () => 2).acquire();
    const far = shiftableClock();
    far.shiftMs = 60_000;
    let asked = 0;
    const slow: typeof fetch = async (...request) => {
      const isFirst = asked++ === 0;
      const response = await far.fetch(...request);
      if (isFirst) await pause(600);
      return response;
    };
    const mine = quorumLock(quorum.connections({ fetches: [fetch, fetch, slow] }), name, { serverTimeout: SERVER_MS });
    expect(await mine.tryAcquire()).toBeNull();
    await pause(1000);
    const told = far.sent.map(({ status }) => status);
    expect(told[0]).toBe("late");
    expect(told).not.toContain("granted");
    expect((await mine.inspect()).servers[2]).toMatchObject({ state: "free" });
  });
});
