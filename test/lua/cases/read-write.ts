import { type Case, CROWD, id, RECORD, type Scene, type Told } from "./case.ts";

const SECOND = 1_000_000;
type More = Readonly<Record<string, string | number>>;

/** Asks for a side: the letter of the id, then the hash of the reentry key, and a note behind `@`. */
const ask = (mode: string, who: string, more: More = {}): More => ({
  id: id(who[0] ?? "") + who.slice(1),
  mode,
  ...more,
});
const read = (scene: Scene, who: string, status: string, parts?: More, more?: More): Told =>
  scene.expect("rw-acquire", ask("read", who, more), status, parts);
const write = (scene: Scene, who: string, status: string, parts?: More, more?: More): Told =>
  scene.expect("rw-acquire", ask("write", who, more), status, parts);
const close = (scene: Scene, who: string, token: number, status = "closed", parts?: More): Told =>
  scene.expect("rw-close", { ...ask("", who), token }, status, parts);

const sides: readonly Case[] = [
  {
    what: "readers share a token, and a writer has its own",
    run(scene) {
      const { now, at, ttl, same } = scene;
      const reading = now();
      read(scene, "ah", "granted", { token: reading, remaining: 10 * SECOND, holds: 1 });
      at(1000);
      read(scene, "bi", "granted", { token: reading, remaining: 10 * SECOND, holds: 1 });
      read(scene, "ah", "granted", { token: reading, remaining: 9 * SECOND, holds: 1 });
      same("the times to live", [ttl(), ttl(CROWD)], [70_000, 70_000]);
      write(scene, "cj", "held", { remaining: 10 * SECOND, age: SECOND, back: 0 });
      close(scene, "ah", reading);
      close(scene, "bi", reading);
      at(2000);
      const writing = now();
      write(scene, "cj", "granted", { token: writing, remaining: 10 * SECOND, holds: 1 });
      same("the times to live", [ttl(), ttl(CROWD)], [70_000, -2]);
      at(3000);
      write(scene, "cj", "granted", { token: writing, remaining: 9 * SECOND, holds: 1 });
      write(scene, "dk", "held", { remaining: 9 * SECOND, age: SECOND });
      read(scene, "ek", "held", { remaining: 9 * SECOND, age: SECOND });
      close(scene, "cj", writing);
      read(scene, "ek", "granted", { token: now() });
      read(scene, "ah", "closed");
      write(scene, "cj", "closed");
    },
  },
  {
    what: "a lease of a side ends at its time",
    run(scene) {
      const { now, at } = scene;
      const reading = now();
      read(scene, "ah", "granted");
      at(9999);
      write(scene, "bi", "held", { remaining: 1000 });
      at(10_000);
      const writing = now();
      write(scene, "bi", "granted", { token: writing });
      read(scene, "ah", "closed");
      close(scene, "ah", reading, "lost", { reason: "taken" });
      at(20_000);
      close(scene, "bi", writing, "lost", { reason: "expired" });
      read(scene, "cj", "granted", { token: now() });
      close(scene, "bi", writing, "lost", { reason: "taken" });
    },
  },
  {
    what: "a reader's second hold is counted, and 64 are the most",
    run(scene) {
      const { now, at, expect, same, redis } = scene;
      const reading = now();
      read(scene, "ah", "granted", { holds: 1 });
      at(1000);
      read(scene, "bh", "granted", { token: reading, holds: 2 });
      read(scene, "ch", "not_reentrant", {}, { reentrant: 0 });
      read(scene, "ci", "granted", { token: reading, holds: 1 }, { reentrant: 0 });
      close(scene, "ah", reading);
      same("the account", redis("ZSCORE", CROWD, "oh") === null, false);
      read(scene, "dh", "granted", { holds: 2 });
      close(scene, "bh", reading);
      close(scene, "dh", reading);
      same("the account", redis("ZSCORE", CROWD, "oh"), null);
      read(scene, "eh", "granted", { holds: 1 }, { reentrant: 0 });
      const each = (hold: number): string => `${"f".repeat(24)}${String(hold).padStart(12, "0")}x`;
      for (let hold = 0; hold < 64; hold++)
        expect("rw-acquire", { id: each(hold), mode: "read" }, "granted", { token: reading, holds: hold + 1 });
      expect("rw-acquire", { id: `${"e".repeat(36)}x`, mode: "read" }, "too_many_holds");
      expect("rw-acquire", { id: each(7), mode: "read" }, "granted", { token: reading });
    },
  },
  {
    what: "a writer's second hold is counted, and 64 are the most",
    run(scene) {
      const { now, at, expect } = scene;
      const writing = now();
      write(scene, "ah", "granted", { holds: 1 });
      at(1000);
      write(scene, "bh", "granted", { token: writing, holds: 2, remaining: 5 * SECOND }, { lease: 5000 });
      write(scene, "ch", "not_reentrant", { remaining: 9 * SECOND }, { reentrant: 0 });
      write(scene, "c", "held");
      write(scene, "ci", "held", { remaining: 9 * SECOND });
      close(scene, "ah", writing);
      expect("record-inspect", { kind: "rw" }, "live", { holds: 1, remaining: 5 * SECOND });
      close(scene, "bh", writing);
      const each = (hold: number): string => `${"f".repeat(24)}${String(hold).padStart(12, "0")}x`;
      for (let hold = 0; hold < 64; hold++) expect("rw-acquire", { id: each(hold) }, "granted", { holds: hold + 1 });
      expect("rw-acquire", { id: `${"e".repeat(36)}x` }, "too_many_holds");
    },
  },
  {
    what: "callers without a reentry key are not the same",
    run(scene) {
      const { now } = scene;
      write(scene, "a", "granted");
      read(scene, "b", "held");
      write(scene, "b", "held");
      close(scene, "a", now());
      read(scene, "c", "granted", { holds: 1 });
      read(scene, "d", "granted", { holds: 1 }, { reentrant: 0 });
      write(scene, "e", "held");
    },
  },
  {
    what: "a reader does not become a writer, and a writer reads under its token",
    run(scene) {
      const { now, at, expect } = scene;
      const reading = now();
      read(scene, "ah", "granted");
      write(scene, "bh", "upgrade_refused");
      at(10_000);
      // The read is over, so nothing is in the way.
      const writing = now();
      write(scene, "ch", "granted", { token: writing });
      read(scene, "dh", "granted", { token: writing, holds: 1 });
      read(scene, "eh", "not_reentrant", {}, { reentrant: 0 });
      read(scene, "ei", "held");
      at(11_000);
      close(scene, "ch", writing);
      // It goes on to read under the token of its writes; others have one of their own.
      read(scene, "fh", "granted", { token: writing, holds: 2 });
      read(scene, "ei", "granted", { token: now() });
      write(scene, id("b").slice(0, 1), "held");
      expect("crowd-extend", { id: `${id("d")}h`, token: writing, duration: 20_000 }, "extended", { holds: 2 });
      close(scene, "dh", reading, "lost", { reason: "unknown" });
      close(scene, "dh", writing);
      close(scene, "fh", writing);
      // Now the writer's token is nobody's.
      expect("crowd-extend", { id: `${id("f")}h`, token: writing }, "lost");
      read(scene, "bh", "granted", { token: now() });
    },
  },
  {
    what: "a name keeps who wrote and what was noted",
    run(scene) {
      const { expect, redis, same, now } = scene;
      write(scene, "ah@n@h", "granted");
      expect("record-inspect", { kind: "rw" }, "live", { body: `=0 h n@h ${now()} 0 ` });
      close(scene, "ah@n@h", now());
      const reading = now() + 1;
      read(scene, "bi@m", "granted", { token: reading });
      same("the members", redis("ZRANGE", CROWD, "0", "-1"), [`${id("b")}i@m`, "oi", `t${id("b")}`]);
      close(scene, "bi@m", reading);
      same("the members", redis("ZCARD", CROWD), 0);
      expect("lock-acquire", { id: id("c") }, "granted");
      expect("rw-acquire", ask("read", "dh"), "kind", { kind: "lock" });
      expect("rw-force", { mode: "read" }, "kind", { kind: "lock" });
      expect("rw-acquire", ask("read", "dh", { notAfter: now() - 1 }), "late");
      expect("rw-force", { mode: "read", notAfter: now() - 1 }, "late");
    },
  },
  {
    what: "what another kind left in the crowd is removed",
    run(scene) {
      const { expect, at, redis, same } = scene;
      for (const mode of ["read", "write", "steal"]) {
        redis("FLUSHALL");
        at(0);
        expect("semaphore-acquire", { id: `${id("a")}#2`, kind: "semaphore", permits: 5 }, "granted");
        expect("semaphore-queue", { id: id("c"), permits: 2, grace: 9000 }, "held");
        at(30_000);
        expect("rw-acquire", ask(mode, "bh"), "granted");
        const left = (redis("ZRANGE", CROWD, "0", "-1") as readonly string[]).map((member) => member.slice(0, 3));
        same("the crowd", left, mode === "read" ? ["bbb", "oh"] : []);
        write(scene, "cj", "held");
      }
    },
  },
];

