import type { Args } from "../../support/script-args.ts";
import { type Case, CROWD, id } from "./case.ts";

const [A, B, C, D] = [id("a"), id("b"), id("c"), id("d")];
const SECOND = 1_000_000;

const closed: readonly Case[] = [
  {
    what: "the release of a hold that nobody knows writes nothing",
    run({ expect, now, ttl, same }) {
      expect("lock-close", { token: now() }, "lost", { reason: "gone" });
      expect("once-close", { token: now() }, "lost", { reason: "gone" });
      same("the time to live", ttl(), -2);
    },
  },
  {
    what: "a cancel of what never was takes no name, also where the clock is set back",
    run({ expect, at }) {
      at(5000);
      expect("lock-close", { id: A }, "closed");
      expect("group-close", { id: B }, "closed", {}, "record", "other");
      at(4999);
      expect("record-inspect", { kind: "once" }, "free");
      expect("name-inspect", {}, "free", {}, "other", CROWD);
    },
  },
  {
    what: "a server that refuses writes is not reported to have closed an expired hold",
    run({ expect, call, now, at, same, setReadOnly }) {
      const refuses = (name: string, token: number): void => {
        setReadOnly(true);
        same("the error", /^READONLY/.test(String(call(name, { id: A, token })["message"])), true);
        setReadOnly(false);
        expect(name, { id: A, token }, "lost", { reason: "expired" });
      };
      const token = now();
      expect("lock-acquire", { id: A, lease: 1000 }, "granted");
      at(1000);
      refuses("lock-close", token);
      expect("once-begin", { id: B, lease: 1000, ttl: 2000 }, "granted");
      at(2000);
      setReadOnly(true);
      const told = call("once-close", { id: B, token: token + SECOND });
      same("the error", /^READONLY/.test(String(told["message"])), true);
      setReadOnly(false);
      expect("once-close", { id: B, token: token + SECOND }, "lost", { reason: "expired" });
    },
  },
  {
    what: "the end of an attempt leaves a name in use as a lock alone",
    run({ expect, at, now }) {
      const token = now();
      expect("lock-acquire", { id: A, reentryKey: "o", lease: 100 }, "granted");
      expect("lock-acquire", { id: B, reentryKey: "o" }, "granted");
      at(200);
      expect("once-close", { id: C, token: token + 5 }, "lost", { reason: "gone" });
      expect("record-inspect", { kind: "lock" }, "live", { holds: 1, token });
      expect("group-close", { id: C, token: token + 5 }, "lost", { reason: "gone" }, "record");
      expect("record-inspect", { kind: "lock" }, "live", { holds: 1, token, body: "=o  0 0" });
    },
  },
  {
    what: "a failed attempt stays failed for whoever sends its end or its result again",
    run({ expect, now, at }) {
      const token = now();
      expect("once-begin", { id: A }, "granted", { token });
      expect("once-close", { id: A, token }, "closed");
      expect("once-close", { id: A, token }, "closed");
      expect("once-begin", { id: B }, "granted", { token: token + 1, attempt: 2 });
      expect("once-close", { id: B, token: token + 1, due: now() + SECOND }, "closed");
      at(5000);
      // Writes the record, and forgets what is void.
      expect("once-close", { id: C }, "closed");
      expect("once-complete", { id: B, token: token + 1 }, "lost", { reason: "released" });
      expect("once-close", { id: C, token: token + 1 }, "lost", { reason: "released" });
    },
  },
];

const forced: readonly Case[] = [
  {
    what: "a lock whose lease is just over has no holder to force out, and its averages are forgotten",
    run({ expect, at, now }) {
      const token = now();
      expect("lock-acquire", { id: A }, "granted");
      at(200);
      expect("lock-close", { id: A, token }, "closed");
      expect("lock-acquire", { id: B, lease: 100 }, "granted");
      at(300);
      expect("record-force", { id: C, kind: "lock" }, "forced", { had: 0, token: now() });
      expect("lock-acquire", { id: D }, "granted");
      expect("lock-acquire", { id: id("e") }, "held", { tenure: 0 });
    },
  },
];

