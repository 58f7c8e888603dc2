import { type Case, id, type Scene } from "./case.ts";

const [A, B, C, D] = [id("a"), id("b"), id("c"), id("d")];
const SECOND = 1_000_000;
const RETENTION_MS = 60_000;
const KEPT_MS = 10_000_000;
/** A job and two of its slots. */
const LOCK = "{cron:job}";
const LAST = "{cron:job}/last%fence";
const [SLOT, NEXT] = ["{cron:job}/slot", "{cron:job}/next"];
const KEYS = [LOCK, SLOT, LAST] as const;
const LATER = [LOCK, NEXT, LAST] as const;
const RUN = '{"slot":"one"';
const began = { run: RUN, kept: KEPT_MS };
const ran = { result: "=7", run: '{"outcome":"ran"}', kept: KEPT_MS };
const failed = { result: "", run: '{"outcome":"failed"}', kept: KEPT_MS };
/** A release by the work, or a cancel: nothing is recorded. */
const quiet = { result: "", run: "", kept: 0 };

/** What the job's record has. */
const last = ({ expect }: Scene, token: number, value: string) =>
  expect("fence-read", {}, "seen", { token, value: `=${value}` }, LAST);
const runningAs = (token: number, attempt: number): string => `${RUN},"token":${token},"attempt":${attempt}}`;
const stored = ({ redis }: Scene): string => JSON.stringify(KEYS.map((key) => redis("GET", key)));

/** Values that a key must not have. */
const FOREIGN: readonly (readonly [what: string, key: string, words: readonly string[], kind: string])[] = [
  ["the lock", LOCK, ["SET", LOCK, "text"], "foreign"],
  ["the slot", SLOT, ["SET", SLOT, "lock 2 1 1   "], "lock/2"],
  ["the record", LAST, ["SET", LAST, "fence 2 1 1 "], "fence/2"],
  ["the record", LAST, ["SET", LAST, "fence 1 9007199254740991 0 0 x"], "fence/1"],
];

