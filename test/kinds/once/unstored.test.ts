import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createLocks,
  type LeaseholdEvent,
  type Locks,
  type Once,
  type Started,
  type Turn,
} from "../../../src/index.ts";
import { type Fault, type FaultProxy, startProxy } from "../../support/proxy.ts";
import { freshName, useStack } from "../../support/use-stack.ts";

const stack = useStack();
let proxy: FaultProxy;
beforeAll(async () => {
  proxy = await startProxy(stack.url);
});
afterAll(async () => {
  await proxy.close();
});

const events: LeaseholdEvent[] = [];
const make = (more: object = {}): Locks =>
  createLocks({ url: proxy.url, token: stack.token, onEvent: (event) => events.push(event), ...more });
const unstored = (name: string) => events.filter((event) => event.name === name && event.type === "unstored");

class Money {
  readonly cents: number;
  constructor(cents: number) {
    this.cents = cents;
  }
  get whole(): number {
    return this.cents / 100;
  }
}
const circle: Record<string, unknown> = {};
circle["self"] = circle;
const deep = (): unknown => {
  let value: unknown = 1;
  for (let n = 0; n < 100_000; n++) value = [value];
  return value;
};
const thrown = new Error("no look at this");
const failing = () => {
  throw thrown;
};
const hostile = new Proxy({}, { ownKeys: failing, get: (_, key) => (key === "then" ? undefined : failing()) });

const NOT_JSON: readonly (readonly [what: string, result: unknown])[] = [
  ["an instance of a class", { amount: new Money(5) }],
  ["a BigInt", { amount: 5n }],
  ["NaN", { amount: Number.NaN }],
  ["Infinity in an array", [1, Number.POSITIVE_INFINITY]],
  ["NaN in an array", [[Number.NaN]]],
  ["a toJSON that gives undefined", { toJSON: () => undefined }],
  ["a toJSON that throws", { toJSON: failing }],
  ["a circle", circle],
  ["what is nested too deeply", deep()],
  [
    "a getter that throws",
    {
      a: 1,
      get b() {
        return failing();
      },
    },
  ],
  ["a proxy that throws", hostile],
  ["a revoked proxy", { inner: revoked() }],
  ["undefined in an array", [1, undefined]],
  // biome-ignore lint/suspicious/noSparseArray: the subject of the test.
  ["a sparse array", [1, , 3]],
  ["a Map", new Map([["a", 1]])],
  ["a Set", { tags: new Set(["a"]) }],
  ["a symbol", { kind: Symbol("paid") }],
  ["a function", () => 1],
  ["a function in an object", { again: () => 1 }],
];
function revoked(): object {
  const { proxy: inner, revoke } = Proxy.revocable({}, {});
  revoke();
  return inner;
}
const REFUSED = [...NOT_JSON, ["300 kB", "x".repeat(300_000)]] as const;

