import { describe, expect, it } from "vitest";
import { check } from "../../verification/histories/checker.ts";
import type { Operation } from "../../verification/histories/history.ts";
import { leaseModel, type Rules } from "../../verification/histories/models/lease.ts";
import { onceModel } from "../../verification/histories/models/once.ts";
import { tokenModel } from "../../verification/histories/models/tokens.ts";
import { judge, WORKLOADS, type Workload } from "../../verification/histories/workloads.ts";
import { acquire, extend, operation, release } from "./operations.ts";

const STRICT = { isStrict: true, keepsData: true };
const underLease = (rules: Rules, history: readonly Operation[]): string => check(leaseModel(rules), history).verdict;
const GOOD = "linearizable";
const BAD = "violated";

describe("mutex", () => {
  it("has one holder until the release, or until the end of the lease", () => {
    expect(underLease({}, [acquire(1, 0), release(2, 1, 10), acquire(3, 20)])).toBe(GOOD);
    expect(underLease({}, [acquire(1, 0), acquire(3, 20)])).toBe(BAD);
    expect(underLease({}, [acquire(1, 0), acquire(3, 110)])).toBe(GOOD);
    expect(underLease({}, [acquire(1, 0), extend(2, 1, 50), acquire(3, 110)])).toBe(BAD);
    expect(underLease({}, [acquire(1, 0), extend(2, 1, 50), acquire(3, 160)])).toBe(GOOD);
  });

  it("may be granted before the release is answered, and not before it is asked for", () => {
    expect(underLease({}, [acquire(1, 0), release(2, 1, 10, { ret: 50 }), acquire(3, 20)])).toBe(GOOD);
    expect(underLease({}, [acquire(1, 0), acquire(3, 5), release(2, 1, 10)])).toBe(BAD);
  });

  it("refuses nobody while nobody has it", () => {
    expect(underLease({}, [acquire(1, 0, { status: "refused" })])).toBe(BAD);
    expect(underLease({}, [acquire(1, 0), acquire(2, 50, { status: "refused" })])).toBe(GOOD);
    expect(underLease({}, [acquire(1, 0), acquire(2, 150, { status: "refused" })])).toBe(BAD);
    expect(underLease({}, [acquire(1, 0, { status: "unknown" }), acquire(2, 50, { status: "refused" })])).toBe(GOOD);
    // What failed was taken back by then.
    expect(underLease({}, [acquire(1, 0, { status: "failed" }), acquire(2, 50, { status: "refused" })])).toBe(BAD);
    expect(underLease({}, [acquire(1, 0, { status: "failed", ret: 50 }), acquire(2, 20, { status: "refused" })])).toBe(
      GOOD,
    );
  });

  it("holds nothing for longer than a lease after an unknown acquisition was seen", () => {
    const [unknown, refused] = [{ status: "unknown" }, { status: "refused" }] as const;
    const seen = [acquire(1, 0, unknown), acquire(2, 10, refused)];
    expect(underLease({}, [...seen, acquire(3, 110, refused)])).toBe(GOOD);
    expect(underLease({}, [...seen, acquire(3, 115, refused)])).toBe(BAD);
    const slow = [acquire(1, 0, { ret: 60 }), acquire(2, 10, refused)];
    expect(underLease({}, [...slow, acquire(3, 115, refused)])).toBe(BAD);
  });

  it("is extended while it is held, also by an extension whose outcome is unknown", () => {
    const extended = [acquire(1, 0), extend(2, 1, 5, { status: "unknown" })];
    expect(underLease({}, [...extended, acquire(3, 190, { status: "refused" })])).toBe(GOOD);
    expect(underLease({}, [...extended, acquire(3, 210, { status: "refused" })])).toBe(BAD);
  });

  it("has a refusal whose first attempt came after it, and was taken back", () => {
    const history = [
      acquire(1, 0),
      acquire(2, 5, { status: "refused", ret: 60 }),
      release(3, 1, 20),
      acquire(4, 30, { status: "refused" }),
    ];
    expect(underLease({}, history)).toBe(BAD);
    expect(judge(WORKLOADS["mutex"] as never, history, STRICT).verdict).toBe(GOOD);
  });

  it("has a waiter whose first grant ended before its answer came, and was cancelled", () => {
    const waited = (lease: number) => [
      acquire(9, 0, { lease, ret: 200 }),
      acquire(2, 50, { status: "refused" }),
      acquire(3, 120),
      release(4, 3, 130),
    ];
    expect(judge(WORKLOADS["mutex"] as never, waited(100), STRICT).verdict).toBe(GOOD);
    // A lease that is longer than the wait cannot have ended during it.
    expect(judge(WORKLOADS["mutex"] as never, waited(250), STRICT).verdict).toBe(BAD);
  });

  it("has an acquisition that was refused to its own key, whose first attempt came after it", () => {
    const [a, b] = [{ reentryKey: "a" }, { reentryKey: "b" }];
    const history = [
      acquire(1, 0, a),
      acquire(2, 5, { ...a, status: "own", ret: 60 }),
      release(3, 1, 20),
      acquire(4, 30, { ...b, status: "refused" }),
    ];
    expect(judge(WORKLOADS["owner-aware"] as never, history, STRICT).verdict).toBe(GOOD);
  });

  it("lets a client count from a request whose answer repeats a grant with what is left of it", () => {
    const verify = operation({ id: 2, action: "verify", hold: 1, call: 60, status: "lost" });
    expect(underLease({}, [acquire(1, 0, { ret: 55 }), verify])).toBe(GOOD);
    expect(underLease({}, [acquire(1, 0, { ret: 20 }), verify])).toBe(BAD);
  });

  it("tells no holder that its lease is over before it can be", () => {
    expect(underLease({}, [acquire(1, 0, { lease: 1000 }), extend(2, 1, 850, { status: "lost" })])).toBe(BAD);
    expect(underLease({}, [acquire(1, 0), extend(2, 1, 98, { status: "lost" })])).toBe(GOOD);
    expect(underLease({}, [acquire(1, 0), release(2, 1, 50, { status: "lost" })])).toBe(BAD);
    expect(underLease({}, [acquire(1, 0), release(2, 1, 110, { status: "lost" })])).toBe(GOOD);
    expect(underLease({}, [acquire(1, 0), extend(2, 1, 150)])).toBe(BAD);
  });

  it("reports nothing to a holder whose hold was lost but that it is lost", () => {
    const lost = [acquire(1, 0), extend(2, 1, 98, { status: "lost" })];
    expect(underLease({}, [...lost, extend(3, 1, 99.5)])).toBe(BAD);
    const verify = operation({ id: 3, action: "verify", hold: 1, call: 99.5 });
    expect(underLease({}, [...lost, verify])).toBe(BAD);
    expect(underLease({}, [...lost, { ...verify, status: "lost" }])).toBe(GOOD);
    expect(underLease({}, [acquire(1, 0), extend(4, 1, 5, { status: "unknown" }), ...lost.slice(1), verify])).toBe(BAD);
    const unheard = operation({ id: 2, action: "verify", hold: 1, call: 5, status: "unknown" });
    expect(underLease({}, [acquire(1, 0), unheard, { ...verify, call: 10, ret: 11, status: "lost" }])).toBe(BAD);
    expect(underLease({}, [acquire(1, 0), { ...verify, call: 98, ret: 98.5, status: "lost" }, extend(4, 1, 99)])).toBe(
      BAD,
    );
  });

  it("lets nobody give up earlier because an extension before had no outcome", () => {
    const extended = [acquire(1, 0, { lease: 500 }), extend(2, 1, 10, { status: "unknown" })];
    expect(underLease({}, [...extended, extend(3, 1, 300, { status: "lost" })])).toBe(BAD);
    expect(underLease({}, [...extended, extend(3, 1, 370, { status: "lost" })])).toBe(GOOD);
    const verify = operation({ id: 3, action: "verify", hold: 1, call: 300, status: "lost" });
    expect(underLease({}, [...extended, verify])).toBe(BAD);
    expect(underLease({}, [...extended, { ...verify, call: 370, ret: 371 }])).toBe(GOOD);
  });

  it("lets a holder whose extension came too late find that it has given the lease back", () => {
    const history = [acquire(1, 0), extend(2, 1, 90, { status: "lost", ret: 105 }), acquire(3, 95), release(4, 1, 110)];
    expect(underLease({}, history)).toBe(GOOD);
  });
});

