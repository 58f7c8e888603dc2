/** The time limits of calls that do not wait, during every kind of outage, in virtual time. */
import { describe, expect, it } from "vitest";
import { redisFence } from "../../src/fence/index.ts";
import {
  connect,
  createLocks,
  extendAll,
  type Lease,
  type Locks,
  multiLock,
  quorumLock,
  type SemaphoreLease,
} from "../../src/index.ts";
import { inspect, list } from "../../src/list/index.ts";
import { createTestRedis, type TestRedis } from "../../testing/src/index.ts";

const TIMEOUT_MS = 5000;
const STEP_MS = 100;
const MAX_REQUESTS = 8;

interface Arranged {
  readonly locks: Locks;
  /** Three more servers. */
  readonly others: readonly ReturnType<typeof connect>[];
}
type Operation = () => Promise<unknown>;
/** Does what has to be done while Redis is there, and returns the operation. */
type Arrange = (arranged: Arranged) => Promise<Operation> | Operation;

/** The operations of a lease. */
const ofLeases = (
  kind: string,
  acquire: (arranged: Arranged, lease: "10m") => Promise<unknown>,
): [string, Arrange][] => {
  const on = (run: (lease: Lease) => Promise<unknown>): Arrange => {
    return async (arranged) => {
      const lease = (await acquire(arranged, "10m")) as Lease;
      return () => run(lease);
    };
  };
  return [
    [`${kind}: extend`, on((lease) => lease.extend())],
    [`${kind}: extend("24h")`, on((lease) => lease.extend("24h"))],
    [`${kind}: verify`, on((lease) => lease.verify())],
    [`${kind}: release`, on((lease) => lease.release())],
    [`${kind}: extendAll`, on((lease) => extendAll([lease]))],
    [`${kind}: tryAcquire`, (arranged) => () => acquire(arranged, "10m")],
  ];
};
/** The operations of a name. */
const ofNames = (kind: string, of: (arranged: Arranged) => object, ...names: string[]): [string, Arrange][] =>
  names.map((operation) => {
    const [method = "", argument] = operation.split(" ");
    return [
      `${kind}: ${operation}`,
      (arranged) => {
        const made = of(arranged) as Record<string, (argument?: unknown) => Promise<unknown>>;
        return async () => made[method]?.(argument && JSON.parse(argument));
      },
    ];
  });

const COMMON = ["inspect", "forceRelease"];
const PERMITS = ["setPermits 3", "trySetPermits 3", "addPermits 3", "drain", "available", ...COMMON];
const NAMES = ["a", "b", "c", "d", "e"];

const started = async ({ locks }: Arranged) => {
  const turn = await locks.once("o", { lease: "10m" }).begin();
  if (turn.status !== "started") throw new Error(turn.status);
  return turn;
};