describe("a result that cannot be stored", () => {
  it.each(REFUSED)("does not make the work run again: %s (E2)", async (what, result) => {
    const once = make().once(freshName(), { lease: "20s" });
    let runs = 0;
    const work = (): never => {
      runs++;
      return result as never;
    };
    const first = await once.run(work);
    expect(first).toMatchObject({ status: "done", fresh: true, stored: false });
    if (first.status !== "done") return;
    expect(first.result === result).toBe(true);
    const error = what === "300 kB" ? RangeError : TypeError;
    expect(first.stored === false && first.fresh && first.error).toBeInstanceOf(error);
    const { token } = first;
    const why = what === "300 kB" ? "too_large" : "not_json";
    expect(unstored(once.name)).toEqual([{ kind: "once", name: once.name, type: "unstored", token, why }]);
    for (let n = 0; n < 2; n++)
      expect(await once.run(work)).toEqual({ status: "done", stored: false, result: undefined, token, fresh: false });
    expect(runs).toBe(1);
    expect(await once.inspect()).toMatchObject({ state: "done", attempts: 1 });
  });

  it.each(REFUSED)("is stored as done by complete, which says why: %s (E2)", async (what, result) => {
    const once = make().once(freshName(), { lease: "20s" });
    const turn = started(await once.begin());
    const completed = await turn.complete(result as never);
    expect(completed).toMatchObject({ stored: false, error: { name: what === "300 kB" ? "RangeError" : "TypeError" } });
    expect(unstored(once.name)).toHaveLength(1);
    const { token } = turn.lease;
    expect(await once.begin()).toEqual({ status: "done", stored: false, result: undefined, token });
    // What is done stays as it is.
    await turn.complete("later");
    expect(await once.begin()).toMatchObject({ stored: false });
  });

  it("reaches those who wait, and they do not run theirs (E2)", async () => {
    const once = make().once(freshName(), { lease: "20s" });
    const turn = started(await once.begin());
    const waiters = Array.from({ length: 3 }, () => waiting(once));
    await proxy.arrived("once-begin", proxy.count("once-begin") + 3);
    await turn.complete(new Map() as never);
    for (const outcome of await Promise.all(waiters))
      expect(outcome).toMatchObject({ status: "done", stored: false, result: undefined, fresh: false });
  });

  it("is stored as JSON has it where nothing is lost: -0, members that are undefined, dates (E2)", async () => {
    const once = make().once(freshName());
    const result = { zero: -0, none: undefined, at: new Date(0), list: [null] };
    const kept = { zero: 0, at: "1970-01-01T00:00:00.000Z", list: [null] };
    expect(await once.run(() => result as never)).toEqual({
      status: "done",
      stored: true,
      result: kept,
      token: expect.any(Number),
      fresh: true,
    });
    expect(await once.run(() => result as never)).toMatchObject({ stored: true, result: kept, fresh: false });
    const none = make().once(freshName());
    expect(await none.run(() => {})).toMatchObject({ status: "done", stored: true, result: null, fresh: true });
    expect(await none.run(() => {})).toMatchObject({ status: "done", stored: true, result: null, fresh: false });
  });

  it("does not close the key where the work itself threw (E2)", async () => {
    const once = make().once(freshName(), { lease: "20s" });
    await expect(once.run(() => Promise.reject(thrown))).rejects.toBe(thrown);
    expect(await once.run(() => 1)).toMatchObject({ status: "done", stored: true, result: 1, fresh: true });
  });
});

function started(turn: Turn): Started {
  if (turn.status !== "started") throw new Error(`expected a start, got ${turn.status}`);
  return turn;
}
const never = (): never => {
  throw new Error("the work ran again");
};

const answering =
  (status: number, body: string): Fault =>
  ({ answer }) =>
    answer({ status, headers: { "content-type": "application/json" }, body });
const SERVER: readonly (readonly [what: string, fault: Fault])[] = [
  ["413", answering(413, '{"error":"payload too large"}')],
  ["ERR of a script", answering(200, '{"error":"ERR max request size exceeded"}')],
  ["400", answering(400, '{"error":"ERR value is not allowed"}')],
];