describe("an extension whose answer is too late", () => {
  it("may have kept the hold alive until it is released", () => {
    const read = (id: number, call: number): Operation => acquire(id, call, { side: "read", token: 7 });
    const joined = (call: number) => [read(1, 0), extend(2, 1, 50, { status: "lost", ret: 160 }), read(3, call)];
    expect(underLease({}, joined(140))).toBe(GOOD);
    expect(underLease({}, joined(170))).toBe(BAD);
  });
});

describe("owner-aware", () => {
  it("lets nobody release what another holds", () => {
    const history = [acquire(1, 0), acquire(2, 110), release(3, 1, 120), acquire(4, 130)];
    expect(underLease({}, history)).toBe(BAD);
    // A plain mutex knows no owners, and a release frees it.
    expect(underLease({ ownerAware: false }, history)).toBe(GOOD);
  });

  it("tells a reentry key that it holds the lock, and no other", () => {
    const first = acquire(1, 0, { reentryKey: "x" });
    expect(underLease({}, [first, acquire(2, 5, { reentryKey: "x", status: "own" })])).toBe(GOOD);
    expect(underLease({}, [first, acquire(2, 5, { reentryKey: "y", status: "own" })])).toBe(BAD);
    expect(underLease({}, [first, acquire(2, 5, { reentryKey: "x" })])).toBe(BAD);
  });
});

