import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { sqliteOnce } from "../../src/fence/index.ts";
import { createLocks, type Lease, type LeaseholdEvent, type Locks, quorumLock } from "../../src/index.ts";
import { takeOver } from "../../src/queue/index.ts";
import { heldBack } from "../faults/faults.ts";
import { startWorld } from "../faults/world.ts";
import { startStack } from "../support/stack.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack({ warm: true });
const make = (more: object = {}): Locks => createLocks({ url: stack.url, token: stack.token, ...more });
const never = (): never => expect.unreachable("the work must not run");
const tokenOf = ({ token }: Lease): number => token;

describe.concurrent("takeOver", () => {
  it("works under the lease that was handed over, releases it, and does so once", async () => {
    const name = freshName();
    const lease = await make().lock(name).acquire({ lease: "1m" });
    const ticket = lease.ticket();
    const there = make();
    const lock = there.lock(name);
    const job = await takeOver(lock, ticket, async (held) => {
      expect(held.remaining).toBeGreaterThan(0);
      expect((await lock.inspect()).state).toBe("held");
      return held.token;
    });
    expect(job).toMatchObject({ status: "done", result: lease.token, fresh: true });
    expect((await lock.inspect()).state).toBe("free");
    const again = await takeOver(make().lock(name), ticket, never);
    expect(again).toMatchObject({ status: "done", result: lease.token, fresh: false });
  });

  it("keeps duplicates of a message apart, for longer than the lease", async () => {
    const name = freshName();
    const ticket = (await make().lock(name).acquire({ lease: "2s" })).ticket();
    let runs = 0;
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const work = (): Promise<void> => {
      runs++;
      return ended;
    };
    const consume = () => takeOver(make({ lease: "2s" }).lock(name), ticket, work);
    const first = consume();
    while (runs === 0) await pause(20);
    const beyond = Date.now() + 3000;
    while (Date.now() < beyond) {
      const copy = await consume();
      expect(copy.status).toBe("running");
      if (copy.status === "running") expect(copy.retryAfterMs).toBeGreaterThan(0);
      await pause(300);
    }
    end();
    expect((await first).status).toBe("done");
    expect(await consume()).toMatchObject({ status: "done", fresh: false });
    expect(runs).toBe(1);
  });

  it("works under a new token when the ticket is late, and says held when another caller has the lock", async () => {
    const name = freshName();
    const lock = make().lock(name);
    const lease = await lock.acquire({ lease: "1s" });
    const other = await lock.acquire({ lease: "20s" });
    const held = await takeOver(lock, lease.ticket(), never);
    expect(held.status).toBe("held");
    if (held.status === "held") expect(held.retryAfterMs).toBeGreaterThan(10_000);
    expect(await other.verify()).toBe(true);
    await other.release();
    const job = await takeOver(lock, lease.ticket(), tokenOf);
    expect(job.status === "done" && job.result).toBeGreaterThan(other.token);
    expect((await lock.inspect()).state).toBe("free");
  });

  it("throws what the work throws, and the next try works anew", async () => {
    const name = freshName();
    const lock = make().lock(name);
    const lease = await lock.acquire({ lease: "1m" });
    const failing = takeOver(lock, lease.ticket(), () => Promise.reject(new Error("the source is down")));
    await expect(failing).rejects.toThrow("the source is down");
    expect((await lock.inspect()).state).toBe("free");
    const job = await takeOver(lock, lease.ticket(), tokenOf);
    expect(job.status === "done" && job.result).toBeGreaterThan(lease.token);
  });

  it("leaves the message of a consumer that died to the end of its leases", async () => {
    const name = freshName();
    const lock = make().lock(name);
    const ticket = (await lock.acquire({ lease: "2s" })).ticket();
    let wake = (): void => {};
    const frozen = new Promise<void>((resolve) => {
      wake = resolve;
    });
    let runs = 0;
    const work = (): Promise<void> => {
      runs++;
      return frozen;
    };
    // Nothing is extended: as if it had died.
    const dead = takeOver(lock, ticket, { lease: "2s", maxExtends: 0 }, work).catch((error: unknown) => error);
    while (runs === 0) await pause(20);
    expect((await takeOver(lock, ticket, never)).status).toBe("running");
    await pause(2100);
    const job = await takeOver(lock, ticket, tokenOf);
    expect(job).toMatchObject({ status: "done", fresh: true });
    wake();
    expect(await dead).toMatchObject({ code: "lease_lost" });
    expect(await takeOver(lock, ticket, never)).toMatchObject({
      status: "done",
      result: job.status === "done" && job.result,
    });
  });

  it("tells messages under one ticket apart by their key", async () => {
    const name = freshName();
    const lock = make().lock(name);
    const ticket = (await lock.acquire()).ticket();
    for (const key of [`${name} 1`, `${name} 2`])
      expect(await takeOver(lock, ticket, { key }, () => key)).toMatchObject({ result: key, fresh: true });
    expect(await takeOver(lock, ticket, { key: `${name} 1` }, never)).toMatchObject({ result: `${name} 1` });
  });

  it("takes the tickets of other locks, signed ones too", async () => {
    const signing = make({ ticketKey: "a key" });
    for (const lock of [
      signing.lock(freshName()),
      signing.fairLock(freshName()),
      signing.readWriteLock(freshName()).write,
      signing.group(freshName()).multiLock([freshName(), freshName()]),
      quorumLock([signing], freshName()),
    ]) {
      const lease = await lock.acquire();
      expect(await takeOver(lock, lease.ticket(), tokenOf)).toMatchObject({ status: "done", result: lease.token });
      expect(await lease.verify()).toBe(false);
    }
  });

  it("refuses what is not a ticket of the lock, and options that cannot be", async () => {
    const lock = make().lock(freshName());
    const other = (await make().lock(freshName()).acquire()).ticket();
    for (const ticket of [other, "", "not a ticket", 5 as never])
      await expect(takeOver(lock, ticket, never)).rejects.toThrow(TypeError);
    await expect(takeOver({} as never, other, never)).rejects.toThrow(
      /lock must be a lock or a semaphore, not an object/,
    );
    const many = make().multiLock([freshName(), freshName()]);
    await expect(takeOver(many as never, other, never)).rejects.toThrow(/one ticket/);
    const ticket = (await lock.acquire()).ticket();
    await expect(takeOver(lock, ticket, 5 as never)).rejects.toThrow(TypeError);
    await expect(takeOver(lock, ticket, { maxHold: "soon" as never }, never)).rejects.toThrow(TypeError);
    await expect(takeOver(lock, ticket, { wait: 1 } as never, never)).rejects.toThrow(/no option "wait"/);
    // A key that is missing by mistake is not the key of all messages that carry this ticket.
    await expect(takeOver(lock, ticket, { key: undefined as never }, never)).rejects.toThrow(TypeError);
    await expect(takeOver(lock, ticket, { key: 5 as never }, never)).rejects.toThrow(TypeError);
    await expect(takeOver(lock, ticket, { key: "" }, never)).rejects.toThrow(RangeError);
    const long = "k".repeat(2000);
    await expect(takeOver(lock, ticket, { key: long }, never)).rejects.toThrow("key has 2000 bytes");
    expect((await takeOver(lock, ticket, tokenOf)).status).toBe("done");
  });
});

