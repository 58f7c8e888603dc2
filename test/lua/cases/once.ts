import { type Case, CROWD, id, RECORD } from "./case.ts";

const [, B, C, D] = [id("a"), id("b"), id("c"), id("d")];
const SECOND = 1_000_000;

const once: readonly Case[] = [
  {
    what: "one attempt runs at a time, and its result is kept",
    run({ expect, now, at, ttl, same }) {
      const token = now();
      expect("once-begin", {}, "granted", { token, remaining: 10 * SECOND, attempt: 1 });
      same("the time to live", ttl(), 660_000);
      at(1000);
      expect("once-begin", {}, "granted", { token, remaining: 9 * SECOND, attempt: 1 });
      expect("once-begin", { id: B }, "running", { remaining: 9 * SECOND });
      expect("once-complete", { id: B, token, result: "7" }, "completed");
      expect("once-begin", { id: C }, "done", { token, result: "=7" });
    },
  },
  {
    what: "a result is stored once, and by the last attempt only",
    run({ expect, now, at, ttl, same }) {
      const token = now();
      expect("once-complete", { token }, "lost", { reason: "gone" });
      expect("once-begin", {}, "granted", { token });
      at(1000);
      expect("once-complete", { token: token - 1 }, "lost", { reason: "taken" });
      expect("once-complete", { token: token + 1 }, "lost", { reason: "gone" });
      expect("once-complete", { token, result: "[1, 2]", ttl: 5000 }, "completed", { stored: 1 });
      same("the time to live", ttl(), 65_000);
      // Sent again it has the same answer and changes nothing, also with another result.
      at(2000);
      expect("once-complete", { token, result: "other", ttl: 50_000 }, "completed", { stored: 1 });
      expect("once-complete", { token, result: "" }, "completed", { stored: 1 });
      same("the time to live", ttl(), 64_000);
      expect("once-begin", { id: B }, "done", { token, result: "=[1, 2]" });
      expect("once-begin", {}, "closed");
      expect("hold-extend", { token, duration: 20_000 }, "lost", { reason: "released" });
      at(6000);
      expect("once-begin", { id: B }, "granted", { token: token + 6 * SECOND, attempt: 1 });
      expect("once-complete", { token }, "lost", { reason: "released" });
    },
  },
  {
    what: "a result is stored after the lease, unless another attempt began",
    run({ expect, now, at }) {
      const token = now();
      expect("once-begin", {}, "granted", { token });
      at(10_000);
      expect("once-complete", { token, result: "late" }, "completed");
      expect("once-begin", { id: B }, "done", { result: "=late" });
    },
  },
  {
    what: "the attempt that came later wins",
    run({ expect, now, at }) {
      const token = now();
      expect("once-begin", {}, "granted", { token });
      at(10_000);
      expect("once-begin", { id: B }, "granted", { token: token + 10 * SECOND, attempt: 2 });
      expect("once-complete", { token, result: "late" }, "lost", { reason: "taken" });
      expect("once-complete", { id: B, token: token + 10 * SECOND, result: "new" }, "completed");
      expect("once-begin", { id: C }, "done", { token: token + 10 * SECOND, result: "=new" });
    },
  },
  {
    what: "a failed attempt lets the next begin, and is counted",
    run({ expect, now, at }) {
      const token = now();
      const limited = { maxAttempts: 2 };
      expect("once-begin", limited, "granted", { attempt: 1 });
      at(1000);
      expect("once-close", { token: token + 1 }, "lost", { reason: "gone" });
      expect("once-close", { token, due: now() + SECOND }, "closed");
      expect("once-close", { token, due: now() + SECOND }, "closed");
      expect("once-complete", { token }, "lost", { reason: "released" });
      expect("once-begin", { ...limited, id: B }, "granted", { token: token + SECOND, attempt: 2 });
      expect("once-close", { id: B, token: token + SECOND }, "closed");
      expect("once-begin", { ...limited, id: C }, "exhausted", { attempts: 2 });
      expect("once-begin", { id: C }, "granted", { attempt: 3 });
      expect("once-begin", { ...limited, id: D }, "running");
    },
  },
  {
    what: "a cancelled attempt is not counted, and one that was never seen changes nothing",
    run({ expect, redis, same, ttl, at }) {
      expect("once-close", { id: B }, "closed");
      expect("once-close", { id: B }, "closed");
      // Nobody ever began, so the name is free.
      expect("record-inspect", { kind: "once" }, "free", { token: 0 });
      expect("once-begin", { id: B, fingerprint: "one" }, "closed");
      expect("once-begin", { fingerprint: "one" }, "granted", { attempt: 1 });
      expect("once-close", { id: C }, "closed");
      expect("once-begin", { id: D, fingerprint: "one" }, "running");
      expect("once-close", {}, "closed");
      same("the time to live", ttl(), 60_000);
      same("the record", String(redis("GET", RECORD)).startsWith("once 1 2000000000000000 0 "), true);
      at(1);
      expect("once-begin", { id: D, fingerprint: "two", maxAttempts: 1 }, "granted", { attempt: 1 });
      expect("once-begin", {}, "closed");
    },
  },
  {
    what: "a cancelled attempt beside failed ones leaves what they left",
    run({ expect, now }) {
      const token = now();
      const same = { fingerprint: "one" };
      expect("once-begin", same, "granted");
      expect("once-close", { token }, "closed");
      expect("once-begin", { ...same, id: B }, "granted", { attempt: 2 });
      expect("once-close", { id: B }, "closed");
      expect("once-begin", { id: C, fingerprint: "two" }, "mismatch");
      expect("once-begin", { ...same, id: C, maxAttempts: 2 }, "granted", { attempt: 2, token: token + 2 });
    },
  },
  {
    what: "a key that comes with another fingerprint is refused",
    run({ expect, now }) {
      expect("once-begin", {}, "granted");
      // The first that has a fingerprint sets it: none counts as any.
      expect("once-begin", { id: B, fingerprint: "one" }, "running");
      expect("once-close", { token: now() }, "closed");
      expect("once-begin", { id: B, fingerprint: "one" }, "granted");
      expect("once-begin", { id: C, fingerprint: "two" }, "mismatch");
      expect("once-begin", { id: C, fingerprint: "one" }, "running");
      expect("once-begin", { id: C }, "running");
      expect("once-complete", { id: B, token: now() + 1 }, "completed");
      expect("once-begin", { id: C, fingerprint: "two" }, "mismatch");
      expect("once-begin", { id: C, fingerprint: "one" }, "done");
    },
  },
  {
    what: "what is remembered ends with its time, and at the earliest with the lease",
    run({ expect, at, now }) {
      const token = now();
      expect("once-begin", { ttl: 1000, lease: 2000 }, "granted");
      at(1500);
      expect("once-begin", { id: B, ttl: 1000, lease: 2000 }, "running", { remaining: 500_000 });
      expect("once-complete", { token, ttl: 3000 }, "completed");
      at(4499.999);
      expect("once-begin", { id: B }, "done");
      at(4500);
      expect("once-begin", { id: B }, "granted", { attempt: 1, token: token + 4_500_000 });
    },
  },
  {
    what: "a waiter gets a result that was there since its last poll",
    run({ expect, at, now }) {
      const token = now();
      expect("once-begin", {}, "granted");
      expect("once-complete", { token, ttl: 1000, result: "short" }, "completed");
      at(1500);
      expect("once-begin", { id: B, before: now() - 501_000 }, "done", { result: "=short" });
      expect("once-begin", { id: B, before: token + SECOND }, "granted", { attempt: 1 });
    },
  },
  {
    what: "another kind's record has no result for a waiter",
    run({ expect, at, now }) {
      expect("lock-acquire", { lease: 1000 }, "granted");
      at(1500);
      expect("once-begin", { id: C, before: now() - 600_000 }, "granted", { attempt: 1 });
      expect("once-complete", { id: B, token: now() + 1 }, "lost");
      expect("lock-acquire", { id: B }, "kind", { kind: "once" });
    },
  },
  {
    what: "a name that another kind has now keeps nothing of an attempt",
    run({ expect, at, now }) {
      const token = now();
      expect("once-begin", { ttl: 1000, lease: 1000 }, "granted");
      at(1000);
      expect("lock-acquire", { id: B }, "granted");
      expect("once-complete", { token }, "lost", { reason: "taken" });
      expect("once-complete", { id: B, token: now() }, "lost");
      expect("once-close", { token }, "lost", { reason: "taken" });
      expect("once-close", { id: B, token: now() }, "lost");
      expect("once-close", { id: C }, "closed");
      expect("lock-acquire", { id: C }, "closed");
      expect("record-inspect", {}, "live", { holds: 1, token: now() });
    },
  },
  {
    what: "a once is forced free with all that it remembers, and read with its note",
    run({ expect, now, redis, same }) {
      const token = now();
      expect("once-begin", { note: "@host", fingerprint: "f" }, "granted");
      expect("record-inspect", { kind: "once" }, "live", { body: "=1 f  @host", holds: 1 });
      expect("record-force", { id: B, kind: "once" }, "forced", { token: token + 1, had: 1 });
      expect("once-complete", { token }, "lost", { reason: "forced" });
      expect("once-begin", { id: C, fingerprint: "g" }, "granted", { attempt: 1, token: token + 2 });
      expect("once-close", { id: C, token: token + 2 }, "closed");
      expect("once-begin", { id: D, fingerprint: "g" }, "granted", { attempt: 2 });
      same("the crowd", redis("EXISTS", CROWD), 0);
    },
  },
  {
    what: "an attempt fails while memory is full, and no other begins",
    run({ expect, call, setFull, same, now }) {
      expect("once-begin", {}, "granted");
      setFull(true);
      expect("once-close", { token: now() }, "closed");
      same("the error", /OOM/.test(String(call("once-begin", { id: B })["message"])), true);
      setFull(false);
      expect("once-begin", { id: B }, "granted", { attempt: 2 });
    },
  },
  {
    what: "an attempt without a result completes while memory is full, and one with a result fails as it would",
    run({ expect, call, setFull, setReadOnly, same, now }) {
      const token = now();
      expect("once-begin", {}, "granted");
      setFull(true);
      same("the error", /OOM/.test(String(call("once-complete", { token, result: "r" })["message"])), true);
      setFull(false);
      setReadOnly(true);
      same("the error", /READONLY/.test(String(call("once-complete", { token, result: "" })["message"])), true);
      setReadOnly(false);
      expect("record-inspect", { kind: "once" }, "live", { body: "=1   ", holds: 1 });
      setFull(true);
      expect("once-complete", { token, result: "" }, "completed", { stored: 0 });
      setFull(false);
      expect("once-begin", { id: B }, "done", { result: "=" });
    },
  },
  {
    what: "an attempt that failed is not completed, however late",
    run({ expect, at, now }) {
      const token = now();
      expect("once-begin", {}, "granted");
      expect("once-close", { id: B, token }, "lost", { reason: "released" });
      expect("once-close", { token, due: now() + SECOND }, "closed");
      at(3000);
      // The requests of the attempt are void by now, and something else is written.
      expect("once-close", { id: B }, "closed");
      expect("once-complete", { token }, "lost", { reason: "released" });
      expect("record-inspect", { kind: "once" }, "live", { left: 0, holds: 0 });
    },
  },
  {
    what: "the release of another kind changes nothing where something has expired meanwhile",
    run({ expect, at, now }) {
      expect("once-begin", { lease: 1000 }, "granted");
      at(2000);
      for (const script of ["lock-close", "fair-close", "rw-close", "semaphore-close"])
        expect(script, { id: B, token: 5 }, "lost");
      expect("group-close", { id: B, token: 5 }, "lost", {}, RECORD);
      expect("once-begin", { id: C }, "granted", { attempt: 2 });
      at(20_000);
      expect("once-close", { id: C }, "closed");
      expect("record-force", { id: id("f"), kind: "once" }, "forced");
      const token = Number(expect("lock-acquire", { id: D, reentryKey: "o" }, "granted")["token"]);
      expect("lock-acquire", { id: id("e"), reentryKey: "o", lease: 1000 }, "granted");
      at(22_000);
      expect("once-close", { id: B, token: now() }, "lost");
      expect("lock-acquire", { id: B }, "held");
      expect("hold-extend", { id: D, token }, "extended");
    },
  },
];

