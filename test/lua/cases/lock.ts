import { type Case, CROWD, id, RECORD, type Scene } from "./case.ts";

const [A, B, C, D] = [id("a"), id("b"), id("c"), id("d")];
const SECOND = 1_000_000;

/** Takes the lock at the scene's time and gives its token. */
const take = ({ call }: Scene, more: Readonly<Record<string, string | number>> = {}): number =>
  Number(call("lock-acquire", more)["token"]);

const grants: readonly Case[] = [
  {
    what: "a lock is granted, refused, granted again to its id and released",
    run({ expect, now, at, ttl }) {
      const token = now();
      expect("lock-acquire", {}, "granted", { token, remaining: 10 * SECOND, holds: 1 });
      expect("lock-acquire", { id: B }, "held", { remaining: 10 * SECOND, age: 0, tenure: 0, queue: 0 });
      at(1000);
      expect("lock-acquire", {}, "granted", { token, remaining: 9 * SECOND, holds: 1 });
      expect("lock-acquire", { id: B }, "held", { remaining: 9 * SECOND, age: SECOND, tenure: 0, queue: 0 });
      expect("lock-close", { token }, "closed");
      expect("lock-acquire", {}, "closed");
      expect("lock-acquire", { id: B }, "granted", { token: token + SECOND, remaining: 10 * SECOND, holds: 1 });
      if (ttl() !== 70_000) throw new Error(`the record is kept for ${ttl()} ms`);
    },
  },
  {
    what: "a refusal needs no clock where the hold outlives the request and its sender knows the time",
    run({ expect, now, at }) {
      const token = now();
      const refused = { remaining: 9 * SECOND, age: SECOND, tenure: 0, queue: 0 };
      expect("lock-acquire", {}, "granted", { token });
      at(1000);
      const asked = now();
      const soon = { asked, notAfter: now() + SECOND };
      expect("lock-acquire", { ...soon, id: B }, "held", { ...refused, now: asked, clockRead: 0 });
      // Its own sender, a deadline behind the lease, a reentry key, and a deadline that has passed by the sender's
      // clock.
      expect("lock-acquire", soon, "granted", { token, now: asked });
      expect("lock-acquire", { id: B, asked, notAfter: token + 10 * SECOND }, "held", {
        ...refused,
        now: asked,
        clockRead: 1,
      });
      expect("lock-acquire", { ...soon, id: B, reentryKey: "o" }, "held", { ...refused, now: asked, clockRead: 1 });
      expect("lock-acquire", { id: B, asked, notAfter: now() - 1 }, "late");
      expect("lock-close", { id: B, due: now() + 60 * SECOND }, "closed");
      expect("lock-acquire", { ...soon, id: B }, "closed", { now: asked });
      // Two holds, and a name that another kind has.
      expect("lock-acquire", { reentryKey: "o" }, "granted");
      expect("lock-close", { token }, "closed");
      expect("lock-acquire", { id: C, reentryKey: "o" }, "granted");
      expect("lock-acquire", { id: D, reentryKey: "o" }, "granted");
      expect("lock-acquire", { ...soon, id: id("e") }, "held", { now: asked, remaining: 10 * SECOND });
      expect("fair-acquire", { id: id("f") }, "granted", {}, "other", "other's crowd");
      expect("lock-acquire", { ...soon, id: B }, "kind", { kind: "fair" }, "other");
    },
  },
  {
    what: "a record has its holds in the order of their ids, whatever the order in which they came",
    run({ expect, now, redis, same }) {
      const until = now() + 10 * SECOND;
      for (const one of [D, A, C, B]) expect("lock-acquire", { id: one, reentryKey: "o" }, "granted");
      const holds = [A, B, C, D].map((one) => `${one}:${until},`).join("");
      same("the holds", `${redis("GET", RECORD)}`.split(" ")[5], holds);
      expect("record-force", { id: id("f") }, "forced", { had: 1 });
      const ended = `${redis("GET", RECORD)}`.split(" ")[4]?.replace(/^;\d+:/, "");
      // The newest is in front.
      same("the ended ids", ended, [id("f"), D, C, B, A].map((one) => `${one.slice(24)}F`).join(""));
    },
  },
  {
    what: "the averages are returned without the clock, too",
    run({ expect, now, at, redis, same }) {
      const token = now();
      expect("lock-acquire", {}, "granted", { token });
      at(1000);
      expect("lock-close", { token }, "closed");
      expect("lock-acquire", { id: B, waited: 800 }, "granted");
      const told = expect("lock-acquire", { id: C }, "held", { tenure: SECOND, queue: 100_000 });
      const asked = now();
      const { clockRead, ...rest } = told;
      same("whether the clock was read", clockRead, 1);
      expect("lock-acquire", { id: C, asked, notAfter: now() + SECOND }, "held", { ...rest, clockRead: 0 });
      redis("FLUSHALL");
      // The other kinds' records look alike.
      expect("fair-acquire", {}, "granted");
      expect("lock-acquire", { id: C, asked, notAfter: now() + SECOND }, "kind", { kind: "fair" });
      redis("FLUSHALL");
      expect("lock-acquire", { id: C, asked, notAfter: now() + SECOND }, "granted");
    },
  },
  {
    what: "a request is void after its time, and not before",
    run({ expect, now, redis, same }) {
      const token = now();
      for (const script of ["lock-acquire", "record-force", "once-begin", "latch-set", "fair-acquire", "rw-acquire"])
        expect(script, { notAfter: now() - 1 }, "late");
      same("what is stored", redis("DBSIZE"), 0);
      expect("lock-acquire", { notAfter: now() }, "granted", { token });
      expect("hold-extend", { token, duration: 20_000, notAfter: now() - 1 }, "late");
      expect("hold-extend", { token, notAfter: now() }, "extended", { remaining: 10 * SECOND });
    },
  },
  {
    what: "a reentry key gets more holds of one tenure, and nobody else does",
    run({ expect, now, at }) {
      const token = now();
      expect("lock-acquire", { reentryKey: "o" }, "granted", { token, holds: 1 });
      at(1000);
      expect("lock-acquire", { id: B, reentryKey: "o", lease: 5000 }, "granted", {
        token,
        remaining: 5 * SECOND,
        holds: 2,
      });
      expect("lock-acquire", { id: C, reentryKey: "p" }, "held", { remaining: 9 * SECOND });
      expect("lock-acquire", { id: C }, "held", { remaining: 9 * SECOND });
      expect("lock-acquire", { id: C, reentryKey: "o", reentrant: 0 }, "not_reentrant", { remaining: 9 * SECOND });
      // The end of the name is that of the longest hold.
      expect("record-inspect", {}, "live", { token, remaining: 9 * SECOND, holds: 2, left: 9 * SECOND });
      expect("lock-close", { token }, "closed");
      expect("lock-acquire", { id: C }, "held", { remaining: 5 * SECOND, tenure: 0 });
      expect("record-inspect", {}, "live", { token, remaining: 5 * SECOND, holds: 1 });
    },
  },
  {
    what: "two callers without a reentry key are not the same",
    run({ expect }) {
      expect("lock-acquire", {}, "granted");
      expect("lock-acquire", { id: B, reentryKey: "" }, "held");
      expect("lock-acquire", { id: B, reentryKey: "o" }, "held");
    },
  },
  {
    what: "a reentry key has no more than 64 holds",
    run({ expect, now, at }) {
      const token = now();
      for (let hold = 0; hold < 64; hold++)
        expect(
          "lock-acquire",
          { id: `${"x".repeat(24)}${String(hold).padStart(12, "0")}`, reentryKey: "o" },
          "granted",
        );
      at(1);
      expect("lock-acquire", { reentryKey: "o" }, "too_many_holds");
      // One that is there gets its answer.
      expect("lock-acquire", { id: `${"x".repeat(24)}${"0".repeat(12)}`, reentryKey: "o" }, "granted", {
        token,
        holds: 64,
      });
    },
  },
  {
    what: "a lease ends at its time, and never begins again",
    run({ expect, now, at }) {
      const token = now();
      expect("lock-acquire", {}, "granted");
      at(9999.999);
      expect("lock-acquire", { id: B }, "held", { remaining: 1 });
      at(10_000);
      expect("hold-extend", { token, duration: 5000 }, "lost", { reason: "expired" });
      // Set back, the clock brings nothing back.
      at(5000);
      expect("lock-acquire", {}, "closed");
      expect("hold-extend", { token, duration: 5000 }, "lost", { reason: "expired" });
      expect("lock-acquire", { id: B }, "granted", { token: token + 5 * SECOND });
      expect("hold-extend", { token, duration: 5000 }, "lost", { reason: "taken" });
      expect("lock-close", { token }, "lost", { reason: "taken" });
    },
  },
  {
    what: "tokens rise although the clock does not",
    run({ expect, now, at }) {
      const token = now();
      expect("lock-acquire", {}, "granted", { token });
      expect("lock-close", { token }, "closed");
      expect("lock-acquire", { id: B }, "granted", { token: token + 1 });
      expect("lock-close", { id: B, token: token + 1 }, "closed");
      at(-5000);
      expect("lock-acquire", { id: C }, "granted", { token: token + 2, remaining: 10 * SECOND });
      expect("lock-acquire", { id: D }, "held", { age: 0, remaining: 10 * SECOND });
    },
  },
  {
    what: "a record outlives its lease, and its token where the clock was set back",
    run(scene) {
      const { expect, at, ttl, same } = scene;
      const token = take(scene, { lease: 1000, retention: 2000 });
      same("the time to live", ttl(), 3000);
      expect("lock-close", { token, retention: 2000 }, "closed");
      same("the time to live", ttl(), 2000);
      at(-5000);
      expect("lock-acquire", { id: B, lease: 1000, retention: 2000 }, "granted", { token: token + 1 });
      // A µs is rounded up to a ms.
      same("the time to live", ttl(), 7001);
    },
  },
];

