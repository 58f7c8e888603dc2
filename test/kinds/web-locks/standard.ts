/**
 * What the Web Locks API does, as its public conformance tests check it, one behaviour a row. A row whose behaviour is
 * not that of `locks.request` says why.
 */
import { expect } from "vitest";
import { pause } from "../../support/names.ts";

interface Lock {
  readonly name: string;
  readonly mode: string;
}
interface Info {
  readonly name: string;
  readonly mode: string;
  readonly clientId?: string;
}
interface Snapshot {
  readonly held: readonly Info[];
  readonly pending: readonly Info[];
}

/** `navigator.locks`, or an object that claims to be like it. */
export interface Manager {
  request(...args: unknown[]): Promise<unknown>;
  query(names?: readonly string[]): Promise<Snapshot>;
}

/** Why some behaviours are different. `docs/locks.md` has these sentences. */
export const DIFFERENCES = {
  names: "A name has 1 to 512 bytes of well-formed Unicode, so empty names and lone surrogates are refused.",
  query: "`query` takes a list of names, since it does not search all of Redis.",
  client: "There is no `clientId`.",
  count: "The requests of one name and mode are one entry with a `count`.",
  order: "The order of grants is that of a read-write lock, not that of the calls.",
} as const;

export interface Behaviour {
  readonly area: string;
  readonly what: string;
  readonly differs?: keyof typeof DIFFERENCES;
  check(manager: Manager, name: string): Promise<void>;
}

const row =
  (area: string, differs?: keyof typeof DIFFERENCES) =>
  (what: string, check: Behaviour["check"]): Behaviour => ({ area, what, check, ...(differs && { differs }) });

const NEVER: Promise<never> = new Promise(() => {});
const unreached = (): never => expect.unreachable("the work must not run");

/** Fails unless a promise is rejected with this very value. */
async function rejectsWith(promise: Promise<unknown>, reason: unknown): Promise<void> {
  const settled = await promise.then(
    () => ({ isRejected: false, with: undefined }),
    // Not the value itself, which may have a `then`.
    (thrown: unknown) => ({ isRejected: true, with: [thrown] as const }),
  );
  expect(settled.isRejected).toBe(true);
  expect(settled.with?.[0] === reason).toBe(true);
}
const rejectsAs = (promise: Promise<unknown>, error: string): Promise<void> =>
  expect(promise).rejects.toSatisfy((thrown) => (thrown as Error).name === error, `a ${error}`);

/** A request that holds a name until it is told to release it. */
function hold(manager: Manager, name: string, options: object = {}) {
  let granted = (_: Lock): void => {};
  let release = (_?: unknown): void => {};
  const held = new Promise<Lock>((resolve) => {
    granted = resolve;
  });
  const ended = new Promise((resolve) => {
    release = resolve;
  });
  const done = manager.request(name, options, (lock: Lock) => {
    granted(lock);
    return ended;
  });
  done.catch(() => {});
  return { held, done, release: (value?: unknown) => release(value) };
}

const modes = (list: readonly Info[], name: string): string[] =>
  list.filter((each) => each.name === name).map(({ mode }) => mode);

/** Waits until a name has so many holders and waiters, however they are listed. */
async function untilListed(manager: Manager, name: string, held: readonly string[], pending: readonly string[]) {
  const listed = (list: readonly Info[]): string[] =>
    list.flatMap(({ name: each, mode, count = 1 }: Info & { readonly count?: number }) =>
      each === name ? Array<string>(count).fill(mode) : [],
    );
  await expect
    .poll(
      async () => {
        const now = await manager.query([name]);
        return [listed(now.held), listed(now.pending)];
      },
      { timeout: 15_000 },
    )
    .toEqual([held, pending]);
}

