import { type Case, id } from "./case.ts";

const [, B, C, D] = [id("a"), id("b"), id("c"), id("d")];
const SECOND = 1_000_000;
const NAMES = ["x", "y", "z"] as const;

export const groupCases: readonly Case[] = [
  {
    what: "several names are granted under one token, or none",
    run({ expect, now, at, ttl, same, redis }) {
      const token = now();
      at(1000);
      expect("lock-acquire", { id: B, note: "other@web" }, "granted", {}, "y");
      expect(
        "group-acquire",
        { waited: 500 },
        "held",
        { remaining: 10 * SECOND, age: 0, tenure: 0, queue: 0, note: "other@web", blocked: 2 },
        ...NAMES,
      );
      same("what is stored", redis("DBSIZE"), 1);
      at(3000);
      expect("group-acquire", {}, "held", { remaining: 8 * SECOND, age: 2 * SECOND }, ...NAMES);
      expect("lock-close", { id: B, token: token + SECOND }, "closed", {}, "y");
      expect("group-acquire", {}, "granted", { token: token + 3 * SECOND, remaining: 10 * SECOND, holds: 1 }, ...NAMES);
      same("the times to live", NAMES.map(ttl), [70_000, 70_000, 70_000]);
      at(4000);
      expect("group-acquire", {}, "granted", { token: token + 3 * SECOND, remaining: 9 * SECOND, holds: 1 }, ...NAMES);
      for (const name of NAMES) expect("lock-acquire", { id: C }, "held", { remaining: 9 * SECOND }, name);
      expect("group-acquire", { notAfter: now() - 1 }, "late", {}, ...NAMES);
    },
  },
  {
    what: "the token of a group is larger than those of all its names",
    run({ expect, now, at }) {
      expect("lock-acquire", { id: B }, "granted", {}, "y");
      expect("lock-close", { id: B, token: now() }, "closed", {}, "y");
      const before = now();
      at(-1000);
      expect("group-acquire", {}, "granted", { token: before + 1 }, ...NAMES);
      expect("lock-acquire", { id: C }, "held", { age: 0 }, "x");
      expect("group-acquire", { id: C }, "held", { age: 0 }, "x", "w");
      expect("group-close", { token: before + 1 }, "closed", {}, ...NAMES);
      at(5000);
      expect("group-acquire", { id: C }, "granted", { token: now() }, "z", "y", "x");
    },
  },
  {
    what: "the names of a group keep their averages",
    run({ expect, now, at }) {
      expect("group-acquire", {}, "granted", {}, "x", "y");
      const token = now();
      at(1000);
      expect("group-close", { token }, "closed", {}, "x", "y");
      expect("group-acquire", { id: B, waited: 800 }, "granted", {}, "x", "y");
      expect("group-acquire", { id: C }, "held", { tenure: SECOND, queue: 100_000 }, "y", "z");
      expect("record-inspect", {}, "live", { body: "=  1000000 100000" }, "x");
      at(2000);
      // A cancelled tenure is none.
      expect("group-close", { id: B }, "closed", {}, "x", "y");
      expect("lock-acquire", { id: D }, "granted", {}, "x");
      expect("lock-acquire", { id: C }, "held", { tenure: SECOND }, "x");
    },
  },
  {
    what: "a reentry key gets one more hold of its own tenure only",
    run({ expect, now, at }) {
      const token = now();
      const ours = { reentryKey: "o", note: "label@host" };
      expect("group-acquire", ours, "granted", { token, holds: 1 }, "x", "y");
      at(1000);
      expect(
        "group-acquire",
        { ...ours, id: B, lease: 5000 },
        "granted",
        { token, remaining: 5 * SECOND, holds: 2 },
        "x",
        "y",
      );
      expect("record-inspect", {}, "live", { holds: 2, remaining: 9 * SECOND, body: "=o label@host 0 0" }, "y");
      expect("group-acquire", { ...ours, id: C, reentrant: 0 }, "not_reentrant", { remaining: 9 * SECOND }, "x", "y");
      expect("group-acquire", { ...ours, id: C, reentryKey: "p" }, "held", {}, "x", "y");
      expect("group-acquire", { id: C }, "held", {}, "x", "y");
      // Holding one of the names while it waits for another, two reentry keys would wait for each other.
      expect("group-acquire", { ...ours, id: C }, "not_reentrant", { remaining: 0 }, "x", "z");
      expect("lock-acquire", { id: D, reentryKey: "p" }, "granted", {}, "z");
      expect("group-acquire", { ...ours, id: C }, "not_reentrant", { remaining: 0 }, "x", "z");
      expect("group-acquire", { ...ours, id: C }, "not_reentrant", { remaining: 0 }, "z", "x");
      // A tenure of one name and one of another are two.
      expect("lock-acquire", { ...ours, id: D }, "granted", {}, "v");
      expect("group-acquire", { ...ours, id: C }, "not_reentrant", { remaining: 0 }, "x", "v");
      expect("group-acquire", { ...ours, id: C }, "not_reentrant", { remaining: 0 }, "v", "x");
    },
  },
  {
    what: "two groups without a reentry key are not the same",
    run({ expect }) {
      expect("group-acquire", {}, "granted", {}, "x", "y");
      expect("group-acquire", { id: B }, "held", {}, "x", "y");
    },
  },
  {
    what: "a reentry key has no more than 64 holds of a group",
    run({ expect }) {
      const each = (hold: number): string => `${"x".repeat(24)}${String(hold).padStart(12, "0")}`;
      for (let hold = 0; hold < 64; hold++)
        expect("group-acquire", { id: each(hold), reentryKey: "o" }, "granted", { holds: hold + 1 }, "x", "y");
      expect("group-acquire", { reentryKey: "o" }, "too_many_holds", {}, "x", "y");
      expect("group-acquire", { id: each(3), reentryKey: "o" }, "granted", { holds: 64 }, "x", "y");
    },
  },
  {
    what: "an id that is over in one of the names is not granted",
    run({ expect, now }) {
      expect("lock-close", {}, "closed", {}, "y");
      expect("group-acquire", {}, "closed", {}, "x", "y");
      expect("group-close", { id: B }, "closed", {}, "x", "y");
      for (const name of ["x", "y"]) expect("lock-acquire", { id: B }, "closed", {}, name);
      expect("once-begin", { id: C }, "granted", {}, "z");
      expect("group-acquire", { id: D }, "kind", { kind: "once" }, "x", "z");
      expect("group-close", { id: D }, "closed", {}, "x", "z");
      expect("once-begin", { id: D }, "closed", {}, "z");
      expect("once-begin", { id: C }, "granted", { token: now(), attempt: 1 }, "z");
      expect("group-close", { id: id("e"), token: 5 }, "lost", { reason: "unknown", names: "1 2 " }, "z", "y");
      expect("once-begin", { id: id("e") }, "running", {}, "z");
    },
  },
  {
    what: "a group is released name by name, and the lost ones are reported",
    run({ expect, now, at, same, ttl }) {
      const token = now();
      expect("group-acquire", {}, "granted", { token }, ...NAMES);
      expect("group-close", { token: token + 1 }, "lost", { reason: "gone", names: "1 2 3 " }, ...NAMES);
      at(1000);
      expect("record-force", { id: B }, "forced", {}, "y");
      expect("group-close", { token }, "lost", { reason: "forced", names: "2 " }, ...NAMES);
      same("the time to live", ttl("x"), 60_000);
      expect("record-inspect", {}, "free", { token }, "x");
      expect("record-inspect", {}, "free", { token }, "z");
      expect("group-close", { token }, "lost", { reason: "forced", names: "2 " }, ...NAMES);
      expect("group-close", { token }, "closed", {}, "x", "z");
      expect("group-extend", { token }, "lost", { reason: "released", names: "1 2 3 " }, ...NAMES);
    },
  },
  {
    what: "what is left of a name after a release is the longest hold",
    run({ expect, now }) {
      const token = now();
      const ours = { reentryKey: "o" };
      expect("group-acquire", { ...ours, lease: 20_000 }, "granted", {}, "x", "y");
      expect("group-acquire", { ...ours, id: B }, "granted", {}, "x", "y");
      expect("group-close", { token }, "closed", {}, "x", "y");
      expect("record-inspect", {}, "live", { holds: 1, remaining: 10 * SECOND }, "x");
      expect("record-inspect", {}, "live", { body: "=o  0 0" }, "x");
    },
  },
  {
    what: "a name of an unknown form does not keep the others from being released",
    run({ expect, now, redis, same }) {
      const token = now();
      expect("group-acquire", {}, "granted", {}, "x", "y");
      redis("SET", "x", "hello");
      expect("group-extend", { token, duration: 20_000 }, "lost", { names: "1 " }, "x", "y");
      expect("group-close", { token }, "lost", { names: "1 " }, "x", "y");
      expect("record-inspect", {}, "free", {}, "y");
      expect("group-close", { id: B }, "lost", { names: "1 " }, "x", "y");
      expect("lock-acquire", { id: B }, "closed", {}, "y");
      same("the value", redis("GET", "x"), "hello");
    },
  },
  {
    what: "a name of another type takes back what was granted",
    run({ call, expect, redis, same, now }) {
      redis("HSET", "y", "f", "1");
      const told = call("group-acquire", {}, "x", "y", "z");
      same("the error", /WRONGTYPE/.test(String(told["message"])), true);
      same("what is stored", redis("DBSIZE"), 1);
      expect("lock-acquire", { id: B }, "granted", {}, "x");
      expect("lock-close", { id: B, token: now() }, "closed", {}, "x");
      same("the error", /WRONGTYPE/.test(String(call("group-acquire", {}, "x", "y", "z")["message"])), true);
      expect("record-inspect", {}, "free", { token: now() }, "x");
      same("what is stored", redis("DBSIZE"), 2);
      same("the error", /WRONGTYPE/.test(String(call("group-close", {}, "y", "x")["message"])), true);
      expect("lock-acquire", {}, "closed", {}, "x");
    },
  },
  {
    what: "a group is released while memory is full, and not granted",
    run({ call, expect, setFull, same, now }) {
      expect("group-acquire", {}, "granted", {}, "x", "y");
      setFull(true);
      same("the error", /OOM/.test(String(call("group-acquire", { id: B }, "v", "w")["message"])), true);
      expect("group-close", { token: now() }, "closed", {}, "x", "y");
      setFull(false);
      expect("group-acquire", { id: B }, "granted", {}, "x", "y", "v");
    },
  },
  {
    what: "a group is extended as a whole, and never shortened",
    run({ expect, now, at, ttl, same }) {
      const token = now();
      expect("group-acquire", { reentryKey: "o" }, "granted", {}, "x", "y");
      expect("lock-acquire", { id: B, reentryKey: "o", lease: 30_000 }, "granted", { token }, "y");
      expect("lock-acquire", { id: C, reentryKey: "o" }, "granted", { token }, "y");
      at(1000);
      expect("group-extend", { token }, "extended", { remaining: 9 * SECOND, holds: 3 }, "x", "y");
      expect("group-extend", { token, duration: 2000 }, "extended", { remaining: 9 * SECOND }, "y", "x");
      expect("hold-extend", { token, duration: 15_000 }, "extended", {}, "x");
      expect("group-extend", { token, duration: 12_000 }, "extended", { remaining: 12 * SECOND, holds: 3 }, "y", "x");
      expect("record-inspect", {}, "live", { remaining: 15 * SECOND, holds: 1 }, "x");
      expect("record-inspect", {}, "live", { remaining: 29 * SECOND, left: 29 * SECOND }, "y");
      expect("group-extend", { token, duration: 40_000 }, "extended", { remaining: 40 * SECOND }, "x", "y");
      same("the times to live", [ttl("x"), ttl("y")], [100_000, 100_000]);
      expect("group-extend", { token, duration: 60_000, notAfter: now() - 1 }, "late", {}, "x", "y");
      expect(
        "group-extend",
        { token: token + 1, duration: 60_000 },
        "lost",
        { reason: "gone", names: "1 2 " },
        "x",
        "y",
      );
    },
  },
  {
    what: "a group that lost a name is not extended, and what expired stays so",
    run({ expect, now, at }) {
      const token = now();
      expect("group-acquire", {}, "granted", {}, ...NAMES);
      expect("hold-extend", { token, duration: 20_000 }, "extended", {}, "x");
      at(10_000);
      expect("lock-acquire", { id: B }, "granted", {}, "z");
      expect("group-extend", { token, duration: 20_000 }, "lost", { reason: "expired", names: "2 3 " }, ...NAMES);
      expect("group-extend", { token, duration: 20_000 }, "lost", { reason: "taken", names: "2 " }, "x", "z");
      expect("record-inspect", {}, "live", { remaining: 10 * SECOND }, "x");
      at(5000);
      expect("lock-acquire", {}, "closed", {}, "y");
    },
  },
  {
    what: "of several tenures the largest token counts, and of several ends the nearest",
    run({ expect, now, at }) {
      const ours = { reentryKey: "o" };
      const first = now();
      expect("lock-acquire", { ...ours, id: B }, "granted", {}, "y");
      at(1000);
      expect("lock-acquire", { ...ours, id: C }, "granted", {}, "x");
      expect("group-acquire", { ...ours, id: D }, "not_reentrant", { remaining: 0 }, "x", "y");
      expect("group-acquire", { ...ours, id: D }, "not_reentrant", { remaining: 0 }, "y", "x");
      expect("lock-close", { id: B, token: first }, "closed", {}, "y");
      expect("lock-close", { id: C, token: now() }, "closed", {}, "x");
      expect("group-acquire", ours, "granted", { holds: 1 }, "x", "y");
      const token = now() + 1;
      expect("lock-acquire", { ...ours, id: B }, "granted", { token }, "x");
      expect("hold-extend", { token, duration: 20_000 }, "extended", {}, "y");
      // Sent again it tells the most holds and the nearest end, whichever name comes first.
      expect("group-acquire", ours, "granted", { token, remaining: 10 * SECOND, holds: 2 }, "x", "y");
      expect("group-acquire", ours, "granted", { token, remaining: 10 * SECOND, holds: 2 }, "y", "x");
    },
  },
  {
    what: "the first blocking name is reported",
    run({ expect, at }) {
      expect("lock-acquire", { id: B, lease: 5000 }, "granted", {}, "x");
      at(1000);
      expect("lock-acquire", { id: C, lease: 20_000 }, "granted", {}, "y");
      expect("group-acquire", {}, "held", { remaining: 4 * SECOND, age: SECOND }, "x", "y");
      expect("group-acquire", {}, "held", { remaining: 20 * SECOND, age: 0 }, "y", "x");
    },
  },
  {
    what: "a group of which every request was answered is remembered among the newest",
    run({ expect, at, now }) {
      expect("group-acquire", {}, "granted", {}, "x", "y");
      expect("group-close", { token: now(), due: 0 }, "closed", {}, "x", "y");
      for (const [index, each] of [B, C, D, id("e")].entries()) {
        at(50_000 * (index + 1));
        expect("lock-acquire", { id: each }, "granted", {}, "x");
        expect("lock-close", { id: each, token: now() }, "closed", {}, "x");
      }
      expect("lock-acquire", {}, "closed", {}, "x");
    },
  },
  {
    what: "a group that was released stays as it ended",
    run({ expect, at, now }) {
      const token = now();
      expect("group-acquire", {}, "granted", {}, "x", "y");
      expect("group-close", {}, "closed", {}, "x", "y");
      at(1000);
      expect("group-acquire", { id: B }, "granted", {}, "x", "y");
      expect("group-close", {}, "closed", {}, "x", "y");
      expect("group-close", { token }, "lost", { reason: "released", names: "1 2 " }, "x", "y");
      // One that was never granted is nobody's tenure, and a release of it changes nothing.
      expect("group-close", { id: C, token: now() }, "lost", {}, "x", "y");
      expect("group-acquire", { id: D }, "held", { tenure: 0 }, "x", "y");
      expect("group-extend", { id: B, token: now(), duration: 20_000 }, "extended", {}, "x", "y");
      expect("hold-extend", { id: B, token: now() }, "extended", { remaining: 20 * SECOND }, "x");
      expect("lock-acquire", { id: D }, "held", { remaining: 20 * SECOND }, "y");
    },
  },
  {
    what: "the release of one of a reentry key's holds ends no tenure, and moves no end back",
    run({ expect, at, now }) {
      const ours = { reentryKey: "o" };
      const token = now();
      expect("group-acquire", ours, "granted", {}, "x", "y");
      expect("group-acquire", { ...ours, id: B, lease: 20_000 }, "granted", {}, "x", "y");
      at(1000);
      expect("group-close", { token }, "closed", {}, "x", "y");
      expect("lock-acquire", { id: C }, "held", { tenure: 0, remaining: 19 * SECOND }, "x");
      expect("record-inspect", {}, "live", { remaining: 19 * SECOND }, "y");
      at(40_000);
      expect("group-close", { id: C }, "closed", {}, "x", "y");
      // What was free stays free since then: no average is of that time.
      expect("group-acquire", { id: D, waited: 8000 }, "granted", {}, "x", "y");
      expect("lock-acquire", { id: id("e") }, "held", { queue: 0 }, "x");
    },
  },
];
