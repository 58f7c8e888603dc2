import { describe, expect, it } from "vitest";
import type { Operation } from "../../verification/histories/history.ts";
import { judge, type Workload } from "../../verification/histories/workloads.ts";
import { acquire, extend, operation, release } from "./operations.ts";

const STRICT = { isStrict: true, keepsData: true };

const MUTEX: Workload = { kind: "lock", rules: {} };
const REENTRANT: Workload = { kind: "lock", rules: { reentrant: true } };
const FAIR: Workload = { kind: "fairLock", rules: { waiters: true } };
const SEMAPHORE: Workload = { kind: "semaphore", rules: { permits: 3 } };
const READ_WRITE: Workload = { kind: "readWriteLock", rules: {} };
const ONCE: Workload = { kind: "once", rules: {} };

const isExplained = (workload: Workload, history: readonly Operation[], promised = STRICT): boolean => {
  const { verdict } = judge(workload, history, promised);
  expect(verdict).not.toBe("undecided");
  return verdict === "linearizable";
};

const refused = { status: "refused" } as const;
const unknown = { status: "unknown" } as const;
const lost = { status: "lost" } as const;

describe("a mutex", () => {
  it("may be granted after a release, or once the lease can have ended, and no earlier", () => {
    expect(isExplained(MUTEX, [acquire(1, 0), release(2, 1, 5), acquire(3, 7)])).toBe(true);
    expect(isExplained(MUTEX, [acquire(1, 0), acquire(2, 50)])).toBe(false);
    expect(isExplained(MUTEX, [acquire(1, 0), acquire(2, 99)])).toBe(true);
    expect(isExplained(MUTEX, [acquire(1, 0), acquire(2, 97)])).toBe(false);
  });

  it("starts a lease no earlier than the operation that it follows", () => {
    const late = acquire(3, 0, { ret: 60 });
    expect(isExplained(MUTEX, [acquire(1, 0), release(2, 1, 40), late, acquire(4, 120)])).toBe(false);
    expect(isExplained(MUTEX, [acquire(1, 0), release(2, 1, 40), late, acquire(4, 140)])).toBe(true);
  });

  it("may be refused only while it is held", () => {
    expect(isExplained(MUTEX, [acquire(1, 0), acquire(2, 5, refused)])).toBe(true);
    expect(isExplained(MUTEX, [acquire(2, 5, refused)])).toBe(false);
    expect(isExplained(MUTEX, [acquire(1, 0), release(2, 1, 5), acquire(3, 7, refused)])).toBe(false);
    expect(isExplained(FAIR, [acquire(1, 0), release(2, 1, 5), acquire(3, 7, refused)])).toBe(true);
  });

  it("may be refused because of an acquisition whose outcome is unknown, if that was called before", () => {
    expect(isExplained(MUTEX, [acquire(1, 0, unknown), acquire(2, 50, refused)])).toBe(true);
    expect(isExplained(MUTEX, [acquire(1, 60, unknown), acquire(2, 50, refused)])).toBe(false);
  });

  it("may be free after a hold that nobody saw was cancelled", () => {
    expect(isExplained(MUTEX, [acquire(1, 0, unknown), acquire(2, 10, refused), acquire(3, 20)])).toBe(true);
    const failed = acquire(1, 0, { status: "failed", ret: 15 });
    expect(isExplained(MUTEX, [failed, acquire(2, 10, refused), acquire(3, 20)])).toBe(true);
    expect(isExplained(MUTEX, [failed, acquire(2, 16, refused)])).toBe(false);
  });

  it("may be refused because of a waiter whose first grant ended before its answer came", () => {
    const waited = (lease: number): readonly Operation[] => [
      acquire(9, 0, { lease, ret: 200 }),
      acquire(2, 50, refused),
      acquire(3, 120),
      release(4, 3, 130),
    ];
    expect(isExplained(MUTEX, waited(100))).toBe(true);
    expect(isExplained(MUTEX, waited(250))).toBe(false);
    expect(isExplained(MUTEX, [acquire(9, 0, { lease: 100, ret: 200, ...refused })])).toBe(false);
  });

  it("reports an owner's own hold as such, and another's as a refusal", () => {
    const [a, b] = [{ reentryKey: "a" }, { reentryKey: "b" }];
    expect(isExplained(MUTEX, [acquire(1, 0, a), acquire(2, 5, { ...a, status: "own" })])).toBe(true);
    expect(isExplained(MUTEX, [acquire(1, 0, a), acquire(2, 5, { ...b, status: "own" })])).toBe(false);
    expect(isExplained(MUTEX, [acquire(1, 0, a), acquire(2, 5, { ...a, ...refused })])).toBe(false);
  });
});