describe("a result that the server refuses", () => {
  it.each(SERVER)("does not make the work run again: %s (E2)", async (_, fault) => {
    const once = make().once(freshName(), { lease: "20s" });
    proxy.next("once-complete", fault);
    let runs = 0;
    const work = () => ++runs;
    const first = await once.run(work);
    expect(first).toMatchObject({
      status: "done",
      stored: false,
      result: 1,
      fresh: true,
      error: { code: "redis_error" },
    });
    expect(proxy.unmet()).toBe(0);
    expect(unstored(once.name)).toHaveLength(1);
    expect(await once.run(work)).toMatchObject({ status: "done", stored: false, result: undefined, fresh: false });
    expect(runs).toBe(1);
  });

  it("is marked as done although memory is full (E2)", async () => {
    const once = make().once(freshName(), { lease: "20s" });
    let runs = 0;
    const work = async () => {
      runs++;
      await stack.redis.command("CONFIG", "SET", "maxmemory", "1");
      return { charge: runs };
    };
    try {
      expect(await once.run(work)).toMatchObject({ status: "done", stored: false, result: { charge: 1 }, fresh: true });
    } finally {
      await stack.redis.command("CONFIG", "SET", "maxmemory", "0");
    }
    expect(await once.run(work)).toMatchObject({ status: "done", stored: false, fresh: false });
    expect(runs).toBe(1);
  });

  it("and whose mark it refuses too is still the caller's, and the attempt is left to its lease (E2)", async () => {
    const once = make().once(freshName(), { lease: "20s" });
    const heal = proxy.always("once-complete", answering(403, '{"error":"NOPERM"}'));
    const first = await once.run(() => "charged");
    heal();
    expect(first).toMatchObject({ status: "done", stored: false, result: "charged", fresh: true });
    expect(unstored(once.name)).toHaveLength(1);
    expect(await once.run(never)).toMatchObject({ status: "running" });
  });

  it("because nothing answers is still the caller's, and the attempt is left to its lease (E2)", async () => {
    const once = make({ requestTimeout: 2000 }).once(freshName(), { lease: "20s" });
    const heal = proxy.always("once-complete", ({ cut }) => cut());
    const first = await once.run(() => "charged");
    heal();
    const error = { code: "outcome_unknown" };
    expect(first).toMatchObject({ status: "done", stored: false, result: "charged", fresh: true, error });
    expect(unstored(once.name)).toMatchObject([{ why: "outcome_unknown" }]);
    expect(await once.run(never)).toMatchObject({ status: "running" });
  });

  it("of work that ran without an attempt is the caller's, whatever it is (E2)", async () => {
    const once = make({ requestTimeout: 2000 }).once(freshName(), { lease: "20s" });
    const heal = proxy.always("once-begin", ({ cut }) => cut());
    const result = new Map();
    const open = await openRun(once, () => result as never);
    heal();
    expect(open).toMatchObject({ status: "unprotected" });
    expect(open.status === "unprotected" && (open.result as unknown) === result).toBe(true);
  });
});

const waiting = (once: Once) => once.run({ wait: "30s" }, never);
const openRun = (once: Once, work: () => never) => once.run({ onUnavailable: "run" }, work);

describe("the type of a result", () => {
  it("is what JSON carries, also as an interface (E2)", () => {
    interface Line {
      readonly article: string;
      readonly amount?: number | undefined;
    }
    interface Order {
      readonly id: number;
      readonly lines: readonly Line[];
      readonly note: string | null;
      readonly pair: [number, string];
      readonly byName: Record<string, boolean>;
    }
    const order: Order = { id: 1, lines: [{ article: "a" }], note: null, pair: [1, "a"], byName: { a: true } };
    const check = async (once: Once): Promise<void> => {
      const turn = await once.run(() => order);
      if (turn.status === "done" && turn.stored) order satisfies Order as typeof turn.result;
      if (turn.status === "done" && !turn.stored && !turn.fresh) turn.result satisfies undefined;
      if (turn.status === "done" && !turn.stored && turn.fresh) turn.result satisfies Order;
      const none = await once.run(async () => {});
      if (none.status === "done" && none.stored) none.result satisfies null;
      await once.run(() => (order.id > 1 ? order : undefined));
      await once.run((): unknown => order);
      await once.run(() => "text");
      // @ts-expect-error a Date arrives as a string
      await once.run(() => new Date());
      // @ts-expect-error also inside
      await once.run(async () => ({ paid: { at: new Date() } }));
      // @ts-expect-error a Map is no JSON
      await once.run(() => ({ tags: new Map<string, string>() }));
      // @ts-expect-error a class with methods
      await once.run(() => new Money(5) as Money & { pay(): void });
      // @ts-expect-error a bigint
      await once.run(() => [1n]);
      // @ts-expect-error undefined becomes null in an array
      await once.run(() => [1, undefined]);
    };
    expect(check).toBeTypeOf("function");
  });
});
