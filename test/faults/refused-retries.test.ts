/** A refused retry does not show the outcome of the attempt before it: every operation, every refusal. */
import { describe, expect, it } from "vitest";
import { chatState } from "../../agents/src/chat/index.ts";
import { redisFence } from "../../src/fence/index.ts";
import {
  type ConnectOptions,
  connect,
  createLocks,
  extendAll,
  type Locks,
  multiLock,
  quorumLock,
  retryAfter,
  type Started,
} from "../../src/index.ts";
import { createTestRedis } from "../../testing/src/index.ts";
import { freshName } from "../support/names.ts";

type Fetch = NonNullable<Extract<ConnectOptions, { readonly url: string }>["fetch"]>;

const json = (status: number, error: string, headers = {}): Response => Response.json({ error }, { status, headers });

/** What the retry meets, although the attempt before it ran. */
const REFUSALS: Readonly<Record<string, () => Response>> = {
  "429 and a minute to wait": () => json(429, "ERR max requests limit exceeded", { "retry-after": "60" }),
  "401": () => json(401, "WRONGPASS invalid or missing auth token"),
  "404 of something else": () => new Response("<h1>Not Found</h1>", { status: 404 }),
  "503 of a gateway that sent nothing": () => json(503, "Redis is not reachable: nothing was sent"),
  "521, not sent": () => new Response("", { status: 521 }),
  "a refused connection": () => {
    throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });
  },
  ...Object.fromEntries(
    [
      "OOM command not allowed when used memory > 'maxmemory'.",
      "READONLY You can't write against a read only replica.",
      "LOADING Redis is loading the dataset in memory",
      "NOPERM User default has no permissions to run the 'evalsha' command",
      "MISCONF Errors writing to the AOF file",
      "NOREPLICAS Not enough good replicas to write.",
      "ERR max request size exceeded",
    ].map((error) => [error.split(" ", 1)[0] as string, () => json(400, error)]),
  ),
};

/** Redis behind an endpoint that is told to lose the answer to the next request, and to refuse all later ones. */
function createEndpoint() {
  const redis = createTestRedis();
  const { fetch: send, ...options } = redis.options;
  let refusal: (() => Response) | undefined;
  let isLost = false;
  let refused = 0;
  let mostRefused = Number.POSITIVE_INFINITY;
  const fetch: Fetch = async (...request) => {
    if (refusal === undefined || refused >= mostRefused) return send(...request);
    if (isLost) {
      refused++;
      return refusal();
    }
    isLost = true;
    await send(...request);
    throw new TypeError("the connection broke");
  };
  return {
    options: { ...options, fetch },
    redis,
    /** Loses the next answer, and refuses the requests after it: all of them, or so many. */
    lose(by: () => Response, max = mostRefused): void {
      refusal = by;
      mostRefused = max;
    },
    /** Refuses all requests. */
    refuse(by: () => Response): void {
      refusal = by;
      isLost = true;
    },
    refused: () => refused,
  };
}

/** Moves the clocks on until the call has ended. */
async function ended<T>(call: Promise<T>, ...endpoints: readonly ReturnType<typeof createEndpoint>[]): Promise<T> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  call.then(over, over);
  while (!isOver) for (const { redis } of endpoints) await redis.advance("50ms");
  return call;
}

interface Scene {
  readonly locks: Locks;
  readonly name: string;
}
type Act = () => Promise<unknown>;
/** Prepares an operation, and returns the call. */
type Operation = (scene: Scene) => Promise<Act> | Act;

const LONG = { lease: "1m" } as const;
const begun = async ({ locks, name }: Scene): Promise<Started> => (await locks.once(name, LONG).begin()) as Started;

/** The operations of a lease, by what acquires it. */
function ofLease(
  acquire: (
    scene: Scene,
  ) => Promise<{ extend(): Promise<unknown>; verify(): Promise<unknown>; release(): Promise<unknown> }>,
) {
  return {
    extend: async (scene: Scene) => (await acquire(scene)).extend,
    verify: async (scene: Scene) => (await acquire(scene)).verify,
    release: async (scene: Scene) => (await acquire(scene)).release,
  };
}

const named = (kind: string, operations: Readonly<Record<string, Operation>>): [string, Operation][] =>
  Object.entries(operations).map(([name, operation]) => [`${kind}: ${name}`, operation]);

/** Operations that change nothing: it is harmless to repeat them. */
const READS = /: (inspect|verify|count|wait|available|acquired|read|get|list)$/;