const arguments_: readonly Behaviour[] = [
  row("arguments")("a request needs a name and work", async (manager, name) => {
    await rejectsAs(manager.request(), "TypeError");
    await rejectsAs(manager.request(name), "TypeError");
  }),
  row("arguments")("work must be a function", async (manager, name) => {
    for (const wrong of [undefined, null, 123, "abc", [], {}, NEVER])
      await rejectsAs(manager.request(name, wrong), "TypeError");
  }),
  row("arguments")("a mode is exclusive or shared, and the lock has it", async (manager, name) => {
    for (const mode of ["read", null]) await rejectsAs(manager.request(name, { mode }, unreached), "TypeError");
    for (const mode of ["exclusive", "shared"])
      expect(await manager.request(name, { mode }, (lock: Lock) => lock.mode)).toBe(mode);
  }),
  ...(
    [
      ["steal and ifAvailable", { steal: true, ifAvailable: true }],
      ["steal and a shared mode", { steal: true, mode: "shared" }],
      ["steal and a signal", { steal: true, signal: new AbortController().signal }],
      ["ifAvailable and a signal", { ifAvailable: true, signal: new AbortController().signal }],
    ] as const
  ).map(([what, options]) =>
    row("arguments")(`${what} exclude each other`, async (manager, name) => {
      await rejectsAs(manager.request(name, options, unreached), "NotSupportedError");
    }),
  ),
];

const result: readonly Behaviour[] = [
  row("result")("the result comes after the promise of the work, when the lock is released", async (manager, name) => {
    const order: string[] = [];
    const one = hold(manager, name);
    await one.held;
    const returned = one.done.then(() => order.push("returned"));
    const next = manager.request(name, () => order.push("next"));
    order.push("released");
    one.release();
    await Promise.all([returned, next]);
    expect(order[0]).toBe("released");
    expect(order).toHaveLength(3);
  }),
  ...(["synchronously", "asynchronously"] as const).map((how) =>
    row("result")(`what the work throws ${how} is passed on as it is`, async (manager, name) => {
      const thrown = { name: "thrown" };
      const fail = (): never => {
        throw thrown;
      };
      await rejectsWith(manager.request(name, how === "synchronously" ? fail : async () => fail()), thrown);
    }),
  ),
  row("result")("a thrown object with a then is not called", async (manager, name) => {
    let calls = 0;
    // biome-ignore lint/suspicious/noThenProperty: that is what the row is about.
    const thrown = { then: () => calls++ };
    const failing = manager.request(name, async () => {
      throw thrown;
    });
    await rejectsWith(failing, thrown);
    expect(calls).toBe(0);
  }),
  row("result")("a result that is no promise is the result", async (manager, name) => {
    const made = manager.request(name, () => 123);
    expect(made).toBeInstanceOf(Promise);
    expect(await made).toBe(123);
  }),
  ...(["resolves", "rejects"] as const).map((how) =>
    row("result")(`a lock is held until the promise of the work ${how}`, async (manager, name) => {
      const order: string[] = [];
      const one = hold(manager, name);
      await one.held;
      const next = manager.request(name, () => order.push("granted"));
      await pause(50);
      order.push("released");
      one.release(how === "resolves" ? 1 : Promise.reject(new Error("the work failed")));
      await next;
      expect(order).toEqual(["released", "granted"]);
    }),
  ),
  row("result")("a client that holds a lock does not get it again", async (manager, name) => {
    await manager.request(name, async () => {
      expect(await manager.request(name, { ifAvailable: true }, (lock: unknown) => lock)).toBeNull();
    });
  }),
];

const attributes: readonly Behaviour[] = (["exclusive", "shared"] as const).map((mode) =>
  row("lock")(`has its name and the mode ${mode}`, async (manager, name) => {
    const lock = (await manager.request(name, { mode }, (given: Lock) => given)) as Lock;
    expect([lock.name, lock.mode]).toEqual([name, mode]);
  }),
);

