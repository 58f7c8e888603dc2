/** Who waits: the lists that `name-inspect` makes, the notes of waiters, and waiters of a latch. */
import { type Case, CROWD, id, type Scene } from "./case.ts";

const SECOND = 1_000_000;
const [A, B, C, D] = [id("a"), id("b"), id("c"), id("d")];

/** The waiters that are listed, each `since side note`. */
const waiters = ({ expect }: Scene, max = 10): readonly string[] => {
  const queue = String(expect("name-inspect", { max }, "live")["queue"]).slice(1);
  return queue === "" ? [] : queue.split(";");
};

const listed: readonly Case[] = [
  {
    what: "the waiters of a fair lock are listed in their order, without those that did not come back",
    run(scene) {
      const { expect, now, at, same, redis } = scene;
      expect("fair-acquire", {}, "granted");
      same("the list", waiters(scene), []);
      at(100);
      const b = now();
      expect("fair-acquire", { id: `${B}@web@host` }, "held", { ticket: b });
      at(200);
      const c = now();
      expect("fair-acquire", { id: C, grace: 60_000 }, "held", { ticket: c });
      same("the list", waiters(scene), [`${b} - web@host`, `${c} - `]);
      same("the first", waiters(scene, 1), [`${b} - web@host`]);
      same("none", waiters(scene, 0), []);
      at(100);
      // A place that is given from then on by the clock, which was set back.
      same("the list", waiters(scene), [`${b} - web@host`, "0 - "]);
      const deadline = -Number(redis("ZSCORE", CROWD, `w${B}@web@host`)) - (now() - 100_000);
      at(deadline / 1000);
      same("the list when b has to be back", waiters(scene), [`${c} - `]);
      // A place without a deadline is nobody's.
      redis("ZREM", CROWD, `w${C}`);
      same("the list", waiters(scene), []);
    },
  },
  {
    what: "no queue is read where nobody can wait",
    run(scene) {
      const { expect, same, redis } = scene;
      expect("semaphore-queue", { id: `${A}#1`, permits: 1 }, "granted");
      expect("semaphore-queue", { id: `${B}#1@n@h`, permits: 1 }, "held");
      same("the list", waiters(scene).length, 1);
      // Only deadlines, as after an eviction: nobody has a place.
      redis("ZREM", CROWD, `p${B}@n@h`);
      same("the list", waiters(scene), []);
    },
  },
  {
    what: "the waiters of a read-write lock are listed by their side",
    run(scene) {
      const { expect, at, same, now } = scene;
      expect("rw-acquire", { id: `${A}h`, mode: "write" }, "granted");
      same("the list", waiters(scene), []);
      expect("rw-acquire", { id: `${B}i@web@host`, mode: "read", back: 500 }, "held", { placed: 1, back: 500_000 });
      same("the list of readers", waiters(scene), ["0 read web@host"]);
      expect("rw-acquire", { id: `${C}j@job@host`, mode: "write", back: 700 }, "held", { placed: 0, back: 700_000 });
      expect("rw-acquire", { id: `${D}k`, mode: "write", back: 900 }, "held");
      const all = ["0 write ", "0 write job@host", "0 read web@host"];
      same("the list", waiters(scene), all);
      same("one of each side", waiters(scene, 1), ["0 write ", "0 read web@host"]);
      same("none", waiters(scene, 0), []);
      same("the time of the first reply", now() % SECOND, 0);
      at(1500);
      same("those that come back in time", waiters(scene), ["0 write ", "0 write job@host", "0 read web@host"]);
      at(1501);
      same("the others are gone", waiters(scene), ["0 write ", "0 write job@host"]);
    },
  },
  {
    what: "a waiter of a read-write lock that gives up leaves its place, whatever its note",
    run(scene) {
      const { expect, same } = scene;
      expect("rw-acquire", { id: `${A}h`, mode: "write" }, "granted");
      for (const [who, mode] of [
        [`${B}i@web@host`, "write"],
        [`${C}j@job@host`, "read"],
      ] as const) {
        expect("rw-acquire", { id: who, mode, back: 500 }, "held");
        same("the list", waiters(scene).length, 1);
        expect("rw-close", { id: who, token: 0 }, "closed");
        same("the list", waiters(scene), []);
      }
    },
  },
  {
    what: "a waiter that only looks has no place",
    run(scene) {
      const { expect, same } = scene;
      expect("rw-acquire", { id: `${A}h`, mode: "write" }, "granted");
      expect("rw-acquire", { id: `${B}i`, mode: "read" }, "held", { placed: 0, back: 0 });
      expect("rw-acquire", { id: `${C}j`, mode: "write" }, "held", { placed: 0, back: 0 });
      same("the list", waiters(scene), []);
    },
  },
  {
    what: "a reader behind a waiting writer has no place, though it says when it will be back",
    run(scene) {
      const { expect, same } = scene;
      expect("rw-acquire", { id: `${A}h`, mode: "read" }, "granted");
      expect("rw-acquire", { id: `${B}i`, mode: "write", back: 500 }, "held", { placed: 0 });
      expect("rw-acquire", { id: `${C}j`, mode: "read", back: 500 }, "held", { placed: 0 });
      same("the list", waiters(scene), ["0 write "]);
    },
  },
  {
    what: "those that wait are remembered for as long as the writer before them holds the lock",
    run({ expect, same, ttl }) {
      expect("rw-acquire", { id: `${A}h`, mode: "read" }, "granted");
      for (const who of [`${B}i`, `${C}j`]) expect("rw-acquire", { id: who, mode: "write", back: 2000 }, "held");
      const token = Number(expect("crowd-inspect", { kind: "rw" }, "live", { waiting: 2 })["token"]);
      expect("rw-close", { id: `${A}h`, token }, "closed");
      expect("rw-acquire", { id: `${B}i`, mode: "write", lease: 300_000 }, "granted");
      same("the times to live", [ttl(), ttl(CROWD)], [360_000, 360_000]);
    },
  },
  {
    what: "a waiter for permits that gives up leaves its place, whatever its note",
    run(scene) {
      const { expect, same, now } = scene;
      const token = now();
      expect("semaphore-queue", { id: `${A}#1`, permits: 1 }, "granted");
      const b = Number(expect("semaphore-queue", { id: `${B}#1@web@host`, permits: 1 }, "held")["ticket"]);
      same("the list", waiters(scene), [`${b <= now() ? b : 0} - web@host`]);
      expect("semaphore-close", { id: `${B}#1@web@host`, token: 0 }, "closed");
      same("the list", waiters(scene), []);
      expect("semaphore-close", { id: `${A}#1`, token }, "closed");
      expect("semaphore-queue", { id: `${C}#1`, permits: 1, ticket: -1 }, "granted");
    },
  },
];

