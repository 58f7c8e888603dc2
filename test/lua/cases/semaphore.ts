import { type Case, CROWD, id, type Scene, type Told } from "./case.ts";

const SECOND = 1_000_000;
type More = Readonly<Record<string, string | number>>;

const of = (who: string): string => id(who[0] ?? "") + who.slice(1);
/** Asks for permits of three: the letter of the id, then `#n` and a note behind `@`. */
const take = (scene: Scene, who: string, status: string, parts?: More, more?: More): Told =>
  scene.expect("semaphore-acquire", { id: of(who), kind: "semaphore", permits: 3, ...more }, status, parts);
const close = (scene: Scene, who: string, token: number, status = "closed", parts?: More, more?: More): Told =>
  scene.expect("semaphore-close", { id: of(who), token, ...more }, status, parts);
const extend = (scene: Scene, who: string, token: number, duration: number, status = "extended", parts?: More): Told =>
  scene.expect("crowd-extend", { id: of(who), token, duration }, status, parts);
const set = (
  scene: Scene,
  who: string,
  change: string,
  count: number,
  status: string,
  parts?: More,
  more?: More,
): Told => scene.expect("semaphore-set", { id: of(who), kind: "semaphore", change, count, ...more }, status, parts);
/** How many permits of three are free: each is taken, and all are given back. */
function free(scene: Scene, wanted: number): void {
  const found = [0, 1, 2, 3].findLast((count) => {
    if (count === 0) return true;
    const told = scene.call("semaphore-acquire", { id: of(`f#${count}`), kind: "semaphore", permits: 3 });
    return told["status"] === "granted";
  });
  scene.same("the permits that are free", found, wanted);
}