const endings: readonly Case[] = [
  {
    what: "a hold is ended by its id and its token",
    run(scene) {
      const { expect, at } = scene;
      const token = take(scene);
      expect("lock-close", { token: token + 1 }, "lost", { reason: "gone" });
      expect("lock-close", { id: B, token }, "lost", { reason: "released" });
      expect("lock-acquire", { id: B }, "held");
      expect("hold-extend", { token: token - 1, duration: 20_000 }, "lost", { reason: "taken" });
      expect("hold-extend", { id: B, token, duration: 20_000 }, "lost", { reason: "released" });
      expect("hold-extend", { token: token + 1, duration: 20_000 }, "lost", { reason: "gone" });
      at(1000);
      expect("lock-close", { token }, "closed");
      // Sent again it has the same answer.
      expect("lock-close", { token }, "closed");
      expect("hold-extend", { token }, "lost", { reason: "released" });
    },
  },
  {
    what: "a cancel closes an id that was never seen, and one that was granted",
    run(scene) {
      const { expect } = scene;
      expect("lock-close", { id: B }, "closed");
      expect("lock-acquire", { id: B }, "closed");
      const token = take(scene);
      expect("lock-close", { id: C }, "closed");
      expect("lock-acquire", { id: D }, "held");
      expect("lock-close", {}, "closed");
      expect("lock-close", {}, "closed");
      expect("lock-acquire", {}, "closed");
      expect("lock-close", { token }, "lost", { reason: "released" });
      expect("lock-acquire", { id: D }, "granted");
      expect("lock-acquire", { id: C }, "closed");
    },
  },
  {
    what: "a released hold is not reported as taken",
    run(scene) {
      const { expect, at } = scene;
      const token = take(scene);
      expect("lock-close", { token }, "closed");
      at(1000);
      take(scene, { id: B });
      expect("hold-extend", { token }, "lost", { reason: "released" });
      expect("lock-close", { token }, "closed");
      // Nothing is remembered of this one, which may have been released.
      expect("lock-close", { id: C, token }, "lost", { reason: "unknown" });
      expect("hold-extend", { id: C, token }, "lost", { reason: "taken" });
    },
  },
  {
    what: "the newest 64 ids are remembered when all their requests were answered",
    run(scene) {
      const { expect, at } = scene;
      const ids = Array.from({ length: 65 }, (_, at) => `${"x".repeat(24)}${String(at).padStart(11, "0")}.`);
      for (const [index, each] of ids.entries()) {
        at(index);
        expect("lock-close", { id: each, token: take(scene, { id: each }), due: 0 }, "closed");
      }
      for (const each of ids.slice(1)) expect("lock-acquire", { id: each }, "closed");
      expect("lock-acquire", { id: ids[0] ?? "" }, "granted");
    },
  },
  {
    what: "an id with requests on their way is remembered until they are void",
    run(scene) {
      const { expect, at, now, redis, same } = scene;
      const due = now() + 5 * SECOND + 1;
      expect("lock-close", { id: B, due }, "closed");
      expect("lock-close", { id: C, due }, "closed");
      expect("lock-close", { id: D, due: due + 4 * SECOND }, "closed");
      const token = take(scene);
      expect("lock-close", { token, due: 0 }, "closed");
      const ends = (ms: number): string => `;${2_000_000_000 + ms / 1000}:`;
      const short = (each: string): string => each.slice(24);
      // Those that were answered come first, then the others by their time.
      const closed = `${short(A)}R${ends(6000)}${short(C)}C${short(B)}C${ends(10_000)}${short(D)}C`;
      same("the closed ids", String(redis("GET", RECORD)).split(" ")[4], closed);
      at(6000);
      expect("lock-acquire", { id: B }, "closed");
      expect("lock-acquire", { id: C }, "closed");
      at(6001);
      // They are forgotten when the record is written.
      const next = take(scene, { id: id("e") });
      expect("lock-close", { id: id("e"), token: next, due: 0 }, "closed");
      same(
        "the closed ids",
        String(redis("GET", RECORD)).split(" ")[4],
        `${short(A)}R${short(id("e"))}R${ends(10_000)}${short(D)}C`,
      );
      expect("lock-acquire", { id: D }, "closed");
      expect("lock-acquire", { id: B }, "granted");
    },
  },
  {
    what: "a group of ids that is due is forgotten, and those around it are not",
    run(scene) {
      const { expect, at, now } = scene;
      for (const [each, ms] of [
        [A, 8000],
        [B, 2000],
        [C, 3000],
        [D, 9000],
      ] as const)
        expect("lock-close", { id: each, due: now() + ms * 1000 }, "closed");
      at(4500);
      const token = take(scene, { id: id("e") });
      expect("lock-close", { id: id("e"), token }, "closed");
      expect("lock-acquire", { id: A }, "closed");
      expect("lock-acquire", { id: D }, "closed");
      expect("lock-acquire", { id: B }, "granted");
    },
  },
  {
    what: "an id that expired is remembered for the retention",
    run(scene) {
      const { expect, at } = scene;
      take(scene, { lease: 1000, retention: 5000 });
      at(2000);
      // The name's next holder finds that it expired.
      take(scene, { id: B, lease: 20_000, retention: 5000 });
      at(7000);
      expect("hold-extend", { id: B, duration: 30_000, token: 2_000_000_002_000_000, retention: 5000 }, "extended");
      expect("lock-acquire", {}, "closed");
      at(7001);
      expect("hold-extend", { id: B, duration: 40_000, token: 2_000_000_002_000_000, retention: 5000 }, "extended");
      expect("lock-acquire", {}, "held");
    },
  },
  {
    what: "a name is released by force: its holders are reported, and its token rises",
    run(scene) {
      const { expect, at, ttl, same } = scene;
      const token = take(scene, { reentryKey: "o" });
      take(scene, { id: B, reentryKey: "o" });
      expect("record-force", { id: C }, "forced", { token: token + 1, had: 1 });
      same("the time to live", ttl(), 60_001);
      expect("record-inspect", {}, "free", { token: token + 1 });
      expect("hold-extend", { token }, "lost", { reason: "forced" });
      expect("hold-extend", { id: B, token }, "lost", { reason: "forced" });
      expect("lock-close", { token }, "lost", { reason: "forced" });
      expect("lock-acquire", {}, "closed");
      at(1000);
      const next = take(scene, { id: D });
      // Sent again it works no more.
      expect("record-force", { id: C }, "forced", { token: next, had: 1 });
      expect("hold-extend", { id: D, token: next }, "extended");
      expect("record-inspect", {}, "live", { token: next, holds: 1 });
    },
  },
  {
    what: "a free name is not released by force, and a retry reports the same",
    run({ expect, now, at }) {
      const token = now();
      expect("record-force", {}, "forced", { token, had: 0 });
      at(1000);
      expect("lock-acquire", { id: B }, "granted");
      expect("record-force", {}, "forced", { token: token + SECOND, had: 0 });
      expect("record-inspect", {}, "live", { holds: 1 });
      expect("record-force", { id: C, kind: "once" }, "kind", { kind: "lock" });
    },
  },
];

