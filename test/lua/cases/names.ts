import { type Case, CROWD, id, RECORD } from "./case.ts";

const [A, B, C, D] = [id("a"), id("b"), id("c"), id("d")];
const SECOND = 1_000_000;
const tail = (each: string, n: number): string => `${each}#${n}`;

const inspected: readonly Case[] = [
  {
    what: "many names are read at once, and those that the caller knows are left out",
    run({ expect, now, at, redis, same }) {
      const keys = ["{a}", "{a}%crowd", "{f}", "{f}%crowd", "{none}", "{none}%crowd"];
      const read = (known: string): readonly string[][] =>
        JSON.parse(String(expect("names-inspect", { known }, "names", {}, ...keys)["entries"])) as string[][];
      const began = now();
      expect("lock-acquire", {}, "granted", {}, "{a}");
      at(1000);
      expect("fair-acquire", {}, "granted", {}, "{f}", "{f}%crowd");
      const first = read("");
      same(
        "what is told",
        first.map(([n, , ...told]) => [n, ...told]),
        [
          ["1", "live", "lock", `${began}`, `${9 * SECOND}`, "1", `${9 * SECOND}`, "=  0 0", "0", "0", "0"],
          ["2", "live", "fair", `${now()}`, `${10 * SECOND}`, "1", `${10 * SECOND}`, "=  0 0 0 0", "0", "0", "0"],
          ["3", "none"],
        ],
      );
      // The crowd of the fair lock, and the type of the key that does not exist.
      expect("names-inspect", { known: "" }, "names", { probes: 2 }, ...keys);
      const digestsOf = (entries: readonly string[][]): string => entries.map(([, digest]) => digest).join("");
      const known = digestsOf(first);
      same("the second reading", read(known), []);
      expect("fair-acquire", { id: B }, "held", {}, "{f}", "{f}%crowd");
      same(
        "after a change",
        read(known).map(([n]) => n),
        ["2"],
      );
      same(
        "with a queue, which is not in the record",
        read(digestsOf(read(""))).map(([n]) => n),
        ["2"],
      );
      expect("lock-close", { token: began }, "closed", {}, "{a}");
      same(
        "after a release",
        read(known).map(([n, , status]) => [n, status]),
        [
          ["1", "free"],
          ["2", "live"],
        ],
      );
      expect("lock-acquire", { id: B }, "granted", {}, "{a}");
      at(12_000);
      same(
        "after the end of both leases",
        read("").map(([n, , status]) => [n, status]),
        [
          ["1", "free"],
          ["2", "free"],
          ["3", "none"],
        ],
      );
      redis("SET", "{f}%crowd", "broken");
      same(
        "a crowd that is broken",
        read(known).flatMap(([n, , ...told]) => (n === "2" ? [told] : [])),
        [["kind", "foreign"]],
      );
    },
  },
  {
    what: "a name is read whatever its kind",
    run({ expect, now, at, redis, same }) {
      expect("name-inspect", {}, "free", { token: 0 });
      same("what is stored", redis("DBSIZE"), 0);
      const token = now();
      expect("lock-acquire", { reentryKey: "o", note: "n@h" }, "granted");
      at(1000);
      expect("lock-acquire", { id: B, reentryKey: "o", lease: 20_000 }, "granted");
      expect("name-inspect", { kind: "lock" }, "live", {
        type: "lock",
        token,
        remaining: 20 * SECOND,
        holds: 2,
        left: 20 * SECOND,
        body: "=o n@h 0 0",
        many: 0,
        waiting: 0,
        behind: 0,
      });
      const ends = [token + 10 * SECOND, token + 21 * SECOND];
      const told = String(expect("name-inspect", {}, "live")["holders"]);
      same("the holders", told.slice(1).split(";").map(Number).sort(), ends);
      at(21_000);
      expect("name-inspect", {}, "free", { token });
    },
  },
  {
    what: "a fence and a foreign value are reported",
    run({ expect, redis, now }) {
      expect("fence-write", { began: now(), token: 7, value: "=v" }, "written", {}, RECORD);
      expect("name-inspect", {}, "fence", { token: 7 });
      redis("SET", RECORD, "fence 2 5 ");
      expect("name-inspect", {}, "kind", { kind: "fence/2" });
    },
  },
  {
    what: "a damaged record is reported as such, and one at the limit of its numbers is not",
    run({ expect, redis }) {
      const max = "9000000000000000";
      const put = (record: string): unknown => redis("SET", RECORD, record);
      const damaged = (record: string, kind: string): void => {
        put(record);
        expect("name-inspect", {}, "kind", { kind });
      };
      put(`lock 1 ${max} ${max}  ${A}:${max}, `);
      expect("name-inspect", {}, "live", { type: "lock", holds: 1 });
      damaged(`lock 1 17 9000000000000001   `, "lock/1");
      damaged(`none 1 9000000000000001 0   `, "none/1");
      damaged(`lock 1 17 ${max}  ${A}:9000000000000001, `, "lock/1");
      damaged(`latch 1 17 ${max}   3 3`, "latch/1");
      damaged(`once 1 17 ${max}   1 `, "once/1");
      damaged(`none 1 17 ${max}   x`, "none/1");
      put("fence 1 8999999999999999 0 2 ab");
      expect("name-inspect", {}, "fence", { token: 8_999_999_999_999_999 });
      damaged(`fair 1 17 ${max}     0 0 0 x`, "fair/1");
      // As the last release wrote it.
      put(`fair 1 17 ${max}     0 0 0 -0`);
      expect("name-inspect", {}, "live", { type: "fair", token: 17 });
      damaged("fence 1 9000000000000000 0 2 ab", "fence/1");
      damaged("fence 1 7 0 3 ab", "fence/1");
    },
  },
  {
    what: "no result of a once is returned, but the note of a running attempt is",
    run({ expect, now }) {
      const token = now();
      expect("once-begin", { note: "@h", fingerprint: "f" }, "granted");
      expect("name-inspect", {}, "live", { type: "once", body: "=1  @h" });
      expect("once-complete", { token, result: "secret" }, "completed");
      expect("name-inspect", {}, "live", { body: "=1 done", holds: 0, left: 0, holders: "=" });
    },
  },
  {
    what: "the permits of a hold are returned together, those that end last first",
    run({ expect, now, at }) {
      const token = now();
      const ours = { kind: "semaphore", permits: 10 };
      expect("semaphore-acquire", { ...ours, id: tail(A, 2) }, "granted");
      at(1000);
      expect("semaphore-acquire", { ...ours, id: `${B}#3@n@h`, lease: 20_000 }, "granted");
      const [first, second] = [`${token + 21 * SECOND} ${token + SECOND} 3 `, `${token + 10 * SECOND} ${token} 2 `];
      const told = expect("name-inspect", {}, "live", { type: "semaphore", many: 5, holds: 0, left: 20 * SECOND });
      const holders = String(told["holders"]).slice(1).split(";");
      if (holders.length !== 2) throw new Error(`there are ${holders.length} holders`);
      if (!holders[0]?.startsWith(first) || !holders[0].endsWith("@n@h")) throw new Error(`the first is ${holders[0]}`);
      if (!holders[1]?.startsWith(second)) throw new Error(`the second is ${holders[1]}`);
      const one = String(expect("name-inspect", { max: 1 }, "live")["holders"]);
      if (!one.startsWith(`=${first}`) || one.includes(";")) throw new Error(`of one: ${one}`);
      expect("name-inspect", { max: 0 }, "live", { holders: "=" });
      // Permits that are over are not told.
      at(10_000.001);
      expect("name-inspect", {}, "live", { many: 3, left: 11 * SECOND - 1 });
    },
  },
  {
    what: "a hold that continues after the page is not returned with too few permits",
    run({ expect }) {
      const ours = { kind: "semaphore", permits: 2000 };
      expect("semaphore-acquire", { ...ours, id: tail(A, 600), lease: 5000 }, "granted");
      expect("semaphore-acquire", { ...ours, id: tail(B, 600), lease: 9000 }, "granted");
      const told = String(expect("name-inspect", {}, "live", { many: 1200 })["holders"]);
      if (told.includes(";") || !/ 600 #\d+$/.test(told)) throw new Error(`the holders are ${told}`);
      // As many as were asked for are told as they are.
      const two = String(expect("name-inspect", { max: 2 }, "live")["holders"]);
      if (!two.includes(";")) throw new Error(`the holders are ${two}`);
    },
  },
  {
    what: "waiters and readers are counted",
    run({ expect, now, at }) {
      expect("rw-acquire", { id: `${A}h`, mode: "read" }, "granted");
      expect("rw-acquire", { id: `${B}i`, mode: "read", lease: 20_000 }, "granted");
      expect("rw-acquire", { id: `${C}j`, mode: "write", back: 500 }, "held");
      expect("name-inspect", {}, "live", { type: "rw", many: 2, waiting: 1, behind: 0, left: 20 * SECOND });
      expect("crowd-inspect", { kind: "rw" }, "live", { many: 2, waiting: 1, behind: 0, left: 20 * SECOND });
      expect("crowd-inspect", { kind: "fair" }, "kind", { kind: "rw" });
      at(21_000);
      expect("crowd-inspect", { kind: "rw" }, "free");
      expect("rw-acquire", { id: `${D}h`, mode: "write" }, "granted");
      expect("rw-acquire", { id: `${id("e")}i`, mode: "read", back: 500 }, "held");
      expect("crowd-inspect", { kind: "rw" }, "live", { many: 0, waiting: 0, behind: 1, holds: 1, token: now() });
    },
  },
];

const released: readonly Case[] = [
  {
    what: "the tenure that was seen is ended, and no other",
    run({ expect, now, at, ttl, same }) {
      expect("name-release", { token: 0 }, "idle", { type: "none" });
      const token = now();
      expect("lock-acquire", { reentryKey: "o" }, "granted");
      expect("lock-acquire", { id: B, reentryKey: "o" }, "granted");
      expect("name-release", { id: C, token: token - 1 }, "passed", { token });
      expect("name-release", { id: C, token: token + 1 }, "passed", { token });
      expect("name-release", { id: C, token, notAfter: now() - 1 }, "late");
      expect("name-release", { id: C, token }, "released", { token: token + 1 });
      same("the time to live", ttl(), 60_001);
      expect("hold-extend", { token }, "lost", { reason: "forced" });
      expect("hold-extend", { id: B, token }, "lost", { reason: "forced" });
      expect("name-release", { id: D, token: token + 1 }, "idle", { type: "none" });
      at(1000);
      expect("lock-acquire", { id: D }, "granted", { token: now() });
      expect("name-release", { id: C, token: now() }, "released", { token: now() });
      expect("hold-extend", { id: D, token: now() }, "extended");
    },
  },
  {
    what: "the attempts of a once stay, and its result unless it is to be forgotten",
    run({ expect, now }) {
      const token = now();
      expect("once-begin", { fingerprint: "f" }, "granted");
      expect("name-release", { id: C, token }, "released", { token: token + 1 });
      expect("once-complete", { token }, "lost", { reason: "forced" });
      expect("once-begin", { id: B, fingerprint: "g" }, "mismatch");
      expect("once-begin", { id: B, fingerprint: "f" }, "granted", { attempt: 2, token: token + 2 });
      expect("once-complete", { id: B, token: token + 2, result: "r" }, "completed");
      expect("name-release", { id: D, token: token + 2 }, "idle", { type: "once" });
      expect("name-release", { id: D, token: token + 1, scope: "forget" }, "passed");
      expect("name-release", { id: D, token: token + 2, scope: "forget" }, "released", { token: token + 3 });
      expect("once-begin", { id: id("e"), fingerprint: "g" }, "granted", { attempt: 1 });
    },
  },
  {
    what: "a latch has no holder, and is forgotten with its parties",
    run({ expect, now, redis, same }) {
      const token = now();
      expect("latch-set", { count: 3 }, "set");
      expect("name-release", { id: C, token }, "idle", { type: "latch" });
      expect("latch-down", { id: "p", generation: token }, "left", { left: 2 });
      expect("name-release", { id: C, token }, "idle", { type: "latch" });
      expect("name-release", { id: C, token, scope: "forget" }, "released", { token: token + 1 });
      same("the parties", redis("EXISTS", CROWD), 0);
      expect("latch-down", { id: "q", generation: token }, "lost");
    },
  },
  {
    what: "the queue of a fair lock stays when its holder is ended",
    run({ expect, now, ttl, same }) {
      const token = now();
      expect("fair-acquire", {}, "granted");
      const ticket = Number(expect("fair-acquire", { id: B }, "held", { ahead: 0 })["ticket"]);
      expect("name-release", { id: C, token }, "released", { token: token + 1 });
      same("the crowd is kept", ttl(CROWD) > 60_000, true);
      expect("fair-acquire", { id: D, ticket: -1 }, "held", { ahead: 1 });
      expect("fair-acquire", { id: B, ticket }, "granted", { token: token + 2 });
      expect("fair-acquire", { id: D }, "held", { ahead: 0 });
      expect("name-release", { id: id("e"), token: token + 2, scope: "forget" }, "released");
      expect("fair-acquire", { id: id("f") }, "granted");
    },
  },
  {
    what: "the readers of a phase are ended, or the writer",
    run({ expect, now, at }) {
      const reading = now();
      expect("rw-acquire", { id: `${A}h`, mode: "read" }, "granted", { token: reading });
      at(1000);
      expect("rw-acquire", { id: `${B}i`, mode: "read" }, "granted", { token: reading });
      expect("name-release", { id: C, token: reading + 1 }, "passed");
      expect("name-release", { id: C, token: reading }, "released", { token: now() });
      expect("hold-extend", { token: reading }, "lost");
      expect("crowd-extend", { id: `${A}h`, token: reading, duration: 5000 }, "lost", { reason: "forced" });
      const writing = now() + 1;
      expect("rw-acquire", { id: `${D}h`, mode: "write" }, "granted", { token: writing });
      expect("name-release", { id: id("e"), token: writing }, "released", { token: writing + 1 });
      expect("crowd-extend", { id: `${D}h`, token: writing, duration: 5000 }, "lost", { reason: "forced" });
      expect("rw-acquire", { id: `${id("f")}h`, mode: "read" }, "granted");
    },
  },
  {
    what: "the reads of a writer are ended by either token",
    run({ expect, now, at }) {
      const writing = now();
      expect("rw-acquire", { id: `${A}h`, mode: "write" }, "granted", { token: writing });
      expect("rw-acquire", { id: `${B}h`, mode: "read" }, "granted", { token: writing });
      at(1000);
      expect("rw-close", { id: `${A}h`, token: writing }, "closed");
      // A reader joins, in a phase of its own.
      const reading = now();
      expect("rw-acquire", { id: `${C}i`, mode: "read" }, "granted", { token: reading });
      expect("name-release", { id: D, token: writing }, "passed", { token: reading });
      expect("name-release", { id: D, token: reading }, "released", { token: reading + 1 });
      expect("crowd-extend", { id: `${B}h`, token: writing }, "lost", { reason: "forced" });
    },
  },
  {
    what: "permits are ended by their token, one tenure or all up to it",
    run({ expect, now, at, ttl, same }) {
      const ours = { kind: "semaphore", permits: 10 };
      const [first, second, third] = [now(), now() + SECOND, now() + 2 * SECOND];
      expect("semaphore-acquire", { ...ours, id: tail(A, 2) }, "granted", { token: first });
      at(1000);
      expect("semaphore-acquire", { ...ours, id: tail(B, 3), lease: 30_000 }, "granted", { token: second });
      at(2000);
      expect("semaphore-acquire", { ...ours, id: tail(C, 1), lease: 20_000 }, "granted", { token: third });
      expect("name-release", { id: D, token: second + 1, scope: "one" }, "passed", { token: third });
      expect("name-release", { id: D, token: second, scope: "one" }, "released", { token: third + 1 });
      expect("crowd-extend", { id: tail(B, 3), token: second }, "lost", { reason: "forced" });
      expect("crowd-extend", { id: tail(A, 2), token: first }, "extended", { holds: 2, remaining: 8 * SECOND });
      // The name is in use for as long as the permits that are left.
      same("the time to live", ttl(), 80_000);
      expect("name-inspect", {}, "live", { many: 3, remaining: 20 * SECOND });
      expect("name-release", { id: id("e"), token: third }, "released", { token: third + 2 });
      expect("crowd-extend", { id: tail(A, 2), token: first }, "lost", { reason: "forced" });
      expect("crowd-extend", { id: tail(C, 1), token: third }, "lost", { reason: "forced" });
      expect("name-inspect", {}, "free");
    },
  },
  {
    what: "the number of a semaphore stays, unless it is to be forgotten",
    run({ expect, now }) {
      const token = now();
      const ours = { kind: "semaphore", permits: 1 };
      expect("semaphore-set", { kind: "semaphore", count: 2, id: D }, "done");
      expect("semaphore-acquire", { ...ours, id: tail(A, 2) }, "granted", { token });
      expect("name-release", { id: C, token, scope: "one" }, "released", { token: token + 1 });
      expect("name-release", { id: B, token: token + 1 }, "idle", { type: "semaphore" });
      expect("semaphore-acquire", { ...ours, id: tail(B, 2) }, "granted", { token: token + 2 });
      expect("name-release", { id: id("e"), token: token + 2, scope: "forget" }, "released", { token: token + 3 });
      expect("semaphore-acquire", { ...ours, id: tail(id("f"), 2) }, "short", { permits: 1 });
    },
  },
  {
    what: "a waiter in the queue of a semaphore stays",
    run({ expect, now }) {
      const token = now();
      const ours = { permits: 1 };
      expect("semaphore-queue", { ...ours, id: A }, "granted", { token });
      const held = expect("semaphore-queue", { ...ours, id: B, grace: 30_000 }, "held", { ahead: 0 });
      expect("name-release", { id: C, token, scope: "one" }, "released");
      expect("semaphore-queue", { ...ours, id: D, ticket: -1 }, "held", { ahead: 1 });
      expect("semaphore-queue", { ...ours, id: B, ticket: Number(held["ticket"]) }, "granted", { token: token + 2 });
    },
  },
  {
    what: "a name is ended while memory is full",
    run({ expect, now, setFull }) {
      const token = now();
      expect("lock-acquire", {}, "granted");
      setFull(true);
      expect("name-release", { id: C, token }, "released", { token: token + 1 });
      setFull(false);
      expect("lock-acquire", { id: B }, "granted", { token: token + 2 });
    },
  },
  {
    what: "the longest lease of a name is returned, of its writer or its readers",
    run({ expect, now }) {
      expect("rw-acquire", { id: `${A}h`, mode: "write", lease: 20_000 }, "granted", { token: now() });
      expect("rw-acquire", { id: `${B}h`, mode: "read" }, "granted");
      expect("crowd-inspect", { kind: "rw" }, "live", { left: 20 * SECOND, many: 1, holds: 1 });
      expect("name-inspect", {}, "live", { left: 20 * SECOND, many: 1, holds: 1 });
    },
  },

  {
    what: "readers whose token is not the last any more are ended by it",
    run({ expect, now, ttl, same }) {
      const reading = now();
      expect("rw-acquire", { id: `${A}h`, mode: "read", lease: 90_000 }, "granted", { token: reading });
      expect("rw-acquire", { id: `${B}i`, mode: "write", back: 2000 }, "held");
      expect("rw-force", { id: C, mode: "write" }, "forced", { had: 0, token: reading + 1 });
      expect("name-release", { id: D, token: reading - 1 }, "passed");
      expect("name-release", { id: D, token: reading }, "released", { token: reading + 2 });
      expect("crowd-extend", { id: `${A}h`, token: reading }, "lost", { reason: "forced" });
      same("the time to live", ttl(CROWD), 60_001);
    },
  },
  {
    what: "permits that were granted later stay",
    run({ expect, now, at }) {
      const ours = { kind: "semaphore", permits: 10 };
      const token = now();
      expect("semaphore-acquire", { ...ours, id: tail(A, 1), lease: 30_000 }, "granted");
      at(1);
      expect("semaphore-acquire", { ...ours, id: tail(B, 1) }, "granted");
      expect("semaphore-acquire", { ...ours, id: tail(C, 1), lease: 5000 }, "granted");
      expect("name-release", { id: D, token }, "released");
      expect("name-inspect", {}, "live", { many: 2, remaining: 10 * SECOND });
      expect("crowd-extend", { id: tail(B, 1), token: now() }, "extended");
    },
  },
  {
    what: "a name without a holder has no lease that is left",
    run({ expect }) {
      expect("semaphore-set", { kind: "semaphore", count: 2, id: D }, "done");
      expect("crowd-inspect", { kind: "semaphore" }, "live", { left: 0, many: 0, remaining: 600 * SECOND });
      expect("name-inspect", {}, "live", { left: 0, holders: "=" });
    },
  },
  {
    what: "many permits are ended in one go",
    run({ expect, now }) {
      const token = now();
      for (const letter of ["a", "b", "c"])
        expect("semaphore-acquire", { kind: "semaphore", permits: 5000, id: tail(id(letter), 1000) }, "granted");
      expect("name-inspect", {}, "live", { many: 3000 });
      expect("name-release", { id: D, token: token + 2 }, "released");
      expect("name-inspect", {}, "free");
      for (const letter of ["a", "b", "c"])
        expect("crowd-extend", { id: tail(id(letter), 1000), token }, "lost", { reason: "forced" });
    },
  },
];

export const nameCases: readonly Case[] = [...inspected, ...released];
