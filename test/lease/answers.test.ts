/** How operations handle answers: the endpoint returns what each test sets. */
import { describe, expect, it } from "vitest";
import { createLocks, type Locks } from "../../src/index.ts";

type Answer = readonly unknown[] | "nothing" | "refused";
const GRANTED = ["granted", 5_000, 10_000_000, 1] as const;
const HELD = ["held", 20_000_000, 0, 0, 0, 1, 0] as const;

/** Locks over an endpoint that gives these answers in turn, the last again and again, and how many there were. */
function answering(answers: readonly Answer[], options: object = {}): { readonly locks: Locks; requests(): number } {
  let requests = 0;
  const locks = createLocks({
    url: "http://127.0.0.1:9",
    token: "t",
    requestTimeout: 300,
    ...options,
    async fetch() {
      const answer = answers[Math.min(requests, answers.length - 1)] as Answer;
      requests++;
      if (answer === "nothing") return new Response("an error page", { status: 502 });
      if (answer === "refused") return new Response("", { status: 401 });
      const [status, ...fields] = answer;
      return Response.json({ result: [status, Date.now() * 1000, ...fields] });
    },
  });
  return { locks, requests: () => requests };
}
const thrown = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => expect.unreachable(`it resolved: ${String(value)}`),
    (error: unknown) => error,
  );

describe("a lock that waits", () => {
  it("sleeps between its polls", async () => {
    const { locks, requests } = answering([HELD]);
    const error = await thrown(locks.lock("a").acquire({ wait: 200 }));
    expect(error).toMatchObject({ code: "lock_timeout" });
    expect(requests()).toBeLessThan(40);
  });

  it("rejects with exactly what its backoff throws", async () => {
    const { locks } = answering([HELD]);
    for (const reason of ["no more polls", Object.freeze(new Error("no more polls"))]) {
      const backoff = (): never => {
        throw reason;
      };
      expect(await thrown(locks.lock("a").acquire({ wait: 600, backoff }))).toBe(reason);
    }
  });

  it("an unknown outcome tells how long the lease before it can last, and none if there was none", async () => {
    const failing = async (...first: readonly Answer[]): Promise<unknown> => {
      const { locks } = answering([...first, "nothing"]);
      return thrown(locks.lock("a").acquire({ wait: 600 }));
    };
    // A refusal without a lease says nothing about the lease before it.
    for (const first of [[HELD], [HELD, ["held", 0, 0, 0, 0, 1, 0]]]) {
      const { remainingMs } = (await failing(...first)) as { readonly remainingMs: number };
      expect(remainingMs).toBeGreaterThan(18_000);
      expect(remainingMs).toBeLessThanOrEqual(20_000);
    }
    const unanswered = await failing("nothing");
    expect(unanswered).toMatchObject({ code: "outcome_unknown" });
    expect(unanswered).not.toHaveProperty("remainingMs");
  });
});

describe("work that may run without its attempt", () => {
  it("does not run where the token is refused: the error is thrown", async () => {
    const { locks } = answering(["refused"]);
    let runs = 0;
    const error = await thrown(
      locks.once("a").run({ onUnavailable: "run" }, async () => {
        runs++;
      }),
    );
    expect(error).toMatchObject({ code: "unauthorized" });
    expect(runs).toBe(0);
  });
});

describe("a ticket", () => {
  const ticketOf = async (options: object = {}): Promise<string> =>
    (await answering([GRANTED], options).locks.lock("a").acquire()).ticket();
  /** The ticket with other fields: version, kind, names, group, id, token, lease, trace, mode. */
  const changed = async (at: number, value: unknown): Promise<string> => {
    const fields = JSON.parse(Buffer.from(await ticketOf(), "base64url").toString()) as unknown[];
    fields[at] = value;
    return Buffer.from(JSON.stringify(fields)).toString("base64url");
  };
  const resuming = async (ticket: string, options: object = {}): Promise<unknown> =>
    thrown(answering([GRANTED], options).locks.resume(ticket));

  it("of a kind or a version that this release does not know is of another release", async () => {
    const message = "resume: this ticket is of another release of leasehold";
    for (const ticket of [await changed(1, "no kind"), await changed(0, 99)])
      expect(await resuming(ticket)).toMatchObject({ name: "TypeError", message });
  });

  it("with a field that no ticket has is not one", async () => {
    const message = "resume: this ticket is not one of ours";
    const wrong: readonly (readonly [at: number, value: unknown])[] = [
      [2, []],
      [2, "a"],
      [4, 5],
      [4, "short"],
      [5, 0],
      [5, 1.5],
      [6, "10s"],
      [8, "steal"],
    ];
    for (const [at, value] of wrong)
      expect(await resuming(await changed(at, value)), `${at}: ${value}`).toMatchObject({ name: "TypeError", message });
  });

  it("is asked for its signature, which has to be whole and by the same key", async () => {
    const [plain, signed] = [await ticketOf(), await ticketOf({ ticketKey: "k" })];
    const withKey = { ticketKey: "k" };
    expect(await resuming(plain, withKey)).toMatchObject({ message: expect.stringContaining("is not signed, and") });
    expect(await resuming("hello", withKey)).toMatchObject({
      message: expect.stringContaining("this is not a ticket"),
    });
    expect(await resuming(signed)).toMatchObject({ message: expect.stringContaining("is signed, and there is no") });
    expect(await resuming(signed.slice(0, -3), withKey)).toMatchObject({
      message: expect.stringContaining("no valid signature: it is truncated"),
    });
    expect(await resuming(signed, { ticketKey: "l" })).toMatchObject({
      message: expect.stringContaining("no valid signature: another ticketKey made it"),
    });
    expect(await resuming(`${signed}.x`, withKey)).toMatchObject({ message: expect.stringContaining("resume: this") });
    await expect(answering([GRANTED], withKey).locks.resume(signed)).resolves.toMatchObject({ name: "a" });
  });
});

describe("the hook around work", () => {
  it("is called once for work in work, and not for a lease that has ended", async () => {
    let calls = 0;
    const around = async (_: unknown, work: () => Promise<void>): Promise<void> => {
      calls++;
      await work();
    };
    const { locks } = answering([GRANTED], { around });
    await locks.lock("a").run({}, async (lease) => {
      await lease.keepAlive({}, async () => {});
    });
    expect(calls).toBe(1);
    const lease = await locks.lock("a").acquire();
    const lost = answering([GRANTED, ["lost", "expired"]], { around });
    const ended = await lost.locks.lock("a").acquire();
    await expect(ended.extend()).rejects.toMatchObject({ code: "lease_lost" });
    await ended.keepAlive({}, async () => {}).catch(() => {});
    expect(calls).toBe(1);
    await lease.keepAlive({}, async () => {});
    expect(calls).toBe(2);
  });
});
