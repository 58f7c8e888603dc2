import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { runCron } from "../../src/cron/index.ts";
import { redisFence, reportStale, sqliteFence } from "../../src/fence/index.ts";
import { dedupe } from "../../src/http/index.ts";
import { constantBackoff, createLocks, type LeaseholdEvent, type Locks } from "../../src/index.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack();

/** Locks, and what their listener was told. */
function listening(more: object = {}): { locks: Locks; events: LeaseholdEvent[] } {
  const events: LeaseholdEvent[] = [];
  const onEvent = (event: LeaseholdEvent): number => events.push(event);
  return { locks: createLocks({ url: stack.url, token: stack.token, onEvent, ...more }), events };
}

/** The events of one type. */
const only = <T extends LeaseholdEvent["type"]>(
  events: readonly LeaseholdEvent[],
  type: T,
): readonly Extract<LeaseholdEvent, { type: T }>[] =>
  events.filter((event): event is Extract<LeaseholdEvent, { type: T }> => event.type === type);

describe("requests", () => {
  it("tell operation, duration, attempt and status", async () => {
    let failures = 1;
    const flaky: typeof fetch = async (input, init) => {
      if (failures-- > 0) return new Response("busy", { status: 503 });
      return fetch(input, init);
    };
    const { locks, events } = listening({ fetch: flaky });
    const lease = await locks.lock(freshName()).acquire();
    await lease.extend();
    expect(await locks.lock(lease.name).tryAcquire()).toBeNull();
    await lease.release();
    const requests = only(events, "request");
    // The server knows the scripts or does not: other tests share it.
    const answered = requests.filter(({ why }) => !/^NOSCRIPT/.test(why));
    expect(answered).toMatchObject([
      { operation: "acquire", attempt: 1, status: undefined, why: expect.stringMatching(/JSON|503/) },
      { operation: "acquire", status: "granted", why: "" },
      { operation: "extend", status: "extended" },
      { operation: "acquire", status: "held" },
      { operation: "release", status: "closed" },
    ]);
    expect(answered[1]?.attempt).toBeGreaterThan(1);
    for (const { durationMs, kind, name } of requests) {
      expect(durationMs).toBeGreaterThanOrEqual(0);
      expect([kind, name]).toEqual(["lock", lease.name]);
    }
  });
});

describe("waiting", () => {
  it("has a beginning and an end, with how long and how many polls", async () => {
    const { locks, events } = listening();
    const lease = await locks.lock(freshName()).acquire();
    events.length = 0;
    const next = locks.lock(lease.name).acquire({ wait: "10s", backoff: constantBackoff(20) });
    while (only(events, "polled").length < 3) await pause(5);
    await lease.release();
    await (await next).release();
    expect(only(events, "waiting")).toMatchObject([{ operation: "acquire", remainingMs: expect.any(Number) }]);
    const [ended] = only(events, "ended");
    const [acquired] = only(events, "acquired");
    expect(ended).toMatchObject({ operation: "acquire", status: "granted", waited: true });
    expect(ended?.polls).toBe(only(events, "polled").length + 1);
    expect(ended?.polls).toBe(acquired?.polls);
    expect(ended?.waitedMs).toBeGreaterThanOrEqual(acquired?.waitedMs ?? Number.NaN);
  });

  it.each([
    ["held", { wait: "700ms" }],
    ["held", { wait: "10s", maxPolls: 2 }],
    ["aborted", { wait: "10s" }],
  ] as const)("ends as %s too, once: %o", async (status, options) => {
    const { locks, events } = listening();
    await using lease = await locks.lock(freshName()).acquire();
    events.length = 0;
    const stop = new AbortController();
    const waiting = locks.lock(lease.name).acquire({ ...options, signal: stop.signal, backoff: constantBackoff(10) });
    waiting.catch(() => {});
    while (only(events, "polled").length + only(events, "refused").length === 0) await pause(5);
    if (status === "aborted") stop.abort();
    await expect(waiting).rejects.toThrow();
    expect([only(events, "waiting").length, only(events, "ended")]).toMatchObject([1, [{ status, waited: true }]]);
  });

  it("is not said of a single try, nor of a failure", async () => {
    const refused = listening();
    await using lease = await refused.locks.lock(freshName()).acquire();
    expect(await refused.locks.lock(lease.name).tryAcquire()).toBeNull();
    expect(only(refused.events, "ended")).toMatchObject([
      { status: "granted", waited: false },
      { status: "held", waited: false, polls: 1 },
    ]);
    const mistaken = listening({ token: "another-token" });
    await expect(mistaken.locks.lock(freshName()).acquire()).rejects.toThrow();
    expect(only(mistaken.events, "ended")).toMatchObject([{ status: "unauthorized", waited: false }]);
    expect([...refused.events, ...mistaken.events].filter(({ type }) => type === "waiting")).toEqual([]);
  });
});