const extensions: readonly Case[] = [
  {
    what: "a lease is extended and never shortened",
    run(scene) {
      const { expect, at, ttl, same } = scene;
      const token = take(scene);
      at(1000);
      expect("hold-extend", { token }, "extended", { remaining: 9 * SECOND, holds: 1 });
      expect("hold-extend", { token, duration: 4000 }, "extended", { remaining: 9 * SECOND, holds: 1 });
      expect("lock-acquire", { id: B }, "held", { remaining: 9 * SECOND });
      expect("hold-extend", { token, duration: 20_000 }, "extended", { remaining: 20 * SECOND, holds: 1 });
      expect("lock-acquire", { id: B }, "held", { remaining: 20 * SECOND });
      same("the time to live", ttl(), 80_000);
      expect("record-inspect", {}, "live", { remaining: 20 * SECOND, left: 20 * SECOND });
    },
  },
  {
    what: "one hold is extended and the others are not",
    run(scene) {
      const { expect, at } = scene;
      const token = take(scene, { reentryKey: "o", lease: 30_000 });
      take(scene, { id: B, reentryKey: "o", lease: 1000 });
      expect("hold-extend", { id: B, token, duration: 2000 }, "extended", { remaining: 2 * SECOND, holds: 2 });
      expect("record-inspect", {}, "live", { remaining: 30 * SECOND, left: 30 * SECOND });
      at(2000);
      expect("hold-extend", { id: B, token, duration: 2000 }, "lost", { reason: "expired" });
      expect("hold-extend", { token }, "extended", { remaining: 28 * SECOND, holds: 1 });
    },
  },
  {
    what: "a quorum agrees on a token, which only rises",
    run(scene) {
      const { expect, ttl, same, now } = scene;
      const token = take(scene);
      expect("lock-commit", { id: B, token: token + 5 }, "lost");
      expect("lock-commit", { token: token - 1 }, "behind", { token });
      expect("lock-commit", { token }, "committed", { remaining: 10 * SECOND });
      expect("lock-commit", { token: token + 30 * SECOND }, "committed", { remaining: 10 * SECOND });
      // Kept beyond its own token.
      same("the time to live", ttl(), 90_000);
      expect("lock-commit", { token: token + 1 }, "behind", { token: token + 30 * SECOND });
      expect("hold-extend", { token: token + 30 * SECOND }, "extended");
      // A day ahead at most, or no token would ever be larger.
      expect("lock-commit", { token: now() + 86_400 * SECOND + 1 }, "lost");
      expect("lock-commit", { token: now() + 86_400 * SECOND }, "committed");
      expect("lock-commit", { token: now() + 86_400 * SECOND, notAfter: now() - 1 }, "late");
    },
  },
];

