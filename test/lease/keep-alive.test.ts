import { describe, expect, it, vi } from "vitest";
import {
  createLocks,
  type Lease,
  type LeaseholdEvent,
  type Locks,
  quorumLock,
  type RunOptions,
} from "../../src/index.ts";
import { toLimits } from "../../src/lease/keep-alive.ts";
import { type Fault, startProxy } from "../support/proxy.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack();
const make = (more: object = {}): Locks => createLocks({ url: stack.url, token: stack.token, ...more });

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await done())) await pause(5);
}

/** Work that goes on until it is told to end. */
function gate(): { readonly work: () => Promise<void>; readonly open: () => void; readonly entered: () => boolean } {
  let open = (): void => {};
  let entered = false;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const work = (): Promise<void> => {
    entered = true;
    return opened;
  };
  return { work, open, entered: () => entered };
}

describe("8: keepAlive of an ended lease", () => {
  const ends: Record<string, (lease: Lease, locks: Locks) => Promise<unknown>> = {
    released: (lease) => lease.release(),
    expired: (lease) => pause(lease.remaining + 20),
    forced: async (lease, locks) => {
      await locks.lock(lease.name).forceRelease();
      await lease.verify();
    },
    taken: async (lease, locks) => {
      await locks.lock(lease.name).acquire({ wait: "10s" });
      await lease.verify();
    },
  };
  const reasons: Record<string, unknown> = { taken: expect.stringMatching(/expired|taken/) };

  it.each(Object.entries(ends))("8: that was %s rejects, and its work does not start", async (how, end) => {
    const locks = make();
    const lease = await locks.lock(freshName()).acquire({ lease: "300ms" });
    await end(lease, locks);
    const background: Promise<unknown>[] = [];
    for (const context of [{}, { waitUntil: (promise: Promise<unknown>) => void background.push(promise) }]) {
      let worked = false;
      const kept = lease.keepAlive(context, () => {
        worked = true;
      });
      await expect(kept).rejects.toMatchObject({ code: "lease_lost", reason: reasons[how] ?? how });
      expect(worked).toBe(false);
    }
    await Promise.all(background);
  });

  it("8: the lease of an attempt that was completed is over too", async () => {
    const turn = await make().once(freshName()).begin();
    if (turn.status !== "started") throw new Error(turn.status);
    await turn.complete(1);
    let worked = false;
    const kept = turn.lease.keepAlive({}, () => {
      worked = true;
    });
    await expect(kept).rejects.toMatchObject({ code: "lease_lost", reason: "released" });
    expect(worked).toBe(false);
  });

  it("8: one that is being released is given up already", async () => {
    const lease = await make().lock(freshName()).acquire();
    const released = lease.release();
    await expect(lease.keepAlive({}, () => "worked")).rejects.toMatchObject({ reason: "released" });
    expect(await released).toBe(true);
  });

  it("8: the work itself may release it: that is no loss", async () => {
    const lock = make().lock(freshName());
    const lease = await lock.acquire();
    const kept = lease.keepAlive({}, async () => {
      expect(await lease.release()).toBe(true);
      return "done";
    });
    expect(await kept).toBe("done");
    expect((await lock.inspect()).state).toBe("free");
  });
});

describe("8: several that keep one lease alive", () => {
  it("8: the first of two to end does not release it under the second", async () => {
    const lock = make().lock(freshName());
    const lease = await lock.acquire();
    const [first, second] = [gate(), gate()];
    const both = [lease.keepAlive({}, first.work), lease.keepAlive({}, second.work)];
    first.open();
    await both[0];
    expect(await lease.verify()).toBe(true);
    expect((await lock.inspect()).state).toBe("held");
    second.open();
    await both[1];
    expect((await lock.inspect()).state).toBe("free");
  });

  it("8: one that fails, and one within another, leave it to the last", async () => {
    const lock = make().lock(freshName());
    const lease = await lock.acquire();
    const states = await lease.keepAlive({}, async (outer) => {
      const failed = outer.keepAlive({}, () => Promise.reject(new Error("work failed")));
      await expect(failed).rejects.toThrow("work failed");
      const inner = await outer.keepAlive({}, () => lock.inspect());
      return [inner.state, (await lock.inspect()).state, await outer.verify()];
    });
    expect(states).toEqual(["held", "held", true]);
    expect((await lock.inspect()).state).toBe("free");
  });

  it("8: within run the lease is released when run ends, and not before", async () => {
    const lock = make().lock(freshName());
    const states = await lock.run(async (lease) => {
      await lease.keepAlive({}, () => pause(1));
      return [(await lock.inspect()).state, await lease.verify()];
    });
    expect(states).toEqual(["held", true]);
    expect((await lock.inspect()).state).toBe("free");
    // Work that run does not wait for has the lease for as long as it runs.
    const behind = gate();
    let kept: Promise<void> | undefined;
    await lock.run((lease) => {
      kept = lease.keepAlive({}, behind.work);
    });
    expect((await lock.inspect()).state).toBe("held");
    behind.open();
    await kept;
    expect((await lock.inspect()).state).toBe("free");
  });

  it("8: when it is lost, all of them learn it", async () => {
    const locks = make();
    const lock = locks.lock(freshName());
    const lease = await lock.acquire({ lease: "600ms" });
    const [first, second] = [gate(), gate()];
    const both = [lease.keepAlive({}, first.work), lease.keepAlive({}, second.work)];
    await lock.forceRelease();
    await until(() => lease.signal.aborted);
    first.open();
    second.open();
    for (const kept of both) await expect(kept).rejects.toMatchObject({ code: "lease_lost", reason: "forced" });
  });
});

