import { array, assert, boolean, constantFrom, integer, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { check, type Model } from "../../verification/histories/checker.ts";
import { isOptional, type Operation } from "../../verification/histories/history.ts";
import { leaseModel } from "../../verification/histories/models/lease.ts";
import { operation } from "./operations.ts";

/** A register: `write` sets it to `token`, and `verify` reads `token`. */
const REGISTER: Model<number> = {
  initial: 0,
  keyOf: String,
  step: (value, { action, token }, at) =>
    action === "write" ? [{ state: token, at }] : value === token ? [{ state: value, at }] : [],
};

const write = (id: number, token: number, call: number, ret: number): Operation =>
  operation({ id, action: "write", token, call, ret, status: ret === Infinity ? "unknown" : "ok" });
const read = (id: number, token: number, call: number, ret: number): Operation =>
  operation({ id, action: "verify", token, call, ret });

/** The same question, answered by trying every order of every choice of the optional operations. */
function bruteForce<State>(model: Model<State>, history: readonly Operation[]): boolean {
  function follows(left: readonly Operation[], state: State, at: number): boolean {
    if (left.every(isOptional)) return true;
    return left.some((next) => {
      const rest = left.filter((other) => other !== next);
      const isTooEarly = rest.some((other) => !isOptional(other) && other.ret < next.call);
      const earliest = Math.max(at, next.call);
      const latest = rest.reduce((by, other) => (isOptional(other) ? by : Math.min(by, other.ret)), next.ret);
      if (isTooEarly || earliest > latest) return false;
      return model
        .step(state, next, earliest, latest)
        .some((step) => step.at <= latest && follows(rest, step.state, step.at));
    });
  }
  return follows(history, model.initial, -Infinity);
}

const verdictOf = (history: readonly Operation[]): string => check(REGISTER, history).verdict;

describe("the checker", () => {
  it("takes operations that overlap in either order", () => {
    expect(verdictOf([write(1, 1, 0, 10), read(2, 0, 1, 9)])).toBe("linearizable");
    expect(verdictOf([write(1, 1, 0, 10), read(2, 1, 1, 9)])).toBe("linearizable");
    // The one that was answered first came last.
    expect(verdictOf([write(1, 1, 0, 10), write(2, 2, 1, 5), read(3, 1, 11, 12)])).toBe("linearizable");
  });

  it("takes operations that do not overlap in their order alone", () => {
    expect(verdictOf([write(1, 1, 0, 1), read(2, 0, 2, 3)])).toBe("violated");
    expect(verdictOf([write(1, 1, 0, 10), read(2, 1, 1, 2), read(3, 0, 3, 4)])).toBe("violated");
  });

  it("lets what is unknown happen at any later time, or never", () => {
    const unknown = write(1, 1, 0, Infinity);
    expect(verdictOf([unknown, read(2, 0, 5, 6), read(3, 0, 7, 8)])).toBe("linearizable");
    expect(verdictOf([unknown, read(2, 0, 5, 6), read(3, 1, 7, 8)])).toBe("linearizable");
    expect(verdictOf([unknown, read(2, 1, 5, 6), read(3, 0, 7, 8)])).toBe("violated");
    // Not before it was called.
    expect(verdictOf([read(2, 1, 0, 1), write(1, 1, 2, Infinity)])).toBe("violated");
  });

  it("tells how far it came, and what could not follow", () => {
    const { longest, stuck } = check(REGISTER, [write(1, 1, 0, 1), read(2, 0, 2, 3)]);
    expect([longest.map(({ id }) => id), stuck.map(({ id }) => id)]).toEqual([[1], [2]]);
  });

  it("says that it gave up, and not that it found something", () => {
    expect(check(REGISTER, [write(1, 1, 0, 1), read(2, 0, 2, 3)], 1).verdict).toBe("undecided");
  });

  it("agrees with brute force on registers", () => {
    const times = { call: integer({ min: 0, max: 12 }), takes: integer({ min: 0, max: 6 }) };
    const one = record({ ...times, isWrite: boolean(), value: integer({ min: 0, max: 2 }), isLost: boolean() });
    const verdicts = new Set<boolean>();
    assert(
      property(array(one, { maxLength: 6 }), (list) => {
        const history = list.map(({ call, takes, isWrite, value, isLost }, id) =>
          isWrite ? write(id, value, call, isLost ? Infinity : call + takes) : read(id, value, call, call + takes),
        );
        const expected = bruteForce(REGISTER, history);
        verdicts.add(expected);
        expect(verdictOf(history)).toBe(expected ? "linearizable" : "violated");
      }),
      { numRuns: 1500 },
    );
    expect(verdicts.size).toBe(2);
  });

  it("agrees with brute force on leases", () => {
    const one = record({
      call: integer({ min: 0, max: 60 }),
      takes: integer({ min: 0, max: 30 }),
      action: constantFrom("acquire", "acquire", "release", "extend"),
      status: constantFrom("ok", "ok", "refused", "lost", "unknown", "failed"),
      hold: integer({ min: 0, max: 4 }),
      token: integer({ min: 1, max: 6 }),
    });
    const verdicts = new Set<boolean>();
    assert(
      property(array(one, { maxLength: 5 }), (list) => {
        const history = list.flatMap(({ call, takes, action, status, hold, token }, id) => {
          const allowed = action === "acquire" ? status !== "lost" : status !== "refused" && status !== "failed";
          const ret = status === "unknown" ? Infinity : call + takes;
          const about = action === "acquire" ? { hold: id, token: status === "ok" ? token : 0 } : { hold, token };
          return allowed
            ? [operation({ id, call, ret, action: action as "acquire", status: status as "ok", lease: 20, ...about })]
            : [];
        });
        const model = leaseModel({});
        const expected = bruteForce(model, history);
        verdicts.add(expected);
        expect(check(model, history).verdict).toBe(expected ? "linearizable" : "violated");
      }),
      { numRuns: 1500 },
    );
    expect(verdicts.size).toBe(2);
  });
});
