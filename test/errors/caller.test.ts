/** The stack of an error shows the line of the application that made the call. */
import { describe, expect, it } from "vitest";
import { runCron } from "../../src/cron/index.ts";
import { createLocks, type Locks, quorumLock, singleFlight } from "../../src/index.ts";
import { createMemoryRedis } from "../../testing/src/index.ts";

const NOBODY = { url: "http://127.0.0.1:9", token: "t", requestTimeout: 300 };
const WAIT = { wait: 100 };

/** Its name is what a stack must contain. */
async function lineOfTheApplication(call: () => Promise<unknown>): Promise<unknown> {
  return await call();
}

const CALLS: Readonly<Record<string, (locks: Locks) => Promise<unknown>>> = {
  "lock, tryAcquire": (locks) => locks.lock("a").tryAcquire(),
  "lock, acquire": (locks) => locks.lock("a").acquire(WAIT),
  "lock, run": (locks) => locks.lock("a").run(WAIT, () => 1),
  "lock, inspect": (locks) => locks.lock("a").inspect(),
  "lock, forceRelease": (locks) => locks.lock("a").forceRelease(),
  fairLock: (locks) => locks.fairLock("a").acquire(WAIT),
  "readWriteLock, write": (locks) => locks.readWriteLock("a").write.acquire(WAIT),
  semaphore: (locks) => locks.semaphore("a", { permits: 1 }).acquire(WAIT),
  counter: (locks) => locks.counter("a", { permits: 1 }).tryAcquire(),
  multiLock: (locks) => locks.multiLock(["a", "b"]).acquire(WAIT),
  quorumLock: (locks) => quorumLock([locks], "a").acquire(WAIT),
  "latch, wait": (locks) => locks.latch("a").wait(WAIT),
  "once, run": (locks) => locks.once("a").run(() => 1),
  "once, begin": (locks) => locks.once("a").begin(),
  singleFlight: (locks) => singleFlight(locks, "a", { ttl: "1m" }, () => 1),
  runCron: (locks) => runCron({ locks, name: "a", slot: "1" }, () => 1),
  request: (locks) => locks.request("a", () => 1),
};

const stackOf = (call: () => Promise<unknown>): Promise<string> =>
  lineOfTheApplication(call).then(
    () => "no error",
    (error: Error) => `${error.stack}`,
  );

describe("an error's stack names the caller (48.5)", () => {
  it.each(Object.entries(CALLS))("where no server is reachable: %s", async (_, call) => {
    const stack = await stackOf(() => call(createLocks(NOBODY)));
    expect(stack).toContain("lineOfTheApplication");
  });

  it("where the wait ends, and where a lease is lost", async () => {
    const { url, token, fetch } = createMemoryRedis();
    const locks = createLocks({ url, token, fetch });
    const lease = await locks.lock("a").acquire();
    expect(await stackOf(() => locks.lock("a").acquire({ wait: 20 }))).toContain("lineOfTheApplication");
    await locks.lock("a").forceRelease();
    expect(await stackOf(() => lease.extend("1s"))).toContain("lineOfTheApplication");
  });
});