const waiting: readonly Case[] = [
  {
    what: "a writer that announced itself holds back new readers until then",
    run(scene) {
      const { now, at, expect, ttl, same } = scene;
      const reading = now();
      read(scene, "ah", "granted");
      write(scene, "bi", "held", { back: 500_000 }, { back: 500 });
      same("the time to live", ttl(CROWD), 70_000);
      read(scene, "cj", "held", { remaining: 10 * SECOND });
      // One that reads already may read more.
      read(scene, "dh", "granted", { token: reading, holds: 2 });
      at(1499.999);
      read(scene, "cj", "held");
      at(1500);
      // A second late, the writer counts no more.
      read(scene, "cj", "granted", { token: reading });
      write(scene, "bi", "held", {}, { back: 15_000 });
      expect("record-inspect", { kind: "rw" }, "live", { remaining: 16 * SECOND });
      // An announcement is never moved nearer.
      write(scene, "bi", "held", {}, { back: 10 });
      at(12_000);
      read(scene, "ej", "held", { remaining: 5_500_000 });
      close(scene, "bi", 0);
      read(scene, "ej", "granted", { token: now() });
    },
  },
  {
    what: "the writer that leaves does not take the others' places",
    run(scene) {
      const { at, expect } = scene;
      read(scene, "ah", "granted");
      write(scene, "bi", "held", {}, { back: 3000 });
      write(scene, "cj", "held", {}, { back: 5000 });
      write(scene, "dk", "held", {}, { back: 1000 });
      close(scene, "cj", 0);
      at(3999);
      read(scene, "el", "held");
      at(4000);
      read(scene, "el", "granted");
      expect("crowd-inspect", { kind: "rw" }, "live", { waiting: 0 });
    },
  },
  {
    what: "a writer that is granted leaves the queue",
    run(scene) {
      const { now, expect } = scene;
      const reading = now();
      read(scene, "ah", "granted");
      write(scene, "bi", "held", {}, { back: 3000 });
      close(scene, "ah", reading);
      read(scene, "cj", "held", { remaining: 4 * SECOND });
      write(scene, "bi", "granted", { token: reading + 1 });
      expect("crowd-inspect", { kind: "rw" }, "live", { waiting: 0, many: 0 });
      close(scene, "bi", reading + 1);
      read(scene, "cj", "granted");
    },
  },
  {
    what: "a reader that waits for a writer goes before the next one",
    run(scene) {
      const { now, at, expect } = scene;
      const writing = now();
      write(scene, "ah", "granted");
      read(scene, "bi", "held", { back: 2_000_000 }, { back: 2000 });
      read(scene, "cj", "held", {}, { back: 500 });
      write(scene, "dk", "held", {}, { back: 100 });
      close(scene, "ah", writing);
      expect("crowd-inspect", { kind: "rw" }, "live", { behind: 2, waiting: 1 });
      write(scene, "dk", "held", { remaining: 3 * SECOND });
      // The writers that wait do not hold back those with a place.
      read(scene, "bi", "granted", { token: now() + 1 });
      read(scene, "ei", "granted", { token: now() + 1, holds: 2 });
      read(scene, "fl", "held");
      at(1500);
      // One whose place is over is held back, too.
      write(scene, "dk", "held", {}, { back: 500 });
      read(scene, "cj", "held");
      close(scene, "cj", 0);
      expect("crowd-inspect", { kind: "rw" }, "live", { behind: 0 });
    },
  },
  {
    what: "a reader that waits no more leaves its place",
    run(scene) {
      const { now, at } = scene;
      const writing = now();
      write(scene, "ah", "granted");
      read(scene, "bi", "held", {}, { back: 2000 });
      close(scene, "bi", 0);
      close(scene, "ah", writing);
      at(1);
      write(scene, "dk", "granted");
    },
  },
  {
    what: "a reader's place ends with its time, and is never moved nearer",
    run(scene) {
      const { now, at } = scene;
      const writing = now();
      write(scene, "ah", "granted");
      read(scene, "bi", "held", {}, { back: 2000 });
      read(scene, "bi", "held", {}, { back: 10 });
      close(scene, "ah", writing);
      at(2999.999);
      write(scene, "dk", "held", { remaining: 1 });
      at(3000);
      write(scene, "dk", "granted");
    },
  },
  {
    what: "a writer steals the lock from readers, writers and waiters",
    run(scene) {
      const { now, at, expect } = scene;
      const reading = now();
      read(scene, "ah", "granted");
      write(scene, "bi", "held", {}, { back: 3000 });
      at(1000);
      const writing = now();
      expect("rw-acquire", ask("steal", "cj"), "granted", { token: writing, holds: 1 });
      scene.same("the times to live", [scene.ttl(), scene.ttl(CROWD)], [70_000, 70_000]);
      expect("crowd-extend", { id: `${id("a")}h`, token: reading }, "lost", { reason: "forced" });
      expect("crowd-inspect", { kind: "rw" }, "live", { waiting: 0, many: 0 });
      expect("rw-acquire", ask("steal", "dk"), "granted", { token: writing + 1, holds: 1 });
      close(scene, "cj", writing, "lost", { reason: "forced" });
      write(scene, "cj", "closed");
      read(scene, "ah", "closed");
      expect("rw-acquire", ask("steal", "dk"), "granted", { token: writing + 1, holds: 1 });
      // A retry steals nothing from a later thief.
      expect("rw-acquire", ask("steal", "cj"), "superseded", { reason: "forced" });
      close(scene, "dk", writing + 1);
      expect("rw-acquire", ask("steal", "dk"), "superseded", { reason: "released" });
      read(scene, "el", "granted", { token: writing + 2 });
      // Its earlier ID had an earlier tenure than the reader's, or the last one.
      const again = { ...ask("steal", "f"), after: writing + 1 };
      expect("rw-acquire", again, "superseded", { reason: "taken" });
      expect("rw-acquire", { ...again, mode: "read" }, "granted");
      expect("rw-acquire", { ...again, id: id("0"), after: writing + 2 }, "granted", { token: writing + 3 });
    },
  },
  {
    what: "a thief, and a release by the list, remove a writer that waits for a writer, and all that the crowd had",
    run(scene) {
      const { now, expect, same, redis } = scene;
      const writing = now();
      write(scene, "ah", "granted");
      write(scene, "bi", "held", {}, { back: 3000 });
      expect("rw-acquire", ask("steal", "cj"), "granted", { token: writing + 1 });
      same("the members", redis("ZCARD", CROWD), 0);
      write(scene, "bi", "held", {}, { back: 3000 });
      expect("name-release", { id: id("d"), token: writing + 1, scope: "all" }, "released", { token: writing + 2 });
      same("the members", redis("ZCARD", CROWD), 0);
      write(scene, "bi", "granted", { token: writing + 3 });
    },
  },
  {
    what: "a late writer announces itself again, and an account without holds leaves nothing",
    run(scene) {
      const { at, expect, same, redis } = scene;
      read(scene, "ah", "granted", {}, { lease: 1000 });
      read(scene, "bi", "granted");
      write(scene, "cj", "held", {}, { back: 500 });
      redis("ZREM", CROWD, "oh");
      at(2500);
      write(scene, "cj", "held", {}, { back: 500 });
      expect("crowd-inspect", { kind: "rw" }, "live", { waiting: 1, many: 1 });
      same("the account", redis("ZSCORE", CROWD, "oh"), null);
    },
  },
  {
    what: "a reader that leaves does not keep the name, and others that wait do",
    run(scene) {
      const { expect } = scene;
      write(scene, "ah", "granted", {}, { lease: 1000 });
      read(scene, "bi", "held", {}, { back: 5000 });
      read(scene, "cj", "held", {}, { back: 3000 });
      expect("record-inspect", { kind: "rw" }, "live", { remaining: 6 * SECOND });
      close(scene, "bi", 0);
      expect("record-inspect", { kind: "rw" }, "live", { remaining: 4 * SECOND });
      close(scene, "cj", 0);
      expect("record-inspect", { kind: "rw" }, "live", { remaining: SECOND });
    },
  },
];