describe("the end of a hold", () => {
  it("is reported as lost only after it has ended, and as released only if it had not", () => {
    expect(isExplained(MUTEX, [acquire(1, 0), release(2, 1, 50, lost)])).toBe(false);
    expect(isExplained(MUTEX, [acquire(1, 0), release(2, 1, 120, lost)])).toBe(true);
    expect(isExplained(MUTEX, [acquire(1, 0), acquire(2, 110), release(3, 1, 120)])).toBe(false);
  });

  it("comes by the end of its lease at the latest", () => {
    const verify = operation({ id: 2, action: "verify", hold: 1, call: 101 });
    expect(isExplained(MUTEX, [acquire(1, 0), verify])).toBe(true);
    expect(isExplained(MUTEX, [acquire(1, 0), { ...verify, call: 103, ret: 104 }])).toBe(false);
    expect(isExplained(MUTEX, [acquire(1, 0), release(2, 1, 103)])).toBe(false);
    expect(isExplained(MUTEX, [acquire(1, 0), acquire(2, 103, refused)])).toBe(false);
    expect(isExplained(MUTEX, [acquire(1, 0), extend(2, 1, 50), release(3, 1, 151)])).toBe(true);
    expect(isExplained(MUTEX, [acquire(1, 0), extend(2, 1, 50), release(3, 1, 154)])).toBe(false);
  });

  it("is put off by an extension, which needs a live hold", () => {
    expect(isExplained(MUTEX, [acquire(1, 0), extend(2, 1, 50), acquire(3, 120)])).toBe(false);
    expect(isExplained(MUTEX, [acquire(1, 0), extend(2, 1, 50), acquire(3, 150)])).toBe(true);
    expect(isExplained(MUTEX, [acquire(1, 0), acquire(2, 110), extend(3, 1, 120)])).toBe(false);
  });

  it("is not brought nearer by a shorter extension", () => {
    expect(isExplained(MUTEX, [acquire(1, 0), extend(2, 1, 10, { lease: 5 }), acquire(3, 50)])).toBe(false);
  });

  it("may be noticed early by its holder, whose own time is shorter than the server's", () => {
    const early = operation({ id: 2, action: "verify", hold: 1, call: 97, status: "lost" });
    expect(isExplained(MUTEX, [acquire(1, 0), early])).toBe(true);
    // The holder's wall clock counts whole milliseconds, and may be ahead by a part of the lease.
    expect(isExplained(MUTEX, [acquire(1, 0), { ...early, call: 95, ret: 96 }])).toBe(true);
    expect(isExplained(MUTEX, [acquire(1, 0), { ...early, call: 92, ret: 93 }])).toBe(false);
  });

  it("may be noticed earlier by a holder whose answer repeated a grant with what was left of it", () => {
    const verify = operation({ id: 2, action: "verify", hold: 1, call: 60, ...lost });
    expect(isExplained(MUTEX, [acquire(1, 0, { ret: 55 }), verify])).toBe(true);
    expect(isExplained(MUTEX, [acquire(1, 0, { ret: 20 }), verify])).toBe(false);
  });

  it("is noticed for good", () => {
    const verify = operation({ id: 2, action: "verify", hold: 1, call: 97, status: "lost" });
    expect(isExplained(MUTEX, [acquire(1, 0), verify, extend(3, 1, 98.5)])).toBe(false);
    expect(isExplained(MUTEX, [acquire(1, 0), verify, { ...verify, id: 3, call: 98.5, ret: 99 }])).toBe(true);
    expect(isExplained(MUTEX, [acquire(1, 0), verify, { ...verify, id: 3, call: 98.5, ret: 99, status: "ok" }])).toBe(
      false,
    );
  });

  it("may come from a holder that got no answer to an extension, shortly before its own end", () => {
    const [long, givenUp] = [acquire(1, 0, { lease: 1000 }), extend(2, 1, 900, lost)];
    expect(isExplained(MUTEX, [long, givenUp, acquire(3, 910)])).toBe(true);
    expect(isExplained(MUTEX, [long, givenUp, release(3, 1, 910)])).toBe(true);
    expect(isExplained(MUTEX, [long, { ...givenUp, call: 700, ret: 701 }])).toBe(false);
  });

  it("is put off by an extension whose outcome is unknown only while it is held", () => {
    const extended = [acquire(1, 0), extend(2, 1, 5, unknown)];
    expect(isExplained(MUTEX, [...extended, acquire(3, 190, refused)])).toBe(true);
    expect(isExplained(MUTEX, [...extended, acquire(3, 210, refused)])).toBe(false);
  });

  it("may be noticed by a holder that got no answer to an extension, nor to its close", () => {
    const givenUp = [acquire(1, 0, { lease: 1000 }), extend(2, 1, 850, unknown)];
    const verify = operation({ id: 3, action: "verify", hold: 1, call: 900, ...lost });
    expect(isExplained(MUTEX, [...givenUp, verify, acquire(4, 910, refused)])).toBe(true);
    expect(isExplained(MUTEX, [...givenUp, verify, acquire(4, 910)])).toBe(true);
    expect(isExplained(MUTEX, [...givenUp, { ...verify, call: 700, ret: 701 }])).toBe(false);
  });

  it("may be put off by an extension whose answer came too late for its holder", () => {
    const late = extend(2, 1, 90, { ...lost, ret: 150 });
    expect(isExplained(MUTEX, [acquire(1, 0), late, acquire(3, 120, refused)])).toBe(true);
    expect(isExplained(MUTEX, [acquire(1, 0), late, acquire(3, 151, refused)])).toBe(false);
  });
});