describe("extensions", () => {
  /** The deadline that the server tells of, relative to the start, at each extension. */
  async function extensions(
    settings: { lease: number; maxHold: number; work: number; keepers?: number },
    before?: (lease: Lease) => Promise<unknown>,
  ): Promise<{ count: number; gains: number[]; heldMs: number }> {
    const events: LeaseholdEvent[] = [];
    const lock = make({ onEvent: (event: LeaseholdEvent) => events.push(event) }).lock(freshName());
    const lease = await lock.acquire({ lease: settings.lease });
    await before?.(lease);
    events.length = 0;
    const deadlines = [lease.expiresAt];
    const start = Date.now();
    const { signal } = lease;
    const done = gate();
    const kept = Array.from({ length: settings.keepers ?? 1 }, () =>
      lease
        .keepAlive({}, done.work, { maxHold: settings.maxHold })
        .catch((error: unknown) => expect(error).toMatchObject({ reason: "expired" })),
    );
    const end = start + settings.work;
    let heldMs = 0;
    await until(() => {
      if (lease.expiresAt > (deadlines.at(-1) ?? 0)) deadlines.push(lease.expiresAt);
      if (!signal.aborted) heldMs = Date.now() - start;
      return Date.now() >= end;
    });
    done.open();
    await Promise.all(kept);
    const gains = deadlines.slice(1).map((deadline, n) => deadline - (deadlines[n] ?? 0));
    return { count: events.filter(({ type }) => type === "extended").length, gains, heldMs };
  }

  it("near maxHold none is sent that moves nothing, and it is held until then", async () => {
    // As the story has it, ten times as fast: a lease of 10 s, kept for 25 s.
    const { count, gains, heldMs } = await extensions({ lease: 1_000, maxHold: 2_500, work: 2_900 });
    expect(count).toBeLessThanOrEqual(6);
    expect(count).toBe(gains.length);
    expect(Math.min(...gains)).toBeGreaterThan(50);
    expect(heldMs).toBeGreaterThan(2_200);
    expect(heldMs).toBeLessThan(2_800);
  });

  it("none, or one that makes up for a slow start, when the lease lasts for maxHold anyway", async () => {
    for (const [lease, max] of [
      [1_000, 1],
      [2_000, 0],
    ] as const) {
      const { count } = await extensions({ lease, maxHold: 1_000, work: 1_050 });
      expect(count).toBeLessThanOrEqual(max);
    }
  });

  it("none while the caller's own extension lasts", async () => {
    const { count } = await extensions({ lease: 300, maxHold: 10_000, work: 900 }, (lease) => lease.extend("30s"));
    expect(count).toBe(0);
  });

  it("two that keep one lease alive do not extend it twice as often", async () => {
    const { count } = await extensions({ lease: 900, maxHold: 10_000, work: 1_800, keepers: 2 });
    // One alone makes 6, and at the first of them they may meet.
    expect(count).toBeLessThanOrEqual(9);
  });

  it("one that was refused is tried again, the last one too", async () => {
    const proxy = await startProxy(stack.url);
    try {
      const lock = make({ url: proxy.url }).lock(freshName());
      const lease = await lock.acquire({ lease: 2_000 });
      const oom = { status: 400, headers: {}, body: JSON.stringify({ error: "OOM command not allowed" }) };
      const refuse: Fault = ({ answer }) => answer(oom);
      const pass: Fault = async ({ forward, answer }) => answer(await forward());
      proxy.next("hold-extend", refuse, pass, refuse);
      await lease.keepAlive({}, () => pause(2_900), { maxHold: 3_600 });
      expect(proxy.unmet()).toBe(0);
    } finally {
      await proxy.close();
    }
  });
});

