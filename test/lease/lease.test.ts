import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { createLocks, type Lease, type LeaseholdEvent, type SemaphoreLease, type Started } from "../../src/index.ts";
import { createTestRedis } from "../../testing/src/index.ts";
import { answerLost, heldBack, slow } from "../faults/faults.ts";
import { startProxy } from "../support/proxy.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack();
const make = (more: object = {}) => createLocks({ url: stack.url, token: stack.token, ...more });

describe("a lease", () => {
  it("has its ID remembered after its release only if one of its requests may still arrive", async () => {
    await using proxy = await startProxy(stack.url);
    const locks = make({ url: proxy.url, requestTimeout: "20s" });
    const dueOf = async (release: () => Promise<unknown>): Promise<number> => {
      await release();
      return Number(proxy.seen.findLast(({ script }) => script === "lock-close")?.args.at(-1));
    };
    const answered = await locks.lock(freshName()).acquire();
    expect(await dueOf(() => answered.release())).toBe(0);
    proxy.next("lock-acquire", answerLost);
    const doubted = await locks.lock(freshName()).acquire();
    expect(await dueOf(() => doubted.release())).toBeGreaterThan(Date.now() * 1000);
    // Nothing is known here of the requests of the client that acquired it.
    const elsewhere = await locks.resume((await locks.lock(freshName()).acquire()).ticket());
    await elsewhere.release();
    expect(proxy.seen.findLast(({ script }) => script === "lock-close")?.args.at(-1)).toBe("");
  });

  it("has its ID remembered after its permits are spent only if one of its requests may still arrive", async () => {
    await using proxy = await startProxy(stack.url);
    const locks = make({ url: proxy.url, requestTimeout: "20s" });
    /** The third argument of the script. */
    const DUE = 2;
    const dueOf = async (lease: SemaphoreLease): Promise<number> => {
      await lease.spend(1);
      return Number(proxy.seen.findLast(({ script }) => script === "semaphore-spend")?.args[DUE]);
    };
    const stock = locks.semaphore(freshName(), { permits: 2 });
    expect(await dueOf(await stock.acquire())).toBe(0);
    proxy.next("semaphore-acquire", answerLost);
    expect(await dueOf(await stock.acquire())).toBeGreaterThan(Date.now() * 1000);
  });

  it("that is granted too late, and cannot be released, may still be held: the error says so", async () => {
    await using proxy = await startProxy(stack.url);
    proxy.always("lock-acquire", slow(600));
    proxy.always("lock-close", heldBack);
    const lock = make({ url: proxy.url, requestTimeout: 3000 }).lock(freshName());
    await expect(lock.acquire({ lease: 400, wait: 1000 })).rejects.toMatchObject({
      code: "outcome_unknown",
      message: expect.stringContaining("it may have been granted, for 400 ms"),
    });
  });

  it("that is granted to a caller who has just given up is released", async () => {
    const caller = new AbortController();
    const onEvent = ({ type, ...event }: LeaseholdEvent): void => {
      if (type === "request" && "status" in event && event.status === "granted") caller.abort(new Error("given up"));
    };
    const lock = make({ onEvent }).lock(freshName());
    await expect(lock.acquire({ lease: "1h", signal: caller.signal })).rejects.toThrow("given up");
    const next = await make().lock(lock.name).acquire({ wait: "20s" });
    expect(await next.release()).toBe(true);
  });

  it("counts 1 % and 2 ms less than the server, for clocks that drift (R6)", async () => {
    const lease = await make().lock(freshName()).acquire({ lease: "100s" });
    expect(lease.remaining).toBeLessThanOrEqual(98_998);
    expect(lease.remaining).toBeGreaterThan(90_000);
  });

  it("is verified for all of requestTimeout, and extended for three quarters of it: it may have to be rolled back", async () => {
    const redis = createTestRedis();
    const lease = await createLocks({ ...redis.options, requestTimeout: "20s" })
      .lock("a")
      .acquire({ lease: "1h" });
    const answered = redis.fault({ kind: "late", by: "2h", times: Number.POSITIVE_INFINITY });
    const ended: string[] = [];
    const record = (call: Promise<unknown>, name: string): unknown =>
      call.then(
        () => ended.push(`${name} resolved`),
        () => ended.push(`${name} rejected`),
      );
    record(lease.verify(), "verify");
    record(lease.extend("2h"), "extend");
    await redis.advance("15.5s");
    expect(ended).toEqual(["extend rejected"]);
    answered();
    await redis.advance("4s");
    expect(ended).toEqual(["extend rejected", "verify resolved"]);
  });

  it("keeps no process alive, its signal neither", async () => {
    const source = `
      const { createLocks } = await import(${JSON.stringify(new URL("../../src/index.ts", import.meta.url).href)});
      const lease = await createLocks(${JSON.stringify({ url: stack.url, token: stack.token })}).lock("left").acquire({ lease: "1h" });
      console.log(lease.signal.aborted);
    `;
    const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", source], { timeout: 15_000 });
    expect((await run).stdout).toBe("false\n");
  });

  it("of a ticket that nobody answers about leaves nothing running behind keepAlive", async () => {
    const { token } = await make().lock(freshName()).acquire();
    const source = `
      const { createLocks } = await import(${JSON.stringify(new URL("../../src/index.ts", import.meta.url).href)});
      const fetch = () => Promise.reject(new Error("gone"));
      const locks = createLocks({ url: "http://127.0.0.1:9", token: "t", requestTimeout: 60, fetch });
      const fields = [3, "lock", ["a"], null, crypto.randomUUID(), ${token}, 30000];
      const lease = await locks.resume(btoa(JSON.stringify(fields)).replace(/=+$/, ""));
      await lease.keepAlive({}, () => "worked").catch((error) => console.log(error.code));
    `;
    const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", source], { timeout: 15_000 });
    expect((await run).stdout).toBe("outcome_unknown\n");
  });

  it("verified after its end has ended, and that needs no answer", async () => {
    const patient = make({ requestTimeout: "20s" });
    const lease = await patient.lock(freshName()).acquire({ lease: 1000 });
    process.kill(stack.redis.pid, "SIGSTOP");
    try {
      const start = performance.now();
      expect(await lease.verify()).toBe(false);
      expect(performance.now() - start).toBeLessThan(4_000);
    } finally {
      process.kill(stack.redis.pid, "SIGCONT");
    }
  });

  it("verified just before its end, by a server that refuses to answer, has ended", async () => {
    let lease: Lease | undefined;
    // The answer leaves no time for a retry.
    const loading: typeof fetch = async (...request) => {
      if (!lease) return fetch(...request);
      await pause(lease.remaining - 30);
      return Response.json({ error: "LOADING Redis is loading" }, { status: 400 });
    };
    lease = await make({ fetch: loading }).lock(freshName()).acquire({ lease: "1s" });
    expect(await lease.verify()).toBe(false);
  });

  it("is released by a later call if the first one never arrived, even after the time of `retention`", async () => {
    let isCut = false;
    const cut: typeof fetch = (...request) => (isCut ? Promise.reject(new Error("cut")) : fetch(...request));
    const lock = make({ requestTimeout: 1_000, retention: 2_000, fetch: cut }).lock(freshName());
    const lease = await lock.acquire({ lease: "60s" });
    isCut = true;
    await expect(lease.release()).rejects.toMatchObject({ code: "outcome_unknown" });
    isCut = false;
    await pause(2_100);
    expect(await lease.release()).toBe(true);
    expect(await lock.tryAcquire()).not.toBeNull();
  });

  it("of a ticket is asked for before keepAlive starts the work", async () => {
    const lock = make().lock(freshName());
    const ticket = await lock.run((lease) => lease.ticket());
    let worked = false;
    const resumed = await make().resume(ticket);
    const kept = resumed.keepAlive({}, () => {
      worked = true;
    });
    await expect(kept).rejects.toMatchObject({ code: "lease_lost", reason: "released" });
    expect(worked).toBe(false);
    const alive = await make().resume((await lock.acquire()).ticket());
    expect(await alive.keepAlive({}, () => "done")).toBe("done");
  });

  it("longer than a timer can be is kept alive with few requests", async () => {
    const events: LeaseholdEvent[] = [];
    const lease = await make({ onEvent: (event: LeaseholdEvent) => events.push(event) })
      .lock(freshName())
      .acquire({ lease: "90d" });
    await lease.keepAlive({}, () => pause(200), { maxHold: "300d" });
    expect(events.filter(({ type }) => type === "extended")).toEqual([]);
  });

  it("whose first answer comes when it is over is lost from the start", async () => {
    let jumpMs = 0;
    let jumps = false;
    const jump = (): void => {
      if (jumps) jumpMs += 60_000;
      jumps = false;
    };
    const clock = { now: () => Date.now() + jumpMs, monotonic: () => performance.now() + jumpMs };
    // Frozen between the grant and the lease.
    const frozen = make({ clock, onEvent: ({ type }: LeaseholdEvent) => type === "acquired" && jump() });
    jumps = true;
    const lease = await frozen.lock(freshName()).acquire({ lease: "10s" });
    expect(lease.remaining).toBe(0);
    expect(lease.signal.aborted).toBe(true);
    expect(lease.signal.reason).toMatchObject({ code: "lease_lost", reason: "expired" });
    jumps = true;
    const ran = frozen.lock(freshName()).run({ lease: "10s" }, () => "worked");
    await expect(ran).rejects.toMatchObject({ code: "lease_lost", reason: "expired" });
    // One of a ticket, frozen while it asked.
    const slow = make({
      clock,
      fetch: async (...request: Parameters<typeof fetch>) => {
        const response = await fetch(...request);
        if ((await response.clone().text()).includes("extended")) jump();
        return response;
      },
    });
    const lock = make().lock(freshName());
    const verified = await slow.resume((await lock.acquire({ lease: "10s" })).ticket());
    jumps = true;
    expect(await verified.verify()).toBe(false);
    expect(verified.signal.aborted).toBe(true);
    const other = make().lock(freshName());
    const extended = await slow.resume((await other.acquire({ lease: "10s" })).ticket());
    jumps = true;
    await expect(extended.extend("10s")).rejects.toMatchObject({ code: "lease_lost", reason: "expired" });
    expect(extended.remaining).toBe(0);
  });

  it("of a ticket, whose signal was read before the first answer, has it aborted at its end", async () => {
    const original = await make().lock(freshName()).acquire({ lease: 400 });
    const resumed = await make().resume(original.ticket());
    const ended = new Promise((resolve) => {
      resumed.signal.addEventListener("abort", () => resolve(resumed.signal.reason), { once: true });
    });
    expect(await resumed.verify()).toBe(true);
    expect(await ended).toMatchObject({ code: "lease_lost", reason: "expired" });
  });

  it("that is over asks nobody whether it is, and for no more time", async () => {
    let sent = 0;
    const counting: typeof fetch = (...request) => {
      sent++;
      return fetch(...request);
    };
    const lock = make({ fetch: counting }).lock(freshName());
    const lease = await lock.acquire({ lease: 300 });
    const released = await lock.acquire({ wait: "10s" });
    await released.release();
    sent = 0;
    for (const each of [lease, released]) {
      expect(await each.verify()).toBe(false);
      await expect(each.extend("10s")).rejects.toMatchObject({ code: "lease_lost" });
    }
    expect(sent).toBe(0);
  });
});

