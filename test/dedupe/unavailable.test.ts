import { describe, expect, it } from "vitest";
import { cloudflareCron, cronRoute, lastRun, runCron } from "../../src/cron/index.ts";
import { type DedupeOptions, dedupe, type Unprotected } from "../../src/http/index.ts";
import {
  type Connection,
  connect,
  createLocks,
  fairLock,
  type Lease,
  LeaseholdError,
  type LeaseholdEvent,
  LockTimeoutError,
  lock,
  multiLock,
  once,
  quorumLock,
  type Started,
  semaphore,
} from "../../src/index.ts";
import { answerOf } from "../hono/apps.ts";
import { type Fault, type FaultProxy, startProxy } from "../support/proxy.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack({ warm: true });
/** For a server that does not answer in time. */
const SHORT_MS = 600;
/** For a server that answers: the last attempt has time enough to be answered on a busy machine, too. */
const PATIENT_MS = 3000;

const answering =
  (status: number, body = "{}", headers = {}): Fault =>
  ({ answer }) =>
    answer({ status, headers: { "content-type": "application/json", ...headers }, body });
const refusing = (error: string): Fault => answering(400, JSON.stringify({ error }));
const tooLate: Fault = async ({ forward, answer }) => {
  const late = await forward();
  await pause(SHORT_MS + 100);
  answer(late);
};

/** The failures that count as unavailable, and the errors that a person has to see to. */
const UNAVAILABLE: readonly (readonly [what: string, fault: Fault, code: string, requestTimeout: number])[] = [
  ["cuts every connection", ({ cut }) => cut(), "outcome_unknown", SHORT_MS],
  ["answers 503", answering(503), "outcome_unknown", SHORT_MS],
  ["answers too late", tooLate, "outcome_unknown", SHORT_MS],
  ["never answers", () => {}, "outcome_unknown", SHORT_MS],
  ["answers what nobody can read", answering(200, '{"result":"hello"}'), "outcome_unknown", SHORT_MS],
  ["asks to slow down", answering(429, "{}", { "retry-after": "9" }), "rate_limited", PATIENT_MS],
  ["is loading", refusing("LOADING Redis is loading the dataset in memory"), "redis_error", PATIENT_MS],
  ["has no primary", refusing("READONLY You can't write against a read only replica."), "redis_error", PATIENT_MS],
];
const BROKEN: readonly (readonly [what: string, fault: Fault, code: string])[] = [
  ["is out of memory", refusing("OOM command not allowed when used memory > 'maxmemory'."), "redis_error"],
  ["refuses the token", answering(401), "unauthorized"],
];

interface Site extends AsyncDisposable {
  readonly proxy: FaultProxy;
  readonly connection: Connection;
  /** The reasons of the events that tell of work without a lease. */
  readonly told: () => string[];
  /** The code of a failure. On a busy machine, an attempt that is not answered in time leaves the outcome unknown. */
  readonly codeOf: (code: string) => unknown;
}

async function siteOf(fault?: Fault, requestTimeout = PATIENT_MS): Promise<Site> {
  const proxy = await startProxy(stack.url);
  const events: LeaseholdEvent[] = [];
  const connection = connect({
    url: proxy.url,
    token: stack.token,
    requestTimeout,
    onEvent: (event) => events.push(event),
  });
  if (fault) proxy.always(() => true, fault);
  return {
    proxy,
    connection,
    told: () => events.flatMap((event) => (event.type === "unprotected" ? [event.why] : [])),
    codeOf(code) {
      const reasons = new Set(events.flatMap((event) => (event.type === "request" ? [event.why] : [])));
      return reasons.size > 1 ? expect.stringMatching(`^(${code}|outcome_unknown)$`) : code;
    },
    [Symbol.asyncDispose]: () => proxy.close(),
  };
}

