import { type Case, CROWD, id, RECORD, type Scene } from "./case.ts";

type More = Readonly<Record<string, string | number>>;
const LONG = 3_600_000;
const RETENTION_MS = 60_000;

const permit = (who: string): string => `${id(who)}#1`;
/** Evicts the record alone; the crowd stays. */
const evict = ({ redis }: Scene): unknown => redis("DEL", RECORD);
/** The crowd is kept for as long as a hold of an hour may last, and the record says so. */
function keepsAll({ same, ttl }: Scene, endMs: number, nowMs: number): void {
  for (const key of [RECORD, CROWD]) same(`the time to live of ${key}`, ttl(key) >= endMs - nowMs, true);
}

/** What other clients do to a semaphore that has lost its record while a permit of it is in use. */
const ON_PERMITS: Readonly<Record<string, (scene: Scene) => void>> = {
  "an acquire of another permit": ({ expect }) =>
    expect("semaphore-acquire", { id: permit("b"), kind: "semaphore", permits: 2 }, "granted"),
  "a queued acquire of another permit": ({ expect }) =>
    expect("semaphore-queue", { id: permit("b"), permits: 2 }, "granted"),
  "a waiter that joins the queue": ({ expect }) => expect("semaphore-queue", { id: permit("b"), permits: 1 }, "held"),
  "the cancel of an ID that the server never saw": ({ expect }) =>
    expect("semaphore-close", { id: permit("b") }, "closed"),
  "the release of another permit": ({ expect, now, at }) => {
    const token = now() + 1;
    at(0);
    expect("semaphore-close", { id: permit("c"), token }, "closed");
  },
  "a new number of permits": ({ expect }) =>
    expect("semaphore-set", { id: id("b"), kind: "semaphore", change: "set", count: 1, ttl: 1000 }, "done"),
  "an added permit": ({ expect }) =>
    expect("semaphore-set", { id: id("b"), kind: "semaphore", change: "add", count: 0, permits: 1, ttl: 1000 }, "done"),
  "a drain": ({ expect }) =>
    expect("semaphore-set", { id: id("b"), kind: "semaphore", change: "drain", permits: 2, ttl: 1000 }, "done"),
};

/** What other clients do to a read-write lock that has lost its record while it is read. */
const ON_READERS: Readonly<Record<string, (scene: Scene) => void>> = {
  "another reader": ({ expect }) => expect("rw-acquire", { id: `${id("b")}`, mode: "read" }, "granted"),
  "a writer that waits": ({ expect }) => expect("rw-acquire", { id: `${id("b")}`, mode: "write", back: 1000 }, "held"),
  "a writer that does not wait": ({ expect }) => expect("rw-acquire", { id: `${id("b")}`, mode: "write" }, "held"),
  "the cancel of an ID that the server never saw": ({ expect }) => expect("rw-close", { id: `${id("b")}` }, "closed"),
  "the release of another reader": ({ expect, now }) => expect("rw-close", { id: id("c"), token: now() }, "closed"),
  "a forced release of the writer": ({ expect }) => expect("rw-force", { id: id("b"), mode: "write" }, "forced"),
};

const two: More = { kind: "semaphore", permits: 2 };