const leased: readonly Case[] = [
  {
    what: "a refusal has the note of the permit that ends first",
    run({ expect }) {
      const ours = { kind: "semaphore", permits: 2 };
      expect("semaphore-acquire", { ...ours, id: of("a#1@long%20one@web"), lease: 20_000 }, "granted");
      expect("semaphore-acquire", { ...ours, id: of("b#1@short") }, "granted");
      expect("semaphore-acquire", { ...ours, id: of("c#1@mine") }, "held", { note: "short" });
      expect("semaphore-queue", { permits: 2, id: of("d#1@mine"), ticket: -1 }, "held", { note: "short" });
      expect("semaphore-acquire", { ...ours, permits: 0, id: of("c#1") }, "held", { note: "short" });
    },
  },
  {
    what: "permits are granted all or none, each grant under a token of its own",
    run(scene) {
      const { now, at, ttl, same } = scene;
      const token = now();
      take(scene, "a#2", "granted", { token, remaining: 10 * SECOND, holds: 2 });
      same("the times to live", [ttl(), ttl(CROWD)], [70_000, 70_000]);
      take(scene, "b#2", "held", { remaining: 10 * SECOND, age: 0, tenure: 0, queue: 0 });
      at(1000);
      take(scene, "b#2", "held", { remaining: 9 * SECOND, age: SECOND });
      take(scene, "a#2", "granted", { token, remaining: 9 * SECOND, holds: 2 });
      take(scene, "c", "granted", { token: token + SECOND, holds: 1, remaining: 10 * SECOND });
      take(scene, "d", "held", { remaining: 9 * SECOND, age: SECOND });
      take(scene, "e#4", "short", { permits: 3 });
      take(scene, "e", "short", { permits: 0 }, { permits: "" });
      take(scene, "e", "held", { remaining: 9 * SECOND }, { permits: 0 });
      take(scene, "e", "late", {}, { notAfter: now() - 1 });
      close(scene, "a#2", token);
      take(scene, "a#2", "closed");
      take(scene, "d#2", "granted", { token: token + SECOND + 1 });
    },
  },
  {
    what: "permits end at their time, and no late request brings them back",
    run(scene) {
      const { now, at, redis, same } = scene;
      const token = now();
      take(scene, "a#2", "granted", {}, { lease: 2000 });
      take(scene, "b#1", "granted", { token: token + 1 });
      at(1999.999);
      take(scene, "c#2", "held", { remaining: 1 });
      at(2000);
      take(scene, "c#2", "granted");
      same("the members", redis("ZCOUNT", CROWD, "0", "4e15"), 3);
      take(scene, "a#2", "closed");
      extend(scene, "a#2", token, 9000, "lost", { reason: "expired" });
      close(scene, "a#2", token, "lost", { reason: "expired" });
      at(1000);
      // Also after the clock was set back.
      take(scene, "a#2", "closed");
      extend(scene, "a#2", token, 9000, "lost", { reason: "expired" });
      extend(scene, "b#1", token + 1, 0, "extended", { remaining: 9 * SECOND });
    },
  },
  {
    what: "what need not be remembered any more is removed",
    run(scene) {
      const { now, at, redis, same } = scene;
      const token = now();
      take(scene, "a#2", "granted", {}, { lease: 1000 });
      take(scene, "b#1", "granted");
      close(scene, "b#1", token + 1);
      at(1000);
      take(scene, "c#1", "granted");
      at(62_000);
      // Those that were ended and those that expired are forgotten after the retention.
      const next = now();
      take(scene, "d#1", "granted", { token: next });
      same("the members", (redis("ZRANGE", CROWD, "0", "-1") as string[]).map((each) => each.slice(0, 2)).sort(), [
        "dd",
        "tc",
        "td",
      ]);
      close(scene, "d#1", next);
      at(123_000);
      close(scene, "e#1", 0);
      take(scene, "f#1", "granted");
    },
  },
  {
    what: "a hold is ended by its token, and some of its permits before the others",
    run(scene) {
      const { now, at, redis, same } = scene;
      const token = now();
      take(scene, "a#3", "granted");
      close(scene, "a#3", token + 1, "lost", { reason: "gone" });
      at(1000);
      close(scene, `a#3,${id("b")},1,3`, token + 1, "lost");
      close(scene, `a#3,${id("b")},1,3`, token);
      same("the members", redis("ZRANGE", CROWD, String(now()), "4e15", "BYSCORE"), [`${id("a")}#2`]);
      take(scene, "c#2", "granted");
      // Sent again it lets go of nothing more.
      close(scene, `a#3,${id("b")},1,3`, token);
      take(scene, "d", "held");
      take(scene, "a#3", "granted", { token, remaining: 9 * SECOND, holds: 1 });
      extend(scene, "a#3", token, 20_000, "extended", { remaining: 20 * SECOND, holds: 1 });
      // Those that it does not have it cannot let go of.
      close(scene, `a#3,${id("e")},1,2`, token, "lost");
      extend(scene, "a#3", token, 0, "extended", { holds: 1 });
      close(scene, `a#3,${id("e")},2`, token);
      take(scene, "a#3", "closed");
      extend(scene, "a#3", token, 0, "lost", { reason: "released" });
      close(scene, "a#3", token);
    },
  },
  {
    what: "a cancel ends what was granted, and closes what was not",
    run(scene) {
      const { now } = scene;
      close(scene, "a#2", 0);
      take(scene, "a#2", "closed");
      const token = now();
      take(scene, "b#3", "granted", { token });
      close(scene, "b#3", 0);
      close(scene, "b#3", 0);
      take(scene, "b#3", "closed");
      close(scene, "b#3", token, "lost", { reason: "released" });
      extend(scene, "b#3", token, 9000, "lost", { reason: "released" });
      take(scene, "c#3", "granted", { token: token + 1 });
      close(scene, "d#1", token, "lost");
    },
  },
  {
    what: "the name is free when its last permit ends, unless a number was set",
    run(scene) {
      const { now, at, expect, ttl, same } = scene;
      const token = now();
      take(scene, "a", "granted");
      take(scene, "b", "granted", {}, { lease: 5000 });
      close(scene, "a", token);
      expect("crowd-inspect", { kind: "semaphore" }, "live", { remaining: 5 * SECOND, many: 1, left: 5 * SECOND });
      same("the time to live", ttl(), 65_000);
      at(1000);
      close(scene, "b", token + 1);
      expect("crowd-inspect", { kind: "semaphore" }, "free");
      expect("lock-acquire", { id: id("a") }, "granted");
      take(scene, "a", "kind", { kind: "lock" });
      close(scene, "c", 0);
      expect("lock-acquire", { id: id("c") }, "closed");
      close(scene, "c", token, "lost");
      close(scene, "d", token, "lost", { reason: "taken" });
    },
  },
  {
    what: "a refusal tells how long holds last and how long others had waited",
    run(scene) {
      const { now, at } = scene;
      const token = now();
      take(scene, "a#3", "granted");
      at(1000);
      close(scene, "a#3", token);
      take(scene, "b#3", "granted");
      // Of three permits in use one ends in a third of the time.
      take(scene, "c", "held", { tenure: 333_334, queue: 0, age: 333_334 - SECOND });
      take(scene, "c#3", "held", { tenure: SECOND, queue: 0, age: 0 });
      at(3000);
      close(scene, "b#3", token + SECOND);
      take(scene, "d#3", "granted", {}, { waited: 1600 });
      take(scene, "c#3", "held", { tenure: 1_125_000 });
      close(scene, "d#3", 0);
      take(scene, "e#3", "granted");
      // A cancelled hold is none.
      take(scene, "c#3", "held", { tenure: 1_125_000 });
      at(-5000);
      close(scene, "e#3", token + 3 * SECOND + 1);
      take(scene, "b", "closed");
    },
  },
  {
    what: "permits are extended together under their token, and never shortened",
    run(scene) {
      const { now, at, ttl, same, expect } = scene;
      const token = now();
      take(scene, "a#2", "granted");
      take(scene, "b", "granted");
      at(1000);
      extend(scene, "a#2", token, 0, "extended", { remaining: 9 * SECOND, holds: 2 });
      extend(scene, "a#2", token, 2000, "extended", { remaining: 9 * SECOND, holds: 2 });
      extend(scene, "a#2", token, 20_000, "extended", { remaining: 20 * SECOND, holds: 2 });
      same("the times to live", [ttl(), ttl(CROWD)], [80_000, 80_000]);
      extend(scene, "a#2", token + 1, 30_000, "lost");
      extend(scene, "c", token, 30_000, "lost");
      at(15_000);
      take(scene, "c", "granted");
      take(scene, "d", "held", { remaining: 6 * SECOND });
      expect("crowd-extend", { id: of("a#2"), token, notAfter: now() - 1 }, "late");
    },
  },
  {
    what: "all permits are forced out, and what is remembered of a number with them",
    run(scene) {
      const { now, expect } = scene;
      const token = now();
      set(scene, "e", "set", 2, "done");
      take(scene, "a#2", "granted", { token });
      expect("crowd-force", { id: id("b"), kind: "fair" }, "kind", { kind: "semaphore" });
      expect("crowd-force", { id: id("b"), kind: "semaphore" }, "forced", { token: token + 1, had: 1 });
      expect("crowd-force", { id: id("b"), kind: "semaphore" }, "forced", { token: token + 1, had: 1 });
      extend(scene, "a#2", token, 9000, "lost", { reason: "forced" });
      close(scene, "a#2", token, "lost", { reason: "forced" });
      take(scene, "a#2", "closed");
      take(scene, "c#3", "granted", { token: token + 2 });
      extend(scene, "a#2", token, 9000, "lost", { reason: "forced" });
      expect("crowd-force", { id: id("d"), kind: "semaphore", notAfter: now() - 1 }, "late");
    },
  },
  {
    what: "permits are released and forced while memory is full, and none are granted",
    run(scene) {
      const { now, call, setFull, same, expect } = scene;
      const token = now();
      take(scene, "a#3", "granted", { token });
      setFull(true);
      same(
        "the error",
        /OOM/.test(String(call("semaphore-acquire", { id: of("b"), kind: "semaphore", permits: 4 })["message"])),
        true,
      );
      close(scene, "a#3", token);
      setFull(false);
      take(scene, "b#3", "granted", { token: token + 1 });
      setFull(true);
      expect("crowd-force", { id: id("d"), kind: "semaphore" }, "forced", { had: 1 });
      setFull(false);
      take(scene, "c#3", "granted", { token: token + 3 });
      free(scene, 0);
    },
  },
  {
    what: "a note goes with its permits",
    run(scene) {
      const { now, redis, same } = scene;
      const token = now();
      take(scene, "a#2@n@h", "granted", { holds: 2 });
      same("the members", redis("ZRANGE", CROWD, "0", "4e15", "BYSCORE"), [`${id("a")}#1@n@h`, `${id("a")}#2@n@h`]);
      close(scene, "a#2@n@h", token);
      same("the members", redis("ZCOUNT", CROWD, "0", "4e15"), 0);
      take(scene, "b#3", "granted");
    },
  },
  {
    what: "a token that is not the hold's tells nothing about it",
    run(scene) {
      const { now, at } = scene;
      // The last digit of the time could be taken for an outcome.
      at(0.006);
      const token = now();
      take(scene, "a", "granted", { token });
      extend(scene, "a", token + 1, 20_000, "lost", { reason: "gone" });
      extend(scene, "a", token, 0, "extended", { holds: 1 });
      take(scene, "b", "granted", {}, { lease: 30_000 });
      extend(scene, "a", token, 20_000, "extended", { remaining: 20 * SECOND });
      scene.expect("crowd-inspect", { kind: "semaphore" }, "live", { remaining: 30 * SECOND, left: 30 * SECOND });
    },
  },
  {
    what: "a release by force reports whether there were holders",
    run(scene) {
      const { now, at, expect, ttl, same } = scene;
      expect("crowd-force", { id: id("a"), kind: "semaphore" }, "forced", { had: 0, token: now() });
      at(1000);
      take(scene, "b", "granted", { token: now() });
      at(2000);
      expect("crowd-force", { id: id("a"), kind: "semaphore" }, "forced", { had: 0 });
      expect("crowd-force", { id: id("c"), kind: "semaphore" }, "forced", { had: 1, token: now() });
      same("the times to live", [ttl(), ttl(CROWD)], [60_000, 60_000]);
    },
  },
  {
    what: "a semaphore takes over a name from another kind, and nothing of its crowd",
    run(scene) {
      const { expect, at, redis, same } = scene;
      const reader = id("a").replace(/^a/, "b");
      expect("rw-acquire", { id: `${reader}h`, mode: "read", lease: 1000 }, "granted");
      expect("rw-acquire", { id: `${id("c")}i`, mode: "write", back: 100 }, "held");
      at(1000);
      at(5000);
      take(scene, "d#2", "granted", { holds: 2 });
      same("the members", redis("ZCARD", CROWD), 3);
      expect("crowd-extend", { id: `${reader}h`, token: 5, duration: 9000 }, "lost");
    },
  },
  {
    what: "at most a thousand permits are named",
    run(scene) {
      const { redis, same } = scene;
      take(scene, "a#1001", "granted", {}, { permits: 5000 });
      same("the members", redis("ZCOUNT", CROWD, "0", "4e15"), 1000);
    },
  },
];