const key: DedupeOptions["key"] = ({ headers }) => headers.get("X-Id");
const requestOf = (id: string): Request =>
  new Request("http://localhost/hook", { method: "POST", headers: { "X-Id": id } });

describe.concurrent("with onUnavailable: run, while the server", () => {
  it.each(UNAVAILABLE)("%s, a delivery runs and is reported", async (_what, fault, code, requestTimeout) => {
    await using site = await siteOf(fault, requestTimeout);
    let told: unknown;
    const hook = dedupe({ locks: site.connection, key, onUnavailable: "run" }, (_, delivery) => {
      told = [delivery.protected, delivery.lease, (delivery as Unprotected).error.code];
      return new Response("done", { status: 202 });
    });
    const answer = await hook(requestOf(freshName()));
    expect([answerOf(answer), await answer.text()]).toEqual(["202 unprotected", "done"]);
    expect(told).toEqual([false, undefined, site.codeOf(code)]);
    expect(site.told()).toEqual([site.codeOf(code)]);
  });

  it.each(UNAVAILABLE)("%s, the work of a lock runs without a lease", async (_what, fault, code, requestTimeout) => {
    await using site = await siteOf(fault, requestTimeout);
    const one = lock(site.connection, freshName());
    const leases: (Lease | undefined)[] = [];
    const result = await one.run({ wait: 0, onUnavailable: "run" }, (lease) => leases.push(lease));
    expect([result, leases, site.told()]).toEqual([1, [undefined], [site.codeOf(code)]]);
    await expect(one.run({ wait: 0 }, () => "never")).rejects.toThrow(LeaseholdError);
  });

  it.each(UNAVAILABLE)("%s, the work of a once runs without an attempt", async (_what, fault, code, requestTimeout) => {
    await using site = await siteOf(fault, requestTimeout);
    const one = once(site.connection, freshName());
    const turns: (Started | undefined)[] = [];
    const work = (turn: Started | undefined) => ({ runs: turns.push(turn), unsaid: undefined });
    expect(await one.run({ onUnavailable: "run" }, work)).toEqual({ status: "unprotected", result: { runs: 1 } });
    expect([turns, site.told()]).toEqual([[undefined], [site.codeOf(code)]]);
    await expect(one.run(() => "never")).rejects.toThrow(LeaseholdError);
  });

  it.each(UNAVAILABLE)("%s, a cron runs and says so", async (_what, fault, code, requestTimeout) => {
    await using site = await siteOf(fault, requestTimeout);
    let runs = 0;
    const name = freshName();
    const report = await runCron({ locks: site.connection, name, slot: "one", onUnavailable: "run" }, (run) => {
      runs++;
      expect([run.protected, run.lease, run.token, run.signal]).toEqual([false, undefined, undefined, undefined]);
    });
    const ran = { status: "ran unprotected", name, slot: "one", code: site.codeOf(code) };
    expect([report, runs]).toEqual([ran, 1]);
    expect(site.told()).toEqual([site.codeOf(code)]);
  });

  it.each(BROKEN)("%s, nothing runs: a person has to see to it", async (_what, fault, code) => {
    await using site = await siteOf(fault);
    const options = { locks: site.connection, onUnavailable: "run" } as const;
    const never = (): never => {
      throw new Error("it ran");
    };
    const error = expect.objectContaining({ code });
    await expect(dedupe({ ...options, key }, never)(requestOf(freshName()))).rejects.toEqual(error);
    await expect(lock(site.connection, freshName()).run({ onUnavailable: "run" }, never)).rejects.toEqual(error);
    await expect(runCron({ ...options, name: freshName(), slot: "one" }, never)).rejects.toEqual(error);
    await expect(once(site.connection, freshName()).run({ onUnavailable: "run" }, never)).rejects.toEqual(error);
    expect(site.told()).toEqual([]);
  });
});