describe("tokens", () => {
  it("rise with each tenure, also after one that nobody saw", () => {
    expect(isExplained(MUTEX, [acquire(5, 0), release(6, 5, 3), acquire(7, 5, { token: 4 })])).toBe(false);
    expect(isExplained(MUTEX, [acquire(5, 0), release(6, 5, 3), acquire(7, 5, { token: 5 })])).toBe(false);
  });

  it("are shared by the holds of one owner, and by readers beside each other", () => {
    const own = { reentryKey: "a", token: 5 };
    expect(isExplained(REENTRANT, [acquire(1, 0, own), acquire(2, 5, own)])).toBe(true);
    expect(isExplained(REENTRANT, [acquire(1, 0, own), acquire(2, 5, { ...own, token: 6 })])).toBe(false);
    expect(isExplained(REENTRANT, [acquire(1, 0, own), acquire(2, 5, { ...own, reentryKey: "b" })])).toBe(false);
    const read = { side: "read", token: 5 } as const;
    expect(isExplained(READ_WRITE, [acquire(1, 0, read), acquire(2, 5, read)])).toBe(true);
    expect(isExplained(READ_WRITE, [acquire(1, 0, read), acquire(2, 5, { ...read, token: 6 })])).toBe(false);
  });

  it("are learned from a hold that joins a tenure that nobody saw", () => {
    const own = { reentryKey: "a" };
    const first = acquire(1, 0, { ...own, ...unknown });
    const blocked = acquire(2, 5, { reentryKey: "b", ...refused });
    expect(isExplained(REENTRANT, [first, blocked, acquire(3, 10, own), acquire(4, 15, { ...own, token: 3 })])).toBe(
      true,
    );
    expect(isExplained(REENTRANT, [first, blocked, acquire(3, 10, own), acquire(4, 15, own)])).toBe(false);
  });

  it("of writes never fall, and a stale one is refused only after a higher one", () => {
    const write = (id: number, call: number, token: number, given: Partial<Operation> = {}): Operation =>
      operation({ id, action: "write", hold: token, call, token, ...given });
    const tenures = [acquire(1, 0), release(2, 1, 2), acquire(3, 4)];
    expect(isExplained(MUTEX, [...tenures, write(4, 6, 3), write(5, 8, 1)])).toBe(false);
    expect(isExplained(MUTEX, [...tenures, write(4, 6, 3), write(5, 8, 1, refused)])).toBe(true);
    expect(isExplained(MUTEX, [...tenures, write(5, 8, 1, refused)])).toBe(false);
    expect(isExplained(MUTEX, [...tenures, write(4, 6, 3, unknown), write(5, 8, 1, refused)])).toBe(true);
  });

  it("are all that is judged where leases may end early", () => {
    const loose = { isStrict: false, keepsData: false };
    expect(isExplained(MUTEX, [acquire(1, 0), acquire(2, 5)], loose)).toBe(true);
    expect(isExplained(MUTEX, [acquire(2, 0), acquire(1, 5)], loose)).toBe(false);
    expect(isExplained(MUTEX, [acquire(1, 0), acquire(2, 5, { token: 1 })], loose)).toBe(false);
    const shared = { ...READ_WRITE, tokens: { shared: true } };
    const [read, reads] = [acquire(1, 0, { side: "read" }), acquire(2, 5, { side: "read", token: 1 })];
    expect(isExplained(shared, [read, reads], loose)).toBe(true);
    expect(isExplained(shared, [acquire(1, 0), acquire(2, 5, { token: 1 })], loose)).toBe(false);
    // A primary that was replaced and does not know it may let a reader join.
    const late = acquire(4, 15, { side: "read", token: 1 });
    expect(isExplained(shared, [read, acquire(3, 10), late], loose)).toBe(true);
    expect(isExplained(shared, [read, acquire(3, 10), late], { isStrict: false, keepsData: true })).toBe(false);
  });
});

