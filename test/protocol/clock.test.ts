import { describe, expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { shiftableClock } from "../support/server-clock.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const HOUR_MS = 3_600_000;
const stack = useStack();

function shifted() {
  const server = shiftableClock();
  const locks = createLocks({ url: stack.url, token: stack.token, fetch: server.fetch as never });
  return { server, locks };
}

it("the clocks of a hundred names are remembered at most", async () => {
  const { locks } = shifted();
  for (let n = 0; n < 150; n++) await locks.lock(freshName()).inspect();
  expect(locks.connection.state.offsets.size).toBeLessThanOrEqual(100);
  expect(locks.connection.state.offsets.size).toBeGreaterThan(0);
});

describe("the server's clock is set", () => {
  it("an hour ahead and back: tokens still rise, and the record lives until the clock has caught up (attack 8)", async () => {
    const { server, locks } = shifted();
    const lock = locks.lock(freshName());
    const before = await lock.acquire();
    await before.release();
    server.shiftMs = HOUR_MS;
    const ahead = await lock.acquire();
    await ahead.release();
    server.shiftMs = 0;
    const ttlMs = Number((await stack.redis.command("PTTL", `leasehold:{${lock.name}}`)).slice(1));
    const after = await lock.acquire();
    expect(ahead.token - before.token).toBeGreaterThanOrEqual(HOUR_MS * 1000);
    expect(after.token).toBeGreaterThan(ahead.token);
    expect(after.token - ahead.token).toBeLessThan(1000);
    // Written back then by the clock that was ahead, so with nothing but the retention; and now for the whole hour.
    expect(ttlMs).toBeGreaterThan(50_000);
    const livesMs = Number((await stack.redis.command("PTTL", `leasehold:{${lock.name}}`)).slice(1));
    expect(livesMs).toBeGreaterThan(HOUR_MS);
  });

  it("back: a hold that was seen to be over does not come to life again (R3b)", async () => {
    const { server, locks } = shifted();
    const lock = locks.lock(freshName());
    const lease = await lock.acquire({ lease: "30s" });
    server.shiftMs = 60_000;
    expect((await lock.inspect()).state).toBe("free");
    const resumed = await locks.resume(lease.ticket());
    expect(await resumed.verify()).toBe(false);
    server.shiftMs = 0;
    expect(await (await locks.resume(lease.ticket())).verify()).toBe(false);
    await expect(lease.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "expired" });
    expect(await lock.tryAcquire()).not.toBeNull();
  });

  it("a client's clock that is an hour off costs one more request, and no more", async () => {
    const warm = await createLocks({ url: stack.url, token: stack.token }).lock(freshName()).acquire();
    await warm.extend();
    await warm.release();
    for (const offMs of [-HOUR_MS, HOUR_MS]) {
      let requests = 0;
      const locks = createLocks({
        url: stack.url,
        token: stack.token,
        clock: { now: () => Date.now() + offMs, monotonic: () => performance.now() },
        fetch: (...args: Parameters<typeof fetch>) => {
          requests++;
          return fetch(...args);
        },
      });
      const lock = locks.lock(freshName());
      const lease = await lock.acquire({ lease: "20s" });
      expect(requests).toBe(offMs < 0 ? 2 : 1);
      expect(lease.remaining).toBeGreaterThan(15_000);
      await lease.extend();
      await lease.release();
      await lock.acquire();
      expect(requests).toBe(offMs < 0 ? 5 : 4);
    }
  });
});

describe("long leases", () => {
  it("a lease of 30 days does not abort its signal after 25 ms (attack 11)", async () => {
    const { locks } = shifted();
    const lease = await locks.lock(freshName()).acquire({ lease: "30d" });
    const warnings: Error[] = [];
    const note = (warning: Error): number => warnings.push(warning);
    process.on("warning", note);
    const { signal } = lease;
    await pause(60);
    process.off("warning", note);
    expect(signal.aborted).toBe(false);
    // Nor does it keep firing: Node warns of a timer that overflows, and calls it at once.
    expect(warnings).toEqual([]);
    expect(lease.remaining).toBeGreaterThan(28 * 24 * HOUR_MS);
  });
});
