import { type Case, id, type Scene } from "./case.ts";

const [A, B, C, D] = [id("a"), id("b"), id("c"), id("d")];
const SECOND = 1_000_000;
/** A lock whose lease was handed over, and the messages that hand it over. */
const LOCK = "{lock}";
const [MESSAGE, OTHER] = ["{lock}/message", "{lock}/other"];
const BEGIN = [MESSAGE, LOCK] as const;
const END = [LOCK, MESSAGE, "{lock}/message%fence"] as const;
const TICKET = id("t");

/** Acquires the lock by the ticket. */
function handed({ expect, now }: Scene, lease = 10_000) {
  const holdToken = now();
  expect("lock-acquire", { id: TICKET, lease }, "granted", { token: holdToken }, LOCK);
  return { hold: TICKET, holdToken } as const;
}
const released = { result: "", run: "", kept: 0 };
const stored = ({ redis }: Scene): string => JSON.stringify([...BEGIN].map((key) => redis("GET", key)));

export const heldCases: readonly Case[] = [
  {
    what: "an attempt begins under a live hold, which it leaves as it is; a retry has the same, another is refused",
    run(scene) {
      const { expect, now, at, ttl, same, redis } = scene;
      const given = handed(scene);
      const before = redis("GET", LOCK);
      at(1000);
      const token = now();
      const granted = { token, attempt: 1, heldToken: given.holdToken };
      const args = { ...given, lease: 5000, note: "@host", anew: 1 };
      const first = { ...granted, remaining: 5 * SECOND, heldRemaining: 9 * SECOND };
      expect("held-begin", args, "granted", first, ...BEGIN);
      same("the lock", redis("GET", LOCK), before);
      same("the time to live", ttl(MESSAGE), 660_000);
      expect("record-inspect", { kind: "once" }, "live", { body: "=1   @host", holds: 1, token }, MESSAGE);
      at(2000);
      const kept = stored(scene);
      const again = { ...granted, remaining: 4 * SECOND, heldRemaining: 8 * SECOND };
      expect("held-begin", args, "granted", again, ...BEGIN);
      expect("held-begin", { ...args, id: B }, "running", { remaining: 4 * SECOND }, ...BEGIN);
      expect("held-begin", { ...args, id: B, notAfter: now() - 1 }, "late", {}, ...BEGIN);
      same("what is stored", stored(scene), kept);
      // Another message under the same hold.
      expect("held-begin", { ...args, id: B }, "granted", { heldToken: given.holdToken }, OTHER, LOCK);
    },
  },
  {
    what: "what is done is done, whatever became of the hold, and for a waiter since its last poll",
    run(scene) {
      const { expect, now, at } = scene;
      const given = handed(scene);
      const token = now();
      expect("held-begin", given, "granted", {}, ...BEGIN);
      const done = { ...given, token, result: "=7", ttl: 1000 };
      expect("held-end", done, "closed", {}, ...END);
      expect("record-inspect", {}, "free", { token: given.holdToken }, LOCK);
      for (const anew of [0, 1])
        expect("held-begin", { ...given, id: B, anew }, "done", { token, result: "=7" }, ...BEGIN);
      expect("held-begin", given, "closed", {}, ...BEGIN);
      expect("held-end", done, "closed", {}, ...END);
      at(1500);
      expect("held-begin", { ...given, id: B, before: now() - 501_000 }, "done", { result: "=7" }, ...BEGIN);
      expect("held-begin", { ...given, id: B, before: now() - 500_000 }, "lost", { reason: "released" }, ...BEGIN);
      expect("held-begin", { ...given, id: B, anew: 1 }, "granted", { attempt: 1 }, ...BEGIN);
    },
  },
  {
    what: "without a live hold no attempt begins, and it is said why",
    run(scene) {
      const { expect, now, at, redis, same } = scene;
      const given = handed(scene);
      expect("held-begin", { ...given, holdToken: given.holdToken + 1 }, "lost", { reason: "gone" }, ...BEGIN);
      expect("held-begin", { ...given, hold: D }, "lost", { reason: "released" }, ...BEGIN);
      at(10_000);
      expect("held-begin", given, "lost", { reason: "expired" }, ...BEGIN);
      // That it has expired is saved, whatever the clock does.
      at(1);
      expect("held-begin", given, "lost", { reason: "expired" }, ...BEGIN);
      expect("record-force", { id: B }, "forced", {}, LOCK);
      expect("lock-acquire", { id: C }, "granted", {}, LOCK);
      expect("held-begin", given, "lost", { reason: "taken" }, ...BEGIN);
      same("the attempts", redis("EXISTS", MESSAGE), 0);
      expect("held-begin", { hold: C, holdToken: now() }, "lost", {}, ...BEGIN);
    },
  },
  {
    what: "a lock that is free is acquired anew with the attempt, under one ID and one token",
    run(scene) {
      const { expect, now, at, ttl, same } = scene;
      const given = handed(scene, 1000);
      at(1000);
      const token = now();
      const anew = { ...given, anew: 1, lease: 5000, note: "@host" };
      const granted = { token, attempt: 1, heldToken: token };
      const first = { ...granted, remaining: 5 * SECOND, heldRemaining: 5 * SECOND };
      expect("held-begin", anew, "granted", first, ...BEGIN);
      same("the times to live", [MESSAGE, LOCK].map(ttl), [660_000, 65_000]);
      expect("record-inspect", {}, "live", { token, holds: 1, body: "= @host 0 0" }, LOCK);
      expect("lock-acquire", { id: B }, "held", { remaining: 5 * SECOND }, LOCK);
      at(2000);
      const again = { ...granted, remaining: 4 * SECOND, heldRemaining: 4 * SECOND };
      expect("held-begin", anew, "granted", again, ...BEGIN);
      expect("held-begin", { ...anew, id: B }, "running", { remaining: 4 * SECOND }, ...BEGIN);
      expect("held-begin", { ...anew, id: B }, "held", { remaining: 4 * SECOND }, OTHER, LOCK);
      expect("group-extend", { token, duration: 9000 }, "extended", { remaining: 9 * SECOND }, LOCK, MESSAGE);
      expect("held-end", { ...released, token }, "closed", {}, ...END);
      expect("record-inspect", {}, "free", { token }, LOCK);
      // One second long.
      expect("held-begin", { ...anew, id: B }, "granted", { token: token + SECOND, attempt: 2 }, ...BEGIN);
      expect("record-inspect", {}, "live", { body: `= @host ${SECOND} 0` }, LOCK);
    },
  },
  {
    what: "the token of an attempt with its lock is above those of both",
    run(scene) {
      const { expect, now, at } = scene;
      const start = now();
      at(5000);
      const given = handed(scene, 1000);
      expect("held-begin", given, "granted", { token: start + 5 * SECOND }, ...BEGIN);
      expect("held-end", { ...released, ...given, token: given.holdToken }, "closed", {}, ...END);
      at(0);
      const next = start + 5 * SECOND + 1;
      expect("held-begin", { ...given, id: B, anew: 1 }, "granted", { token: next, heldToken: next }, ...BEGIN);
      expect("held-end", { ...released, id: B, token: next }, "closed", {}, ...END);
      expect("lock-acquire", { id: C }, "granted", { token: next + 1 }, LOCK);
      expect("lock-close", { id: C, token: next + 1 }, "closed", {}, LOCK);
      expect("held-begin", { ...given, id: D, anew: 1 }, "granted", { token: next + 2, attempt: 3 }, ...BEGIN);
    },
  },
  {
    what: "an attempt is remembered for its ttl, and at least for its lease, under a token above the last",
    run(scene) {
      const { expect, now, at, ttl, same } = scene;
      at(5000);
      const given = handed(scene, 60_000);
      const token = now();
      expect("held-begin", { ...given, ttl: 1000, lease: 3000 }, "granted", { token }, ...BEGIN);
      same("the time to live", ttl(MESSAGE), 63_000);
      at(7500);
      expect("held-begin", { ...given, id: B }, "running", { remaining: SECOND / 2 }, ...BEGIN);
      at(0);
      expect("held-end", { ...released, token }, "lost", {}, ...END);
      expect("held-begin", { ...given, id: B }, "granted", { token: token + 1, attempt: 2 }, ...BEGIN);
    },
  },
  {
    what: "a lock that is acquired anew has its averages, and no re-entry key of a holder before",
    run({ expect, now, at, redis, same }) {
      const start = now();
      expect("lock-acquire", { id: B }, "granted", {}, LOCK);
      at(1000);
      expect("lock-close", { id: B, token: start }, "closed", {}, LOCK);
      expect("lock-acquire", { id: C, waited: 800, reentryKey: "o" }, "granted", {}, LOCK);
      expect("lock-close", { id: C, token: start + SECOND }, "closed", {}, LOCK);
      expect("held-begin", { hold: C, holdToken: start + SECOND, anew: 1 }, "granted", {}, ...BEGIN);
      same("the averages", String(redis("GET", LOCK)).endsWith("   875000 87500"), true);
      expect("lock-acquire", { id: D, reentryKey: "o" }, "held", {}, LOCK);
      // Without its record, the attempt has ended for the lock as well.
      expect("held-end", { ...released, due: now() + SECOND }, "closed", {}, ...END);
      redis("DEL", MESSAGE);
      expect("held-begin", { hold: C, holdToken: start, anew: 1 }, "closed", {}, ...BEGIN);
    },
  },
  {
    what: "another kind's record has no result for a waiter",
    run(scene) {
      const { expect, at, now } = scene;
      const given = handed(scene);
      expect("lock-acquire", { id: C, lease: 1000 }, "granted", {}, MESSAGE);
      at(1500);
      expect("held-begin", { ...given, before: now() - 600_000 }, "granted", { attempt: 1 }, ...BEGIN);
    },
  },
  {
    what: "a cancel ends the attempt and the lock that it acquired, and leaves a hold that was given",
    run(scene) {
      const { expect, now, at, same } = scene;
      const given = handed(scene, 1000);
      const cancel = { ...released, due: now() + SECOND };
      expect("held-begin", given, "granted", {}, ...BEGIN);
      expect("held-end", cancel, "closed", {}, ...END);
      expect("hold-extend", { id: TICKET, token: given.holdToken }, "extended", {}, LOCK);
      expect("held-begin", given, "closed", {}, ...BEGIN);
      expect("held-begin", { ...given, id: B }, "granted", { attempt: 1 }, ...BEGIN);
      expect("held-end", { ...cancel, id: B }, "closed", {}, ...END);
      at(1000);
      expect("held-end", { ...cancel, id: D, due: now() + SECOND }, "closed", {}, ...END);
      expect("held-begin", { ...given, id: C, anew: 1 }, "granted", { attempt: 1 }, ...BEGIN);
      expect("held-end", { ...cancel, id: C, due: now() + SECOND }, "closed", {}, ...END);
      expect("held-begin", { ...given, id: C, anew: 1 }, "closed", {}, ...BEGIN);
      expect("lock-acquire", { id: C }, "closed", {}, LOCK);
      same("the lock", String(scene.redis("GET", LOCK)).startsWith("lock 1 "), true);
      expect("held-begin", { ...given, id: D, anew: 1 }, "closed", {}, ...BEGIN);
      expect("held-begin", { ...given, id: id("e"), anew: 1 }, "granted", { attempt: 1 }, ...BEGIN);
      // The cancel of another one is no failure of this one.
      expect("held-end", { ...cancel, id: id("f"), due: now() + SECOND }, "closed", {}, ...END);
      expect("held-end", { ...released, id: id("e"), token: now() + 1 }, "closed", {}, ...END);
      expect("held-begin", { ...given, id: id("g"), anew: 1 }, "granted", { attempt: 2 }, ...BEGIN);
    },
  },
  {
    what: "the end of an attempt releases the hold that was given, also if that was lost, and only that",
    run(scene) {
      const { expect, now, at } = scene;
      const given = handed(scene);
      const token = now();
      expect("held-begin", given, "granted", {}, ...BEGIN);
      expect("held-end", { ...given, token, result: "=" }, "closed", {}, ...END);
      expect("held-begin", { ...given, id: B }, "done", { token, result: "=" }, ...BEGIN);
      at(1000);
      const second = now();
      expect("lock-acquire", { id: C, lease: 1000 }, "granted", {}, LOCK);
      expect("held-begin", { hold: C, holdToken: second }, "granted", {}, OTHER, LOCK);
      at(2000);
      expect("lock-acquire", { id: D }, "granted", {}, LOCK);
      const end = { hold: C, holdToken: second, token: second, result: "=1" };
      expect("held-end", end, "closed", {}, LOCK, OTHER, "f");
      expect("record-inspect", {}, "live", { holds: 1, token: now() }, LOCK);
      expect("held-begin", { hold: D, holdToken: now(), id: B }, "done", { result: "=1" }, OTHER, LOCK);
      expect("held-end", { ...end, result: "" }, "lost", { reason: "taken" }, LOCK, OTHER, "f");
    },
  },
  {
    what: "the end of an attempt leaves the hold that was given while another attempt runs, under it as well",
    run(scene) {
      const { expect, now, at, same, redis } = scene;
      const given = handed(scene, 60_000);
      const token = now();
      expect("held-begin", { ...given, lease: 1000 }, "granted", { token, attempt: 1 }, ...BEGIN);
      at(1500);
      const next = now();
      expect("held-begin", { ...given, id: B }, "granted", { ...{ token: next }, attempt: 2 }, ...BEGIN);
      const kept = redis("GET", LOCK);
      expect("held-end", { ...given, ...released, token }, "lost", {}, ...END);
      expect("held-end", { ...given, token, result: "=1" }, "lost", { reason: "taken" }, ...END);
      same("the lock", redis("GET", LOCK), kept);
      expect("held-end", { ...given, id: B, token: next, result: "=2" }, "closed", {}, ...END);
      expect("record-inspect", {}, "free", { token: given.holdToken }, LOCK);
      expect("held-begin", { ...given, id: C }, "done", { result: "=2" }, ...BEGIN);
    },
  },
  {
    what: "the end of an attempt whose record is in use as another kind releases the hold that was given",
    run(scene) {
      const { expect, now, redis } = scene;
      const given = handed(scene);
      const token = now();
      expect("held-begin", given, "granted", { token }, ...BEGIN);
      redis("DEL", MESSAGE);
      expect("lock-acquire", { id: D }, "granted", {}, MESSAGE);
      expect("held-end", { ...given, ...released, token }, "closed", {}, ...END);
      expect("record-inspect", {}, "free", { token: given.holdToken }, LOCK);
    },
  },
  {
    what: "an attempt that lost its hold, or half of what it acquired, does not begin again",
    run(scene) {
      const { expect, redis, now, at } = scene;
      const given = handed(scene, 1000);
      const anew = { ...given, anew: 1, lease: 60_000 };
      expect("held-begin", anew, "granted", { heldToken: given.holdToken }, ...BEGIN);
      at(1000);
      expect("held-begin", anew, "closed", {}, ...BEGIN);
      expect("held-end", { ...released, due: now() + SECOND }, "closed", {}, ...END);
      expect("held-begin", { ...anew, id: B }, "granted", { heldToken: now() }, ...BEGIN);
      redis("DEL", MESSAGE);
      expect("held-begin", { ...anew, id: B }, "closed", {}, ...BEGIN);
      expect("held-begin", { ...anew, id: C }, "held", {}, ...BEGIN);
    },
  },
  {
    what: "names in use as another kind are refused, and a hold of a fair lock is one",
    run({ expect, now, redis, same }) {
      const holdToken = now();
      expect("fair-acquire", { id: TICKET }, "granted", {}, LOCK, "crowd");
      expect("held-begin", { hold: TICKET, holdToken }, "granted", { heldToken: holdToken }, ...BEGIN);
      expect("held-begin", { hold: A, holdToken, id: B, anew: 1 }, "running", {}, ...BEGIN);
      expect("held-begin", { hold: A, holdToken, id: B, anew: 1 }, "kind", { kind: "fair" }, OTHER, LOCK);
      expect("lock-acquire", { id: C }, "granted", {}, "{lock}/lock");
      expect("held-begin", { hold: TICKET, holdToken, id: B }, "kind", { kind: "lock" }, "{lock}/lock", LOCK);
      redis("RPUSH", "{lock}/list", "x");
      same("what is stored", redis("EXISTS", OTHER), 0);
    },
  },
  ...([MESSAGE, LOCK] as const).map(
    (key): Case => ({
      what: `an attempt does not begin if ${key} has a value of another type, and leaves nothing`,
      run({ call, redis, same }) {
        redis("RPUSH", key, "x");
        const message = String(call("held-begin", { hold: D, holdToken: 1, anew: 1 }, ...BEGIN)["message"]);
        same("the answer", /^WRONGTYPE/.test(message), true);
        same("what is stored", redis("DBSIZE"), 1);
      },
    }),
  ),
  {
    what: "while memory is full no attempt begins, and one that has begun ends",
    run(scene) {
      const { expect, call, setFull, same, now } = scene;
      const given = handed(scene);
      setFull(true);
      same("the answer", /^OOM/.test(String(call("held-begin", given, ...BEGIN)["message"])), true);
      setFull(false);
      expect("held-begin", given, "granted", {}, ...BEGIN);
      setFull(true);
      expect("held-end", { ...given, token: now(), result: "=1" }, "closed", {}, ...END);
      setFull(false);
      expect("held-begin", { ...given, id: B }, "done", { result: "=1" }, ...BEGIN);
    },
  },
];