describe("waitUntil", () => {
  it("takes all of keepAlive, from the start", async () => {
    const background: Promise<unknown>[] = [];
    const lease = await make().lock(freshName()).acquire();
    const kept = lease.keepAlive({ waitUntil: (promise) => background.push(promise) }, () => pause(50));
    expect(background.length).toBe(1);
    await Promise.all(background);
    await kept;
    expect(background.length).toBe(2);
  });

  it("that was detached from its context costs no result: what it does not take is awaited", async () => {
    const context = {
      waitUntil(this: unknown) {
        if (this !== context) throw new TypeError("Illegal invocation");
      },
    };
    const detached = { waitUntil: context.waitUntil };
    const lock = make().lock(freshName());
    expect(await lock.run(detached, () => "done")).toBe("done");
    expect((await lock.inspect()).state).toBe("free");
    expect(
      await make()
        .once(freshName())
        .run(detached, () => 1),
    ).toMatchObject({ status: "done", result: 1 });
  });
});

describe("the lease of an attempt", () => {
  const begin = async (key: string, more: object = {}, lease = 30_000): Promise<Started> => {
    const turn = await make(more).once(key, { lease }).begin();
    if (turn.status !== "started") throw new Error(turn.status);
    return turn;
  };

  it("ends with its completion, and is not lost by it", async () => {
    const events: LeaseholdEvent[] = [];
    const turn = await begin(freshName(), { onEvent: (event: LeaseholdEvent) => events.push(event) }, 250);
    const { signal } = turn.lease;
    await turn.complete(1);
    expect(turn.lease.remaining).toBe(0);
    expect(await turn.fail()).toBe(false);
    await pause(350);
    expect(signal.reason).toMatchObject({ reason: "released" });
    expect(events.map((event) => (event.type === "turn" ? event.status : event.type))).toEqual([
      ...["request", "ended", "acquired", "started"],
      ...["request", "completed"],
    ]);
  });

  it("can be kept alive around the work, and the attempt completed then", async () => {
    const key = freshName();
    const turn = await begin(key, {}, 400);
    const result = await turn.lease.keepAlive({}, async () => {
      await pause(700);
      return "slow";
    });
    await turn.complete(result);
    expect(await make().once(key).begin()).toMatchObject({ status: "done", result: "slow" });
  });

  it("gives the first caller what the others get", async () => {
    const once = make().once(freshName());
    const result: unknown = { at: new Date(0), gone: undefined };
    expect(await once.run(() => result)).toMatchObject({ fresh: true, result: { at: "1970-01-01T00:00:00.000Z" } });
    expect(await once.run(() => 0)).toMatchObject({ fresh: false, result: { at: "1970-01-01T00:00:00.000Z" } });
  });
});