const latch: readonly Case[] = [
  {
    what: "a latch is set once and counted down once by each party",
    run({ expect, now, at, ttl, same, redis }) {
      const generation = now();
      expect("latch-down", { id: B, generation }, "lost");
      expect("latch-set", { count: 2 }, "set");
      same("the time to live", ttl(), 660_000);
      expect("latch-set", { count: 2 }, "set");
      expect("latch-down", { id: "p", generation }, "left", { left: 1 });
      same("the time to live", [ttl(), ttl(CROWD)], [660_000, 660_000]);
      at(1000);
      expect("latch-down", { id: "p", generation }, "left", { left: 1 });
      same("the time to live", ttl(), 659_000);
      expect("latch-set", { id: B, count: 5 }, "refused");
      expect("latch-down", { id: "q", generation: generation + 1 }, "lost");
      expect("latch-down", { id: "q", generation: generation - 1 }, "lost");
      expect("latch-down", { id: "q", generation, ttl: 900_000 }, "left", { left: 0 });
      same("the time to live", [ttl(), ttl(CROWD)], [960_000, 960_000]);
      expect("latch-down", { id: "r", generation }, "left", { left: 0 });
      same("the parties", redis("ZCARD", CROWD), 2);
      // The refusal is remembered: that request sets nothing any more.
      expect("latch-set", { id: B, count: 5 }, "refused");
      expect("latch-set", { count: 2 }, "set");
      expect("latch-down", { id: "s", generation }, "left", { left: 0 });
    },
  },
  {
    what: "a latch at zero is set anew, and its former generations stay at zero",
    run({ expect, now, at, redis, same }) {
      const first = now();
      expect("latch-set", { count: 1 }, "set");
      expect("latch-down", { id: "p", generation: first }, "left", { left: 0 });
      at(1000);
      const second = now();
      expect("latch-set", { id: B, count: 3 }, "set");
      same("the parties", redis("EXISTS", CROWD), 0);
      expect("latch-down", { id: "p", generation: first }, "left", { left: 0 });
      expect("latch-down", { id: "p", generation: second }, "left", { left: 2 });
      expect("crowd-inspect", { kind: "latch" }, "live", {
        token: second,
        body: `=2 3 ${first}`,
        remaining: 600 * SECOND,
        holds: 1,
      });
      // The request that set the first one does not set it again.
      expect("latch-set", { count: 1 }, "set");
      expect("latch-down", { id: "q", generation: second }, "left", { left: 1 });
      expect("latch-down", { id: "q", generation: first - 1 }, "lost");
    },
  },
  {
    what: "a latch that was forgotten has no former generations",
    run({ expect, now, at }) {
      const first = now();
      expect("latch-set", { count: 2, ttl: 1000 }, "set");
      at(1000);
      expect("latch-down", { id: "p", generation: first }, "lost");
      expect("latch-set", { id: B, count: 2, ttl: 1000 }, "set");
      expect("latch-down", { id: "p", generation: first }, "lost");
      expect("latch-down", { id: "p", generation: now() }, "left", { left: 1 });
      expect("latch-set", { count: 9 }, "set");
      expect("crowd-inspect", { kind: "latch" }, "live", { body: `=1 2 ${now()}`, many: 0, holds: 1 });
    },
  },
  {
    what: "the generations of a latch rise, whatever the clock does",
    run({ expect, now, at, ttl, same }) {
      const first = now();
      expect("latch-set", { count: 1 }, "set");
      expect("latch-down", { id: "p", generation: first }, "left", { left: 0 });
      at(-1000);
      expect("latch-set", { id: B, count: 1, ttl: 100 }, "set");
      // No time that was promised becomes shorter.
      same("the time to live", ttl(), 661_000);
      expect("latch-down", { id: "p", generation: first + 1, ttl: 100 }, "left", { left: 0 });
      same("the time to live", ttl(), 661_000);
    },
  },
  {
    what: "a latch is released by force, and a crowd of another type is not touched",
    run({ expect, call, now, redis, same }) {
      const first = now();
      redis("SET", CROWD, "theirs");
      same("the error", /WRONGTYPE/.test(String(call("latch-set", {})["message"])), true);
      same("the error", /WRONGTYPE/.test(String(call("crowd-force", { kind: "latch" })["message"])), true);
      same("the value", redis("GET", CROWD), "theirs");
      same("the record", redis("EXISTS", RECORD), 0);
      redis("DEL", CROWD);
      expect("latch-set", { count: 3 }, "set");
      expect("latch-down", { id: "p", generation: first }, "left", { left: 2 });
      expect("lock-acquire", { id: D }, "kind", { kind: "latch" });
      expect("crowd-force", { id: C, kind: "latch" }, "forced", { token: first + 1, had: 1 });
      same("the crowd", redis("EXISTS", CROWD), 0);
      expect("latch-down", { id: "q", generation: first }, "lost");
      expect("crowd-inspect", { kind: "latch" }, "free", { token: first + 1 });
      expect("latch-set", {}, "set");
      expect("latch-set", { id: B, count: 1 }, "set");
      expect("latch-down", { id: "q", generation: first + 2 }, "left", { left: 0 });
    },
  },
  {
    what: "no party is counted while memory is full",
    run({ expect, call, setFull, now, same, redis }) {
      const generation = now();
      expect("latch-set", { count: 2 }, "set");
      expect("latch-down", { id: "p", generation }, "left", { left: 1 });
      setFull(true);
      same("the error", /OOM/.test(String(call("latch-down", { id: "q", generation })["message"])), true);
      same("the error", /OOM/.test(String(call("latch-set", { id: B })["message"])), true);
      same("the parties", redis("ZCARD", CROWD), 1);
      setFull(false);
      expect("latch-down", { id: "q", generation }, "left", { left: 0 });
    },
  },
  {
    what: "a tombstone of another kind is no latch",
    run({ expect, at, now }) {
      expect("lock-acquire", { lease: 1000 }, "granted");
      at(1000);
      expect("latch-down", { id: "p", generation: now() }, "lost");
      expect("latch-set", { id: B, count: 2 }, "set");
      expect("crowd-inspect", { kind: "latch" }, "live", { body: `=2 2 ${now()}` });
    },
  },
];

export const onceCases: readonly Case[] = [...once, ...latch];