describe("reentrant and fenced", () => {
  const RULES = { reentrant: true };
  const first = acquire(1, 0, { reentryKey: "x", token: 7 });

  it("lets only its re-entry key acquire again, under the same token, until the last hold has ended", () => {
    const again = acquire(2, 5, { reentryKey: "x", token: 7 });
    const other = acquire(4, 20, { reentryKey: "y", token: 8 });
    expect(underLease(RULES, [first, again, release(3, 1, 10)])).toBe(GOOD);
    expect(underLease(RULES, [first, again, release(3, 1, 10), other])).toBe(BAD);
    expect(underLease(RULES, [first, again, release(3, 1, 10), release(5, 2, 15), other])).toBe(GOOD);
    expect(underLease(RULES, [first, acquire(2, 5, { reentryKey: "x", token: 8 })])).toBe(BAD);
    expect(underLease(RULES, [first, acquire(2, 5, { reentryKey: "x", status: "refused" })])).toBe(BAD);
  });

  it("gives every tenure a larger token", () => {
    const history = (token: number) => [first, release(2, 1, 10), acquire(3, 20, { reentryKey: "y", token })];
    expect([6, 7, 8].map((token) => underLease(RULES, history(token)))).toEqual([BAD, BAD, GOOD]);
    expect(underLease({ ...RULES, fenced: false }, history(6))).toBe(GOOD);
  });

  it("accepts no write under a token lower than one before", () => {
    const write = (id: number, token: number, call: number, status: "ok" | "refused") =>
      operation({ id, action: "write", token, call, status });
    expect(underLease({}, [write(1, 5, 0, "ok"), write(2, 4, 10, "ok")])).toBe(BAD);
    expect(underLease({}, [write(1, 5, 0, "ok"), write(2, 4, 10, "refused"), write(3, 5, 20, "ok")])).toBe(GOOD);
    expect(underLease({}, [write(1, 5, 0, "ok"), write(2, 6, 10, "refused")])).toBe(BAD);
  });
});

