import { describe, expect, it } from "vitest";
import { runCron } from "../../src/cron/index.ts";
import { elect } from "../../src/elect/index.ts";
import { dedupe } from "../../src/http/index.ts";
import { createLocks, type Lease, type Locks, type MultiLease, quorumLock } from "../../src/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack({ warm: true });

/** Time passes for a process that is frozen, and none of its timers runs before its next line. */
function frozenClock() {
  let jumpMs = 0;
  return {
    clock: { now: () => Date.now() + jumpMs, monotonic: () => performance.now() + jumpMs },
    freeze: () => {
      jumpMs += 120_000;
    },
  };
}

type AnyLease = Lease | MultiLease;
type Frozen = ReturnType<typeof frozenClock>;

/** Gives `look` a lease of this kind. */
type Way = (locks: Locks, look: (lease: AnyLease) => Promise<unknown>) => Promise<unknown>;

async function underElect(locks: Locks, look: (lease: Lease) => Promise<unknown>): Promise<void> {
  const stop = new AbortController();
  await elect(locks, freshName(), {
    lease: "60s",
    signal: stop.signal,
    onGained: (lease) => look(lease).finally(() => stop.abort()),
  });
}

async function underDedupe(locks: Locks, look: (lease: Lease) => Promise<unknown>): Promise<void> {
  let failure: unknown;
  const handle = dedupe({ locks, scope: "s", key: () => freshName(), lease: "60s" }, async (_, { lease }) => {
    await look(lease as Lease).catch((error: unknown) => {
      failure = error;
    });
    return new Response("done");
  });
  await handle(new Request("http://a.example/", { method: "POST", body: "b" }));
  if (failure) throw failure;
}

const lease = "60s";
const ways: Record<string, Way> = {
  lock: async (locks, look) => look(await locks.lock(freshName()).acquire({ lease })),
  "fair lock": async (locks, look) => look(await locks.fairLock(freshName()).acquire({ lease })),
  reader: async (locks, look) => look(await locks.readWriteLock(freshName()).read.acquire({ lease })),
  semaphore: async (locks, look) => look(await locks.semaphore(freshName(), { permits: 2 }).acquire({ lease })),
  "names of a group": async (locks, look) =>
    look(await locks.group(freshName()).multiLock([freshName(), freshName()]).acquire({ lease })),
  "multi-lock": async (locks, look) => look(await locks.multiLock([freshName(), freshName()]).acquire({ lease })),
  "quorum lock": async (locks, look) => look(await quorumLock([locks], freshName()).acquire({ lease })),
  "attempt of a once": async (locks, look) => {
    const turn = await locks.once(freshName(), { lease }).begin();
    if (turn.status === "started") await look(turn.lease);
  },
  "resumed lease": async (locks, look) => {
    const held = await locks.resume((await locks.lock(freshName()).acquire({ lease })).ticket());
    expect(await held.verify()).toBe(true);
    await look(held);
  },
  "term of elect": underElect,
  "delivery of dedupe": underDedupe,
  "run of a cron": (locks, look) =>
    runCron({ locks, name: freshName(), slot: "slot" }, ({ lease: held }) => look(held as Lease)),
};

const LOST = { code: "lease_lost", reason: "expired" };

/** What the first line after the freeze may look at, and whether that look aborts a signal that was read before. */
const looks: Record<string, [(lease: AnyLease, frozen: Frozen) => unknown, aborts: boolean]> = {
  signal: [({ signal }) => expect(signal.aborted && signal.reason).toMatchObject(LOST), true],
  remaining: [({ remaining }) => expect(remaining).toBe(0), true],
  expiresAt: [({ expiresAt }, { clock }) => expect(expiresAt).toBeLessThan(clock.now()), false],
  throwIfEnded: [
    ({ throwIfEnded }) => {
      expect(throwIfEnded).toThrow(expect.objectContaining(LOST));
    },
    true,
  ],
  extend: [(held) => expect(held.extend()).rejects.toMatchObject(LOST), true],
  verify: [async (held) => expect(await held.verify()).toBe(false), true],
  keepAlive: [(held) => expect(held.keepAlive(() => expect.unreachable())).rejects.toMatchObject(LOST), true],
};

describe.each(Object.keys(ways))("the lease of a %s", (kind) => {
  it.each(Object.keys(looks))("says on the first line after a freeze that it has ended: %s (E15)", async (first) => {
    const frozen = frozenClock();
    const { clock, freeze } = frozen;
    const locks = createLocks({ url: stack.url, token: stack.token, clock });
    const [look, aborts] = looks[first] as (typeof looks)[string];
    let looked = false;
    const way = ways[kind] as Way;
    const run = way(locks, async (held) => {
      const { signal, throwIfEnded } = held;
      expect(signal.aborted).toBe(false);
      throwIfEnded();
      freeze();
      await look(held, frozen);
      if (aborts) expect(signal.aborted).toBe(true);
      looked = true;
    });
    // A guard around the work throws that the lease was lost.
    await run.catch((error: unknown) => expect(error).toMatchObject({ code: "lease_lost" }));
    expect(looked).toBe(true);
  });
});

it("throwIfEnded throws after a release, and not before an answer about a resumed lease (E15)", async () => {
  const locks = createLocks({ url: stack.url, token: stack.token });
  const held = await locks.lock(freshName()).acquire();
  const resumed = await locks.resume(held.ticket());
  resumed.throwIfEnded();
  await held.release();
  expect(held.throwIfEnded).toThrow(expect.objectContaining({ code: "lease_lost", reason: "released" }));
  expect(await resumed.verify()).toBe(false);
  expect(resumed.throwIfEnded).toThrow(expect.objectContaining({ code: "lease_lost", reason: "released" }));
});