export const cronCases: readonly Case[] = [
  {
    what: "a run has its slot, the job's lock and the record under one token, and a retry has the same",
    run(scene) {
      const { expect, now, at, ttl, same } = scene;
      const token = now();
      const granted = { token, remaining: 10 * SECOND, attempt: 1 };
      expect("cron-begin", { ...began, note: "@host" }, "granted", { ...granted, follows: 1 }, ...KEYS);
      last(scene, token, runningAs(token, 1));
      same("the times to live", KEYS.map(ttl), [70_000, 660_000, KEPT_MS]);
      expect("record-inspect", {}, "live", { token, holds: 1, body: "= @host 0 0" }, LOCK);
      expect("record-inspect", { kind: "once" }, "live", { token, holds: 1, body: "=1   @host" }, SLOT);
      at(1000);
      const before = stored(scene);
      expect("cron-begin", began, "granted", { ...granted, remaining: 9 * SECOND, follows: 0 }, ...KEYS);
      expect("cron-begin", { ...began, id: B }, "running", { remaining: 9 * SECOND }, ...KEYS);
      expect("cron-begin", { ...began, id: B }, "held", { remaining: 9 * SECOND }, ...LATER);
      expect("cron-begin", { ...began, id: B, notAfter: now() - 1 }, "late", {}, ...KEYS);
      same("what is stored", stored(scene), before);
      same("the next slot", scene.redis("EXISTS", NEXT), 0);
      expect("group-extend", { token, duration: 20_000 }, "extended", { remaining: 20 * SECOND }, LOCK, SLOT);
      expect("cron-begin", { ...began, id: B }, "running", { remaining: 20 * SECOND }, ...KEYS);
      expect("cron-begin", { ...began, id: B }, "held", { remaining: 20 * SECOND }, ...LATER);
    },
  },
  {
    what: "a run that is done is done for its slot, frees the lock and is recorded; a duplicate changes nothing",
    run(scene) {
      const { expect, now, at, ttl, same } = scene;
      const token = now();
      expect("cron-begin", began, "granted", {}, ...KEYS);
      at(2000);
      expect("held-end", { ...ran, token }, "closed", {}, ...KEYS);
      last(scene, token, '{"outcome":"ran"}');
      same("the times to live", KEYS.map(ttl), [60_000, 660_000, KEPT_MS]);
      const before = stored(scene);
      at(3000);
      expect("held-end", { ...ran, token }, "closed", {}, ...KEYS);
      same("what is stored", stored(scene), before);
      expect("cron-begin", { ...began, id: B }, "done", { token, result: "=7" }, ...KEYS);
      expect("cron-begin", began, "closed", {}, ...KEYS);
      expect("record-inspect", {}, "free", { token }, LOCK);
      expect("cron-begin", { ...began, id: B }, "granted", { token: now(), attempt: 1, follows: 1 }, ...LATER);
      // The tenure of the first run took two seconds.
      expect("record-inspect", {}, "live", { body: `=  ${2 * SECOND} 0` }, LOCK);
      // A late copy leaves the later run alone, and its record.
      const during = stored(scene);
      expect("held-end", { ...ran, token }, "closed", {}, ...KEYS);
      same("what is stored", stored(scene), during);
      last(scene, now(), runningAs(now(), 1));
      at(603_000);
      expect("cron-begin", { ...began, id: C }, "granted", { attempt: 1, follows: 1 }, ...KEYS);
    },
  },
  {
    what: "a run that fails lets its slot begin again, with a higher token and attempt",
    run(scene) {
      const { expect, now, at } = scene;
      const token = now();
      expect("cron-begin", began, "granted", {}, ...KEYS);
      expect("held-end", { ...failed, token: token + 1 }, "lost", { reason: "gone" }, ...KEYS);
      expect("held-end", { ...failed, id: B, token }, "lost", { reason: "released" }, ...KEYS);
      expect("held-end", { ...ran, id: B, token }, "lost", { reason: "released" }, ...KEYS);
      expect("held-end", { ...ran, token: token - 1 }, "lost", { reason: "taken" }, ...KEYS);
      expect("cron-begin", { ...began, id: B }, "running", {}, ...KEYS);
      expect("held-end", { ...failed, token, due: now() + SECOND }, "closed", {}, ...KEYS);
      last(scene, token + 1, '{"outcome":"failed"}');
      expect("held-end", { ...failed, token, due: now() + SECOND }, "closed", {}, ...KEYS);
      expect("held-end", { ...ran, token }, "lost", { reason: "released" }, ...KEYS);
      at(5000);
      // Whatever else the record forgets, a failed attempt is not completed.
      expect("held-end", { ...ran, token }, "lost", { reason: "released" }, ...KEYS);
      expect("cron-begin", { ...began, id: B }, "granted", { token: now(), attempt: 2 }, ...KEYS);
      // The lock has forgotten by whom it was released.
      expect("held-end", { ...failed, token }, "lost", { reason: "unknown" }, ...KEYS);
      last(scene, now(), runningAs(now(), 2));
      expect("held-end", { ...ran, token, id: A }, "lost", { reason: "taken" }, ...KEYS);
      expect("cron-begin", { ...began, id: C }, "running", {}, ...KEYS);
    },
  },
  {
    what: "a run that was released by its work records nothing, and its end is recorded afterwards",
    run(scene) {
      const { expect, now, same, redis } = scene;
      const token = now();
      expect("cron-begin", began, "granted", {}, ...KEYS);
      expect("held-end", { ...quiet, token }, "closed", {}, ...KEYS);
      last(scene, token, runningAs(token, 1));
      expect("record-inspect", {}, "free", { token }, LOCK);
      expect("held-end", { ...failed, token }, "closed", {}, ...KEYS);
      last(scene, token, '{"outcome":"failed"}');
      same("an attempt", String(redis("GET", SLOT)).endsWith(" 1   "), true);
    },
  },
  {
    what: "a cancelled run is not counted, and one that was never seen cannot begin",
    run(scene) {
      const { expect, now, same, ttl, redis } = scene;
      const due = now() + SECOND;
      expect("held-end", { ...quiet, id: B, due }, "closed", {}, ...KEYS);
      expect("held-end", { ...quiet, id: B, due }, "closed", {}, ...KEYS);
      expect("cron-begin", { ...began, id: B }, "closed", {}, ...KEYS);
      for (const key of [LOCK, SLOT]) same("a cancel", String(redis("GET", key)).includes(`${B.slice(24)}C`), true);
      expect("record-inspect", {}, "free", { token: 0 }, LOCK);
      expect("record-inspect", { kind: "once" }, "free", { token: 0 }, SLOT);
      expect("cron-begin", began, "granted", { attempt: 1 }, ...KEYS);
      expect("held-end", { ...quiet, id: C, due }, "closed", {}, ...KEYS);
      expect("cron-begin", { ...began, id: D }, "running", {}, ...KEYS);
      expect("held-end", { ...quiet, due }, "closed", {}, ...KEYS);
      same("the times to live", [LOCK, SLOT].map(ttl), [60_000, 60_000]);
      same("no tenure", String(redis("GET", LOCK)).endsWith("   0 0"), true);
      expect("cron-begin", began, "closed", {}, ...KEYS);
      expect("cron-begin", { ...began, id: D }, "granted", { attempt: 1, token: now() + 1, follows: 1 }, ...KEYS);
      expect("held-end", { ...failed, id: D, token: now() + 1 }, "closed", {}, ...KEYS);
      expect("cron-begin", { ...began, id: id("e") }, "granted", { attempt: 2 }, ...KEYS);
      expect("held-end", { ...quiet, id: id("e"), due }, "closed", {}, ...KEYS);
      expect("cron-begin", { ...began, id: id("f") }, "granted", { attempt: 2 }, ...KEYS);
    },
  },
  {
    what: "a crashed run ends with its lease, and counts if it ends well and no other began",
    run(scene) {
      const { expect, now, at, same, redis } = scene;
      const token = now();
      expect("cron-begin", began, "granted", {}, ...KEYS);
      at(9999);
      expect("cron-begin", { ...began, id: B }, "running", { remaining: 1000 }, ...KEYS);
      at(10_000);
      at(12_000);
      expect("held-end", { ...failed, token }, "lost", { reason: "expired" }, ...KEYS);
      last(scene, token, '{"outcome":"failed"}');
      expect("group-extend", { token, duration: 1000 }, "lost", { reason: "expired", names: "1 2 " }, LOCK, SLOT);
      // A tenure that nobody ended has no length, and its end is the end of its lease.
      same("the lock", String(redis("GET", LOCK)).includes(` ${token + 10 * SECOND} `), true);
      same("its tenure", String(redis("GET", LOCK)).endsWith("   0 0"), true);
      // The end is saved, so that a clock that is set back revives nothing.
      at(1);
      expect("cron-begin", began, "closed", {}, ...KEYS);
      expect("held-end", { ...ran, token }, "closed", {}, ...KEYS);
      last(scene, token, '{"outcome":"ran"}');
      expect("cron-begin", { ...began, id: B }, "done", { token }, ...KEYS);
      same(
        "the holds",
        KEYS.map((key) => String(redis("GET", key)).includes(A)),
        [false, true, false],
      );
    },
  },
  {
    what: "a run that another attempt of its slot, or another slot, has overtaken is refused and recorded by nobody",
    run(scene) {
      const { expect, now, at } = scene;
      const token = now();
      expect("cron-begin", began, "granted", {}, ...KEYS);
      at(10_000);
      expect("cron-begin", { ...began, id: B }, "granted", { token: now(), attempt: 2, follows: 1 }, ...KEYS);
      expect("held-end", { ...ran, token }, "lost", { reason: "taken" }, ...KEYS);
      expect("held-end", { ...failed, token }, "lost", { reason: "taken" }, ...KEYS);
      last(scene, now(), runningAs(now(), 2));
      expect("held-end", { ...ran, id: B, token: now() }, "closed", {}, ...KEYS);
      const later = now();
      at(20_000);
      expect("cron-begin", { ...began, id: C }, "granted", {}, ...LATER);
      at(30_000);
      expect("cron-begin", { ...began, id: D }, "granted", {}, LOCK, "{cron:job}/third", LAST);
      // Its own slot is still its own.
      expect("held-end", { ...ran, id: C, token: later + 10 * SECOND }, "closed", {}, ...LATER);
      last(scene, now(), runningAs(now(), 1));
      expect("record-inspect", {}, "live", { holds: 1, token: now() }, LOCK);
    },
  },
  {
    what: "a slot is remembered for its ttl, and at least for its lease",
    run({ expect, now, at, ttl, same }) {
      const token = now();
      expect("cron-begin", { ...began, ttl: 1000, lease: 3000 }, "granted", {}, ...KEYS);
      same("the times to live", [ttl(LOCK), ttl(SLOT)], [63_000, 63_000]);
      at(2000);
      expect("cron-begin", { ...began, id: B }, "running", {}, ...KEYS);
      expect("held-end", { ...ran, token, ttl: 1000 }, "closed", {}, ...KEYS);
      at(2999);
      expect("cron-begin", { ...began, id: B }, "done", { token }, ...KEYS);
      at(3000);
      const next = now();
      expect("cron-begin", { ...began, id: B, ttl: 1000, lease: 1000 }, "granted", { attempt: 1 }, ...KEYS);
      at(4000);
      // It has forgotten all of the slot.
      expect("held-end", { ...ran, id: B, token: next }, "lost", { reason: "expired" }, ...KEYS);
    },
  },
  {
    what: "a run changes the averages of the job's lock, as a holder does that did not wait",
    run({ expect, now, at, redis, same }) {
      const start = now();
      expect("lock-acquire", { id: B }, "granted", {}, LOCK);
      at(1000);
      expect("lock-close", { id: B, token: start }, "closed", {}, LOCK);
      expect("lock-acquire", { id: C, waited: 800 }, "granted", {}, LOCK);
      expect("lock-close", { id: C, token: start + SECOND }, "closed", {}, LOCK);
      same("the averages", String(redis("GET", LOCK)).endsWith("   875000 100000"), true);
      expect("cron-begin", began, "granted", {}, ...KEYS);
      same("the averages", String(redis("GET", LOCK)).endsWith("   875000 87500"), true);
      // The cancel of another one leaves its hold.
      expect("held-end", { ...quiet, id: D, due: now() + SECOND }, "closed", {}, ...KEYS);
      expect("record-inspect", {}, "live", { remaining: 10 * SECOND, holds: 1 }, LOCK);
    },
  },
  {
    what: "the token is above that of the lock, of the slot and of the record",
    run(scene) {
      const { expect, now, at } = scene;
      scene.redis("SET", LAST, "fence 1 9000000000000000 0 0 x");
      expect("cron-begin", { ...began, id: B }, "granted", { token: 9e15 + 1 }, ...LATER);
      scene.redis("DEL", ...LATER);
      const ahead = now() + 100 * SECOND;
      expect("fence-write", { token: ahead, began: now(), ttl: KEPT_MS, value: "=old" }, "written", {}, LAST);
      expect("cron-begin", began, "granted", { token: ahead + 1, follows: 1 }, ...KEYS);
      // The calls that the record lists stay, and the value is replaced.
      last(scene, ahead + 1, runningAs(ahead + 1, 1));
      expect("held-end", { ...failed, token: ahead + 1 }, "closed", {}, ...KEYS);
      last(scene, ahead + 1, '{"outcome":"failed"}');
      expect("fence-write", { token: ahead, began: now(), value: "=old" }, "written", {}, LAST);
      expect("record-force", { id: B }, "forced", { token: ahead + 2 }, LOCK);
      expect("cron-begin", { ...began, id: C }, "granted", { token: ahead + 3, follows: 0 }, ...KEYS);
      expect("held-end", { ...failed, id: C, token: ahead + 3 }, "closed", {}, ...KEYS);
      at(200_000);
      scene.redis("DEL", LOCK, LAST);
      at(1);
      expect("cron-begin", { ...began, id: D }, "granted", { token: ahead + 4, attempt: 3, follows: 1 }, ...KEYS);
    },
  },
  {
    what: "a holder of an earlier release, or one that pauses the job, blocks every slot, and is told of",
    run(scene) {
      const { expect, now, at } = scene;
      const token = now();
      expect("lock-acquire", { id: B, reentryKey: "o", note: "pause@host" }, "granted", {}, LOCK);
      at(1000);
      expect("cron-begin", began, "held", { remaining: 9 * SECOND }, ...KEYS);
      expect("lock-close", { id: B, token }, "closed", {}, LOCK);
      expect("cron-begin", began, "granted", { follows: 0 }, ...KEYS);
      expect("record-inspect", {}, "live", { body: `=  ${SECOND} 0` }, LOCK);
      expect("lock-acquire", { id: C, reentryKey: "o" }, "held", {}, LOCK);
      expect("held-end", { ...ran, token: now() }, "closed", {}, ...KEYS);
      expect("lock-acquire", { id: C }, "granted", {}, LOCK);
      // Its slot ran, so that is what it is told.
      expect("cron-begin", { ...began, id: D }, "done", {}, ...KEYS);
    },
  },
  {
    what: "a lock that is forced free ends the run; its slot is kept until the lease ends",
    run(scene) {
      const { expect, now, at } = scene;
      const token = now();
      expect("cron-begin", began, "granted", {}, ...KEYS);
      expect("record-force", { id: B }, "forced", { had: 1 }, LOCK);
      expect("group-extend", { token, duration: 1000 }, "lost", { reason: "forced", names: "1 " }, LOCK, SLOT);
      expect("cron-begin", { ...began, id: C }, "running", {}, ...KEYS);
      expect("cron-begin", began, "closed", {}, ...KEYS);
      expect("cron-begin", { ...began, id: C }, "granted", { follows: 0 }, ...LATER);
      at(1);
      expect("held-end", { ...failed, token }, "lost", { reason: "forced" }, ...KEYS);
      last(scene, token + 2, runningAs(token + 2, 1));
      expect("held-end", { ...failed, id: C, token: token + 2 }, "closed", {}, ...LATER);
      expect("cron-begin", { ...began, id: D }, "granted", { attempt: 2 }, ...KEYS);
    },
  },
  {
    what: "a slot that is forced free ends the run, whose lock is kept until it ends",
    run({ expect, now, at }) {
      const token = now();
      expect("cron-begin", began, "granted", {}, ...KEYS);
      expect("record-force", { id: B, kind: "once" }, "forced", { had: 1 }, SLOT);
      expect("group-extend", { token, duration: 1000 }, "lost", { reason: "forced", names: "2 " }, LOCK, SLOT);
      expect("cron-begin", began, "closed", {}, ...KEYS);
      expect("cron-begin", { ...began, id: C }, "held", {}, ...KEYS);
      expect("held-end", { ...ran, token }, "lost", { reason: "forced" }, ...KEYS);
      at(1);
      expect("cron-begin", { ...began, id: C }, "granted", { attempt: 1 }, ...KEYS);
    },
  },
  {
    what: "an ID that lost one of its two records gets neither again",
    run({ expect, redis, now }) {
      expect("cron-begin", began, "granted", {}, ...KEYS);
      redis("DEL", SLOT);
      expect("cron-begin", began, "closed", {}, ...KEYS);
      expect("cron-begin", { ...began, id: B }, "held", {}, ...KEYS);
      expect("held-end", { ...quiet, due: now() }, "closed", {}, ...KEYS);
      expect("cron-begin", { ...began, id: B }, "granted", {}, ...KEYS);
      redis("DEL", LOCK);
      expect("cron-begin", { ...began, id: B }, "closed", {}, ...KEYS);
      expect("cron-begin", { ...began, id: C }, "running", {}, ...KEYS);
      expect("held-end", { ...ran, id: B, token: now() }, "lost", {}, ...KEYS);
    },
  },
  {
    what: "a run whose records are gone is not completed, and its end is not recorded as well done",
    run(scene) {
      const { expect, redis, now, same } = scene;
      const token = now();
      expect("held-end", { ...ran, token }, "lost", { reason: "gone" }, ...KEYS);
      same("what is stored", redis("DBSIZE"), 0);
      expect("held-end", { ...failed, token }, "lost", { reason: "gone" }, ...KEYS);
      last(scene, token, '{"outcome":"failed"}');
    },
  },
  {
    what: "names in use as another kind stay theirs",
    run({ expect, redis, now, at, same }) {
      expect("lock-acquire", { lease: 1000 }, "granted", {}, SLOT);
      expect("cron-begin", { ...began, id: B }, "kind", { kind: "lock" }, ...KEYS);
      expect("held-end", { ...quiet, id: B, due: now() + SECOND }, "closed", {}, ...KEYS);
      expect("lock-acquire", { id: B }, "closed", {}, SLOT);
      expect("held-end", { ...failed, token: now() }, "lost", {}, ...KEYS);
      expect("record-inspect", {}, "live", { holds: 1 }, SLOT);
      at(1000);
      expect("cron-begin", { ...began, id: C }, "granted", { attempt: 1 }, ...KEYS);
      expect("held-end", { ...ran, id: C, token: now() }, "closed", {}, ...KEYS);
      expect("once-begin", { lease: 1000, ttl: 1000 }, "granted", {}, NEXT);
      expect("cron-begin", { ...began, id: B }, "kind", { kind: "once" }, NEXT, "{cron:job}/x", LAST);
      expect("held-end", { ...quiet, id: D, due: now() + SECOND }, "closed", {}, NEXT, "{cron:job}/x", LAST);
      expect("once-begin", { id: D }, "closed", {}, NEXT);
      const before = redis("GET", NEXT);
      expect("held-end", { ...failed, token: now() }, "lost", {}, NEXT, "{cron:job}/x", LAST);
      same("the other kind's record", redis("GET", NEXT), before);
    },
  },
  ...FOREIGN.map(
    ([what, key, words, kind]): Case => ({
      what: `${what} is refused as ${kind}, and not changed`,
      run({ expect, redis, same, now }) {
        redis(...words);
        expect("cron-begin", began, "kind", { kind }, ...KEYS);
        expect("held-end", { ...failed, token: now() }, "lost", {}, ...KEYS);
        expect("held-end", { ...quiet, due: now() + SECOND }, "closed", {}, ...KEYS);
        same(what, redis("GET", key), words[2]);
      },
    }),
  ),
  ...KEYS.map(
    (key): Case => ({
      what: `a run does not begin if ${key} has a value of another type, and leaves nothing`,
      run({ call, redis, same }) {
        redis("RPUSH", key, "x");
        same("the answer", /^WRONGTYPE/.test(String(call("cron-begin", began, ...KEYS)["message"])), true);
        same("what is stored", redis("DBSIZE"), 1);
      },
    }),
  ),
  {
    what: "while memory is full no run begins, and one that has begun ends well or badly",
    run(scene) {
      const { expect, call, setFull, same, now, ttl, redis } = scene;
      setFull(true);
      same("the answer", /^OOM/.test(String(call("cron-begin", began, ...KEYS)["message"])), true);
      same("what is stored", redis("DBSIZE"), 0);
      setFull(false);
      for (const [n, end] of [ran, failed].entries()) {
        const own = id(`${n}`);
        const keys = [LOCK, `{cron:job}/${n}`, LAST] as const;
        expect("cron-begin", { ...began, id: own }, "granted", { token: now() + n }, ...keys);
        setFull(true);
        expect("held-end", { ...end, id: own, token: now() + n }, "closed", {}, ...keys);
        setFull(false);
        last(scene, now() + n, end.run);
        same("the time to live", ttl(LOCK), RETENTION_MS + n);
        expect("cron-begin", { ...began, id: id("x") }, n === 0 ? "done" : "granted", {}, ...keys);
      }
    },
  },
  {
    what: "while memory is full a run that was lost is recorded as well",
    run(scene) {
      const { expect, setFull, now, at, redis, same } = scene;
      const token = now();
      expect("cron-begin", began, "granted", {}, ...KEYS);
      expect("held-end", { ...quiet, token }, "closed", {}, ...KEYS);
      at(10_000);
      setFull(true);
      expect("held-end", { ...failed, token }, "closed", {}, ...KEYS);
      last(scene, token, '{"outcome":"failed"}');
      redis("DEL", LAST);
      expect("held-end", { ...failed, token }, "closed", {}, ...KEYS);
      same("the record", redis("EXISTS", LAST), 0);
    },
  },
  {
    what: "while nothing may be written a run that has begun neither ends nor is lost",
    run({ expect, call, setReadOnly, now, same }) {
      const token = now();
      expect("cron-begin", began, "granted", {}, ...KEYS);
      setReadOnly(true);
      expect("cron-begin", { ...began, id: B }, "running", {}, ...KEYS);
      for (const end of [ran, failed])
        same("the answer", /^READONLY/.test(String(call("held-end", { ...end, token }, ...KEYS)["message"])), true);
      setReadOnly(false);
      expect("cron-begin", { ...began, id: B }, "running", {}, ...KEYS);
      expect("held-end", { ...ran, token }, "closed", {}, ...KEYS);
    },
  },
];