/** Requests with `ifAvailable` while the name is held in a mode, or free. */
const available = (
  [
    ["exclusive", undefined, true],
    ["exclusive", "exclusive", false],
    ["shared", "shared", true],
    ["exclusive", "shared", false],
    ["shared", "exclusive", false],
  ] as const
).map(([mode, heldAs, isGranted]) =>
  row("ifAvailable")(
    `a name that is ${heldAs ? `held ${heldAs}` : "free"} gives ${mode} ${isGranted ? "the lock" : "null"}`,
    async (manager, name) => {
      const one = heldAs && hold(manager, name, { mode: heldAs });
      await one?.held;
      const got = await manager.request(name, { mode, ifAvailable: true }, (lock: unknown) => [lock !== null, 123]);
      one?.release();
      expect(got).toEqual([isGranted, 123]);
    },
  ),
);

const ifAvailable: readonly Behaviour[] = [
  ...available,
  ...(["asynchronously", "synchronously", "as a rejected promise"] as const).map((how) =>
    row("ifAvailable")(`what the work throws ${how} without the lock is passed on`, async (manager, name) => {
      const thrown = { name: "thrown" };
      const fail = (): never => {
        throw thrown;
      };
      const works = {
        asynchronously: async () => {
          await pause(1);
          fail();
        },
        synchronously: fail,
        "as a rejected promise": () => Promise.reject(thrown),
      };
      await manager.request(name, async () => {
        await rejectsWith(manager.request(name, { ifAvailable: true }, works[how]), thrown);
      });
    }),
  ),
  row("ifAvailable")("the lock of another name does not matter", async (manager, name) => {
    const other = `${name} other`;
    await manager.request(name, async () => {
      expect(await manager.request(other, { ifAvailable: true }, (lock: unknown) => lock)).not.toBeNull();
    });
  }),
  row("ifAvailable")("a name is available as soon as its holder's request has ended", async (manager, name) => {
    const other = `${name} other`;
    await manager.request(name, async () => {
      await manager.request(other, () => {});
      expect(await manager.request(other, { ifAvailable: true }, (lock: unknown) => lock)).not.toBeNull();
    });
  }),
];

/** Makes requests at once, and returns their numbers in the order in which they were granted. */
async function orderOf(manager: Manager, names: readonly string[], mode: string): Promise<number[]> {
  const granted: number[] = [];
  await Promise.all(names.map((name, at) => manager.request(name, { mode }, () => granted.push(at))));
  return granted;
}

const order: readonly Behaviour[] = [
  row("modes", "order")("exclusive requests are granted in the order of the calls", async (manager, name) => {
    expect(await orderOf(manager, Array<string>(24).fill(name), "exclusive")).toEqual([...Array(24).keys()]);
  }),
  row("modes", "order")("shared requests are granted in the order of the calls", async (manager, name) => {
    const names = Array.from({ length: 24 }, (_, at) => `${name}${at % 3}`);
    expect(await orderOf(manager, names, "shared")).toEqual(names.map((_, at) => at));
  }),
  row("modes", "order")("requests of both modes are granted in the order of the calls", async (manager, name) => {
    const granted: string[] = [];
    const log = (what: string) => () => granted.push(what);
    const calls = Array.from({ length: 24 }, (_, at) => (at % 4 === 3 ? "exclusive" : "shared"));
    await Promise.all(calls.map((mode, at) => manager.request(name, { mode }, log(`${mode} ${at}`))));
    expect(granted).toEqual(calls.map((mode, at) => `${mode} ${at}`));
  }),
];