describe.concurrent("with onUnavailable: run", () => {
  it("the answer to a begin that went missing does not stop the delivery, and the cancel lets the next one in", async () => {
    await using site = await siteOf();
    let runs = 0;
    const hook = dedupe({ locks: site.connection, key, onUnavailable: "run", lease: "20s" }, () => {
      runs++;
      return new Response("");
    });
    const id = freshName();
    const end = site.proxy.always("once-begin", async ({ forward, cut }) => {
      await forward();
      cut();
    });
    expect(answerOf(await hook(requestOf(id)))).toBe("200 unprotected");
    expect(site.told()).toEqual(["lock_timeout"]);
    end();
    // Nothing was remembered of the run without a lease.
    expect(answerOf(await hook(requestOf(id)))).toBe("200 processed");
    expect(answerOf(await hook(requestOf(id)))).toBe("200 duplicate");
    expect(runs).toBe(2);
  });

  it("an attempt whose start was unanswered blocks duplicates until its lease ends", async () => {
    await using site = await siteOf(undefined, SHORT_MS);
    const options = { key, onUnavailable: "run", lease: "5s" } as const;
    const hookOf = (locks: Connection) => dedupe({ ...options, locks }, () => new Response(""));
    const patient = hookOf(connect({ url: stack.url, token: stack.token }));
    const id = freshName();
    const ends = [
      site.proxy.always("once-begin", async ({ forward, cut }) => {
        await forward();
        cut();
      }),
      site.proxy.always("once-close", ({ cut }) => cut()),
    ];
    expect(answerOf(await hookOf(site.connection)(requestOf(id)))).toBe("200 unprotected");
    expect(site.told()).toEqual(["outcome_unknown"]);
    for (const end of ends) end();
    expect(answerOf(await patient(requestOf(id)))).toBe("409 running");
    let answer = "409 running";
    for (; answer === "409 running"; answer = answerOf(await patient(requestOf(id)))) await pause(100);
    expect(answer).toBe("200 processed");
  });

  it("a lock of another caller is refused, and so is one that no caller can have", async () => {
    await using site = await siteOf();
    const name = freshName();
    const one = lock(site.connection, name);
    await using _held = await one.acquire();
    const never = (): string => "never";
    const options = { wait: 500, onUnavailable: "run" } as const;
    await expect(one.run(options, never)).rejects.toThrow(LockTimeoutError);
    await expect(multiLock(site.connection, [name, freshName()]).run(options, never)).rejects.toThrow(LockTimeoutError);
    // No lease is in the way of these.
    const paused = semaphore(site.connection, freshName());
    await paused.setPermits(0);
    await expect(paused.run(options, never)).rejects.toThrow(LockTimeoutError);
    const queue = fairLock(site.connection, freshName());
    await using _first = await queue.acquire();
    await expect(queue.run(options, never)).rejects.toThrow(LockTimeoutError);
    const begun = once(site.connection, freshName());
    await begun.begin();
    await expect(begun.run(options, never)).rejects.toThrow(LockTimeoutError);
    expect(await begun.run({ onUnavailable: "run" }, never)).toMatchObject({ status: "running" });
    expect(site.told()).toEqual([]);
  });

  it("a quorum lock runs its work without a quorum", async () => {
    const away = ["http://127.0.0.1:1", "http://127.0.0.1:2", "http://127.0.0.1:3"].map((url) =>
      connect({ url, token: "x", requestTimeout: SHORT_MS }),
    );
    const ran = await quorumLock(away, freshName()).run({ wait: 0, onUnavailable: "run" }, (lease) => lease ?? "none");
    expect(ran).toBe("none");
  });

  it("an error of the work is rethrown, and the work runs once", async () => {
    await using site = await siteOf(({ cut }) => cut());
    let runs = 0;
    const work = (): never => {
      runs++;
      throw new Error("broken");
    };
    await expect(lock(site.connection, "x").run({ wait: 0, onUnavailable: "run" }, work)).rejects.toThrow("broken");
    const options = { locks: site.connection, onUnavailable: "run" } as const;
    await expect(dedupe({ ...options, key }, work)(requestOf("x"))).rejects.toThrow("broken");
    await expect(runCron({ ...options, name: "x", slot: "one" }, work)).rejects.toThrow("broken");
    await expect(once(site.connection, "x").run({ onUnavailable: "run" }, work)).rejects.toThrow("broken");
    expect(runs).toBe(4);
  });

  it("cronRoute and cloudflareCron do as runCron", async () => {
    await using site = await siteOf(({ cut }) => cut());
    const seen: boolean[] = [];
    const options = { locks: site.connection, name: freshName(), onUnavailable: "run" } as const;
    const route = cronRoute({ ...options, every: "1h", secret: "s" }, (run) => seen.push(run.protected));
    const answer = await route(new Request("http://localhost", { headers: { Authorization: "Bearer s" } }));
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: "ran unprotected" }]);
    const scheduled = cloudflareCron(options, (run) => seen.push(run.protected));
    await scheduled({ cron: "* * * * *", scheduledTime: 0 }, {}, { waitUntil: () => {} });
    expect(seen).toEqual([false, false]);
  });

  it("a slot that ran is not run again, nor one whose job is running", async () => {
    await using site = await siteOf();
    const options = { locks: site.connection, onUnavailable: "run" } as const;
    const name = freshName();
    expect((await runCron({ ...options, name, slot: "one" }, () => {})).status).toBe("ran");
    expect((await runCron({ ...options, name, slot: "one" }, () => {})).status).toBe("skipped: already ran");
    await using _held = await lock(site.connection, `cron:${name}`).acquire();
    expect((await runCron({ ...options, name, slot: "two" }, () => {})).status).toBe("skipped: still running");
    expect((await lastRun(site.connection, name))?.slot).toBe("one");
  });
});