const over: readonly Case[] = [
  {
    what: "reads that are over leave the account, and none comes back",
    run(scene) {
      const { now, at, expect, redis, same } = scene;
      const reading = now();
      read(scene, "ah", "granted", {}, { lease: 1000 });
      read(scene, "bh", "granted", { holds: 2 }, { lease: 2000 });
      read(scene, "ci@n", "granted", {}, { lease: 1000 });
      at(1000);
      read(scene, "dh", "granted", { token: reading, holds: 2 });
      same("the account of the other", redis("ZSCORE", CROWD, "oi"), null);
      same("the note of the other", redis("ZSCORE", CROWD, `t${id("c")}`), null);
      read(scene, "ah", "closed");
      read(scene, "ci@n", "closed");
      close(scene, "ah", reading, "lost", { reason: "expired" });
      at(500);
      // Set back, the clock revives nothing.
      read(scene, "ah", "closed");
      expect("crowd-extend", { id: `${id("a")}h`, token: reading, duration: 5000 }, "lost", { reason: "expired" });
      at(2000);
      read(scene, "eh", "granted", { holds: 2 });
      at(90_000);
      read(scene, "fj", "granted");
      at(90_001);
      read(scene, "al", "granted");
      same("the members that are over", redis("ZCOUNT", CROWD, "4e15", "5e15"), 0);
    },
  },
  {
    what: "a refusal with a place settles what is over, too",
    run(scene) {
      const { at, redis, same } = scene;
      read(scene, "ah", "granted", {}, { lease: 1000 });
      read(scene, "bi", "granted", {}, { lease: 5000 });
      at(1000);
      write(scene, "cj", "held", {}, { back: 1000 });
      same("the account", redis("ZSCORE", CROWD, "oh"), null);
      same("the members that are over", redis("ZCOUNT", CROWD, "4e15", "4.4e15"), 1);
      same("the waiter", redis("ZSCORE", CROWD, `w${id("c")}`) === null, false);
    },
  },
  {
    what: "a cancel ends a read that was granted, and closes one that was not",
    run(scene) {
      const { now, expect } = scene;
      close(scene, "ah", 0);
      read(scene, "ah", "closed");
      const reading = now();
      read(scene, "bi", "granted");
      close(scene, "bi", reading + 1, "lost", { reason: "gone" });
      close(scene, "cj", reading, "lost", { reason: "released" });
      expect("record-inspect", { kind: "rw" }, "live", { token: reading });
      close(scene, "bi", 0);
      close(scene, "bi", 0);
      write(scene, "dk", "granted", { token: reading + 1 });
      write(scene, "bi", "closed");
      close(scene, "bi", reading, "lost", { reason: "released" });
      expect("once-begin", {}, "kind", { kind: "rw" });
    },
  },
  {
    what: "the last hold of a name ends its time",
    run(scene) {
      const { now, at, expect, ttl, same } = scene;
      const reading = now();
      read(scene, "ah", "granted");
      read(scene, "bi", "granted", {}, { lease: 5000 });
      close(scene, "ah", reading);
      expect("record-inspect", { kind: "rw" }, "live", { remaining: 5 * SECOND });
      same("the times to live", [ttl(), ttl(CROWD)], [65_000, 65_000]);
      at(1000);
      close(scene, "bi", reading);
      expect("record-inspect", { kind: "rw" }, "free");
      same("the time to live", ttl(), 60_000);
      expect("lock-acquire", {}, "closed");
      expect("lock-acquire", { id: id("c") }, "granted");
    },
  },
  {
    what: "an account ends with its longest read",
    run(scene) {
      const { now, at, expect } = scene;
      const reading = now();
      read(scene, "ah", "granted");
      read(scene, "bh", "granted", { holds: 2 }, { lease: 5000 });
      close(scene, "bh", reading);
      at(9999);
      read(scene, "ch", "granted", { holds: 2 });
      expect("crowd-extend", { id: `${id("a")}h`, token: reading, duration: 20_000 }, "extended", {
        remaining: 20 * SECOND,
        holds: 2,
      });
      at(29_000);
      // The short read is over, the account knows it when a script sees it.
      expect("crowd-extend", { id: `${id("a")}h`, token: reading }, "extended", { remaining: 999_000, holds: 2 });
      read(scene, "dh", "granted", { holds: 2 });
    },
  },
  {
    what: "a reentry key's live reads stay on its account when others of its are over",
    run(scene) {
      const { at, now } = scene;
      const reading = now();
      read(scene, "ah", "granted", {}, { lease: 1000 });
      read(scene, "bh", "granted", { holds: 2 }, { lease: 20_000 });
      read(scene, "ch", "granted", { holds: 3 }, { lease: 1500 });
      at(1500);
      // Another reentry key's request takes the two off.
      read(scene, "di", "granted", { holds: 1 });
      read(scene, "eh", "not_reentrant", {}, { reentrant: 0 });
      write(scene, "fh", "upgrade_refused");
      close(scene, "bh", reading);
      read(scene, "eh", "granted", { holds: 1 }, { reentrant: 0 });
    },
  },
  {
    what: "a reentry key whose reads are over is no reader, though its account says so",
    run(scene) {
      const { at } = scene;
      read(scene, "ah", "granted", {}, { lease: 1000 });
      read(scene, "bi", "granted", {}, { lease: 20_000 });
      write(scene, "cj", "held", {}, { back: 5000 });
      at(1000);
      read(scene, "dh", "held");
      write(scene, "eh", "held", {}, { back: 1000 });
      close(scene, "cj", 0);
      close(scene, "eh", 0);
      read(scene, "dh", "granted", { holds: 1 }, { reentrant: 0 });
    },
  },
  {
    what: "reads that are over are forgotten after the retention, and their notes at once",
    run(scene) {
      const { at, redis, same } = scene;
      read(scene, "ah@n", "granted", {}, { lease: 1000 });
      read(scene, "bi", "granted", {}, { lease: 500_000 });
      at(1000);
      read(scene, "cj", "granted", {}, { lease: 500_000 });
      same("the members that are over", redis("ZCOUNT", CROWD, "4e15", "4.4e15"), 1);
      at(60_000);
      read(scene, "ah@n", "closed");
      at(62_000);
      read(scene, "dk", "granted");
      same("the members that are over", redis("ZCOUNT", CROWD, "4e15", "4.4e15"), 0);
      // One that nobody looked at for that long is removed.
      at(200_000);
      read(scene, "el", "granted");
      same("the members", redis("ZSCORE", CROWD, `${id("d")}k`), null);
    },
  },
  {
    what: "no age is below zero after the clock was set back",
    run(scene) {
      const { at } = scene;
      read(scene, "ah", "granted");
      at(-1000);
      write(scene, "bi", "held", { age: 0, remaining: 11 * SECOND });
      write(scene, "bi", "held", { age: 0 }, { back: 500 });
    },
  },
];