describe("requests", () => {
  it("are bounded by maxPolls, those that failed and those that won too late included", async () => {
    for (const respond of [
      () => new Response("busy", { status: 503 }),
      async (...request: Parameters<typeof fetch>) => {
        const response = await fetch(...request);
        await pause(40);
        return response;
      },
    ]) {
      let sent = 0;
      const counting = (...request: Parameters<typeof fetch>) => {
        sent++;
        return respond(...request);
      };
      const lock = make({ fetch: counting }).lock(freshName());
      const won = lock.acquire({ lease: "20ms", maxPolls: 3, wait: "3s" });
      await expect(won).rejects.toMatchObject({ code: expect.stringMatching(/lock_timeout|outcome_unknown/) });
      // Each of three may be followed by its cancel, and the cancel's own re-sends.
      expect(sent).toBeLessThan(20);
    }
  });

  it("go back to EVALSHA when the server has learnt the script", async () => {
    await stack.redis.command("SCRIPT", "FLUSH");
    const lock = make().lock(freshName());
    const verbs: string[] = [];
    const recording = (...request: Parameters<typeof fetch>) => {
      verbs.push((JSON.parse(String(request[1]?.body)) as [string])[0]);
      return fetch(...request);
    };
    await lock.acquire();
    await stack.redis.command("SCRIPT", "FLUSH");
    await make({ fetch: recording })
      .lock(lock.name)
      .acquire({ maxPolls: 3, wait: "5s" })
      .catch(() => {});
    // The last two close the id of the wait that ended.
    expect(verbs).toEqual(["EVALSHA", "EVAL", "EVALSHA", "EVALSHA", "EVALSHA", "EVAL"]);
  });
});