it("takes the token of a tenure that nobody saw begin, on a primary that was replaced", () => {
  const shared = { ...READ_WRITE, tokens: { shared: true } };
  const loose = { isStrict: false, keepsData: false };
  const read = (id: number, call: number, given: Partial<Operation> = {}): Operation =>
    acquire(id, call, { side: "read", ...given });
  const [writer, join] = [acquire(9, 5), read(3, 10, { token: 7 })];
  expect(isExplained(shared, [read(1, 0, unknown), writer, join], loose)).toBe(true);
  expect(isExplained(shared, [read(1, 0, refused), writer, join, { ...join, id: 4 }], loose)).toBe(true);
  expect(isExplained(shared, [writer, join, read(1, 20, unknown)], loose)).toBe(false);
  expect(isExplained(shared, [acquire(1, 0, unknown), writer, join], loose)).toBe(false);
  expect(isExplained(shared, [read(1, 0, unknown), writer, join], { ...loose, keepsData: true })).toBe(false);
});

describe("other models", () => {
  it("count a semaphore's permits", () => {
    const [one, two] = [{ permits: 1 }, { permits: 2 }];
    expect(isExplained(SEMAPHORE, [acquire(1, 0, two), acquire(2, 5, one)])).toBe(true);
    expect(isExplained(SEMAPHORE, [acquire(1, 0, two), acquire(2, 5, two)])).toBe(false);
    expect(isExplained(SEMAPHORE, [acquire(1, 0, two), acquire(2, 5, { ...two, ...refused })])).toBe(true);
    expect(isExplained(SEMAPHORE, [acquire(1, 0, two), acquire(2, 5, { ...one, ...refused })])).toBe(false);
  });

  it("let readers in beside each other, and a writer only alone", () => {
    const [read, write] = [{ side: "read", token: 1 } as const, { side: "write" } as const];
    expect(isExplained(READ_WRITE, [acquire(1, 0, read), acquire(2, 5, write)])).toBe(false);
    expect(isExplained(READ_WRITE, [acquire(1, 0, write), acquire(2, 5, { side: "read" })])).toBe(false);
    expect(isExplained(READ_WRITE, [acquire(1, 0, read), acquire(2, 5, { side: "read", ...refused })])).toBe(false);
    expect(isExplained(READ_WRITE, [acquire(1, 0, read), acquire(2, 5, { ...write, ...refused })])).toBe(true);
  });
});

