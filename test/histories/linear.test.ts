import fc from "fast-check";
import { expect, it } from "vitest";
import { type Call, type Game, linearize } from "../../verification/oracle/linear.ts";

/** A read or a write of a register, which is 0 at first. */
interface Access {
  readonly call: number;
  readonly ret: number;
  readonly action: "read" | "write";
  readonly value: number;
}

const step = ({ action, value }: Access, state: number): readonly number[] =>
  action === "write" ? [value] : state === value ? [state] : [];

const toCall = (access: Access): Call<number, Access> => ({
  operation: access,
  call: access.call,
  ret: access.ret,
  mayBeSkipped: () => false,
  step: (state) => step(access, state),
});

const registerGame = (history: readonly Access[]): Game<number, Access> => ({
  initial: 0,
  calls: history.map(toCall),
  keyOf: String,
  timesOf: () => [],
  drift: () => [],
});

const LIMITS = { configurations: 10_000, comparisons: 100_000 };
const judge = (history: readonly Access[], limits: Partial<typeof LIMITS> = {}) =>
  linearize(registerGame(history), { ...LIMITS, ...limits });

/** Tries every order. */
function hasOrder(history: readonly Access[], state = 0): boolean {
  if (history.every(({ ret }) => ret === Infinity)) return true;
  const first = Math.min(...history.map(({ ret }) => ret));
  return history.some((access) => {
    if (access.call > first) return false;
    const rest = history.filter((other) => other !== access);
    return step(access, state).some((next) => hasOrder(rest, next));
  });
}

const write = (value: number, call: number, ret: number): Access => ({ action: "write", value, call, ret });
const read = (value: number, call: number, ret: number): Access => ({ action: "read", value, call, ret });

it("explains a read of either value while a write is open", () => {
  expect(judge([write(1, 0, 10), read(0, 1, 2), read(1, 3, 4)]).verdict).toBe("explained");
});

it("does not explain a value that was overwritten before the read began", () => {
  const stale = read(1, 6, 7);
  const finding = judge([write(1, 0, 1), write(2, 2, 3), stale]);
  expect(finding).toMatchObject({ verdict: "unexplained", at: stale, states: [2], open: [stale] });
});

it("does not explain two reads that see two open writes in opposite orders", () => {
  const writes = [write(1, 0, 10), write(2, 0, 10)];
  expect(judge([...writes, read(1, 1, 2), read(2, 3, 4), read(1, 5, 6)]).verdict).toBe("unexplained");
});

it("lets a write that never returned take effect at any later time, or never, and not before its call", () => {
  const lost = write(1, 5, Infinity);
  expect(judge([lost, read(0, 6, 7), read(1, 8, 9)]).verdict).toBe("explained");
  expect(judge([lost, read(0, 6, 7), read(0, 8, 9)]).verdict).toBe("explained");
  expect(judge([lost, read(1, 8, 9), read(0, 10, 11)]).verdict).toBe("unexplained");
  expect(judge([lost, read(1, 3, 4)]).verdict).toBe("unexplained");
});

it("treats a call at the time of a return as concurrent", () => {
  expect(judge([write(1, 0, 5), read(0, 5, 6)]).verdict).toBe("explained");
});

it("reports a history as undecided when it takes too many configurations or comparisons", () => {
  const writes = Array.from({ length: 8 }, (_, index) => write(index, 0, 100));
  const history = [...writes, read(9, 0, 100)];
  expect(judge(history).verdict).toBe("unexplained");
  expect(judge(history, { configurations: 50 }).verdict).toBe("undecided");
  expect(judge(history, { comparisons: 50 }).verdict).toBe("undecided");
});

it("drops a state that differs from another one only in being later", () => {
  const call = { operation: "first", call: 0, ret: 10, mayBeSkipped: () => false };
  const game = (latest: number): Game<number, string> => ({
    initial: 0,
    calls: [
      { ...call, step: () => [5, 1, 3] },
      { ...call, operation: "second", call: 20, ret: 30, step: (now) => (now <= latest ? [now] : []) },
    ],
    keyOf: () => "",
    timesOf: (now) => [now],
    drift: () => [],
  });
  expect(linearize(game(1), LIMITS)).toMatchObject({ verdict: "explained", configurations: 2 });
  expect(linearize(game(0), LIMITS)).toMatchObject({ verdict: "unexplained", at: "second", states: [1] });
});

it("agrees with a search through all orders", () => {
  const access = fc.record({
    action: fc.constantFrom("read" as const, "write" as const),
    value: fc.integer({ min: 0, max: 2 }),
    call: fc.integer({ min: 0, max: 20 }),
    length: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(Infinity)),
  });
  const verdicts = new Set<string>();
  fc.assert(
    fc.property(fc.array(access, { maxLength: 6 }), (accesses) => {
      const history = accesses.map(({ length, ...rest }) => ({ ...rest, ret: rest.call + length }));
      const { verdict } = judge(history);
      verdicts.add(verdict);
      expect(verdict).toBe(hasOrder(history) ? "explained" : "unexplained");
    }),
    { numRuns: 1000 },
  );
  expect([...verdicts].sort()).toEqual(["explained", "unexplained"]);
});