describe("read-write", () => {
  const read = (id: number, call: number, token: number): Operation => acquire(id, call, { side: "read", token });

  it("has many readers under one token, or one writer", () => {
    expect(underLease({}, [read(1, 0, 7), read(2, 5, 7)])).toBe(GOOD);
    expect(underLease({}, [read(1, 0, 7), read(2, 5, 8)])).toBe(BAD);
    expect(underLease({}, [read(1, 0, 7), acquire(2, 5, { token: 8 })])).toBe(BAD);
    expect(underLease({}, [acquire(1, 0, { token: 7 }), read(2, 5, 8)])).toBe(BAD);
    expect(underLease({}, [read(1, 0, 7), read(2, 5, 7), release(3, 1, 10), acquire(4, 20, { token: 8 })])).toBe(BAD);
  });

  it("refuses readers for a writer alone, unless there are waiters", () => {
    const refused = acquire(2, 5, { side: "read", status: "refused" });
    expect(underLease({}, [read(1, 0, 7), refused])).toBe(BAD);
    expect(underLease({ waiters: true }, [read(1, 0, 7), refused])).toBe(GOOD);
    expect(underLease({}, [acquire(1, 0, { token: 7 }), refused])).toBe(GOOD);
  });
});

describe("semaphore", () => {
  const take = (id: number, call: number, permits: number, given: Partial<Operation> = {}): Operation =>
    acquire(id, call, { permits, ...given });

  it("lends no more permits than there are", () => {
    expect(underLease({ permits: 3 }, [take(1, 0, 2), take(2, 5, 1)])).toBe(GOOD);
    expect(underLease({ permits: 3 }, [take(1, 0, 2), take(2, 5, 2)])).toBe(BAD);
    expect(underLease({ permits: 3 }, [take(1, 0, 2), release(2, 1, 5), take(3, 10, 2)])).toBe(GOOD);
    expect(underLease({ permits: 3 }, [take(1, 0, 2), take(2, 5, 1), take(3, 110, 3)])).toBe(GOOD);
  });

  it("refuses nobody for whom there is room", () => {
    expect(underLease({ permits: 3 }, [take(1, 0, 2), take(2, 5, 1, { status: "refused" })])).toBe(BAD);
    expect(underLease({ permits: 3 }, [take(1, 0, 2), take(2, 5, 2, { status: "refused" })])).toBe(GOOD);
  });
});