const modesMixed: readonly Behaviour[] = [
  row("modes")("a blocked request does not block one of another name", async (manager, name) => {
    const granted: string[] = [];
    let inner: Promise<unknown> = NEVER;
    await manager.request(name, async () => {
      const blocked = manager.request(name, () => granted.push("blocked"));
      await manager.request(`${name} other`, () => granted.push("other"));
      inner = blocked;
    });
    await inner;
    expect(granted).toEqual(["other", "blocked"]);
  }),
  row("modes")("shared locks do not exclude each other", async (manager, name) => {
    await manager.request(name, { mode: "shared" }, async () => {
      expect(await manager.request(name, { mode: "shared" }, () => 1)).toBe(1);
    });
  }),
  row("modes")("an exclusive lock that is released lets all shared requests in", async (manager, name) => {
    const one = hold(manager, name);
    await one.held;
    const readers = Array.from({ length: 5 }, () => hold(manager, name, { mode: "shared" }));
    await untilListed(manager, name, ["exclusive"], Array(5).fill("shared"));
    one.release();
    await Promise.all(readers.map(({ held }) => held));
    await untilListed(manager, name, Array(5).fill("shared"), []);
    for (const { release } of readers) release();
    await Promise.all(readers.map(({ done }) => done));
  }),
  row("modes")("an exclusive request waits for shared locks, and later shared ones for it", async (manager, name) => {
    const before = Array.from({ length: 5 }, () => hold(manager, name, { mode: "shared" }));
    await Promise.all(before.map(({ held }) => held));
    const writer = hold(manager, name);
    await untilListed(manager, name, Array(5).fill("shared"), ["exclusive"]);
    const after = Array.from({ length: 5 }, () => hold(manager, name, { mode: "shared" }));
    await pause(100);
    for (const { release } of before) release();
    expect((await writer.held).mode).toBe("exclusive");
    expect(modes((await manager.query([name])).held, name)).toEqual(["exclusive"]);
    writer.release();
    await Promise.all(after.map(({ held }) => held));
    await untilListed(manager, name, Array(5).fill("shared"), []);
    for (const { release } of after) release();
    await Promise.all(after.map(({ done }) => done));
  }),
];

const query: readonly Behaviour[] = [
  row("query")("a name that nobody uses is in neither list", async (manager, name) => {
    const { held, pending } = await manager.query([name]);
    expect([modes(held, name), modes(pending, name)]).toEqual([[], []]);
  }),
  row("query", "query")("without names, it lists every lock", async (manager, name) => {
    const one = hold(manager, name);
    await one.held;
    try {
      expect(modes((await manager.query()).held, name)).toEqual(["exclusive"]);
    } finally {
      one.release();
      await one.done;
    }
  }),
  ...(["exclusive", "shared"] as const).map((mode) =>
    row("query")(`lists a lock held ${mode}`, async (manager, name) => {
      await manager.request(name, { mode }, async () => {
        expect(modes((await manager.query([name])).held, name)).toEqual([mode]);
      });
    }),
  ),
  row("query")("lists the locks of several names", async (manager, name) => {
    const names = [name, `${name} other`] as const;
    await manager.request(names[0], async () => {
      await manager.request(names[1], { mode: "shared" }, async () => {
        const { held } = await manager.query(names);
        expect(names.map((each) => modes(held, each))).toEqual([["exclusive"], ["shared"]]);
      });
    });
  }),
  row("query")("lists the holder and the waiter of a name", async (manager, name) => {
    const [one, two] = [hold(manager, name), hold(manager, name)];
    await Promise.race([one.held, two.held]);
    await untilListed(manager, name, ["exclusive"], ["exclusive"]);
    const { held, pending } = await manager.query([name]);
    expect([modes(held, name), modes(pending, name)]).toEqual([["exclusive"], ["exclusive"]]);
    for (const { release } of [one, two]) release();
    await Promise.all([one.done, two.done]);
  }),
  row("query", "count")("lists each of two shared locks", async (manager, name) => {
    await manager.request(name, { mode: "shared" }, async () => {
      await manager.request(name, { mode: "shared" }, async () => {
        expect(modes((await manager.query([name])).held, name)).toEqual(["shared", "shared"]);
      });
    });
  }),
  row("query", "count")("lists each of two shared requests that wait", async (manager, name) => {
    const one = hold(manager, name);
    await one.held;
    const readers = [hold(manager, name, { mode: "shared" }), hold(manager, name, { mode: "shared" })];
    try {
      await untilListed(manager, name, ["exclusive"], ["shared", "shared"]);
      expect(modes((await manager.query([name])).pending, name)).toEqual(["shared", "shared"]);
    } finally {
      for (const { release } of [one, ...readers]) release();
      await Promise.all([one, ...readers].map(({ done }) => done));
    }
  }),
  row("query", "count")("lists waiting requests in the order of the calls, one by one", async (manager, name) => {
    const one = hold(manager, name);
    await one.held;
    const others = Array.from({ length: 3 }, () => hold(manager, name));
    try {
      await untilListed(manager, name, ["exclusive"], Array(3).fill("exclusive"));
      expect(modes((await manager.query([name])).pending, name)).toHaveLength(3);
    } finally {
      for (const { release } of [one, ...others]) release();
      await Promise.all([one, ...others].map(({ done }) => done));
    }
  }),
  ...(
    [
      ["shows the client that holds a lock", 1],
      ["shows the same client for two locks of one client", 2],
      ["lets the clients of a deadlock be recognised", 2],
    ] as const
  ).map(([what, count]) =>
    row("query", "client")(what, async (manager, name) => {
      const names = Array.from({ length: count }, (_, at) => `${name} ${at}`);
      const holds = names.map((each) => hold(manager, each));
      await Promise.all(holds.map(({ held }) => held));
      try {
        const clients = (await manager.query(names)).held
          .filter((each) => names.includes(each.name))
          .map(({ clientId }) => clientId);
        expect(clients).toEqual(Array(count).fill(expect.any(String)));
        expect(new Set(clients).size).toBe(1);
      } finally {
        for (const { release } of holds) release();
        await Promise.all(holds.map(({ done }) => done));
      }
    }),
  ),
];