const forced: readonly Case[] = [
  {
    what: "readers are forced out, and a writer that waits goes on",
    run(scene) {
      const { now, at, expect, ttl, same } = scene;
      expect("rw-force", { id: id("f"), mode: "read" }, "forced", { had: 0, token: now() });
      const reading = now() + 1;
      read(scene, "ah", "granted", { token: reading });
      write(scene, "bi", "held", {}, { back: 3000 });
      at(1000);
      expect("rw-force", { id: id("e"), mode: "write" }, "forced", { had: 0, token: now() });
      expect("crowd-extend", { id: `${id("a")}h`, token: reading }, "extended");
      expect("rw-force", { id: id("c"), mode: "read" }, "forced", { had: 1, token: now() + 1 });
      expect("rw-force", { id: id("c"), mode: "read" }, "forced", { had: 1, token: now() + 1 });
      expect("crowd-extend", { id: `${id("a")}h`, token: reading }, "lost", { reason: "forced" });
      close(scene, "ah", reading, "lost", { reason: "forced" });
      read(scene, "ah", "closed");
      expect("record-inspect", { kind: "rw" }, "free");
      same("the time to live", ttl(), 60_001);
      write(scene, "bi", "granted", { token: now() + 2 });
    },
  },
  {
    what: "a writer is forced out, and the readers of its reentry key stay",
    run(scene) {
      const { now, at, expect } = scene;
      const writing = now();
      write(scene, "ah", "granted");
      read(scene, "bh", "granted", { token: writing });
      read(scene, "ci", "held", {}, { back: 3000 });
      at(1000);
      expect("rw-force", { id: id("d"), mode: "write" }, "forced", { had: 1, token: now() });
      close(scene, "ah", writing, "lost", { reason: "forced" });
      expect("crowd-extend", { id: `${id("b")}h`, token: writing }, "extended");
      expect("record-inspect", { kind: "rw" }, "live", { holds: 0, remaining: 9 * SECOND });
      read(scene, "ci", "granted", { token: now() + 1 });
      close(scene, "bh", writing);
    },
  },
  {
    what: "the readers beside a writer are forced out, and the writer keeps its token",
    run(scene) {
      const { now, expect } = scene;
      const writing = now();
      write(scene, "ah", "granted");
      read(scene, "bh", "granted", { token: writing });
      expect("rw-force", { id: id("d"), mode: "read" }, "forced", { had: 1, token: writing });
      expect("crowd-extend", { id: `${id("b")}h`, token: writing }, "lost", { reason: "forced" });
      expect("crowd-extend", { id: `${id("a")}h`, token: writing, duration: 20_000 }, "extended", {
        remaining: 20 * SECOND,
      });
      read(scene, "ch", "granted", { token: writing, holds: 1 });
    },
  },
  {
    what: "both sides are forced out at once, and a writer that waits is no holder",
    run(scene) {
      const { now, at, expect } = scene;
      const reading = now();
      const force = (letter: string, had: number, token: number): unknown =>
        expect("crowd-force", { id: id(letter), kind: "rw" }, "forced", { had, token });
      read(scene, "ah", "granted");
      write(scene, "bi", "held", {}, { back: 3000 });
      at(1000);
      force("c", 1, now());
      expect("crowd-extend", { id: `${id("a")}h`, token: reading }, "lost", { reason: "forced" });
      read(scene, "dj", "granted", { token: now() + 1 });
      close(scene, "dj", now() + 1);
      write(scene, "ek", "granted", { token: now() + 2 });
      read(scene, "fl", "held", {}, { back: 3000 });
      close(scene, "ek", now() + 2);
      force("1", 0, now() + 3);
      write(scene, "2i", "granted", { token: now() + 4 });
      force("3", 1, now() + 5);
      close(scene, "2i", now() + 4, "lost", { reason: "forced" });
      write(scene, "2i", "closed");
    },
  },
  {
    what: "what waits keeps a name that was forced",
    run(scene) {
      const { now, expect } = scene;
      write(scene, "ah", "granted");
      write(scene, "bi", "held", {}, { back: 20_000 });
      expect("rw-force", { id: id("d"), mode: "write" }, "forced", { had: 1, token: now() + 1 });
      expect("record-inspect", { kind: "rw" }, "live", { remaining: 21 * SECOND, holds: 0 });
      read(scene, "ci", "held");
      write(scene, "bi", "granted", { token: now() + 2 });
    },
  },
  {
    what: "both sides are released and forced while memory is full",
    run(scene) {
      const { now, setFull, expect } = scene;
      const reading = now();
      read(scene, "ah", "granted");
      setFull(true);
      close(scene, "ah", reading);
      setFull(false);
      write(scene, "bi", "granted", { token: reading + 1 });
      setFull(true);
      close(scene, "bi", reading + 1);
      setFull(false);
      write(scene, "ci", "granted", { token: reading + 2 });
      setFull(true);
      expect("rw-force", { id: id("d"), mode: "write" }, "forced", { had: 1 });
      setFull(false);
      read(scene, "ej", "granted", { token: reading + 4 });
    },
  },
];