const latch: readonly Case[] = [
  {
    what: "a waiter of a latch learns its generation, and that it reached zero",
    run({ expect, now, at }) {
      const first = now();
      expect("latch-wait", {}, "counting", { generation: 0, remaining: 0 });
      expect("latch-wait", { generation: first }, "lost");
      expect("latch-set", { count: 2 }, "set");
      at(1000);
      expect("latch-wait", {}, "counting", { generation: first, remaining: 599 * SECOND });
      expect("latch-wait", { generation: first }, "counting", { generation: first });
      expect("latch-wait", { generation: first - 1 }, "lost");
      expect("latch-down", { id: "p", generation: first }, "left", { left: 1 });
      expect("latch-wait", { generation: first }, "counting");
      expect("latch-down", { id: "q", generation: first }, "left", { left: 0 });
      expect("latch-wait", {}, "open");
      expect("latch-wait", { generation: first }, "open");
      expect("latch-wait", { generation: first - 1 }, "lost");
      // A later generation shows that the first reached zero, and a waiter that comes new waits for the later.
      expect("latch-set", { id: B, count: 1 }, "set");
      const second = now();
      expect("latch-wait", { generation: first }, "open");
      expect("latch-wait", { generation: second }, "counting", { generation: second });
      expect("latch-wait", {}, "counting", { generation: second });
      expect("latch-wait", { notAfter: now() - 1 }, "late");
    },
  },
  {
    what: "a waiter of a latch learns that it was forgotten, or that the name has another kind",
    run({ expect, now, at }) {
      const first = now();
      expect("latch-set", { count: 1, ttl: 1000 }, "set");
      at(1000);
      expect("latch-wait", {}, "counting", { generation: 0 });
      expect("latch-wait", { generation: first }, "lost");
      expect("lock-acquire", { id: B }, "granted");
      expect("latch-wait", {}, "kind", { kind: "lock" });
      expect("latch-wait", { generation: first }, "kind", { kind: "lock" });
    },
  },
];

export const waiterCases: readonly Case[] = [...listed, ...latch];