describe("a lease", () => {
  it("whose signal is watched tells that a fifth of it is left, once for each extension", async () => {
    const { locks, events } = listening();
    const lease = await locks.lock(freshName()).acquire({ lease: "1s" });
    expect(lease.signal.aborted).toBe(false);
    const told = () => only(events, "expiring");
    while (told().length < 1) await pause(5);
    expect(lease.remaining).toBeGreaterThan(0);
    await lease.extend("1s");
    while (told().length < 2) await pause(5);
    while (!lease.signal.aborted) await pause(5);
    expect(told()).toHaveLength(2);
    for (const { remainingMs } of told()) expect(remainingMs > 0 && remainingMs <= 200).toBe(true);
    const [lost] = only(events, "lost");
    expect(lost).toMatchObject({ reason: "expired", token: lease.token });
    expect(lost?.heldMs).toBeGreaterThan(1000);
    await lease.release();
  });

  it("whose signal nobody reads, and one that is released, tell nothing of the kind", async () => {
    const { locks, events } = listening();
    const unwatched = await locks.lock(freshName()).acquire({ lease: "1s" });
    const released = await locks.lock(freshName()).acquire({ lease: "1s" });
    expect(released.signal.aborted).toBe(false);
    await released.release();
    await pause(1_050);
    expect(unwatched.remaining).toBe(0);
    expect(only(events, "expiring")).toEqual([]);
  });

  it("of a ticket tells the text that the connection put into it, signed or not", async () => {
    for (const more of [{}, { ticketKey: "k" }]) {
      const { locks } = listening({ trace: () => "00-1-2-01", ...more });
      const { locks: others, events } = listening(more);
      const lease = await locks.lock(freshName()).acquire();
      const resumed = await others.resume(lease.ticket());
      expect(only(events, "resumed")).toMatchObject([
        { kind: "lock", name: lease.name, token: lease.token, trace: "00-1-2-01" },
      ]);
      expect(resumed.ticket()).toBe(lease.ticket());
      await resumed.release();
      expect(only(events, "released")[0]?.heldMs).toBeGreaterThanOrEqual(0);
      const plain = await others.resume((await others.lock(freshName()).acquire()).ticket());
      expect(only(events, "resumed")[1]).toMatchObject({ name: plain.name, trace: undefined });
      await plain.release();
    }
  });
});

/** How the turns of a once went, by the numbers of their attempts. */
const turnsOf = (events: readonly LeaseholdEvent[]): readonly unknown[] =>
  only(events, "turn").map(({ status, attempt }) => (attempt === undefined ? status : [status, attempt]));