const OPERATIONS: readonly [string, Operation][] = [
  ...named("lock", {
    ...ofLease(({ locks, name }) => locks.lock(name).acquire(LONG)),
    forceRelease:
      ({ locks, name }) =>
      () =>
        locks.lock(name).forceRelease(),
    inspect:
      ({ locks, name }) =>
      () =>
        locks.lock(name).inspect(),
    extendAll: async ({ locks, name }) => {
      const lease = await locks.lock(name).acquire(LONG);
      return async () => {
        const [extended] = await extendAll([lease]);
        throw extended?.error;
      };
    },
    "release of a resumed lease": async ({ locks, name }) => {
      const resumed = await locks.resume((await locks.lock(name).acquire(LONG)).ticket());
      return resumed.release;
    },
  }),
  ...named("fair lock", {
    ...ofLease(({ locks, name }) => locks.fairLock(name).acquire(LONG)),
    forceRelease:
      ({ locks, name }) =>
      () =>
        locks.fairLock(name).forceRelease(),
    inspect:
      ({ locks, name }) =>
      () =>
        locks.fairLock(name).inspect(),
  }),
  ...named("write lock", {
    ...ofLease(({ locks, name }) => locks.readWriteLock(name).write.acquire(LONG)),
    "forceRelease of the side":
      ({ locks, name }) =>
      () =>
        locks.readWriteLock(name).write.forceRelease(),
    forceRelease:
      ({ locks, name }) =>
      () =>
        locks.readWriteLock(name).forceRelease(),
    inspect:
      ({ locks, name }) =>
      () =>
        locks.readWriteLock(name).inspect(),
  }),
  ...named("read lock", {
    ...ofLease(({ locks, name }) => locks.readWriteLock(name).read.acquire(LONG)),
    "forceRelease of the side":
      ({ locks, name }) =>
      () =>
        locks.readWriteLock(name).read.forceRelease(),
  }),
  ...named("multi-lock", {
    ...ofLease(({ locks, name }) => locks.multiLock([name, `${name} 2`]).acquire(LONG)),
    forceRelease:
      ({ locks, name }) =>
      () =>
        locks.multiLock([name, `${name} 2`]).forceRelease(),
    inspect:
      ({ locks, name }) =>
      () =>
        locks.multiLock([name, `${name} 2`]).inspect(),
  }),
  ...named("multi-lock in a group", {
    ...ofLease(({ locks, name }) =>
      locks
        .group(name)
        .multiLock([name, `${name} 2`])
        .acquire(LONG),
    ),
    forceRelease:
      ({ locks, name }) =>
      () =>
        locks.group(name).multiLock([name]).forceRelease(),
  }),
  ...named("semaphore", {
    ...ofLease(({ locks, name }) => locks.semaphore(name, { permits: 3 }).acquire(LONG)),
    releasePermits: async ({ locks, name }) => {
      const lease = await locks.semaphore(name, { permits: 3 }).acquire({ ...LONG, permits: 2 });
      return () => lease.releasePermits([1]);
    },
    setPermits:
      ({ locks, name }) =>
      () =>
        locks.semaphore(name).setPermits(9),
    trySetPermits:
      ({ locks, name }) =>
      () =>
        locks.semaphore(name).trySetPermits(9),
    addPermits:
      ({ locks, name }) =>
      () =>
        locks.semaphore(name).addPermits(3),
    drain:
      ({ locks, name }) =>
      () =>
        locks.semaphore(name, { permits: 3 }).drain(),
    available:
      ({ locks, name }) =>
      () =>
        locks.semaphore(name, { permits: 3 }).available(),
    acquired:
      ({ locks, name }) =>
      () =>
        locks.semaphore(name, { permits: 3 }).acquired(),
    forceRelease:
      ({ locks, name }) =>
      () =>
        locks.semaphore(name).forceRelease(),
  }),
  ...named("counter", {
    release: async ({ locks, name }) => {
      const stock = locks.counter(name, { permits: 9 });
      await stock.acquire({ permits: 5 });
      return () => stock.release(3);
    },
    setPermits:
      ({ locks, name }) =>
      () =>
        locks.counter(name).setPermits(9),
    addPermits:
      ({ locks, name }) =>
      () =>
        locks.counter(name).addPermits(3),
    drain:
      ({ locks, name }) =>
      () =>
        locks.counter(name, { permits: 3 }).drain(),
    inspect:
      ({ locks, name }) =>
      () =>
        locks.counter(name).inspect(),
    forceRelease:
      ({ locks, name }) =>
      () =>
        locks.counter(name).forceRelease(),
  }),
  ...named("latch", {
    trySetCount:
      ({ locks, name }) =>
      () =>
        locks.latch(name).trySetCount(2),
    countDown: async ({ locks, name }) => {
      const latch = locks.latch(name);
      await latch.trySetCount(2);
      const { generation } = await latch.inspect();
      return () => latch.countDown(undefined, { generation });
    },
    count:
      ({ locks, name }) =>
      () =>
        locks.latch(name).count(),
    wait:
      ({ locks, name }) =>
      () =>
        locks.latch(name).wait({ wait: 500 }),
    forceRelease:
      ({ locks, name }) =>
      () =>
        locks.latch(name).forceRelease(),
  }),
  ...named("once", {
    ...ofLease(async (scene) => (await begun(scene)).lease),
    fail: async (scene) => (await begun(scene)).fail,
    forceRelease:
      ({ locks, name }) =>
      () =>
        locks.once(name).forceRelease(),
    inspect:
      ({ locks, name }) =>
      () =>
        locks.once(name).inspect(),
  }),
  ...named("fence", {
    claim:
      ({ locks, name }) =>
      () =>
        redisFence(locks).claim({ name, token: 5 }),
    write:
      ({ locks, name }) =>
      () =>
        redisFence(locks).write({ name, token: 5 }, "paid"),
    call:
      ({ locks, name }) =>
      () =>
        redisFence(locks).call({ name, token: 5 }, "INCR", `{${name}}:n`),
    read:
      ({ locks, name }) =>
      () =>
        redisFence(locks).read(name),
  }),
  ...named("chat state", {
    async set({ locks, name }) {
      const state = chatState(locks);
      await state.connect();
      return () => state.set(name, 1);
    },
  }),
];