export const evictedCases: readonly Case[] = [
  ...Object.entries(ON_PERMITS).map(
    ([what, act]): Case => ({
      what: `the record of a semaphore is evicted: ${what} does not let its permits be given again (B37)`,
      run(scene) {
        const { expect, at, now, same, ttl } = scene;
        const token = now();
        expect("semaphore-acquire", { id: permit("a"), lease: LONG, ...two }, "granted", { token });
        if (what.startsWith("the release")) expect("semaphore-acquire", { id: permit("c"), ...two }, "granted");
        evict(scene);
        act(scene);
        // What nothing wrote is left as it was.
        same("the time to live of the crowd", ttl(CROWD) >= LONG, true);
        at(LONG - 1000);
        expect("semaphore-acquire", { id: permit("d"), kind: "semaphore", permits: 1 }, "held");
        at(LONG);
        expect("semaphore-close", { id: permit("b") }, "closed");
        expect("semaphore-acquire", { id: permit("e"), kind: "semaphore", permits: 1 }, "granted");
      },
    }),
  ),
  ...Object.entries(ON_READERS).map(
    ([what, act]): Case => ({
      what: `the record of a read-write lock is evicted: ${what} does not let a writer in beside its readers (B37)`,
      run(scene) {
        const { expect, at, same, ttl } = scene;
        expect("rw-acquire", { id: id("a"), mode: "read", lease: LONG }, "granted");
        if (what.startsWith("the release")) expect("rw-acquire", { id: id("c"), mode: "read" }, "granted");
        evict(scene);
        act(scene);
        same("the time to live of the crowd", ttl(CROWD) >= LONG, true);
        at(LONG - 1000);
        expect("rw-acquire", { id: id("d"), mode: "write" }, "held");
        at(LONG);
        expect("rw-acquire", { id: id("d"), mode: "write" }, "granted");
      },
    }),
  ),
  {
    what: "a restored record is that of the semaphore, and its queue and its number are anew (B37)",
    run(scene) {
      const { expect, now, at, same, ttl } = scene;
      const token = now();
      expect("semaphore-acquire", { id: permit("a"), lease: LONG, ...two }, "granted", { token });
      evict(scene);
      expect("crowd-extend", { id: permit("a"), token, duration: 1000 }, "lost", { reason: "gone" });
      expect("semaphore-close", { id: permit("b") }, "closed");
      keepsAll(scene, LONG, 0);
      expect("crowd-inspect", { kind: "semaphore" }, "live", { many: 1 });
      // The permit counts again, so it can be extended as well.
      expect("crowd-extend", { id: permit("a"), token, duration: LONG + 1000 }, "extended", { holds: 1 });
      at(1000);
      expect("semaphore-close", { id: permit("a"), token }, "closed");
      same("the time to live of the record", ttl(RECORD) <= RETENTION_MS, true);
      expect("semaphore-acquire", { id: permit("c"), kind: "semaphore", permits: 1 }, "granted");
    },
  },
  {
    what: "a permit whose record was evicted is returned by its release (B36)",
    run(scene) {
      const { expect, now } = scene;
      const token = now();
      expect("semaphore-acquire", { id: permit("a"), lease: LONG, ...two }, "granted", { token });
      evict(scene);
      expect("semaphore-close", { id: permit("a"), token: token + 1 }, "lost");
      expect("semaphore-close", { id: permit("a"), token }, "closed");
      expect("semaphore-close", { id: permit("a"), token }, "closed");
      expect("semaphore-acquire", { id: `${id("b")}#2`, ...two }, "granted");
    },
  },
  {
    what: "a read hold whose record was evicted is returned by its release, also in a later phase (B36)",
    run(scene) {
      const { expect, now, at } = scene;
      const token = now();
      expect("rw-acquire", { id: id("a"), mode: "read", lease: LONG }, "granted", { token });
      expect("rw-acquire", { id: id("c"), mode: "read", lease: LONG }, "granted", { token });
      evict(scene);
      expect("crowd-extend", { id: id("a"), token }, "lost", { reason: "gone" });
      expect("rw-close", { id: id("a"), token }, "closed");
      at(1000);
      expect("rw-acquire", { id: id("b"), mode: "read" }, "granted", { token: token + 1_000_000 });
      // The new phase has another token; the old hold is lost, and blocks writers until it is cancelled.
      expect("crowd-extend", { id: id("c"), token }, "lost", { reason: "taken" });
      expect("rw-close", { id: id("b"), token: token + 1_000_000 }, "closed");
      expect("rw-acquire", { id: id("d"), mode: "write" }, "held");
      expect("rw-close", { id: id("c"), token }, "lost", { reason: "unknown" });
      expect("rw-close", { id: id("c") }, "closed");
      expect("rw-acquire", { id: id("d"), mode: "write" }, "granted");
    },
  },
  {
    what: "a cancel restores the record of a read-write lock, and its reader is still returned by its release (B37)",
    run(scene) {
      const { expect, now } = scene;
      const token = now();
      expect("rw-acquire", { id: id("a"), mode: "read", lease: LONG }, "granted", { token });
      evict(scene);
      expect("rw-close", { id: id("b") }, "closed");
      keepsAll(scene, LONG, 0);
      expect("crowd-inspect", { kind: "rw" }, "live", { many: 1 });
      expect("rw-close", { id: id("a"), token }, "closed");
      expect("rw-acquire", { id: id("d"), mode: "write" }, "granted");
    },
  },
  {
    what: "a reader whose record was evicted changes nothing of another kind that has the name since (B37)",
    run(scene) {
      const { expect, now, at } = scene;
      const token = now();
      expect("rw-acquire", { id: id("a"), mode: "read", lease: LONG }, "granted", { token });
      expect("rw-acquire", { id: id("c"), mode: "read", lease: LONG }, "granted", { token });
      evict(scene);
      at(1000);
      expect("lock-acquire", { id: id("b") }, "granted");
      expect("rw-close", { id: id("a"), token }, "lost");
      expect("rw-close", { id: id("a") }, "closed");
      expect("rw-close", { id: id("a") }, "closed");
      expect("lock-acquire", { id: id("b") }, "granted");
    },
  },
  {
    what: "a waiter and a change leave the time for which a semaphore is known (B37)",
    run(scene) {
      const { expect, same, ttl } = scene;
      expect("semaphore-set", { id: id("s"), kind: "semaphore", change: "set", count: 1 }, "done");
      expect("semaphore-acquire", { id: permit("a"), ...two }, "granted");
      expect("semaphore-queue", { id: permit("b"), permits: 2, grace: 20_000 }, "held");
      same("the time to live of the record", ttl(RECORD), 600_000 + RETENTION_MS);
      scene.redis("DEL", RECORD, CROWD);
      expect("semaphore-acquire", { id: permit("a"), ...two, permits: 1 }, "granted");
      expect("semaphore-queue", { id: permit("b"), permits: 1, grace: 20_000 }, "held");
      const before = ttl(RECORD);
      expect("semaphore-set", { id: id("s"), kind: "semaphore", change: "drain", permits: 1 }, "done", { count: 0 });
      same("the time to live of the record", ttl(RECORD), before);
    },
  },
  {
    what: "a forced release of a semaphore without its record reports the permits that it ended (B37)",
    run(scene) {
      const { expect } = scene;
      expect("semaphore-acquire", { id: permit("a"), lease: LONG, ...two }, "granted");
      evict(scene);
      expect("crowd-force", { id: id("b"), kind: "semaphore" }, "forced", { had: 1 });
      expect("semaphore-acquire", { id: `${id("c")}#2`, ...two }, "granted");
    },
  },
];