describe("once", () => {
  const underOnce = (history: readonly Operation[]): string => check(onceModel(), history).verdict;
  const begin = (id: number, call: number, attempt: number, given: Partial<Operation> = {}): Operation =>
    operation({ id, action: "begin", call, lease: 100, token: id, attempt, ...given });
  const about = (id: number, action: "complete" | "fail", hold: number, call: number, given: Partial<Operation> = {}) =>
    operation({ id, action, hold, token: hold, call, value: action === "complete" ? "v" : "", ...given });
  const result = (id: number, token: number, call: number, value = "v"): Operation =>
    operation({ id, action: "result", token, call, value });

  it("runs one attempt at a time, and the next when it failed or its lease is over", () => {
    expect(underOnce([begin(1, 0, 1), begin(2, 10, 2)])).toBe(BAD);
    expect(underOnce([begin(1, 0, 1), begin(2, 10, 2, { status: "refused" })])).toBe(GOOD);
    expect(underOnce([begin(1, 0, 1), about(3, "fail", 1, 5), begin(2, 10, 2)])).toBe(GOOD);
    expect(underOnce([begin(1, 0, 1), begin(2, 110, 2)])).toBe(GOOD);
  });

  it("completes once, and all get that result", () => {
    const done = [begin(1, 0, 1), about(3, "complete", 1, 5)];
    expect(underOnce([...done, result(4, 1, 10)])).toBe(GOOD);
    expect(underOnce([...done, result(4, 1, 10, "w")])).toBe(BAD);
    expect(underOnce([...done, begin(5, 10, 2)])).toBe(BAD);
    expect(underOnce([...done.slice(0, 1), result(4, 1, 10)])).toBe(BAD);
  });

  it("may have stored no result for want of memory, where nobody heard which", () => {
    const unheard = [begin(1, 0, 1), about(3, "complete", 1, 5, { status: "unknown", ret: Number.POSITIVE_INFINITY })];
    expect(underOnce([...unheard, result(4, 1, 10)])).toBe(GOOD);
    expect(underOnce([...unheard, result(4, 1, 10, "undefined")])).toBe(GOOD);
    expect(underOnce([...unheard, result(4, 1, 10, "undefined"), result(5, 1, 20)])).toBe(BAD);
    expect(underOnce([begin(1, 0, 1), about(3, "complete", 1, 5), result(4, 1, 10, "undefined")])).toBe(BAD);
  });

  it("fails an attempt only under its lease", () => {
    expect(underOnce([begin(1, 0, 1), about(3, "fail", 1, 101)])).toBe(GOOD);
    expect(underOnce([begin(1, 0, 1), about(3, "fail", 1, 110)])).toBe(BAD);
    expect(underOnce([begin(1, 0, 1), about(3, "fail", 1, 110, { status: "unknown" }), begin(4, 120, 2)])).toBe(GOOD);
  });

  it("takes a result after the lease, unless another attempt began", () => {
    expect(underOnce([begin(1, 0, 1), about(3, "complete", 1, 300)])).toBe(GOOD);
    expect(underOnce([begin(1, 0, 1), begin(2, 110, 2), about(3, "complete", 1, 120)])).toBe(BAD);
    expect(underOnce([begin(1, 0, 1), begin(2, 110, 2), about(3, "complete", 1, 120, { status: "lost" })])).toBe(GOOD);
  });

  it("counts the attempts, and perhaps unobserved ones", () => {
    expect(underOnce([begin(1, 0, 1), begin(2, 110, 3)])).toBe(BAD);
    expect(underOnce([begin(1, 0, 0, { status: "unknown", token: 0 }), begin(2, 110, 2)])).toBe(GOOD);
    expect(underOnce([begin(1, 0, 0, { status: "unknown", token: 0 }), begin(2, 110, 1)])).toBe(GOOD);
  });

  it("does not count an attempt that was cancelled before its lease could expire", () => {
    const failed = (ret: number): Operation => begin(1, 0, 0, { status: "failed", token: 0, ret });
    expect(underOnce([failed(1), begin(2, 200, 1)])).toBe(GOOD);
    expect(underOnce([failed(1), begin(2, 200, 2)])).toBe(BAD);
    expect(underOnce([failed(150), begin(2, 200, 2)])).toBe(GOOD);
  });
});