const grouped: readonly Case[] = [
  {
    what: "a reentry key of one of several names does not get the others with it",
    run({ expect, now }) {
      const token = now();
      expect("group-acquire", { id: A, reentryKey: "o" }, "granted", { token }, "other", "third");
      expect("group-acquire", { id: B, reentryKey: "o" }, "not_reentrant", {}, "record", "other");
      expect("record-inspect", { kind: "lock" }, "free");
    },
  },
  {
    what: "an id that holds only some of its names must end, since the others were lost",
    run({ expect, redis, now }) {
      const token = now();
      expect("group-acquire", { id: A }, "granted", { token }, "record", "other", "third");
      redis("DEL", "other");
      expect("group-acquire", { id: A }, "closed", {}, "record", "other", "third");
      expect("lock-acquire", { id: B }, "granted", {}, "other");
      expect("group-acquire", { id: A }, "closed", {}, "record", "other", "third");
      expect("lock-acquire", { id: C }, "held", {}, "third");
    },
  },
  {
    what: "a group that meets a key of another type leaves the other names as they are",
    run({ expect, call, redis, now, same, ttl }) {
      const token = now();
      expect("lock-acquire", { id: A }, "granted", { token });
      expect("lock-close", { id: A, token }, "closed");
      redis("LPUSH", "other", "x");
      const told = call("group-acquire", { id: B }, "other", "record");
      same("the error", /WRONGTYPE/.test(String(told["message"])), true);
      same("the time to live", ttl(), 60_000);
      expect("record-inspect", { kind: "lock" }, "free", { token });
    },
  },
];

const released: readonly Case[] = [
  {
    what: "a name whose lease is just over is idle",
    run({ expect, at, now }) {
      expect("lock-acquire", {}, "granted");
      const token = now();
      at(10_000);
      expect("name-release", { id: D, token }, "idle", { type: "none" });
    },
  },
  {
    what: "the number of a semaphore is forgotten, also where nobody has a permit",
    run({ expect, at, now }) {
      const token = now();
      expect("semaphore-set", { kind: "semaphore", count: 2, id: D }, "done");
      expect("semaphore-acquire", { kind: "semaphore", id: `${A}#1`, lease: 100 }, "granted", { token });
      at(200);
      expect("name-release", { id: C, token, scope: "forget" }, "released", { token: now() });
      expect("semaphore-acquire", { kind: "semaphore", id: `${B}#1` }, "short", { permits: 0 });
    },
  },
  {
    what: "the waiters of a read-write lock are forgotten, also where nobody has a side",
    run({ expect, now, ttl, same }) {
      const token = now();
      expect("rw-acquire", { id: `${A}h` }, "granted");
      expect("rw-acquire", { id: `${B}i`, back: 5000 }, "held");
      expect("name-release", { id: C, token: token - 1 }, "passed", { token });
      expect("rw-close", { id: `${A}h`, token }, "closed");
      expect("name-release", { id: C, token }, "idle", { type: "rw" });
      expect("name-release", { id: C, token, scope: "forget" }, "released", { token: token + 1 });
      expect("name-inspect", {}, "free", { token: token + 1 });
      same("the time to live", ttl(CROWD), -2);
    },
  },
  {
    what: "permits are ended while memory is full",
    run({ expect, now, setFull }) {
      const token = now();
      const ours = { kind: "semaphore", permits: 1, id: `${A}#1` };
      expect("semaphore-acquire", ours, "granted", { token });
      setFull(true);
      expect("name-release", { id: C, token }, "released", { token: token + 1 });
      setFull(false);
      expect("semaphore-acquire", ours, "closed");
      expect("semaphore-acquire", { ...ours, id: `${B}#1` }, "granted");
    },
  },
  {
    what: "a name whose holder is ended belongs to those who wait for it",
    run({ expect, now }) {
      const token = now();
      expect("semaphore-queue", { permits: 1, id: A, lease: 100 }, "granted", { token });
      expect("semaphore-queue", { permits: 1, id: B, grace: 30_000 }, "held", { back: 5635 });
      expect("name-release", { id: C, token, scope: "one" }, "released");
      expect("name-inspect", {}, "live", { waiting: 1, remaining: 30_005_635 });
      expect("name-release", { id: C, token: token + 1, scope: "forget" }, "released");
      expect("name-release", { id: D, token: token + 1, scope: "forget" }, "released");
      expect("name-inspect", {}, "free");
    },
  },
  {
    what: "a fair lock whose holder is ended goes on with its queue, or begins anew",
    run({ expect, now, at }) {
      const token = now();
      expect("fair-acquire", { id: A }, "granted");
      at(200);
      expect("fair-close", { id: A, token }, "closed");
      expect("fair-acquire", { id: B }, "granted");
      const ticket = now();
      expect("fair-acquire", { id: C }, "held", { tenure: 200_000, ticket });
      expect("name-release", { id: id("f"), token: ticket }, "released", { token: ticket + 1 });
      expect("name-inspect", {}, "live", { type: "fair", waiting: 1 });
      expect("fair-acquire", { id: D }, "held", { tenure: 200_000, ticket: ticket + 1, ahead: 1 });
      expect("fair-close", { id: D }, "closed");
      expect("fair-acquire", { id: C, ticket }, "granted", { token: ticket + 2 });
      // Nobody waits, so nothing is remembered.
      expect("name-release", { id: id("e"), token: ticket + 2 }, "released", { token: ticket + 3 });
      expect("fair-acquire", { id: id("0") }, "granted");
      expect("fair-acquire", { id: id("1") }, "held", { tenure: 0 });
    },
  },
  {
    what: "a cancel forgets what is void, and takes no name",
    run({ expect, at, redis, same }) {
      const ours = { kind: "semaphore", permits: 3, retention: 1000 };
      at(5000);
      expect("semaphore-set", { ...ours, id: A, change: "set", count: 3, ttl: 1000 }, "done");
      expect("semaphore-set", { ...ours, id: B, change: "drain", ttl: 1000 }, "done", { count: 3 });
      expect("semaphore-acquire", { ...ours, id: `${C}#1`, permits: 0 }, "held");
      same("the members", redis("ZCARD", CROWD), 3);
      redis("PERSIST", CROWD);
      redis("PERSIST", "record");
      at(7002);
      expect("semaphore-close", { id: D }, "closed");
      same("the members", redis("ZCARD", CROWD), 1);
      at(7001);
      expect("crowd-inspect", { kind: "semaphore" }, "free");
    },
  },
  {
    what: "one hold with as many permits as a page has is returned",
    run({ expect, now }) {
      const token = now();
      const ours = { kind: "semaphore", permits: 5000, id: `${A}#1000` };
      expect("semaphore-acquire", ours, "granted", { token });
      expect("name-inspect", {}, "live", { many: 1000, holders: `=${token + 10 * SECOND} ${token} 1000 #999` });
    },
  },
];