/** A name that is a text of the test, followed by something that makes it unique. */
const named = (text: string, differs?: "names"): Behaviour =>
  row("names", differs)(`${JSON.stringify(text)} is a name, and the lock's`, async (manager, name) => {
    const whole = text === "" ? text : text + name;
    expect(await manager.request(whole, (lock: Lock) => lock.name)).toBe(whole);
  });

const names: readonly Behaviour[] = [
  named("", "names"),
  named("abc\u0000def"),
  named("\ud800", "names"),
  named("\udc00", "names"),
  named("\udc00\ud800", "names"),
  named("\uffff"),
  row("names", "names")("a lone surrogate is not another name", async (manager, name) => {
    await manager.request(`${name}\ud800`, async () => {
      expect(await manager.request(`${name}\ufffd`, { ifAvailable: true }, (lock: unknown) => lock)).not.toBeNull();
    });
  }),
  row("names")("none begins with a hyphen, and one may contain it", async (manager, name) => {
    for (const wrong of ["-", `-${name}`]) await rejectsAs(manager.request(wrong, unreached), "NotSupportedError");
    expect(await manager.request(`x-${name}`, () => 1)).toBe(1);
  }),
];

const signal: readonly Behaviour[] = [
  row("signal")("must be an AbortSignal", async (manager, name) => {
    for (const wrong of ["text", 12.34, false, {}, Symbol("signal"), () => {}, globalThis])
      await rejectsAs(manager.request(name, { signal: wrong }, unreached), "TypeError");
  }),
  row("signal")("that has aborted ends the request with an AbortError", async (manager, name) => {
    await rejectsAs(manager.request(name, { signal: AbortSignal.abort() }, unreached), "AbortError");
  }),
  ...(["its own reason", "the default reason"] as const).map((which) =>
    row("signal")(`that has aborted ends the request with ${which}`, async (manager, name) => {
      const aborted = which === "its own reason" ? AbortSignal.abort("the dog ate it") : AbortSignal.abort();
      await rejectsWith(manager.request(name, { signal: aborted }, unreached), aborted.reason);
    }),
  ),
  ...([0, 10] as const).map((ms) =>
    row("signal")(`that aborts ${ms ? "later" : "at once"} ends a waiting request`, async (manager, name) => {
      const one = hold(manager, name);
      await one.held;
      const controller = new AbortController();
      const waiting = manager.request(name, { signal: controller.signal }, unreached);
      const rejected = rejectsAs(waiting, "AbortError");
      await untilListed(manager, name, ["exclusive"], ["exclusive"]);
      if (ms) await pause(ms);
      controller.abort();
      await rejected;
      one.release();
      await one.done;
    }),
  ),
  row("signal")("that does not abort changes nothing", async (manager, name) => {
    expect(await manager.request(name, { signal: new AbortController().signal }, () => 1)).toBe(1);
  }),
  row("signal")("that aborts right after the call ends it, and the name stays free", async (manager, name) => {
    const controller = new AbortController();
    const request = manager.request(name, { signal: controller.signal }, unreached);
    controller.abort();
    await rejectsAs(request, "AbortError");
    expect(await manager.request(name, () => 1)).toBe(1);
  }),
  ...(["before", "after"] as const).map((when) =>
    row("signal")(`that aborts ${when} the release of a granted lock changes nothing`, async (manager, name) => {
      const controller = new AbortController();
      const one = hold(manager, name, { signal: controller.signal });
      await one.held;
      if (when === "before") controller.abort();
      one.release("ended well");
      if (when === "after") controller.abort();
      expect(await one.done).toBe("ended well");
    }),
  ),
  row("signal")("that aborts right after the call lets the next request in", async (manager, name) => {
    const controller = new AbortController();
    const first = manager.request(name, { signal: controller.signal }, unreached);
    const rejected = rejectsAs(first, "AbortError");
    const next = manager.request(name, () => "granted");
    controller.abort();
    await rejected;
    expect(await next).toBe("granted");
  }),
  ...(["its own reason", "the default reason"] as const).map((which) =>
    row("signal")(`that aborts right after the call ends it with ${which}`, async (manager, name) => {
      const controller = new AbortController();
      const request = manager.request(name, { signal: controller.signal }, unreached);
      if (which === "its own reason") controller.abort("the cat handled it");
      else controller.abort();
      await rejectsWith(request, controller.signal.reason);
    }),
  ),
];

