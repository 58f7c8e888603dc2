import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  connect,
  createLocks,
  type Lease,
  type LockState,
  type Locks,
  type MultiLease,
  quorumLock,
  type Started,
} from "../../src/index.ts";
import { startProxy } from "../support/proxy.ts";
import { freshName, pause, type Stack, startStack } from "../support/stack.ts";

let stack: Stack;
let servers: readonly Stack[];
beforeAll(async () => {
  servers = await Promise.all([startStack(), startStack(), startStack()]);
  stack = servers[0] as Stack;
});
afterAll(() => Promise.all(servers.map((each) => each.stop())));
const make = (more: object = {}): Locks => createLocks({ url: stack.url, token: stack.token, ...more });
const leftOf = (state: LockState): number => (state.state === "held" ? state.remaining : 0);
const begun = async (locks: Locks, options: object): Promise<Started> => {
  const turn = await locks.once(freshName(), options).begin();
  if (turn.status !== "started") throw new Error(turn.status);
  return turn;
};

/** Leases of every kind, for so long. */
const kinds: Record<string, (locks: Locks, lease: number) => Promise<Lease>> = {
  lock: (locks, lease) => locks.lock(freshName()).acquire({ lease }),
  "fair lock": (locks, lease) => locks.fairLock(freshName(), { lease }).acquire(),
  reader: (locks, lease) => locks.readWriteLock(freshName()).read.acquire({ lease }),
  writer: (locks, lease) => locks.readWriteLock(freshName()).write.acquire({ lease }),
  semaphore: (locks, lease) => locks.semaphore(freshName(), { permits: 2 }).acquire({ lease, permits: 2 }),
  once: async (locks, lease) => (await begun(locks, { lease })).lease,
  group: (locks, lease) => locks.group("g").multiLock([freshName(), freshName()]).acquire({ lease }),
};

describe("a resumed lease knows how long it was", () => {
  it.each(Object.entries(kinds))(
    "12: %s: extend() asks for that, whatever the connection's default is",
    async (_, give) => {
      for (const [lease, fallback] of [
        [1_500, 300],
        [2_000, "1h"],
      ] as const) {
        const original = await give(make(), lease);
        const resumed = await make({ lease: fallback }).resume(original.ticket());
        await pause(500);
        const before = performance.now();
        await resumed.extend();
        expect(resumed.remaining + performance.now() - before).toBeGreaterThan(lease * 0.9);
        expect(resumed.remaining).toBeLessThanOrEqual(lease);
        expect(await resumed.verify()).toBe(true);
        expect(resumed.remaining).toBeLessThanOrEqual(lease);
        await resumed.release();
      }
    },
  );

  it("keepAlive extends by it, from the first time on", async () => {
    const lock = make().lock(freshName());
    const original = await lock.acquire({ lease: 2_000 });
    const resumed = await make().resume(original.ticket());
    let max = 0;
    await resumed.keepAlive({}, async () => {
      const end = performance.now() + 3_000;
      while (performance.now() < end) max = Math.max(max, leftOf(await lock.inspect()));
      expect(await resumed.verify()).toBe(true);
    });
    // If the worker dies, the name is free as soon as whoever acquired it said.
    expect(max).toBeGreaterThan(1_500);
    expect(max).toBeLessThanOrEqual(2_000);
  });

  it("and so does the one that is handed over once more, and those of parts and of a quorum", async () => {
    const lock = make().lock(freshName());
    const first = await make({ lease: "2h" }).resume((await lock.acquire({ lease: "90s" })).ticket());
    const second = await make({ lease: "1h" }).resume(first.ticket());
    await second.extend();
    const left = leftOf(await lock.inspect());
    expect(left > 80_000 && left <= 90_000).toBe(true);

    const parts = await make().multiLock([freshName(), freshName()]).acquire({ lease: "90s" });
    for (const ticket of parts.tickets()) {
      const part = await make({ lease: "1h" }).resume(ticket);
      await part.extend();
      expect(part.remaining > 80_000 && part.remaining <= 90_000).toBe(true);
    }

    const over = (more: object = {}) => servers.map(({ url, token }) => connect({ url, token, ...more }));
    const name = freshName();
    const held = await quorumLock(over(), name).acquire({ lease: "90s" });
    const resumed = await quorumLock(over({ lease: "1h" }), name).resume(held.ticket());
    await resumed.extend();
    expect(resumed.remaining > 80_000 && resumed.remaining <= 90_000).toBe(true);
  });

  it("a ticket without a signature is refused where ticketKey asks for one", async () => {
    const signing = make({ ticketKey: "k" });
    const lease = await make().lock(freshName()).acquire();
    await expect(signing.resume(lease.ticket())).rejects.toThrow(
      "resume: this ticket is not signed, and ticketKey asks for it",
    );
    await expect(signing.resume("hello")).rejects.toThrow("resume: this is not a ticket: lease.ticket() returns one");
  });

  it("a length that no lease has is refused, as is a ticket without one", async () => {
    const locks = make();
    const lease = await locks.lock(freshName()).acquire();
    const fields = JSON.parse(atob(lease.ticket().replace(/-/g, "+").replace(/_/g, "/"))) as unknown[];
    const ticketOf = (list: unknown[]): string => btoa(JSON.stringify(list)).replace(/=+$/, "");
    expect(await (await locks.resume(ticketOf(fields))).verify()).toBe(true);
    for (const length of [0, -1, 1.5, 9, 366 * 86_400_000, 1e300, "10s", null, {}, [30_000]]) {
      await expect(locks.resume(ticketOf(fields.with(6, length)))).rejects.toThrow(/ticket/);
    }
    await expect(locks.resume(ticketOf(fields.slice(0, 6)))).rejects.toThrow(TypeError);
    await expect(locks.resume(ticketOf([1, ...fields.slice(1, 6)]))).rejects.toThrow(/release/);
  });
});