const OPERATIONS: readonly (readonly [string, Arrange])[] = [
  ...ofLeases("lock", ({ locks }, lease) => locks.lock("a").tryAcquire({ lease })),
  ...ofLeases("fairLock", ({ locks }, lease) => locks.fairLock("a").tryAcquire({ lease })),
  ...ofLeases("read", ({ locks }, lease) => locks.readWriteLock("a").read.tryAcquire({ lease })),
  ...ofLeases("write", ({ locks }, lease) => locks.readWriteLock("a").write.tryAcquire({ lease })),
  ...ofLeases("semaphore", ({ locks }, lease) => locks.semaphore("a", { permits: 3 }).tryAcquire({ lease })),
  ...ofLeases("group", ({ locks }, lease) => locks.group("g").multiLock(NAMES).tryAcquire({ lease })),
  ...ofLeases("multiLock", ({ locks }, lease) => locks.multiLock(NAMES).tryAcquire({ lease })),
  ...ofLeases("once", async (arranged) => (await started(arranged)).lease),
  ...ofLeases("resumed", async ({ locks }, lease) => {
    const held = await locks.lock("a").acquire({ lease });
    return locks.resume(held.ticket());
  }).filter(([name]) => !name.endsWith("tryAcquire")),
  ...ofNames("lock", ({ locks }) => locks.lock("a"), ...COMMON),
  ...ofNames("fairLock", ({ locks }) => locks.fairLock("a"), ...COMMON),
  ...ofNames("readWriteLock", ({ locks }) => locks.readWriteLock("a"), ...COMMON),
  ...ofNames("semaphore", ({ locks }) => locks.semaphore("a"), "acquired", ...PERMITS),
  ...ofNames("counter", ({ locks }) => locks.counter("a"), "tryAcquire", "release 2", ...PERMITS),
  ...ofNames("latch", ({ locks }) => locks.latch("a"), "trySetCount 2", "countDown", "count", ...COMMON),
  ...ofNames("once", ({ locks }) => locks.once("a"), "begin", ...COMMON),
  ...ofNames("group", ({ locks }) => locks.group("g").multiLock(NAMES), ...COMMON),
  ...ofNames("multiLock", ({ locks }) => locks.multiLock(NAMES), ...COMMON),
  [
    "once: complete",
    async (arranged) =>
      (
        (turn) => () =>
          turn.complete("x")
      )(await started(arranged)),
  ],
  [
    "once: fail",
    async (arranged) =>
      (
        (turn) => () =>
          turn.fail()
      )(await started(arranged)),
  ],
  [
    "semaphore: releasePermits",
    async ({ locks }) => {
      const lease = (await locks.semaphore("a", { permits: 3 }).acquire({ permits: 2 })) as SemaphoreLease;
      return () => lease.releasePermits([1]);
    },
  ],
  [
    "extendAll of five",
    async ({ locks }) => {
      const leases = await Promise.all(NAMES.map((name) => locks.lock(name).acquire({ lease: "10m" })));
      return () => extendAll(leases);
    },
  ],
  [
    "extendAll of five that end at different times",
    async ({ locks }) => {
      const lengths = ["700ms", "1500ms", "2200ms", "3s", "10m"] as const;
      const leases = await Promise.all(lengths.map((lease, n) => locks.lock(NAMES[n] ?? "").acquire({ lease })));
      return () => extendAll(leases, "1m");
    },
  ],
  [
    "query of five",
    ({ locks }) =>
      () =>
        locks.query(NAMES),
  ],
  [
    "list",
    ({ locks }) =>
      () =>
        list(locks)[Symbol.asyncIterator]().next(),
  ],
  [
    "leasehold/list: inspect",
    ({ locks }) =>
      () =>
        inspect(locks, "a"),
  ],
  [
    "fence: claim",
    ({ locks }) =>
      () =>
        redisFence(locks).claim({ name: "a", token: 7 }),
  ],
  [
    "fence: write",
    ({ locks }) =>
      () =>
        redisFence(locks).write({ name: "a", token: 7 }, "x"),
  ],
  [
    "fence: call",
    ({ locks }) =>
      () =>
        redisFence(locks).call({ name: "a", token: 7 }, "SET", "{a}:x", 1),
  ],
  [
    "fence: read",
    ({ locks }) =>
      () =>
        redisFence(locks).read("a"),
  ],
  ...ofLeases("quorumLock", ({ others }, lease) => quorumLock(others, "a").tryAcquire({ lease })),
  ...ofNames("quorumLock", ({ others }) => quorumLock(others, "a"), ...COMMON),
  ...ofLeases("multiLock over servers", ({ locks, others }, lease) =>
    multiLock(locks, ["a", ...others.map((other, n) => createLocks(other as never).lock(`b${n}`))]).tryAcquire({
      lease,
    }),
  ),
];

const OUTAGES = {
  "connection refused": "away",
  "connection reset": "request lost",
  "black hole": "late",
  "503": "status 503",
} as const;

/** Moves the clocks on until the call has ended; returns the time that it took, in ms. */
async function timeOf(call: Promise<unknown>, all: readonly TestRedis[], stepMs: number): Promise<number> {
  let tookMs = 0;
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  call.then(over, over);
  for (; !isOver; tookMs += stepMs) for (const redis of all) await redis.advance(stepMs);
  return tookMs;
}

describe.each(Object.entries(OUTAGES))("during an outage (%s)", (_outage, kind) => {
  it.each(OPERATIONS)(
    "%s ends in its time (E12), by 8 requests to a server at most, for however many names (E13)",
    async (name, arrange) => {
      const servers = [createTestRedis(), createTestRedis(), createTestRedis(), createTestRedis()] as const;
      const asked = [0, 0, 0, 0];
      const optionsOf = (n: number) => {
        const { options } = servers[n] as TestRedis;
        const counting: typeof options.fetch = (...request) => {
          asked[n] = (asked[n] ?? 0) + 1;
          return options.fetch(...request);
        };
        return { ...options, fetch: counting, url: `https://server${n}.invalid`, requestTimeout: TIMEOUT_MS };
      };
      const arranged = {
        locks: createLocks(optionsOf(0)),
        others: [1, 2, 3].map((n) => connect(optionsOf(n))),
      };
      // The other servers' clocks need not move where nobody asks them.
      const all = /quorum|servers/.test(name) ? servers : servers.slice(0, 1);
      const arranging = Promise.resolve(arrange(arranged));
      await timeOf(arranging, all, STEP_MS);
      const operation = await arranging;
      asked.fill(0);
      for (const redis of all) redis.fault({ kind, by: "100h", times: Number.POSITIVE_INFINITY });
      const tookMs = await timeOf(operation(), all, STEP_MS);
      expect(tookMs).toBeLessThanOrEqual(kind === "away" ? 1000 : TIMEOUT_MS);
      expect(Math.max(...asked)).toBeGreaterThan(0);
      expect(Math.max(...asked)).toBeLessThanOrEqual(MAX_REQUESTS);
    },
  );
});