describe("an operation that ran, and whose retry is refused", () => {
  it.each(OPERATIONS)("%s: the outcome is unknown, whatever the refusal (B9)", async (operation, prepare) => {
    const refusals = Object.entries(REFUSALS).map(async ([name, by]) => {
      const endpoint = createEndpoint();
      const locks = createLocks({ ...endpoint.options });
      const act = await ended((async () => prepare({ locks, name: freshName() }))(), endpoint);
      endpoint.lose(by);
      const error = await ended(act(), endpoint).catch((thrown: unknown) => thrown);
      expect(endpoint.refused(), name).toBeGreaterThan(0);
      expect(error, name).toMatchObject({ code: "outcome_unknown" });
      if (!READS.test(operation)) expect(retryAfter(error), name).toBeUndefined();
    });
    await Promise.all(refusals);
  });
});

it.each(OPERATIONS.filter(([operation]) => !READS.test(operation)))(
  "%s: the outcome is unknown after a 500, too, since it may have run (B9)",
  async (_, prepare) => {
    const endpoint = createEndpoint();
    const act = await ended(
      (async () => prepare({ locks: createLocks(endpoint.options), name: freshName() }))(),
      endpoint,
    );
    endpoint.refuse(() => json(500, "internal error"));
    const error = await ended(act(), endpoint).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "outcome_unknown", cause: { code: "redis_error" } });
    expect(retryAfter(error)).toBeUndefined();
  },
);

const limited = REFUSALS["429 and a minute to wait"] as () => Response;

describe("a majority of servers", () => {
  /** Three servers and a quorum lock, which one of its operations is called of. */
  async function prepared(operation: "extend" | "release" | "forceRelease") {
    const endpoints = [createEndpoint(), createEndpoint(), createEndpoint()];
    const connections = endpoints.map(({ options }, n) => connect({ ...options, url: `https://memory${n}.invalid` }));
    const lock = quorumLock(connections, freshName());
    const lease = await ended(lock.acquire(LONG), ...endpoints);
    const act = operation === "forceRelease" ? lock.forceRelease : lease[operation];
    return { endpoints, act: () => ended<unknown>(act(), ...endpoints) };
  }

  it.each(["extend", "release", "forceRelease"] as const)(
    "%s ran on all, and its retries are refused: not what was refused (B9)",
    async (operation) => {
      for (const [name, by] of Object.entries(REFUSALS)) {
        const { endpoints, act } = await prepared(operation);
        for (const endpoint of endpoints) endpoint.lose(by);
        await expect(act(), name).rejects.toMatchObject({
          code: expect.stringMatching(/^(no_quorum|outcome_unknown)$/),
        });
      }
    },
  );

  it.each(["extend", "release", "forceRelease"] as const)(
    "%s may have run on one server, and the others refused it: not what was refused (B9)",
    async (operation) => {
      const { endpoints, act } = await prepared(operation);
      const [first, ...others] = endpoints;
      first?.lose(limited);
      for (const endpoint of others) endpoint.refuse(limited);
      await expect(act()).rejects.toMatchObject({ code: "no_quorum" });
    },
  );
});

it.each(["extend", "release", "forceRelease"] as const)(
  "a multi-lock of two servers: %s of one, and a refusal of the other, is an unknown outcome (B9)",
  async (operation) => {
    const [one, other] = [createEndpoint(), createEndpoint()];
    const locksOf = ({ options }: ReturnType<typeof createEndpoint>, n: number): Locks =>
      createLocks({ ...options, url: `https://memory${n}.invalid` });
    const [left, right] = [locksOf(one, 1), locksOf(other, 2)];
    const both = multiLock(left, [left.lock("a"), right.lock("b")]);
    const lease = await ended(both.acquire(LONG), one, other);
    other.refuse(limited);
    const act: Act = operation === "forceRelease" ? both.forceRelease : lease[operation];
    const error = await ended(act(), one, other).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "outcome_unknown", cause: { code: "rate_limited" } });
    expect(retryAfter(error)).toBeUndefined();
  },
);

it("an acquisition is cancelled instead: its error is the refusal, and nothing is held (R4, B9)", async () => {
  const endpoint = createEndpoint();
  const locks = createLocks({ ...endpoint.options });
  endpoint.lose(limited, 1);
  await expect(ended(locks.lock("a").tryAcquire(), endpoint)).rejects.toMatchObject({ code: "rate_limited" });
  expect(await ended(locks.lock("a").inspect(), endpoint)).toMatchObject({ state: "free" });
});