describe("timers", () => {
  /** How many timers of no delay are made in 200 ms. */
  async function timers(): Promise<number> {
    const spy = vi.spyOn(globalThis, "setTimeout");
    await new Promise((resolve) => setImmediate(resolve));
    spy.mockClear();
    const end = performance.now() + 200;
    await new Promise<void>((resolve) => {
      const check = setInterval(() => {
        if (performance.now() < end) return;
        clearInterval(check);
        resolve();
      }, 20);
    });
    const made = spy.mock.calls.filter(([, ms = 0]) => ms < 5).length;
    spy.mockRestore();
    return made;
  }

  const gives: Record<string, (locks: Locks) => Promise<Lease>> = {
    lock: (locks) => locks.lock(freshName()).acquire({ lease: "1500ms" }),
    "fair lock": (locks) => locks.fairLock(freshName()).acquire({ lease: "1500ms" }),
    semaphore: (locks) => locks.semaphore(freshName(), { permits: 3 }).acquire({ permits: 2, lease: "1500ms" }),
    ticket: async (locks) => locks.resume((await locks.lock(freshName()).acquire()).ticket()),
  };
  const ends: Record<string, (lease: Lease) => Promise<unknown>> = {
    release: (lease) => lease.release(),
    "a release that nobody answers": (lease) => lease.release().catch(() => {}),
  };

  for (const [kind, give] of Object.entries(gives)) {
    it.each(Object.keys(ends))(
      `19: an extension's answer that arrives after %s leaves no timer of a ${kind} whose signal was read`,
      async (how) => {
        const proxy = await startProxy(stack.url);
        try {
          const lease = await give(make({ url: proxy.url, requestTimeout: 2000 }));
          const { signal } = lease;
          if (how !== "release")
            proxy.always(
              ({ script }) => script.endsWith("close"),
              ({ cut }) => cut(),
            );
          let release = (): void => {};
          const held = new Promise<void>((resolve) => {
            release = resolve;
          });
          proxy.next(
            ({ script }) => script.endsWith("extend"),
            async ({ forward, answer }) => {
              const extended = await forward();
              await held;
              answer(extended);
            },
          );
          const extending = lease.extend("20s").catch((error: unknown) => error);
          await until(() => (proxy.seen.find(({ script }) => script.endsWith("extend"))?.answers.length ?? 0) > 0);
          await ends[how]?.(lease);
          release();
          expect(await extending).toMatchObject({ code: "lease_lost" });
          expect(signal.aborted).toBe(true);
          expect(await timers()).toBeLessThan(5);
          expect(lease.remaining).toBe(0);
        } finally {
          await proxy.close();
        }
      },
    );
  }

  it("the same when the work of keepAlive ends while it is being extended, as a cron job's does", async () => {
    const proxy = await startProxy(stack.url);
    try {
      const lock = make({ url: proxy.url }).lock(freshName());
      proxy.always("hold-extend", async ({ forward, answer }) => {
        const extended = await forward();
        await pause(150);
        answer(extended);
      });
      const lease = await lock.acquire({ lease: 600 });
      await lease.keepAlive({}, async ({ signal }) => {
        expect(signal.aborted).toBe(false);
        await until(() => proxy.seen.some(({ script, answers }) => script === "hold-extend" && answers.length > 0));
      });
      await pause(200);
      expect(await timers()).toBeLessThan(5);
    } finally {
      await proxy.close();
    }
  });
});

