import { expect, it } from "vitest";
import {
  type Acquirable,
  connect,
  fairLock,
  type Joinable,
  latch,
  lock,
  multiLock,
  once,
  quorumLock,
  readWriteLock,
  request,
  resume,
  semaphore,
} from "../../src/index.ts";
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
type Source = ReturnType<typeof open>;
type Anything = Pick<Acquirable<{ release(): Promise<boolean> }>, "tryAcquire">;

/** The plain locks of a name, of every kind that is held. */
const plainLocks: Record<string, (source: Source, name: string) => Anything> = {
  lock,
  fairLock: (source, name) => fairLock(source, name) as Anything,
  "readWriteLock, read": (source, name) => readWriteLock(source, name).read as Anything,
  "readWriteLock, write": (source, name) => readWriteLock(source, name).write as Anything,
  semaphore: (source, name) => semaphore(source, name, { permits: 1 }) as unknown as Anything,
  "multiLock without a group": (source, name) => multiLock(source, [name, `${name}+`]) as unknown as Anything,
  "multiLock of a fair lock": (source, name) => multiLock(source, [fairLock(source, name)]) as unknown as Anything,
  quorumLock: (source, name) => quorumLock([source, open(other), open(third)], name) as Anything,
};

/** Runs what must fail before anything is sent. Both a throw and a rejection count. */
async function refusedUnsent(what: () => unknown): Promise<Error> {
  const before = requests;
  const error = await (async () => what())().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(requests).toBe(before);
  expect(error).toBeInstanceOf(TypeError);
  return error as Error;
}

for (const [kind, make] of Object.entries(plainLocks)) {
  it.each(["held", "released", "refused"])(`a ${kind} that was %s, then the name in a group (E9)`, async (state) => {
    const [source, name] = [open(), freshName()];
    const plain = make(source, name);
    const before = multiLock(source, [name, `${name}+`], { group: "g" });
    const held = state === "refused" ? await make(open(), name).tryAcquire() : null;
    const lease = await plain.tryAcquire();
    if (state === "released") await lease?.release();
    const grouped = () => multiLock(source, [name, `${name}+`], { group: "g" }).tryAcquire();
    const { message } = await refusedUnsent(grouped);
    expect(message).toContain(`"${name}" was locked without a group`);
    expect(message).toMatch(/Omit the group here/);
    // One that was made before the plain lock was acquired.
    await refusedUnsent(() => before.tryAcquire());
    await refusedUnsent(() => before.acquire());
    await refusedUnsent(() => before.run(() => 1));
    await refusedUnsent(() => multiLock(source, [before, freshName()]).tryAcquire());
    await Promise.all([held?.release(), lease?.release()]);
  });

  it(`a group, held or released, then a ${kind} of the name (E9)`, async () => {
    const [source, name] = [open(), freshName()];
    const before = make(source, name);
    const lease = await multiLock(source, [name, `${name}+`], { group: "g" }).acquire();
    const { message } = await refusedUnsent(() => make(source, name).tryAcquire());
    expect(message).toContain(`"${name}" was locked by a multi-lock in a group`);
    expect(message).toMatch(/Set the group on this lock too/);
    await refusedUnsent(() => before.tryAcquire());
    await refusedUnsent(() => multiLock(source, [before as unknown as Joinable, freshName()]).tryAcquire());
    await lease.release();
    await refusedUnsent(() => before.tryAcquire());
    await refusedUnsent(() => make(source, name).tryAcquire());
  });
}

it("the Web Locks call of a name that a group has (E9)", async () => {
  const [source, name] = [open(), freshName()];
  await multiLock(source, [name], { group: "g" }).run(() => 1);
  await refusedUnsent(() => request(source, name, () => 1));
});

it("a plain lock that was resumed by its ticket, then the name in a group (E9)", async () => {
  const [source, name] = [open(), freshName()];
  const lease = await lock(open(), name).acquire();
  const resumed = await resume(source, lease.ticket());
  await refusedUnsent(() => multiLock(source, [name, `${name}+`], { group: "g" }).tryAcquire());
  expect(await resumed.release()).toBe(true);
});

it("one server and a majority of servers do not mix over one connection, in either order (E9)", async () => {
  const [name, later] = [freshName(), freshName()];
  const sources = [open(), open(other), open(third)] as const;
  const quorum = quorumLock(sources, name);
  const lease = await lock(sources[1], name).acquire();
  const { message } = await refusedUnsent(() => quorum.tryAcquire());
  expect(message).toContain("quorum lock everywhere");
  await refusedUnsent(() => quorumLock(sources, name));
  await lease.release();
  const single = fairLock(sources[2], later);
  await quorumLock(sources, later).run(() => 1);
  await refusedUnsent(() => single.tryAcquire());
  await refusedUnsent(() => lock(sources[0], later));
  // A majority of one server is that server.
  const alone = freshName();
  await lock(sources[0], alone).run(() => 1);
  expect(await quorumLock([sources[0]], alone).run(() => 7)).toBe(7);
});

it("a name that is locked in one way again and again, or over two connections, is no mistake (E9)", async () => {
  const [source, name] = [open(), freshName()];
  for (let n = 0; n < 2; n++) {
    await lock(source, name).run(() => 1);
    await multiLock(source, [name, freshName()]).run(() => 1);
  }
  expect(await multiLock(open(), [name, `${name}+`], { group: "g" }).run(() => 7)).toBe(7);
  // A look is no use.
  const seen = freshName();
  await lock(source, seen).inspect();
  expect(await multiLock(source, [seen, `${seen}+`], { group: "g" }).run(() => 7)).toBe(7);
  // Nor is a latch or a once, which exclude no lock.
  const counted = freshName();
  await latch(source, counted).trySetCount(1);
  await once(source, `${counted}+`).run(() => 1);
  expect(await multiLock(source, [counted, `${counted}+`], { group: "g" }).run(() => 7)).toBe(7);
});

it("a connection forgets the names that were used longest ago, and not one that is used all the time (E9)", async () => {
  const [source, name, used] = [open(), freshName(), freshName()];
  await lock(source, used).run(() => 1);
  for (let n = 0; n < 40; n++) {
    await lock(source, name).run(() => 1);
    await multiLock(
      source,
      Array.from({ length: 64 }, () => freshName()),
      { group: "g" },
    ).run(() => 1);
  }
  expect(source.state.uses.size).toBeLessThan(2_100);
  await refusedUnsent(() => multiLock(source, [name], { group: "g" }).tryAcquire());
  expect(await multiLock(source, [used], { group: "g" }).run(() => 7)).toBe(7);
});