describe("a once", () => {
  it("tells what started, completed and failed, and which deliveries were duplicates", async () => {
    const { locks, events } = listening();
    const delivery = locks.once(freshName(), { maxAttempts: 2, fingerprint: "a" });
    await expect(delivery.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    const turn = await delivery.begin();
    expect(await delivery.begin()).toMatchObject({ status: "running" });
    if (turn.status === "started") await turn.complete("paid");
    expect(await delivery.run(() => "again")).toMatchObject({ status: "done" });
    expect(await locks.once(delivery.name, { fingerprint: "b" }).begin()).toMatchObject({ status: "mismatch" });
    expect(turnsOf(events)).toEqual([
      ...[
        ["started", 1],
        ["failed", 1],
        ["started", 2],
      ],
      ...["running", ["completed", 2], "done", "mismatch"],
    ]);
    for (const { status, token, heldMs } of only(events, "turn"))
      expect([token !== undefined, heldMs !== undefined]).toEqual(
        /^(started|failed|completed)$/.test(status) ? [true, true] : [false, false],
      );
    const hopeless = locks.once(freshName(), { maxAttempts: 1 });
    await hopeless.run(() => Promise.reject(new Error("no"))).catch(() => {});
    await hopeless.begin();
    expect(turnsOf(events).at(-1)).toBe("exhausted");
  });

  it("tells of an attempt that was taken over when its result is refused", async () => {
    const { locks, events } = listening();
    const delivery = locks.once(freshName(), { lease: "100ms" });
    const first = await delivery.begin();
    await pause(150);
    const second = await delivery.begin();
    if (first.status !== "started" || second.status !== "started") throw new Error("both start");
    await expect(first.complete(1)).rejects.toMatchObject({ code: "lease_lost", reason: "taken" });
    await second.complete(2);
    expect(turnsOf(events)).toEqual([
      ["started", 1],
      ["started", 2],
      ["lost", 1],
      ["completed", 2],
    ]);
  });
});

describe("fences", () => {
  it("of Redis tell of a stale write; others by reportStale, to locks or to a function", async () => {
    const { locks, events } = listening();
    const functions: LeaseholdEvent[] = [];
    const db = new DatabaseSync(":memory:");
    const name = freshName();
    const fences = [
      redisFence(locks),
      reportStale(sqliteFence(db), locks),
      reportStale(sqliteFence(db), (event: LeaseholdEvent) => functions.push(event)),
    ];
    await sqliteFence(db).setup();
    for (const fence of fences) {
      await fence.claim({ name, token: 7 });
      await expect(fence.claim({ name, token: 6 })).rejects.toMatchObject({ code: "stale_token" });
    }
    const stale = { type: "stale", kind: "fence", name, token: 6, seen: 7 };
    expect([only(events, "stale"), functions]).toEqual([[stale, stale], [stale]]);
    expect(() => reportStale(sqliteFence(db), {} as Locks)).toThrow(TypeError);
  });
});

describe("dedupe and cron", () => {
  it("a delivery, its duplicate and a failed one are reported", async () => {
    const { locks, events } = listening();
    const id = freshName();
    let status = 500;
    const post = dedupe({ locks, key: () => id }, async () => new Response(null, { status }));
    const call = () => post(new Request("https://example.com/hook", { method: "POST" }));
    await call();
    status = 200;
    await call();
    await call();
    const told = only(events, "answered");
    expect(told).toMatchObject([
      { kind: "dedupe", name: expect.stringMatching(/^custom:/), sender: "custom", status: "failed" },
      { status: "processed" },
      { status: "duplicate" },
    ]);
    const throwing = dedupe({ locks, key: () => `${id}!` }, () => Promise.reject(new Error("no")));
    await expect(throwing(new Request("https://example.com/hook", { method: "POST" }))).rejects.toThrow("no");
    expect(only(events, "answered").at(-1)).toMatchObject({ status: "failed" });
  });

  it.each(["unavailable", "unprotected"] as const)("a delivery during an outage is reported as %s", async (status) => {
    const unreachable = (): Promise<never> => Promise.reject(new Error("unreachable"));
    const { locks, events } = listening({ fetch: unreachable, requestTimeout: 200 });
    const onUnavailable = status === "unprotected" ? "run" : "refuse";
    const post = dedupe({ locks, key: () => freshName(), onUnavailable }, () => new Response("done"));
    const answer = await post(new Request("https://example.com/hook", { method: "POST" }));
    expect(answer.status).toBe(status === "unprotected" ? 200 : 503);
    expect(only(events, "answered")).toMatchObject([{ kind: "dedupe", status }]);
  });

  it("a delivery that the caller's own key refuses is not reported: it has no status", async () => {
    const { locks, events } = listening();
    const post = dedupe({ locks, key: () => new Response("no", { status: 403 }) }, () => new Response("never"));
    const answer = await post(new Request("https://example.com/hook", { method: "POST" }));
    expect([answer.status, events]).toEqual([403, []]);
  });

  it("a job's run is reported, also if it is skipped or fails", async () => {
    const { locks, events } = listening();
    const name = freshName();
    const slot = new Date(Date.UTC(2026, 10, 21, 3));
    await runCron({ locks, name, slot }, () => {});
    await runCron({ locks, name, slot }, () => {});
    await expect(runCron({ locks, name, slot: "other" }, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    const losing = runCron({ locks, name, slot: "third" }, async ({ lease }) => {
      await locks.lock(lease.name).forceRelease();
      await lease.verify();
    });
    await expect(losing).rejects.toMatchObject({ code: "lease_lost" });
    const { locks: strangers, events: theirs } = listening({ token: "another-token" });
    await expect(runCron({ locks: strangers, name, slot: "fourth" }, () => {})).rejects.toThrow();
    expect(only([...events, ...theirs], "occurred")).toMatchObject([
      { kind: "cron", name, slot: "2026-11-21T03:00:00.000Z", status: "ran" },
      { status: "skipped: already ran" },
      { slot: "other", status: "failed" },
      { slot: "third", status: "lost" },
      { slot: "fourth", status: "unavailable" },
    ]);
  });
});

it("a listener that throws or rejects changes nothing", async () => {
  let calls = 0;
  const { locks } = listening({
    onEvent(event: LeaseholdEvent) {
      calls++;
      if (event.type === "acquired") throw new Error("at once");
      return Promise.reject(new Error("late"));
    },
  });
  expect(await (await locks.lock(freshName()).acquire()).release()).toBe(true);
  expect(calls).toBeGreaterThanOrEqual(5);
});