describe("crons and hand-overs", () => {
  const accepts = (kind: string, history: readonly Operation[]): boolean => {
    const { verdict } = judge(WORKLOADS[kind] as Workload, history, STRICT);
    expect(verdict).not.toBe("undecided");
    return verdict === "linearizable";
  };
  const begin = (id: number, call: number, attempt: number, given: Partial<Operation> = {}): Operation =>
    operation({ id, action: "begin", call, lease: 100, token: given.status ? 0 : id, attempt, ...given });
  const about = (hold: number, action: Operation["action"], call: number, given: Partial<Operation> = {}): Operation =>
    operation({ id: 1000 + call, action, hold, token: hold, call, value: action === "fail" ? "" : "v", ...given });
  const [a, b] = [{ slot: "a" }, { slot: "b" }];
  const ended = { status: "ended" } as const;
  const unknown = { status: "unknown", ret: Number.POSITIVE_INFINITY, attempt: 0 } as const;

  it("runs one slot of a job at a time", () => {
    expect(accepts("cron", [begin(1, 0, 1, a), begin(2, 10, 1, b)])).toBe(false);
    expect(accepts("cron", [begin(1, 0, 1, a), begin(2, 10, 0, { ...b, status: "refused" })])).toBe(true);
    expect(accepts("cron", [begin(1, 0, 1, a), about(1, "fail", 5, { ...a, ...ended }), begin(2, 10, 1, b)])).toBe(
      true,
    );
    expect(accepts("cron", [begin(1, 0, 1, a), about(1, "complete", 5, a), begin(2, 10, 1, b)])).toBe(true);
    expect(accepts("cron", [begin(1, 0, 1, a), begin(2, 110, 1, b)])).toBe(true);
    expect(accepts("cron", [begin(2, 10, 0, { ...b, status: "refused" })])).toBe(false);
  });

  it("counts the attempts of each slot, whose tokens rise from slot to slot", () => {
    const first = [begin(3, 0, 1, a), about(3, "fail", 5, { ...a, ...ended })];
    expect(accepts("cron", [...first, begin(4, 10, 2, b)])).toBe(false);
    expect(accepts("cron", [...first, begin(4, 10, 2, a)])).toBe(true);
    expect(accepts("cron", [...first, begin(2, 10, 1, b)])).toBe(false);
    expect(accepts("cron", [...first, begin(4, 10, 1, { ...b, token: 3 })])).toBe(false);
  });

  it("completes a slot late unless another run of it has begun, even if another slot has", () => {
    const late = [begin(1, 0, 1, a), begin(2, 110, 1, b)];
    const result = about(9, "result", 140, { ...a, id: 9, hold: 9, token: 1 });
    expect(accepts("cron", [...late, about(1, "complete", 120, a), result])).toBe(true);
    expect(accepts("cron", [...late, about(1, "complete", 120, { ...a, status: "lost" })])).toBe(false);
    const again = [...late, about(2, "fail", 115, { ...b, ...ended }), begin(3, 120, 2, a)];
    expect(accepts("cron", [...again, about(1, "complete", 130, a)])).toBe(false);
    expect(accepts("cron", [...again, about(1, "complete", 130, { ...a, status: "lost" })])).toBe(true);
  });

  it("extends a run for as long as it is alive", () => {
    const extended = [begin(1, 0, 1, a), about(1, "extend", 50, { ...a, lease: 100 })];
    expect(accepts("cron", [...extended, begin(2, 110, 1, b)])).toBe(false);
    expect(accepts("cron", [...extended, begin(2, 160, 1, b)])).toBe(true);
    expect(accepts("cron", [begin(1, 0, 1, a), about(1, "extend", 110, { ...a, lease: 100 })])).toBe(false);
    const lost = { ...a, lease: 100, status: "lost" } as const;
    expect(accepts("cron", [begin(1, 0, 1, { ...a, lease: 1000 }), about(1, "extend", 50, lost)])).toBe(false);
    expect(accepts("cron", [begin(1, 0, 1, a), about(1, "extend", 110, lost)])).toBe(true);
  });

  it("may have counted a run that its client gave up before its lease ended", () => {
    const first = begin(1, 0, 0, { ...a, ...unknown });
    expect(accepts("cron", [first, begin(2, 10, 2, a)])).toBe(true);
    expect(accepts("cron", [first, begin(2, 10, 1, a)])).toBe(true);
    expect(accepts("cron", [first, begin(2, 10, 3, a)])).toBe(false);
    // Its answer came after the end of its lease, so it began again.
    expect(accepts("cron", [begin(1, 0, 2, { ...a, ret: 150 })])).toBe(true);
    expect(accepts("cron", [begin(1, 0, 2, { ...a, ret: 50 })])).toBe(false);
  });

  const ticket = acquire(500, 0, { lease: 300, token: 5 });
  const under = { token: 5 };

  it("lets the attempts of a message share the token of a ticket while its lease lives", () => {
    expect(accepts("hand-over", [ticket, begin(6, 10, 1, under), begin(7, 120, 2, under)])).toBe(true);
    expect(accepts("hand-over", [ticket, begin(6, 10, 1, under), begin(7, 50, 2, under)])).toBe(false);
    expect(accepts("hand-over", [ticket, begin(6, 10, 1, under), begin(7, 320, 2, under)])).toBe(false);
    expect(accepts("hand-over", [ticket, begin(6, 10, 1, under), begin(7, 320, 2)])).toBe(true);
  });

  it("ends the lease of the ticket with an attempt under it", () => {
    const failed = [ticket, begin(6, 10, 1, under), about(6, "fail", 20, { ...under, ...ended })];
    expect(accepts("hand-over", [...failed, begin(7, 30, 2, under)])).toBe(false);
    expect(accepts("hand-over", [...failed, begin(7, 30, 2)])).toBe(true);
  });

  it("extends the lease of the ticket with an attempt under it", () => {
    const extended = [ticket, begin(6, 10, 1, under), about(6, "extend", 50, { ...under, lease: 400 })];
    expect(accepts("hand-over", [...extended, begin(7, 320, 2, under)])).toBe(false);
    expect(accepts("hand-over", [ticket, begin(6, 10, 1, under), begin(7, 320, 2, under)])).toBe(false);
    expect(accepts("hand-over", [...extended, about(6, "fail", 460, { ...under, ...ended }), begin(7, 470, 2)])).toBe(
      true,
    );
  });

  it("lets no token fall, and shares none that is not the ticket's", () => {
    expect(accepts("hand-over", [ticket, begin(6, 10, 1, { token: 4 })])).toBe(false);
    const anew = [ticket, begin(6, 310, 1), about(6, "fail", 320, ended)];
    expect(accepts("hand-over", [...anew, begin(7, 330, 2)])).toBe(true);
    expect(accepts("hand-over", [...anew, begin(7, 330, 2, { token: 6 })])).toBe(false);
    expect(accepts("hand-over", [...anew, begin(7, 330, 2, under)])).toBe(false);
  });

  it("tells the attempts under one token apart", () => {
    const two = [ticket, begin(6, 10, 1, under), begin(7, 120, 2, under), about(7, "complete", 130, under)];
    expect(accepts("hand-over", [...two, about(6, "complete", 140, { ...under, status: "lost" })])).toBe(true);
    expect(accepts("hand-over", [...two, about(6, "complete", 140, under)])).toBe(false);
  });
});