/** As many bytes as a name may have, each of which is six characters in JSON. */
const longest = (n: number): string =>
  `${String.fromCharCode(14 + (n % 18), 14 + Math.floor(n / 18))}${"\u0001".repeat(510)}`;

describe("between grant and lease", () => {
  it.each([{}, { ticketKey: "k".repeat(512) }])(
    "14: 64 names of 512 control characters are acquired, handed over and released (%o)",
    async (more) => {
      const names = Array.from({ length: 64 }, (_, n) => longest(n));
      const locks = make(more);
      const lease = await locks.group("\u0002".repeat(512)).multiLock(names).acquire();
      const ticket = lease.ticket();
      const resumed = await make(more).resume(ticket);
      expect(await resumed.verify()).toBe(true);
      expect(resumed.tokens).toEqual(lease.tokens);
      expect(await resumed.release()).toBe(true);
      // One character more than a ticket can have.
      await expect(locks.resume(`${ticket}${"A".repeat(4_000)}`)).rejects.toThrow(/too long/);
    },
    60_000,
  );

  /** Everything that gives a lease, and whether the name is free again. */
  const gives: Record<
    string,
    (locks: Locks, options: object) => { give: () => Promise<unknown>; free: () => Promise<unknown> }
  > = {
    lock: (locks, options) => {
      const lock = locks.lock(freshName(), options);
      return { give: () => lock.acquire(), free: async () => (await lock.inspect()).state };
    },
    "lock, tried once": (locks, options) => {
      const lock = locks.lock(freshName(), options);
      return { give: () => lock.tryAcquire(), free: async () => (await lock.inspect()).state };
    },
    run: (locks, options) => {
      const lock = locks.lock(freshName());
      return { give: () => lock.run(options, () => "worked"), free: async () => (await lock.inspect()).state };
    },
    "fair lock": (locks, options) => {
      const lock = locks.fairLock(freshName(), options);
      return { give: () => lock.acquire(), free: async () => (await lock.inspect()).state };
    },
    writer: (locks, options) => {
      const lock = locks.readWriteLock(freshName(), options);
      return { give: () => lock.write.acquire(), free: async () => (await lock.inspect()).state };
    },
    semaphore: (locks, options) => {
      const semaphore = locks.semaphore(freshName(), { permits: 2, ...options });
      return { give: () => semaphore.acquire({ permits: 2 }), free: async () => (await semaphore.inspect()).state };
    },
    request: (locks, options) => {
      const name = freshName();
      return {
        give: () => locks.request(name, options, () => "worked"),
        free: async () => ((await locks.query([name])).held.length === 0 ? "free" : "held"),
      };
    },
    group: (locks, options) => {
      const names = [freshName(), freshName()];
      return {
        give: () => locks.group("g").multiLock(names, options).acquire(),
        free: async () =>
          (
            await locks
              .group("g")
              .lock(names[1] ?? "")
              .inspect()
          ).state,
      };
    },
    parts: (locks, options) => {
      const names = [freshName(), freshName()];
      return {
        give: () => locks.multiLock(names, options).acquire() as Promise<MultiLease>,
        free: async () => (await locks.lock(names[1] ?? "").inspect()).state,
      };
    },
    quorum: (_, options) => {
      const lock = quorumLock(
        servers.map(({ url, token }) => connect({ url, token, ticketKey: "k" })),
        freshName(),
        options,
      );
      return { give: () => lock.acquire(), free: async () => (await lock.inspect()).state };
    },
    once: (locks) => {
      const once = locks.once(freshName(), { maxAttempts: 1 });
      return {
        give: () => once.begin(),
        // A cancelled one does not count as an attempt.
        free: async () => ((await once.begin()).status === "started" ? "free" : "held"),
      };
    },
  };

  /** Signing fails, as it does where a key is not allowed. */
  async function whileSigningFails<T>(operation: () => Promise<T>): Promise<T> {
    const failure = new DOMException("not allowed here", "OperationError");
    const spy = vi.spyOn(crypto.subtle, "sign").mockRejectedValue(failure);
    try {
      return await operation();
    } finally {
      spy.mockRestore();
    }
  }

  it.each(Object.entries(gives))("%s: a throw there gives back what was granted", async (_, make_) => {
    const { give, free } = make_(make({ ticketKey: "k" }), {});
    await whileSigningFails(() => expect(give()).rejects.toMatchObject({ name: "OperationError" }));
    expect(await free()).toBe("free");
  });

  it("in the background where there is one, and outcome_unknown where nobody answers", async () => {
    const proxy = await startProxy(stack.url);
    try {
      const locks = make({ url: proxy.url, ticketKey: "k", requestTimeout: 1_500 });
      const lock = locks.lock(freshName());
      const background: Promise<unknown>[] = [];
      await whileSigningFails(() =>
        expect(lock.acquire({ waitUntil: (promise) => void background.push(promise) })).rejects.toMatchObject({
          name: "OperationError",
        }),
      );
      await Promise.all(background);
      expect((await lock.inspect()).state).toBe("free");

      proxy.always("lock-close", ({ cut }) => cut());
      await whileSigningFails(() =>
        expect(lock.acquire({ lease: "2s" })).rejects.toMatchObject({
          code: "outcome_unknown",
          cause: expect.objectContaining({ name: "OperationError" }),
        }),
      );
    } finally {
      await proxy.close();
    }
  });
});