describe("work that is done once", () => {
  const begin = (id: number, call: number, given: Partial<Operation> = {}): Operation =>
    operation({ id, action: "begin", call, lease: 100, ...(given.status ? {} : { token: id, attempt: 1 }), ...given });
  // A result has the token under which it was stored, here that of the first attempt.
  const about = (id: number, hold: number, action: Operation["action"], call: number, given = {}): Operation =>
    operation({
      ...{ id, hold, action, call, token: action === "result" ? 1 : hold },
      ...{ value: action === "fail" ? "" : "x", ...given },
    });

  it("has one attempt at a time, and counts them", () => {
    expect(isExplained(ONCE, [begin(1, 0), begin(2, 5, refused)])).toBe(true);
    expect(isExplained(ONCE, [begin(1, 0), begin(2, 5, { attempt: 2 })])).toBe(false);
    expect(isExplained(ONCE, [begin(1, 0), begin(2, 110, { attempt: 2 })])).toBe(true);
    expect(isExplained(ONCE, [begin(1, 0), begin(2, 110, { attempt: 3 })])).toBe(false);
    expect(isExplained(ONCE, [begin(1, 0), about(2, 1, "fail", 5), begin(3, 10, { attempt: 2 })])).toBe(true);
    expect(isExplained(ONCE, [begin(1, 0, refused)])).toBe(false);
    expect(isExplained(ONCE, [begin(1, 0), begin(2, 103, refused)])).toBe(false);
    expect(isExplained(ONCE, [begin(1, 0), about(2, 1, "fail", 103)])).toBe(false);
  });

  it("counts an attempt that nobody saw and whose lease expired, and none that was cancelled", () => {
    const failed = (ret: number): Operation => begin(1, 0, { status: "failed", ret });
    expect(isExplained(ONCE, [failed(150), begin(2, 200, { attempt: 2 })])).toBe(true);
    expect(isExplained(ONCE, [failed(50), begin(2, 200, { attempt: 2 })])).toBe(false);
    expect(isExplained(ONCE, [failed(50), begin(2, 200, { attempt: 1 })])).toBe(true);
  });

  it("keeps its result", () => {
    const done = [begin(1, 0), about(2, 1, "complete", 5)];
    expect(isExplained(ONCE, [...done, about(3, 3, "result", 10)])).toBe(true);
    expect(isExplained(ONCE, [...done, about(3, 3, "result", 10, { value: "y" })])).toBe(false);
    expect(isExplained(ONCE, [...done, begin(3, 110, { attempt: 2 })])).toBe(false);
    expect(isExplained(ONCE, [begin(1, 0), about(3, 3, "result", 10)])).toBe(false);
  });

  it("may lose a result that memory had no room for, and then for good", () => {
    const [unheard, none] = [about(2, 1, "complete", 5, { ...unknown, ret: Infinity }), { value: "undefined" }];
    const done = [begin(1, 0), unheard, about(3, 3, "result", 10, none)];
    expect(isExplained(ONCE, done)).toBe(true);
    expect(isExplained(ONCE, [...done, about(4, 4, "result", 15)])).toBe(false);
    expect(isExplained(ONCE, [begin(1, 0), about(2, 1, "complete", 5), about(3, 3, "result", 10, none)])).toBe(false);
  });

  it("may be completed after the lease has ended, until another attempt starts", () => {
    expect(isExplained(ONCE, [begin(1, 0), about(2, 1, "fail", 150, lost), about(3, 1, "complete", 160)])).toBe(true);
    const second = [begin(1, 0), begin(2, 110, { attempt: 2 })];
    expect(isExplained(ONCE, [...second, about(3, 1, "complete", 120)])).toBe(false);
    expect(isExplained(ONCE, [...second, about(3, 1, "complete", 120, lost)])).toBe(true);
    expect(isExplained(ONCE, [begin(1, 0), about(3, 1, "complete", 120, lost)])).toBe(false);
  });
});