const numbers: readonly Case[] = [
  {
    what: "the number of a semaphore is set, and counts instead of the caller's",
    run(scene) {
      const { now, at, ttl, same, expect } = scene;
      set(scene, "a", "set", 5, "done", { count: 0 });
      same("the times to live", [ttl(), ttl(CROWD)], [660_000, 660_000]);
      set(scene, "b", "try", 9, "refused");
      take(scene, "c#5", "granted", { token: now() });
      take(scene, "d#6", "short", { permits: 5 });
      set(scene, "e", "set", 7, "done");
      // Sent again it changes nothing.
      set(scene, "a", "set", 5, "done");
      set(scene, "b", "try", 9, "refused");
      take(scene, "d#3", "held");
      take(scene, "d#2", "granted");
      at(1000);
      expect("crowd-inspect", { kind: "semaphore" }, "live", { remaining: 599 * SECOND, many: 7 });
      expect("semaphore-set", { kind: "semaphore", notAfter: now() - 1 }, "late");
      expect("semaphore-set", { kind: "counter" }, "kind", { kind: "semaphore" });
    },
  },
  {
    what: "a number is added to, tried and drained",
    run(scene) {
      set(scene, "a", "give", 2, "refused");
      set(scene, "b", "add", 2, "done", { count: 0 }, { permits: 3 });
      take(scene, "c#5", "granted");
      take(scene, "d", "held");
      set(scene, "b", "add", 2, "done", {}, { permits: 3 });
      take(scene, "d", "held");
      set(scene, "d", "give", 1, "done");
      take(scene, "e", "granted");
      set(scene, "f", "add", -6, "done");
      take(scene, "0", "held");
    },
  },
  {
    what: "free permits are drained, and a retry returns the same count",
    run(scene) {
      const { now } = scene;
      const token = now();
      set(scene, "a", "try", 5, "done");
      take(scene, "b#2", "granted");
      set(scene, "c", "drain", 0, "done", { count: 3 });
      set(scene, "c", "drain", 0, "done", { count: 3 });
      take(scene, "d", "held");
      set(scene, "e", "drain", 0, "done", { count: 0 });
      close(scene, "b#2", token);
      take(scene, "d#2", "granted");
    },
  },
  {
    what: "a drain of a number that nobody set takes what the caller says",
    run(scene) {
      set(scene, "a", "drain", 0, "done", { count: 0 });
      take(scene, "b#3", "granted");
      const { expect } = scene;
      expect("crowd-force", { id: id("d"), kind: "semaphore" }, "forced");
      set(scene, "c", "drain", 0, "done", { count: 3 }, { permits: 3 });
      take(scene, "e", "held");
    },
  },
  {
    what: "a number ends with its time",
    run(scene) {
      const { at } = scene;
      set(scene, "a", "set", 5, "done", {}, { ttl: 2000 });
      at(1000);
      // A write renews it.
      take(scene, "b", "granted", {}, { lease: 100, ttl: 2000 });
      at(2999);
      take(scene, "c#4", "granted", {}, { lease: 500, ttl: 10 });
      at(3499);
      take(scene, "d#3", "granted", {}, { lease: 10 });
      at(610_000);
      take(scene, "e#4", "short", { permits: 3 });
    },
  },
];