const averages: readonly Case[] = [
  {
    what: "a refusal tells how long tenures take and how long others had waited",
    run(scene) {
      const { expect, at } = scene;
      let token = take(scene);
      at(1000);
      expect("lock-close", { token }, "closed");
      token = take(scene, { id: B, waited: 800 });
      expect("lock-acquire", { id: C }, "held", { tenure: SECOND, queue: 100_000 });
      at(3000);
      expect("lock-close", { id: B, token }, "closed");
      // A long wait counts for three tenures at most, and idle time shortens the average.
      at(3050);
      token = take(scene, { id: C, waited: 60_000 });
      expect("lock-acquire", { id: D }, "held", { tenure: 1_125_000, queue: 100_000 + 3 * 1_125_000 - 50_000 });
      at(3060);
      expect("lock-close", { id: C, token }, "closed");
      at(60_000);
      take(scene, { id: D });
      expect("lock-acquire", { id: id("e") }, "held", { queue: 0, tenure: 1_125_000 + (10_000 - 1_125_000) / 8 });
    },
  },
  {
    what: "only a tenure that ends counts as one, and a cancelled one does not",
    run(scene) {
      const { expect, at } = scene;
      const token = take(scene, { reentryKey: "o" });
      take(scene, { id: B, reentryKey: "o" });
      at(1000);
      expect("lock-close", { token }, "closed");
      expect("lock-acquire", { id: C }, "held", { tenure: 0 });
      expect("lock-close", { id: B }, "closed");
      take(scene, { id: C, waited: 9000 });
      expect("lock-acquire", { id: D }, "held", { tenure: 0, queue: 0 });
    },
  },
  {
    what: "no average is below zero after the clock was set back",
    run(scene) {
      const { expect, at } = scene;
      const token = take(scene);
      at(-5000);
      expect("lock-close", { token }, "closed");
      take(scene, { id: B });
      expect("lock-acquire", { id: C }, "held", { tenure: 0, queue: 0, age: 0 });
    },
  },
  {
    what: "a name is read with its note, and nothing changes",
    run(scene) {
      const { expect, now, at, redis, same } = scene;
      expect("record-inspect", {}, "free", { token: 0 });
      same("what is stored", redis("DBSIZE"), 0);
      const token = take(scene, { reentryKey: "o", note: "label@host" });
      expect("record-inspect", {}, "live", { token: now(), body: "=o label@host 0 0", left: 10 * SECOND, holds: 1 });
      expect("record-inspect", { kind: "once" }, "kind", { kind: "lock" });
      at(9999.999);
      expect("record-inspect", {}, "live", { remaining: 1 });
      at(10_000);
      expect("record-inspect", {}, "free", { token });
      expect("record-inspect", { kind: "once" }, "free", { token });
      // A tombstone belongs to any kind, and its averages to nobody.
      expect("once-begin", { id: B }, "granted", { token: token + 10 * SECOND });
      expect("lock-acquire", { id: C }, "kind", { kind: "once" });
      expect("lock-close", { id: C }, "closed");
      expect("lock-close", { id: D, token }, "lost", { reason: "unknown" });
      expect("once-begin", { id: C }, "closed");
    },
  },
];