describe("tokens alone", () => {
  const underTokens = (keepsData: boolean, history: readonly Operation[]): string =>
    check(tokenModel({ shared: true, keepsData }), history).verdict;

  it("only rise, also where two hold the lock", () => {
    expect(underTokens(true, [acquire(1, 0), acquire(2, 5)])).toBe(GOOD);
    expect(underTokens(true, [acquire(2, 0), acquire(1, 5)])).toBe(BAD);
    expect(underTokens(false, [acquire(2, 0), acquire(1, 5)])).toBe(BAD);
  });

  it("are shared by those who join a tenure, which may live on where data was lost", () => {
    const read = (id: number, call: number, token: number): Operation => acquire(id, call, { side: "read", token });
    expect(underTokens(true, [read(1, 0, 7), read(2, 5, 7)])).toBe(GOOD);
    const overtaken = [read(1, 0, 7), acquire(2, 5, { token: 8 }), read(3, 10, 7)];
    expect(underTokens(true, overtaken)).toBe(BAD);
    expect(underTokens(false, overtaken)).toBe(GOOD);
    expect(underTokens(false, [read(1, 0, 7), acquire(2, 5, { token: 8 }), acquire(3, 10, { token: 7 })])).toBe(BAD);
  });

  it("may be of a tenure that nobody saw begin, on a primary that was replaced", () => {
    const [workload, site] = [WORKLOADS["read-write"] as never, { isStrict: false, keepsData: false }];
    const read = (id: number, call: number, given: Partial<Operation> = {}): Operation =>
      acquire(id, call, { side: "read", ...given });
    const writer = acquire(9, 5);
    const join = read(3, 10, { token: 7 });
    expect(judge(workload, [read(1, 0, { status: "unknown" }), writer, join], site).verdict).toBe(GOOD);
    expect(judge(workload, [read(1, 0, { status: "failed" }), writer, join, { ...join, id: 4 }], site).verdict).toBe(
      GOOD,
    );
    expect(judge(workload, [writer, join, read(1, 20, { status: "unknown" })], site).verdict).toBe(BAD);
    expect(judge(workload, [acquire(1, 0, { status: "unknown" }), writer, join], site).verdict).toBe(BAD);
    const keeping = { isStrict: false, keepsData: true };
    expect(judge(workload, [read(1, 0, { status: "unknown" }), writer, join], keeping).verdict).toBe(BAD);
  });
});