const given: readonly Case[] = [
  {
    what: "permits given to a semaphore are more for all, and those that wait keep their turn",
    run(scene) {
      const { expect } = scene;
      set(scene, "e", "set", 1, "done");
      take(scene, "a", "granted");
      expect("semaphore-queue", { id: id("b"), permits: 1 }, "held", { ahead: 0 });
      set(scene, "c", "give", 90_000_000, "done", {}, { permits: 3 });
      expect("semaphore-queue", { id: id("d"), permits: 1, ticket: -1 }, "held", { ahead: 1 });
    },
  },
  {
    what: "a semaphore is given more permits than its callers have asked for",
    run(scene) {
      set(scene, "e", "set", 1, "done");
      set(scene, "c", "give", 3, "done", {}, { permits: 1 });
      take(scene, "a#4", "granted");
    },
  },
];

const counter = { kind: "counter", permits: 3 } as const;
const counted: readonly Case[] = [
  {
    what: "permits of a counter are taken for good, once by each request",
    run(scene) {
      const { now, expect, ttl, same } = scene;
      const token = now();
      set(scene, "a", "set", 5, "done", {}, counter);
      same("the time to live", ttl(), 660_000);
      take(scene, "b#2", "granted", { token: token + 1, remaining: 600 * SECOND, holds: 2 }, counter);
      take(scene, "b#2", "granted", { holds: 2 }, counter);
      take(scene, "c#4", "held", { remaining: 0 }, counter);
      take(scene, "c#3", "granted", {}, counter);
      take(scene, "d", "held", {}, counter);
      set(scene, "e", "give", 1, "done", {}, counter);
      set(scene, "e", "give", 1, "done", {}, counter);
      take(scene, "d", "granted", {}, counter);
      take(scene, "f", "held", {}, counter);
      expect("crowd-inspect", { kind: "counter" }, "live", { many: 0 });
      expect("semaphore-acquire", { id: id("f"), kind: "semaphore", permits: 3 }, "kind", { kind: "counter" });
    },
  },
  {
    what: "a cancelled request of a counter gives back what it took",
    run(scene) {
      const { at } = scene;
      set(scene, "a", "set", 3, "done", {}, counter);
      at(1);
      take(scene, "b#2", "granted", {}, counter);
      close(scene, "b#2", 0);
      close(scene, "b#2", 0);
      take(scene, "b#2", "closed", {}, counter);
      take(scene, "c#3", "granted", {}, counter);
      close(scene, "d#2", 0);
      take(scene, "d#2", "closed", {}, counter);
      take(scene, "1", "held", {}, counter);
      at(1000);
      // Those of a former number are not given back to this one.
      set(scene, "e", "set", 1, "done", {}, counter);
      close(scene, "c#3", 0);
      take(scene, "f#2", "held", {}, counter);
      take(scene, "f#1", "granted", {}, counter);
    },
  },
  {
    what: "a cancelled request of a counter with a limit gives back no more than is still taken",
    run(scene) {
      const { at } = scene;
      const close3 = (who: string): Told => close(scene, who, 0, "closed", {}, { permits: 3 });
      set(scene, "a", "set", 3, "done", {}, counter);
      at(1);
      take(scene, "b#1", "granted", {}, counter);
      take(scene, "c#2", "granted", {}, counter);
      close3("b#1");
      // One is free, and two are still taken.
      take(scene, "d#2", "held", {}, counter);
      close3("c#2");
      take(scene, "d#3", "granted", {}, counter);
      // Others give back what d took, so that nothing is left for d to give back.
      set(scene, "e", "give", 2, "done", {}, counter);
      close3("d#3");
      take(scene, "f#4", "held", {}, counter);
      take(scene, "f#3", "granted", {}, counter);
    },
  },
  {
    what: "a cancelled request of a counter without a limit gives back all that it took",
    run(scene) {
      const { at } = scene;
      set(scene, "a", "set", 3, "done", {}, counter);
      at(1);
      take(scene, "b#3", "granted", {}, counter);
      set(scene, "e", "give", 2, "done", {}, { ...counter, permits: "" });
      close(scene, "b#3", 0);
      take(scene, "f#6", "held", {}, counter);
      take(scene, "f#5", "granted", {}, counter);
    },
  },
  {
    what: "a counter without a number of its own takes the caller's",
    run(scene) {
      const { expect } = scene;
      take(scene, "a#2", "granted", {}, counter);
      // The rest is remembered.
      take(scene, "b#2", "held", {}, { ...counter, permits: 9 });
      take(scene, "b#1", "granted", {}, { ...counter, permits: "" });
      set(scene, "d", "add", 8, "done", {}, counter);
      set(scene, "e", "drain", 0, "done", { count: 8 }, counter);
      take(scene, "f", "held", {}, counter);
      expect("crowd-force", { id: id("c"), kind: "counter" }, "forced", { had: 1 });
      take(scene, "f#3", "granted", {}, counter);
    },
  },
];

export const semaphoreCases: readonly Case[] = [...leased, ...numbers, ...given, ...counted];