/** Acquires of each kind whose hold is in the record. */
const IN_RECORD: readonly (readonly [kind: string, script: string, args: More, keys?: readonly string[]])[] = [
  ["lock", "lock-acquire", {}],
  ["fair lock", "fair-acquire", {}],
  ["group", "group-acquire", {}, ["one", "two"]],
  ["writer", "rw-acquire", { mode: "write" }],
  ["once", "once-begin", {}],
];

const closedCases: readonly Case[] = IN_RECORD.map(
  ([kind, script, args, keys = []]): Case => ({
    what: `${kind}: an ID that was told that it has ended stays so after the clock is set back (B38)`,
    run({ expect, at }) {
      expect(script, { lease: 5000, ...args }, "granted", {}, ...keys);
      at(8000);
      expect(script, args, "closed", {}, ...keys);
      at(1000);
      expect(script, args, "closed", {}, ...keys);
      expect(script, { ...args, id: id("b") }, "granted", {}, ...keys);
    },
  }),
);

/** Requests that end the holds of others. */
const ENDING: readonly (readonly [what: string, script: string, args: More])[] = [
  ["a writer that steals the lock", "rw-acquire", { mode: "steal" }],
  ["a turn", "fair-supersede", {}],
];

const supersededCases: readonly Case[] = ENDING.map(
  ([what, script, args]): Case => ({
    what: `${what} that was told that it was superseded stays so after the clock is set back (B38)`,
    run({ expect, at }) {
      expect(script, { lease: 5000, ...args }, "granted");
      at(8000);
      expect(script, args, "superseded", { reason: "expired" });
      at(1000);
      expect(script, args, "superseded", { reason: "expired" });
    },
  }),
);

const groupCases: readonly Case[] = [
  {
    what: "group: an ID that has ended is closed for all names, whichever finds it, and whatever has a later name (B38)",
    run({ expect, at }) {
      const names = ["one", "two"];
      expect("group-acquire", { lease: 5000 }, "granted", {}, ...names);
      at(5000);
      expect("fair-acquire", { id: id("b") }, "granted", {}, "two", "two's crowd");
      expect("group-acquire", {}, "closed", {}, ...names);
      at(1000);
      expect("lock-acquire", {}, "closed", {}, "one");
      expect("lock-acquire", { id: id("c") }, "granted", {}, "one");
    },
  },
];

/** Extends, and the last step of a quorum lock, of holds in the record. */
const OF_HOLDS: readonly (readonly [string, string, More, string, string, (readonly string[])?])[] = [
  ["lock", "lock-acquire", {}, "hold-extend", "lost"],
  ["fair lock", "fair-acquire", {}, "crowd-extend", "lost"],
  ["group", "group-acquire", {}, "group-extend", "lost", ["one", "two"]],
  ["writer", "rw-acquire", { mode: "write" }, "crowd-extend", "lost"],
  ["quorum", "lock-acquire", {}, "lock-commit", "lost"],
];

const lostCases: readonly Case[] = OF_HOLDS.map(
  ([kind, acquire, args, script, status, keys = []]): Case => ({
    what: `${kind}: a hold that was told to be lost stays so after the clock is set back (B38)`,
    run({ expect, at, now }) {
      const token = now();
      expect(acquire, { lease: 5000, ...args }, "granted", { token }, ...keys);
      at(8000);
      expect(script, { token, duration: 1000 }, status, {}, ...keys);
      at(1000);
      expect(script, { token, duration: 1000 }, status, {}, ...keys);
    },
  }),
);

export const clockBackCases: readonly Case[] = [...closedCases, ...supersededCases, ...groupCases, ...lostCases];
