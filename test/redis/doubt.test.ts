import { describe, expect, it } from "vitest";
import { connect, createLocks, type Lease } from "../../src/index.ts";
import { Doubt } from "../../src/redis/doubt.ts";
import { runScript } from "../../src/redis/run.ts";
import { holdExtend } from "../../src/redis/scripts.gen.ts";
import { targetOf } from "../../src/redis/target.ts";
import { randomId } from "../../src/shared/crypto.ts";
import { createMemoryRedis } from "../../testing/src/index.ts";

const VOID = 1_000_000;

/** A stopwatch that stands at a time. */
const at = (ms: number) => (): number => ms;

function sendsUnanswered(doubt: Doubt, since: () => number, voidAfterUs: number): void {
  doubt.sends();
  doubt.unanswered(since, voidAfterUs);
}

function sendsAnswered(doubt: Doubt, nowUs: number): void {
  doubt.sends();
  doubt.answered(nowUs);
}

describe("which outcomes are unknown, and for how long", () => {
  it("the outcome of a request is unknown until it is answered (R4)", () => {
    const doubt = new Doubt();
    expect([doubt.isOpen(), doubt.owesCancel()]).toEqual([false, false]);
    doubt.sends();
    expect([doubt.isOpen(), doubt.owesCancel()]).toEqual([true, true]);
    doubt.answered();
    expect([doubt.isOpen(), doubt.owesCancel()]).toEqual([false, false]);
  });

  it("the outcome of an unanswered request stays unknown, whatever is answered after it (R4)", () => {
    const doubt = new Doubt();
    sendsUnanswered(doubt, at(20), VOID);
    sendsAnswered(doubt, VOID);
    expect(doubt.isOpen()).toBe(true);
    expect(doubt.ageMs()).toBe(20);
  });

  it("an answer of a time at which all earlier requests are void ends the doubt about them (R3c)", () => {
    const doubt = new Doubt();
    sendsUnanswered(doubt, at(20), VOID);
    sendsUnanswered(doubt, at(10), VOID / 2);
    sendsAnswered(doubt, VOID + 1);
    expect([doubt.isOpen(), doubt.ageMs()]).toEqual([false, 0]);
  });

  it("a script that looks at no deadline leaves a doubt that no time ends (R3c)", () => {
    const doubt = new Doubt();
    sendsUnanswered(doubt, at(20), Number.POSITIVE_INFINITY);
    sendsAnswered(doubt, 1e15);
    expect(doubt.isOpen()).toBe(true);
  });

  it("the age is that of the first unanswered request (R3b)", () => {
    const doubt = new Doubt();
    expect(doubt.ageMs()).toBe(0);
    sendsUnanswered(doubt, at(300), VOID);
    sendsUnanswered(doubt, at(200), VOID);
    expect(doubt.ageMs()).toBe(300);
  });

  it("a place in a queue needs a cancel, and leaves no outcome unknown (R4)", () => {
    const doubt = new Doubt();
    doubt.joinsQueue();
    expect([doubt.isOpen(), doubt.owesCancel()]).toEqual([false, true]);
    doubt.leavesQueue();
    expect(doubt.owesCancel()).toBe(false);
  });

  it("a grant of which no lease is made owes a cancel (R4)", () => {
    const doubt = new Doubt();
    doubt.granted();
    expect([doubt.isOpen(), doubt.owesCancel()]).toEqual([true, true]);
  });

  it("the age is that of a grant without a lease, too, if the same is asked for again (R3b)", () => {
    const doubt = new Doubt();
    sendsUnanswered(doubt, at(20), VOID);
    doubt.granted(at(300));
    doubt.granted(at(100));
    expect(doubt.ageMs()).toBe(300);
  });

  it("the age is that of a closed ID, too, although nothing is left of it (R3b)", () => {
    const doubt = new Doubt();
    sendsUnanswered(doubt, at(20), VOID);
    doubt.idClosed(at(300));
    sendsAnswered(doubt, VOID + 1);
    expect([doubt.isOpen(), doubt.owesCancel(), doubt.ageMs()]).toEqual([false, false, 300]);
  });

  it("the whole outcome is unknown while a part's is (R4)", () => {
    const whole = new Doubt();
    const parts = [new Doubt(), new Doubt()];
    for (const part of parts) whole.covers(part);
    parts[1]?.sends();
    expect(whole.isOpen()).toBe(true);
    parts[1]?.answered();
    expect(whole.isOpen()).toBe(false);
  });
});

it("after a freeze that outlasts what the server remembers, a request is not repeated (R3b)", async () => {
  const { url, token, fetch } = createMemoryRedis();
  let frozenMs = 0;
  let releases = 0;
  const locks = createLocks({
    url,
    token,
    clock: { now: () => Date.now() + frozenMs, monotonic: () => performance.now() + frozenMs },
    fetch: (...request) => (lease ? Promise.reject(new Error(`cut ${++releases}`)) : fetch(...request)),
    onEvent({ type }) {
      if (type === "retried") frozenMs = 3_600_000;
    },
  });
  let lease: Lease | undefined;
  lease = await locks.lock("a").acquire();
  await expect(lease.release()).rejects.toMatchObject({ code: "outcome_unknown" });
  expect([frozenMs, releases]).toEqual([3_600_000, 1]);
});

it("a request whose shared tries are used up while it waits is not repeated", async () => {
  let sent = 0;
  const tries = { made: 0, max: 9 };
  const connection = connect({
    url: "https://redis.example",
    token: "t",
    async fetch() {
      sent++;
      return Response.json({ error: "LOADING Redis is loading" }, { status: 400 });
    },
    onEvent({ type }) {
      if (type === "retried") tries.max = 0;
    },
  });
  const target = targetOf(connection, "lock", ["a"]);
  const args = [randomId(), 1, 1000, connection.retentionMs] as const;
  await expect(runScript(target, holdExtend, args, { operation: "extend", tries })).rejects.toMatchObject({
    code: "redis_error",
  });
  expect(sent).toBe(1);
});