/** The scripts that acquire and release, and the arguments of both. */
const RESUMED: readonly (readonly [acquires: string, releases: string, id: string, args: Args])[] = [
  ["lock-acquire", "lock-close", A, {}],
  ["fair-acquire", "fair-close", A, {}],
  ["rw-acquire", "rw-close", A, {}],
  ["semaphore-acquire", "semaphore-close", `${A}#1`, { kind: "semaphore", permits: 3 }],
  ["once-begin", "once-close", A, {}],
];
/** More than a record remembers for their number. */
const MANY = 70;

const resumed: readonly Case[] = [
  ...RESUMED.map(
    ([acquires, releases, own, args]): Case => ({
      what: `after ${releases} by another client, the id is remembered for as long as clients retry`,
      run({ expect, now, at }) {
        const suffix = own.slice(A.length);
        expect(acquires, { ...args, id: own }, "granted");
        expect(releases, { ...args, id: own, token: now(), due: "" }, "closed");
        for (let n = 1; n <= MANY; n++) {
          at(n * 800);
          const other = String(n).padStart(A.length, "0") + suffix;
          expect(acquires, { ...args, id: other }, "granted");
          expect(releases, { ...args, id: other, token: now() }, "closed");
        }
        at(59_000);
        expect(acquires, { ...args, id: own }, "closed");
        at(122_000);
        expect(releases, { ...args, id: D + suffix }, "closed");
        expect(acquires, { ...args, id: own }, "granted");
      },
    }),
  ),
  {
    what: "after the release of several names by another client, the id is remembered for as long as clients retry",
    run({ expect, now, at }) {
      expect("group-acquire", { id: A }, "granted", {}, "record", "other");
      expect("group-close", { id: A, token: now(), due: "" }, "closed", {}, "record", "other");
      at(59_000);
      expect("group-acquire", { id: A }, "closed", {}, "record", "other");
    },
  },
];

export const endingRuleCases: readonly Case[] = [...closed, ...forced, ...grouped, ...released, ...resumed];