const steal: readonly Behaviour[] = [
  row("steal")("gets a free name", async (manager, name) => {
    expect(await manager.request(name, { steal: true }, (lock: unknown) => lock)).not.toBeNull();
  }),
  row("steal")("gets a name that is held", async (manager, name) => {
    await hold(manager, name).held;
    expect(await manager.request(name, { steal: true }, (lock: unknown) => lock)).not.toBeNull();
  }),
  row("steal")("ends the request that held the name, whose work goes on, with an AbortError", async (manager, name) => {
    const one = hold(manager, name);
    await one.held;
    const rejected = rejectsAs(one.done, "AbortError");
    await manager.request(name, { steal: true }, () => {});
    await rejected;
  }),
  row("steal")("precedes a request that waits, which is granted later", async (manager, name) => {
    await hold(manager, name).held;
    const granted: string[] = [];
    const waiting = manager.request(name, () => granted.push("waiting"));
    await untilListed(manager, name, ["exclusive"], ["exclusive"]);
    await manager.request(name, { steal: true }, () => granted.push("thief"));
    await waiting;
    expect(granted).toEqual(["thief", "waiting"]);
  }),
  row("steal")("ends an earlier thief", async (manager, name) => {
    await hold(manager, name).held;
    const first = hold(manager, name, { steal: true });
    await first.held;
    const rejected = rejectsAs(first.done, "AbortError");
    await manager.request(name, { steal: true }, () => {});
    await rejected;
  }),
];

/** All of them. */
export const BEHAVIOURS: readonly Behaviour[] = [
  ...arguments_,
  ...result,
  ...attributes,
  ...ifAvailable,
  ...order,
  ...modesMixed,
  ...query,
  ...names,
  ...signal,
  ...steal,
];