describe.concurrent("run with keepAlive", () => {
  const LEASE = { lease: "2s" } as const;
  /** Lasts longer than a lease that was extended once. */
  const long = async (signal?: AbortSignal): Promise<string> => {
    await pause(4400);
    return signal?.aborted ? "lost" : "whole";
  };
  interface Runs {
    run<T>(options: RunOptions, work: (lease: { readonly signal: AbortSignal }) => Promise<T>): Promise<T>;
  }
  const kinds: Record<string, (locks: Locks) => Runs> = {
    lock: (locks) => locks.lock(freshName()),
    fairLock: (locks) => locks.fairLock(freshName()),
    read: (locks) => locks.readWriteLock(freshName()).read,
    write: (locks) => locks.readWriteLock(freshName()).write,
    semaphore: (locks) => locks.semaphore(freshName(), { permits: 2 }),
    multiLock: (locks) => locks.multiLock([freshName(), freshName()]),
    quorumLock: (locks) => quorumLock([locks.connection], freshName()),
  };

  it.each(Object.entries(kinds))("%s: the lease lasts as long as the work", async (_, open) => {
    const locks = make();
    const background: Promise<unknown>[] = [];
    const waitUntil = (promise: Promise<unknown>): void => void background.push(promise);
    const ways: RunOptions[] = [{ keepAlive: true }, { keepAlive: { maxHold: "5s" } }, { keepAlive: true, waitUntil }];
    const kept = ways.map((options) => open(locks).run({ ...LEASE, ...options }, ({ signal }) => long(signal)));
    await expect(open(locks).run(LEASE, () => long())).rejects.toMatchObject({ code: "lease_lost" });
    expect(await Promise.all(kept)).toEqual(ways.map(() => "whole"));
    expect(background.length).toBeGreaterThan(0);
    await Promise.all(background);
  });

  it("the lease ends with the work, and the name is free", async () => {
    const lock = make().lock(freshName());
    await lock.run({ ...LEASE, keepAlive: true }, () => long());
    expect((await lock.inspect()).state).toBe("free");
  });

  it("it ends at maxHold and at maxExtends", async () => {
    const lock = make().lock(freshName());
    for (const keepAlive of [{ maxHold: "2400ms" }, { maxExtends: 0 }] as const)
      await expect(lock.run({ ...LEASE, keepAlive }, () => long())).rejects.toMatchObject({ reason: "expired" });
  });

  it("a context serves as options still, and limits stand in the option only", async () => {
    class Context {
      readonly taken: Promise<unknown>[] = [];
      waitUntil(promise: Promise<unknown>): void {
        this.taken.push(promise);
      }
    }
    const context = new Context();
    await make()
      .lock(freshName())
      .run(context, () => 1);
    expect(context.taken).toHaveLength(1);
    await Promise.all(context.taken);
  });

  it("refuses wrong limits before anything is sent", async () => {
    const sent = vi.fn(fetch);
    const locks = make({ fetch: sent });
    const work = vi.fn();
    const wrong: object[] = [{ maxhold: "5s" }, { maxHold: "5x" }, { maxExtends: -1 }];
    for (const keepAlive of [...wrong, 5, "5s"] as never[]) {
      await expect(locks.lock(freshName()).run({ keepAlive }, work)).rejects.toThrow(/maxHold|maxExtends|options/);
      await expect(locks.once(freshName()).run({ keepAlive }, work)).rejects.toThrow(/maxHold|maxExtends|options/);
    }
    const misplaced = { maxHold: "5s" } as object;
    await expect(locks.lock(freshName()).run(misplaced, work)).rejects.toThrow('no option "maxHold"');
    await expect(locks.lock(freshName()).acquire({ keepAlive: true } as object)).rejects.toThrow(
      'no option "keepAlive"',
    );
    await expect(locks.once(freshName()).begin({ keepAlive: true } as object)).rejects.toThrow('no option "keepAlive"');
    expect(sent).not.toHaveBeenCalled();
    expect(work).not.toHaveBeenCalled();
  });

  it("once: the attempt lasts as long as the work, so no other caller begins", async () => {
    const delivery = make().once(freshName(), LEASE);
    const first = delivery.run({ keepAlive: true }, () => long());
    await pause(3400);
    expect(await delivery.begin()).toMatchObject({ status: "running" });
    expect(await first).toMatchObject({ status: "done", result: "whole", fresh: true });
    expect(await delivery.run(() => "again")).toMatchObject({ result: "whole", fresh: false });
  });

  it("once: work that throws gives the attempt up at once", async () => {
    const delivery = make().once(freshName());
    const failing = delivery.run({ keepAlive: true }, () => {
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await delivery.begin()).toMatchObject({ status: "started", attempt: 2 });
  });

  it("once: a result whose lease ran out meanwhile is stored, unless another attempt began", async () => {
    const locks = make();
    const alone = locks.once(freshName(), LEASE);
    expect(await alone.run({ keepAlive: { maxExtends: 0 } }, () => long())).toMatchObject({ result: "whole" });
    const overtaken = locks.once(freshName(), LEASE);
    const late = expect(overtaken.run({ keepAlive: { maxExtends: 0 } }, () => long())).rejects.toMatchObject({
      code: "lease_lost",
    });
    await pause(3000);
    expect(await overtaken.begin()).toMatchObject({ status: "started", attempt: 2 });
    await late;
  });
});

it("keepAlive continues for 25 s where the platform ends what runs after the response, and for an hour elsewhere", () => {
  expect(toLimits(true, () => {})).toMatchObject({ maxHoldMs: 25_000 });
  expect(toLimits({ maxExtends: 3 }, undefined)).toMatchObject({ maxHoldMs: 3_600_000 });
});

it("keepAlive takes the work alone, with or without limits", async () => {
  const lock = make().lock(freshName());
  expect(await (await lock.acquire()).keepAlive(({ token }) => token)).toBeGreaterThan(0);
  const lease = await lock.acquire({ lease: "400ms" });
  await expect(lease.keepAlive(() => pause(900), { maxExtends: 0 })).rejects.toMatchObject({ reason: "expired" });
  const kept = await lock.acquire({ lease: "600ms", wait: "5s" });
  await kept.keepAlive(() => pause(1300), { maxHold: "1m" });
  expect((await lock.inspect()).state).toBe("free");
  const wrong = await lock.acquire();
  expect(() => wrong.keepAlive(() => 1, { maxHolds: 1 } as never)).toThrow(/maxHold/);
});