const foreign: readonly Case[] = [
  {
    what: "another program's value is not touched",
    run({ call, expect, redis, same }) {
      for (const [value, kind] of [
        ["hello", "foreign"],
        ["lock 2 something else", "lock/2"],
        ["strange 1 0 0   ", "strange/1"],
        ["lock 1 5 5", "lock/1"],
        ["lock 1 5 5 x", "lock/1"],
        ["", "foreign"],
      ] as const) {
        redis("SET", RECORD, value);
        const told = { kind };
        expect("lock-acquire", {}, "kind", told);
        expect("record-inspect", {}, "kind", told);
        expect("record-force", {}, "kind", told);
        expect("once-begin", {}, "kind", told);
        expect("latch-set", {}, "kind", told);
        expect("latch-down", {}, "kind", told);
        expect("rw-acquire", {}, "kind", told);
        expect("fair-acquire", {}, "kind", told);
        expect("lock-close", {}, "lost", { reason: "gone" });
        expect("lock-close", { token: 5 }, "lost", { reason: "gone" });
        expect("hold-extend", { token: 5, duration: 5000 }, "lost", { reason: "gone" });
        expect("rw-close", { id: A }, "lost", { reason: "gone" });
        expect("once-close", {}, "lost", { reason: "gone" });
        expect("fair-close", {}, "lost", { reason: "gone" });
        expect("name-inspect", {}, "kind", told);
        expect("crowd-inspect", {}, "kind", told);
        expect("crowd-force", { kind: "fair" }, "kind", told);
        expect("name-release", {}, "kind", told);
        expect("group-close", {}, "lost", { names: "1 " }, RECORD);
        same("the value", redis("GET", RECORD), value);
      }
      redis("DEL", RECORD);
      redis("HSET", RECORD, "field", "1");
      for (const script of ["lock-acquire", "lock-close", "hold-extend", "record-force", "once-begin"])
        same(`the error of ${script}`, /^WRONGTYPE/.test(String(call(script)["message"])), true);
    },
  },
  {
    what: "a closed id in another kind's record stays closed, and nothing else changes there",
    run({ expect, now, redis, same }) {
      expect("once-begin", {}, "granted", { token: now() });
      expect("lock-close", { id: B }, "closed");
      expect("fair-close", { id: C }, "closed");
      expect("rw-close", { id: D }, "closed");
      expect("group-close", { id: id("e") }, "closed", {}, RECORD);
      for (const each of [B, C, D, id("e")]) expect("once-begin", { id: each }, "closed");
      expect("once-begin", {}, "granted", { token: now(), remaining: 10 * SECOND, attempt: 1 });
      same("the kind", String(redis("GET", RECORD)).slice(0, 5), "once ");
      same("the crowd", redis("EXISTS", CROWD), 0);
    },
  },
  {
    what: "a hold is released while memory is full, and nothing is granted",
    run(scene) {
      const { expect, call, setFull, same, redis, ttl } = scene;
      const token = take(scene);
      setFull(true);
      same("the error", /OOM/.test(String(call("lock-acquire", { id: B, reentryKey: "p" }, "other")["message"])), true);
      same("what is stored", redis("DBSIZE"), 1);
      expect("lock-close", { token }, "closed");
      same("the time to live", ttl(), 60_000);
      setFull(false);
      expect("lock-acquire", { id: B }, "granted", { token: token + 1 });
    },
  },
];

export const lockCases: readonly Case[] = [...grants, ...endings, ...extensions, ...averages, ...foreign];