it("another value of onUnavailable is a misuse", async () => {
  const locks = createLocks({ url: stack.url, token: stack.token });
  const wrong = { onUnavailable: "open" as "run" };
  const never = () => new Response("never");
  expect(() => dedupe({ locks, key, ...wrong }, never)).toThrow(/onUnavailable "\w+" must be "refuse" or "run"$/);
  await expect(locks.lock("x").run(wrong, never)).rejects.toThrow(TypeError);
  await expect(locks.once("x").run(wrong, never as () => never)).rejects.toThrow(TypeError);
  await expect(runCron({ locks, name: "x", slot: "one", ...wrong }, never)).rejects.toThrow(TypeError);
  expect(() => cronRoute({ locks, name: "x", every: "1h", ...wrong }, never)).toThrow(TypeError);
});

it("the types say that there may be no lease", () => {
  const locks = createLocks({ url: stack.url, token: stack.token });
  const open = { onUnavailable: "run" } as const;
  // Only compiled: each line would overlook that the lease may be missing.
  const overlooked = (): unknown[] => [
    // @ts-expect-error The lease may be undefined.
    locks.lock("x").run(open, (lease) => lease.token),
    // @ts-expect-error The attempt may be undefined.
    locks.once("x").run({ wait: "1s", ...open }, ({ lease }) => lease.token),
    // @ts-expect-error The lease may be undefined.
    dedupe({ locks, key, ...open }, (_, { lease }) => new Response(`${lease.token}`)),
    // @ts-expect-error The lease may be undefined.
    runCron({ locks, name: "x", slot: "one", ...open }, ({ lease }) => lease.token),
    // @ts-expect-error The token may be undefined.
    cronRoute({ locks, name: "x", every: "1h", ...open }, ({ token }) => token.toFixed()),
    dedupe({ locks, key }, (_, { lease }) => new Response(`${lease.token}`)),
    locks.lock("x").run({ wait: 0 }, (lease) => lease.token),
    locks.once("x").run({ wait: "1s" }, ({ lease }) => lease.token),
  ];
  expect(overlooked).toBeInstanceOf(Function);
});