const extended: readonly Case[] = [
  {
    what: "a short read under a longer write leaves the end of the name",
    run(scene) {
      write(scene, "ah", "granted", {}, { lease: 20_000 });
      read(scene, "bh", "granted", {}, { lease: 1000 });
      scene.same("the times to live", [scene.ttl(), scene.ttl(CROWD)], [80_000, 80_000]);
    },
  },
  {
    what: "each side is extended under its token only, and never shortened",
    run(scene) {
      const { now, at, expect, ttl, same } = scene;
      const reading = now();
      const extend = (who: string, token: number, duration: number, status = "extended", parts: More = {}): unknown =>
        expect("crowd-extend", { id: id(who[0] ?? "") + who.slice(1), token, duration }, status, parts);
      read(scene, "ah", "granted");
      read(scene, "bi", "granted");
      at(1000);
      extend("ah", reading, 0, "extended", { remaining: 9 * SECOND, holds: 1 });
      extend("ah", reading, 2000, "extended", { remaining: 9 * SECOND });
      extend("ah", reading, 20_000, "extended", { remaining: 20 * SECOND, holds: 1 });
      same("the times to live", [ttl(), ttl(CROWD)], [80_000, 80_000]);
      expect("crowd-inspect", { kind: "rw" }, "live", { left: 20 * SECOND, remaining: 20 * SECOND });
      extend("ah", reading + 1, 30_000, "lost", { reason: "gone" });
      extend("ah", reading - 1, 30_000, "lost", { reason: "taken" });
      extend("cj", reading, 30_000, "lost", { reason: "released" });
      at(10_000);
      extend("bi", reading, 30_000, "lost", { reason: "expired" });
      close(scene, "ah", reading);
      extend("ah", reading, 30_000, "lost", { reason: "released" });
      const writing = now();
      write(scene, "dj", "granted", { token: writing });
      at(11_000);
      extend("dj", writing, 0, "extended", { remaining: 9 * SECOND, holds: 1 });
      extend("dj", writing, 1000, "extended", { remaining: 9 * SECOND });
      extend("dj", writing + 1, 30_000, "lost");
      extend("dj", writing, 20_000, "extended", { remaining: 20 * SECOND });
      expect("record-inspect", { kind: "rw" }, "live", { left: 20 * SECOND, remaining: 20 * SECOND });
      extend("ah", reading, 30_000, "lost", { reason: "released" });
      expect("crowd-extend", { id: `${id("d")}j`, token: writing, notAfter: now() - 1 }, "late");
      same("the record", String(redis(scene)).startsWith("rw 1 "), true);
    },
  },
  {
    what: "a reader without a reentry key is extended, and gets no account",
    run(scene) {
      const { now, expect, redis: run, same } = scene;
      read(scene, "a", "granted");
      expect("crowd-extend", { id: id("a"), token: now(), duration: 20_000 }, "extended", {
        holds: 1,
        remaining: 20 * SECOND,
      });
      same("the account", run("ZSCORE", CROWD, "o"), null);
      close(scene, "a", now());
      same("the crowd", run("EXISTS", CROWD), 0);
    },
  },
  {
    what: "a short read that is extended does not shorten a longer one",
    run(scene) {
      const { now, at, expect } = scene;
      const reading = now();
      read(scene, "ah", "granted", {}, { lease: 30_000 });
      read(scene, "bh", "granted", { holds: 2 });
      expect("crowd-extend", { id: `${id("b")}h`, token: reading, duration: 15_000 }, "extended", { holds: 2 });
      expect("crowd-inspect", { kind: "rw" }, "live", { remaining: 30 * SECOND, left: 30 * SECOND });
      at(20_000);
      // Its reentry key is still known.
      read(scene, "ch", "not_reentrant", {}, { reentrant: 0 });
      write(scene, "dh", "upgrade_refused");
    },
  },
];
const redis = (scene: Scene): unknown => scene.redis("GET", RECORD);

export const readWriteCases: readonly Case[] = [...sides, ...waiting, ...over, ...forced, ...extended];
