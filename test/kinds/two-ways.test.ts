/** A name in a group and the same name outside it are separate, in every call. */
import { expect, it } from "vitest";
import { RunOnce, WithLock } from "../../nest/src/index.ts";
import { redisFence } from "../../src/fence/index.ts";
import {
  type Acquirable,
  connect,
  createLocks,
  group,
  type LockOptions,
  lock,
  multiLock,
  quorumLock,
  request,
} from "../../src/index.ts";
import { inspect, list } from "../../src/list/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
const other = useStack();
const third = useStack();
let requests = 0;
const counting: typeof fetch = (...given) => {
  requests++;
  return fetch(...given);
};
const open = ({ url, token } = stack) => connect({ url, token, fetch: counting });
type Locks = Pick<
  ReturnType<typeof createLocks>,
  "lock" | "fairLock" | "readWriteLock" | "semaphore" | "quorumLock" | "connection"
>;
type Anything = Pick<Acquirable<{ release(): Promise<boolean> }>, "tryAcquire">;

/** The locks of one name, of every kind that is held. */
const kinds: Record<string, (locks: Locks, name: string) => Anything> = {
  lock: (locks, name) => locks.lock(name),
  fairLock: (locks, name) => locks.fairLock(name) as Anything,
  "readWriteLock, write": (locks, name) => locks.readWriteLock(name).write as Anything,
  semaphore: (locks, name) => locks.semaphore(name, { permits: 1 }) as unknown as Anything,
  multiLock: (locks, name) => multiLock(locks, [name]) as unknown as Anything,
  quorumLock: (locks, name) => locks.quorumLock([], name) as unknown as Anything,
};

it.each(Object.entries(kinds))("%s: excludes its own name, and no other one called the same (E9)", async (_, make) => {
  const name = freshName();
  const ways = () => [createLocks(open()), createLocks(open()).group("g"), createLocks(open()).group("h")];
  const leases = [];
  for (const locks of ways()) leases.push(await make(locks, name).tryAcquire());
  expect(leases.every((lease) => lease !== null)).toBe(true);
  for (const locks of ways()) expect(await make(locks, name).tryAcquire()).toBeNull();
  // The keys of all releases, so that one finds what another holds.
  for (const key of [`{${name}}`, `{g}/${name}`, `{h}/${name}`])
    expect(await stack.redis.command("EXISTS", `leasehold:${key}`)).toContain(":1");
  for (const lease of leases) expect(await lease?.release()).toBe(true);
});

const given = { group: "g" } as LockOptions;
/** Every call that had the option, with it. */
const calls: Record<string, (locks: ReturnType<typeof createLocks>) => unknown> = {
  lock: (locks) => locks.lock("a", given),
  "lock, undefined": (locks) => locks.lock("a", { group: undefined } as LockOptions),
  fairLock: (locks) => locks.fairLock("a", given),
  readWriteLock: (locks) => locks.readWriteLock("a", given),
  semaphore: (locks) => locks.semaphore("a", { permits: 1, ...given } as object),
  counter: (locks) => locks.counter("a", given as object),
  latch: (locks) => locks.latch("a", given as object),
  once: (locks) => locks.once("a", given as object),
  multiLock: (locks) => locks.multiLock(["a", "b"], given),
  "multiLock in a view": (locks) => locks.group("g").multiLock(["a", "b"], given),
  quorumLock: (locks) => locks.quorumLock([], "a", given),
  acquire: (locks) => locks.lock("a").acquire(given),
  request: (locks) => request(locks, "a", given, () => 1),
  redisFence: (locks) => redisFence(locks, given as object),
  inspect: (locks) => inspect(locks, "a", given as object),
  list: (locks) => list(locks, given as object),
  WithLock: () => WithLock("a", given),
  RunOnce: () => RunOnce("a", given as object),
};

it.each(Object.entries(calls))("%s: refuses the option group, and says what to do (E9)", async (call, make) => {
  const locks = createLocks(open());
  const before = requests;
  const decorated = async () => {
    const decorate = make(locks);
    if (!/^With|^Run/.test(call)) return decorate;
    class Service {
      async method(): Promise<void> {}
    }
    const method = Object.getOwnPropertyDescriptor(Service.prototype, "method");
    return (decorate as (...parts: unknown[]) => unknown)(Service.prototype, "method", method);
  };
  const error = await decorated().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TypeError);
  expect(`${error}`).toContain(
    'no option "group": use the view of the group, locks.group("…") or group(connection, "…")',
  );
  expect(requests).toBe(before);
});

it("a lock on one server and a majority of servers: each blocks the other where both are (E9)", async () => {
  const [name, later] = [freshName(), freshName()];
  const sources = [open(), open(other), open(third)] as const;
  const single = await lock(sources[1], name).acquire();
  const majority = await quorumLock(sources, name).acquire();
  expect(await lock(sources[0], name).tryAcquire()).toBeNull();
  await single.release();
  await majority.release();
  await lock(sources[0], later).acquire();
  await lock(sources[1], later).acquire();
  expect(await quorumLock(sources, later).tryAcquire()).toBeNull();
});

it("a quorum lock is of one group on all its servers (E9)", async () => {
  const [one, two, three] = [open(), open(other), open(third)];
  const [name, before] = [freshName(), requests];
  const views = (names: readonly (string | undefined)[]) =>
    [one, two, three].map((each, n) => (names[n] === undefined ? each : group(each, names[n])));
  for (const mixed of [
    ["g", undefined, undefined],
    ["g", "g", "h"],
    [undefined, "g", "g"],
  ])
    expect(() => quorumLock(views(mixed), name)).toThrow(
      /quorumLock.*each connection must be a view of the same group/,
    );
  expect(() => createLocks(one).group("g").quorumLock([two, three], name)).toThrow(/not of "g" and no group/);
  expect(requests).toBe(before);
  const lease = await createLocks(one)
    .group("g")
    .quorumLock([group(two, "g"), group(three, "g")], name)
    .acquire();
  expect(await quorumLock(views(["g", "g", "g"]), name).tryAcquire()).toBeNull();
  expect(await quorumLock([one, two, three], name).tryAcquire()).not.toBeNull();
  await lease.release();
});
