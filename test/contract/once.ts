import { describe, expect, it } from "vitest";
import {
  type ConnectOptions,
  createLocks,
  type Locks,
  type OnceOptions,
  type Started,
  type Turn,
} from "../../src/index.ts";
import { freshName, pause } from "../support/names.ts";

function started(turn: Turn): Started {
  if (turn.status !== "started") throw new Error(`expected a start, got ${turn.status}`);
  return turn;
}

/** The behaviour of `once` on every way to Redis and in every runtime. */
export function onceContract(label: string, options: () => ConnectOptions): void {
  const make = (): Locks => createLocks(options());
  const turnOf = (key: string, once?: OnceOptions): Promise<Turn> => make().once(key, once).begin();

  describe.concurrent(`once, ${label}`, () => {
    it("starts once, says so while it runs, and remembers the result with its token", async () => {
      const key = freshName();
      const turn = started(await turnOf(key, { lease: "20s" }));
      expect(turn.attempt).toBe(1);
      const meanwhile = await turnOf(key);
      expect(meanwhile.status).toBe("running");
      expect(meanwhile.status === "running" && meanwhile.retryAfterMs).toBeGreaterThan(15_000);
      const result = { text: '"quoted" 🔒 \n', list: [1, null, 1.5, 1795245806351390], deep: { a: {} } };
      await turn.complete(result);
      // A result is never written over, not even by the one that gave it.
      await turn.complete("another");
      expect(await turnOf(key)).toEqual({ status: "done", stored: true, result, token: turn.lease.token });
    });

    it.each([null, true, 0, "123", "", "null", [], {}, "OK", "x".repeat(100_000)])(
      "gives a result back as it was: %j",
      async (result) => {
        const key = freshName();
        await started(await turnOf(key)).complete(result);
        expect(await turnOf(key)).toMatchObject({ status: "done", result });
      },
    );

    it("counts undefined as null", async () => {
      const key = freshName();
      await started(await turnOf(key)).complete();
      expect(await turnOf(key)).toMatchObject({ status: "done", result: null });
    });

    it("starts anew at once after a failure, until maxAttempts are used up", async () => {
      const key = freshName();
      const options = { maxAttempts: 2 };
      const first = started(await turnOf(key, options));
      expect(await first.fail()).toBe(true);
      expect(await first.fail()).toBe(false);
      const second = started(await turnOf(key, options));
      expect(second.attempt).toBe(2);
      expect(second.lease.token).toBeGreaterThan(first.lease.token);
      await expect(first.complete(1)).rejects.toMatchObject({ code: "lease_lost" });
      await second.fail();
      expect(await turnOf(key, options)).toEqual({ status: "exhausted", attempts: 2 });
      expect(started(await turnOf(key)).attempt).toBe(3);
    });

    it("takes over from a run that died, whose late result is refused", async () => {
      const key = freshName();
      const dead = started(await turnOf(key, { lease: 500 }));
      await pause(600);
      const next = started(await turnOf(key, { lease: "20s" }));
      expect(next.attempt).toBe(2);
      await expect(dead.complete("late")).rejects.toMatchObject({ code: "lease_lost", reason: "taken" });
      expect(await dead.fail()).toBe(false);
      await next.complete("right");
      await expect(dead.complete("later")).rejects.toMatchObject({ code: "lease_lost" });
      expect(await turnOf(key)).toMatchObject({ status: "done", result: "right", token: next.lease.token });
    });

    it("accepts a result after the lease ran out when nobody took over", async () => {
      const key = freshName();
      const slow = started(await turnOf(key, { lease: 500 }));
      await pause(600);
      expect(slow.lease.remaining).toBe(0);
      await slow.complete("slow but alone");
      expect(await turnOf(key)).toMatchObject({ status: "done", result: "slow but alone" });
    });

    it("can extend the lease of an attempt", async () => {
      const key = freshName();
      const turn = started(await turnOf(key, { lease: "1s" }));
      await turn.lease.extend("20s");
      await pause(1100);
      expect((await turnOf(key)).status).toBe("running");
      await turn.complete(1);
      expect(await turn.lease.release()).toBe(false);
      expect((await turnOf(key)).status).toBe("done");
    });

    it("tells the same key with another payload", async () => {
      const key = freshName();
      const turn = started(await turnOf(key, { fingerprint: "body 1" }));
      expect(await turnOf(key, { fingerprint: "body 2" })).toEqual({ status: "mismatch" });
      expect((await turnOf(key, { fingerprint: "body 1" })).status).toBe("running");
      await turn.complete(1);
      expect(await turnOf(key, { fingerprint: "body 2" })).toEqual({ status: "mismatch" });
      expect((await turnOf(key, { fingerprint: "body 1" })).status).toBe("done");
      expect((await turnOf(key)).status).toBe("done");
    });

    it("forgets the result after its ttl, and keeps the token rising", async () => {
      const key = freshName();
      const first = started(await turnOf(key, { lease: 200, ttl: 300 }));
      await first.complete(1);
      await pause(450);
      const second = started(await turnOf(key));
      expect(second.attempt).toBe(1);
      expect(second.lease.token).toBeGreaterThan(first.lease.token);
    });

    it("runs work: fresh for the one that did it, a failure makes room", async () => {
      const once = make().once(freshName(), { lease: "20s" });
      await expect(once.run(() => Promise.reject(new Error("work failed")))).rejects.toThrow("work failed");
      const done = await once.run(async (turn) => ({ attempt: turn.attempt }));
      expect(done).toMatchObject({ status: "done", fresh: true, result: { attempt: 2 } });
      expect(await once.run(() => "never")).toMatchObject({ status: "done", fresh: false, result: { attempt: 2 } });
    });

    it("runs work once for many that come at once", async () => {
      const key = freshName();
      let runs = 0;
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, () =>
          make()
            .once(key)
            .run(async () => {
              await pause(50);
              return ++runs;
            }),
        ),
      );
      expect(runs).toBe(1);
      expect(outcomes.filter((outcome) => outcome.status === "done" && outcome.fresh).length).toBe(1);
    });

    it("is inspected and forgotten", async () => {
      const once = make().once(freshName(), { ttl: "1h" });
      expect(await once.inspect()).toEqual({ state: "free", token: 0 });
      const turn = started(await once.begin());
      expect(await once.inspect()).toMatchObject({ state: "running", attempts: 1, token: turn.lease.token });
      await turn.fail();
      expect(await once.inspect()).toMatchObject({ state: "idle", attempts: 1 });
      await started(await once.begin()).complete("x");
      expect(await once.inspect()).toMatchObject({ state: "done", attempts: 2 });
      expect(await once.forceRelease()).toBe(true);
      expect(await once.forceRelease()).toBe(false);
      expect(started(await once.begin()).attempt).toBe(1);
    });

    it("has callers that wait get the result of the one that runs, or the next attempt after its failure", async () => {
      for (const isCompleted of [true, false]) {
        const key = freshName();
        const turn = started(await turnOf(key, { lease: "20s" }));
        let runs = 0;
        const waiting = Array.from({ length: 3 }, () =>
          make()
            .once(key)
            .run({ wait: "20s" }, () => `waiter ${++runs}`),
        );
        await pause(100);
        if (isCompleted) await turn.complete("first");
        else await turn.fail();
        const results = await Promise.all(waiting);
        const result = isCompleted ? "first" : "waiter 1";
        expect(results).toMatchObject(Array(3).fill({ status: "done", result }));
        expect(runs).toBe(isCompleted ? 0 : 1);
      }
    });

    it("does not share a name with a lock, and says which kind it is", async () => {
      const key = freshName();
      const turn = started(await turnOf(key));
      const refused = { code: "wrong_kind", kind: "once" };
      const lock = make().lock(key);
      await expect(lock.tryAcquire()).rejects.toMatchObject(refused);
      await expect(lock.inspect()).rejects.toMatchObject(refused);
      await expect(lock.forceRelease()).rejects.toMatchObject(refused);
      await turn.complete(1);
      expect((await turnOf(key)).status).toBe("done");
      const held = freshName();
      const lease = await make().lock(held).acquire();
      await expect(turnOf(held)).rejects.toMatchObject({ code: "wrong_kind", kind: "lock" });
      await lease.release();
      expect(started(await turnOf(held)).lease.token).toBeGreaterThan(lease.token);
    });
  });
}