it("refuses the late commit of a message that a later tenure of the lock has overtaken", async () => {
  const db = new DatabaseSync(":memory:");
  const orders = sqliteOnce(db);
  await orders.setup();
  const lock = make().fairLock(freshName());
  const frozen = await lock.acquire({ lease: "100ms" });
  let late: Promise<unknown> = Promise.resolve();
  const job = takeOver(lock, frozen.ticket(), { lease: "100ms", maxExtends: 0 }, async (_, { commit }) => {
    const next = await lock.acquire({ lease: "1m" });
    expect(await takeOver(lock, next.ticket(), (__, message) => message.commit(orders, () => 2))).toMatchObject({
      result: 2,
    });
    late = commit(orders, () => 1);
    await late;
  });
  await expect(job).rejects.toThrow();
  await expect(late).rejects.toMatchObject({ code: "stale_token", lockName: lock.name });
  db.close();
});

describe.concurrent("what takeOver reports", () => {
  /** Locks, and the events of their hand-overs, without those of requests. */
  function listening() {
    const events: LeaseholdEvent[] = [];
    const locks = make({
      onEvent: (event: LeaseholdEvent) => void (/^(turn|acquired|released)$/.test(event.type) && events.push(event)),
    });
    return {
      locks,
      told: () => events.splice(0).map(({ type, ...rest }) => [type, "status" in rest ? rest.status : ""]),
    };
  }

  it.each([
    ["in time", []],
    ["late", [["acquired", ""]]],
  ])("%s: the turn of the message, and the tenure of the lock", async (when, acquired) => {
    const lease = await make().lock(freshName()).acquire({ lease: "1m" });
    const ticket = lease.ticket();
    if (when === "late") await lease.release();
    const { locks, told } = listening();
    const lock = locks.lock(lease.name);
    await takeOver(lock, ticket, async () => {
      expect(told()).toEqual([["turn", "started"], ...acquired]);
      expect(await takeOver(lock, ticket, never)).toMatchObject({ status: "running" });
      expect(told()).toEqual([["turn", "running"]]);
    });
    expect(told()).toEqual([
      ["released", ""],
      ["turn", "completed"],
    ]);
    await takeOver(lock, ticket, never);
    expect(told()).toEqual([["turn", "done"]]);
  });

  it("work that fails, and work whose lease was lost: nothing is released then", async () => {
    const name = freshName();
    const { locks, told } = listening();
    const lock = locks.lock(name);
    const ticket = (await make().lock(name).acquire()).ticket();
    await expect(takeOver(lock, ticket, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(told().slice(-2)).toEqual([
      ["released", ""],
      ["turn", "failed"],
    ]);
    const job = takeOver(lock, ticket, async (lease) => {
      await make().lock(name).forceRelease();
      await lease.verify();
      told();
    });
    await expect(job).rejects.toMatchObject({ code: "lease_lost" });
    expect(told()).toEqual([["turn", "failed"]]);
    // The message is not done: the next delivery works.
    expect(await takeOver(lock, ticket, tokenOf)).toMatchObject({ status: "done", fresh: true });
  });

  it.each(["in time", "late"])("%s: a ticket of its lease, by which another process resumes it", async (when) => {
    const lock = make().lock(freshName());
    const lease = await lock.acquire({ lease: "1m" });
    if (when === "late") await lease.release();
    const job = await takeOver(lock, lease.ticket(), async (held) => {
      const resumed = await make().resume(held.ticket());
      expect(await resumed.verify()).toBe(true);
      return resumed.token === held.token;
    });
    expect(job).toMatchObject({ status: "done", result: true });
  });

  it("a result that cannot be stored, also to a duplicate", async () => {
    const lock = make().lock(freshName());
    const ticket = (await lock.acquire()).ticket();
    const job = await takeOver(lock, ticket, (): unknown => ({ amount: 5n }));
    expect(job).toMatchObject({ status: "done", stored: false, fresh: true, result: { amount: 5n } });
    const again = await takeOver(lock, ticket, never);
    expect(again).toMatchObject({ status: "done", stored: false, fresh: false, result: undefined });
  });
});

describe.concurrent("takeOver of a ticket that stands for something of its own", () => {
  it.each(["in time", "late"])("%s: works under as many permits as the ticket stands for (E8)", async (when) => {
    const name = freshName();
    const pool = make().semaphore(name, { permits: 5 });
    const lease = await pool.acquire({ lease: "1m", permits: 4 });
    const ticket = lease.ticket();
    if (when === "late") await lease.release();
    const there = make().semaphore(name, { permits: 5 });
    const job = await takeOver(there, ticket, async () => there.acquired());
    expect(job).toMatchObject({ status: "done", result: 4 });
    expect(await pool.acquired()).toBe(0);
  });

  it("late: is held where fewer permits are free than the ticket stands for (E8)", async () => {
    const pool = make().semaphore(freshName(), { permits: 5, fair: true });
    const lease = await pool.acquire({ lease: "1m", permits: 4 });
    await lease.release();
    const others = await pool.acquire({ lease: "1m", permits: 2 });
    expect((await takeOver(pool, lease.ticket(), never)).status).toBe("held");
    expect(await others.verify()).toBe(true);
  });

  it.each(["in time", "late"])("%s: refuses a ticket of one side for the other, and says so (E8)", async (when) => {
    const [name, group] = [freshName(), freshName()];
    for (const locks of [make(), make().group(group)]) {
      const rw = locks.readWriteLock(name);
      for (const [own, other] of [
        ["write", "read"],
        ["read", "write"],
      ] as const) {
        const lease = await rw[own].acquire({ lease: "1m" });
        if (when === "late") await lease.release();
        await expect(takeOver(rw[other], lease.ticket(), never)).rejects.toThrow(
          `stands for the ${own} side of the read-write lock "${name}"`,
        );
        const job = await takeOver(rw[own], lease.ticket(), async () => (await rw.inspect()).state);
        expect(job).toMatchObject({ status: "done", result: own });
      }
    }
  });

  it("refuses the ticket of another kind, name, group or number of names, and says what it stands for (E8)", async () => {
    const [a, b, group] = [freshName("a"), freshName("b"), freshName("g")];
    const locks = make();
    const plain = await locks.lock(a).acquire();
    const fair = await locks.fairLock(b).acquire();
    const grouped = await locks.group(group).lock(freshName()).acquire();
    const several = await locks
      .group(group)
      .multiLock([freshName("c"), freshName("d")])
      .acquire();
    const pool = await locks.semaphore(freshName("s"), { permits: 3 }).acquire({ permits: 2 });
    const attempt = await locks.once(freshName("o")).begin();
    const majority = await quorumLock([locks], freshName("q")).acquire();
    const cases: [string, Locks["lock"] extends (name: string) => infer Lock ? Lock : never, string][] = [
      [plain.ticket(), locks.lock(b), `a lock of "${a}"`],
      [plain.ticket(), locks.group(group).lock(a), `a lock of "${a}"`],
      [fair.ticket(), locks.lock(b), `a fair lock of "${b}"`],
      [grouped.ticket(), locks.lock(grouped.name), `a lock of "${grouped.name}" in the group "${group}"`],
      [several.ticket(), locks.lock(freshName()), `in the group "${group}"`],
      [pool.ticket(), locks.lock(pool.name), `2 permits of the semaphore "${pool.name}"`],
      [majority.ticket(), locks.lock(majority.name), `a quorum lock of "${majority.name}"`],
    ];
    if (attempt.status === "started")
      cases.push([attempt.lease.ticket(), locks.lock(attempt.lease.name), `an attempt of "${attempt.lease.name}"`]);
    expect(cases).toHaveLength(8);
    for (const [ticket, lock, what] of cases) {
      const error = await takeOver(lock, ticket, never).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(TypeError);
      expect(`${error}`).toContain(`this ticket is for another lock: it stands for `);
      expect(`${error}`).toContain(what);
      expect(`${error}`).not.toContain(ticket);
    }
  });

  it("hands a lease with a token to the work, also from a multi-lock of one part and late (E8)", async () => {
    const name = freshName();
    const only = make().multiLock([name]);
    const lease = await only.acquire({ lease: "1m" });
    const [ticket = ""] = lease.tickets();
    await lease.release();
    const job = await takeOver(only as never, ticket, tokenOf);
    expect(job).toMatchObject({ status: "done", result: expect.any(Number) });
  });

  it("refuses permits that no acquisition has, before it makes anything of them (E8)", async () => {
    const pool = make().semaphore(freshName(), { permits: 5 });
    const ticket = (await pool.acquire({ permits: 2 })).ticket();
    const fields = JSON.parse(atob(ticket.replace(/-/g, "+").replace(/_/g, "/"))) as unknown[];
    for (const permits of ["#0", "#1001", "#4294967295", "#99999999999999999999", "", "#x"]) {
      const forged = fields.with(4, `${fields[4]}`.replace("#2", permits));
      const text = btoa(JSON.stringify(forged)).replace(/=+$/, "");
      await expect(takeOver(pool, text, never)).rejects.toThrow(/not one of ours/);
    }
  });

  it("the ticket of a resumed lease stands for the same (E8)", async () => {
    const name = freshName();
    const rw = make().readWriteLock(name);
    const resumed = await make().resume((await rw.write.acquire({ lease: "1m" })).ticket());
    await expect(takeOver(rw.read, resumed.ticket(), never)).rejects.toThrow(/stands for the write side/);
    const stolen = await make().request(name, { steal: true }, async (lease) => {
      await expect(takeOver(rw.read, lease.ticket(), never)).rejects.toThrow(/stands for the write side/);
      return takeOver(rw.write, lease.ticket(), tokenOf);
    });
    expect(stolen).toMatchObject({ status: "done", fresh: true });
  });
});

describe("what takeOver sends", () => {
  it("is two requests, for a duplicate one, and one more for what an earlier release may have done (50.2)", async () => {
    const alone = await startStack();
    try {
      const locks = createLocks({ url: alone.url, token: alone.token });
      const lock = locks.lock(freshName());
      async function count(act: () => Promise<unknown>): Promise<readonly [number, number]> {
        await alone.redis.command("CONFIG", "RESETSTAT");
        await act();
        const { info, "config|resetstat": reset, quit, ...calls } = await alone.commandCalls();
        return [calls["evalsha"] ?? 0, Object.values(calls).reduce((sum, each) => sum + each, 0)];
      }
      // The server knows the scripts from then on.
      const warm = await lock.acquire();
      await warm.release();
      await takeOver(lock, warm.ticket(), () => 1);
      expect(await count(async () => takeOver(lock, (await lock.acquire()).ticket(), () => 1))).toEqual([3, 13]);
      const lease = await lock.acquire();
      expect(await count(() => takeOver(lock, lease.ticket(), () => 1))).toEqual([2, 9]);
      expect(await count(() => takeOver(lock, lease.ticket(), never))).toEqual([1, 3]);
      const ended = await lock.acquire();
      await ended.release();
      expect(await count(() => takeOver(lock, ended.ticket(), () => 1))).toEqual([3, 13]);
      expect(await count(() => takeOver(lock, ended.ticket(), never))).toEqual([1, 3]);
    } finally {
      await alone.stop();
    }
  });

  it("extends the lock and the message in one HTTP request, so that neither outlives the other (50.2)", async () => {
    await using world = await startWorld(stack);
    const lock = world.ours.lock(world.name);
    const lease = await lock.acquire({ lease: "20s" });
    await takeOver(lock, lease.ticket(), { lease: "5s" }, async (held) => {
      const before = world.proxy.count();
      expect(held.remaining).toBeLessThanOrEqual(5000);
      await held.extend("1m");
      expect(held.remaining).toBeGreaterThan(50_000);
      expect(await held.verify()).toBe(true);
      expect(world.proxy.count() - before).toBe(2);
      const other = await takeOver(world.theirs.lock(world.name), lease.ticket(), never);
      expect(other.status === "running" && other.retryAfterMs).toBeGreaterThan(50_000);
    });
  });

  it("finds that an earlier release did the message, or does it, where the lease has ended (50.2)", async () => {
    const name = freshName();
    const locks = make();
    const lock = locks.lock(name);
    const done = (await lock.acquire()).ticket();
    const running = (await lock.acquire({ wait: 0 }).catch(() => undefined)) ?? null;
    expect(running).toBeNull();
    await lock.forceRelease();
    await locks.once(`${name} done`).run(() => "of before");
    await locks.once(`${name} running`).begin();
    for (let n = 0; n < 2; n++)
      expect(await takeOver(lock, done, { key: `${name} done` }, never)).toMatchObject({
        status: "done",
        result: "of before",
        fresh: false,
      });
    const other = await takeOver(lock, done, { key: `${name} running` }, never);
    expect(other).toMatchObject({ status: "running", retryAfterMs: expect.any(Number) });
    expect((await lock.inspect()).state).toBe("free");
  });

  it("is the loss of its lease, when the message or the lock is lost (50.2)", async () => {
    const name = freshName();
    const locks = make();
    for (const lose of [
      () => locks.group(name).once(`${name} 1`).forceRelease(),
      () => locks.lock(name).forceRelease(),
    ]) {
      const ticket = (await locks.lock(name).acquire()).ticket();
      const job = takeOver(locks.lock(name), ticket, { key: `${name} 1` }, async (lease) => {
        await lose();
        expect(await lease.verify()).toBe(false);
        expect(lease.signal.aborted).toBe(true);
      });
      await expect(job).rejects.toMatchObject({ code: "lease_lost", reason: "forced" });
      expect((await locks.lock(name).inspect()).state).toBe("free");
    }
  });
});

it("throws without an answer whether the lease is held, and the next try works", async () => {
  await using world = await startWorld(stack);
  const lease = await world.theirs.lock(world.name).acquire({ lease: "1m" });
  const hasty = world.client({ requestTimeout: "1500ms" }).lock(world.name);
  const end = world.proxy.always("held-begin", heldBack);
  await expect(takeOver(hasty, lease.ticket(), never)).rejects.toMatchObject({
    code: expect.stringMatching(/^(lock_timeout|outcome_unknown)$/),
  });
  end();
  expect(await takeOver(hasty, lease.ticket(), tokenOf)).toMatchObject({ result: lease.token, fresh: true });
});
