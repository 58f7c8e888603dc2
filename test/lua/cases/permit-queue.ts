import { type Case, CROWD, id, type Scene, type Told } from "./case.ts";

const SECOND = 1_000_000;
type More = Readonly<Record<string, string | number>>;

const of = (who: string): string => id(who[0] ?? "") + who.slice(1);
/**
 * Asks for permits of three in turn: the letter of the id, then `#n`. A ticket of 0 joins the queue, -1 tries without.
 */
const ask = (scene: Scene, who: string, ticket: number, status: string, parts?: More, more?: More): Told =>
  scene.expect("semaphore-queue", { id: of(who), permits: 3, ticket, ...more }, status, parts);
const close = (scene: Scene, who: string, token: number, status = "closed", parts?: More, more?: More): Told =>
  scene.expect("semaphore-close", { id: of(who), token, ...more }, status, parts);
const set = (scene: Scene, who: string, change: string, count: number, more?: More): Told =>
  scene.expect("semaphore-set", { id: of(who), kind: "semaphore", change, count, ...more }, "done");
const inspect = (scene: Scene, parts: More): Told =>
  scene.expect("crowd-inspect", { kind: "semaphore" }, "live", parts);

const ordered: readonly Case[] = [
  {
    what: "a try behind a dead waiter is told when the next permit is free",
    run(scene) {
      const { at } = scene;
      ask(scene, "a#3", 0, "granted");
      ask(scene, "b#3", 0, "held");
      ask(scene, "c", 0, "held", {}, { grace: 20_000 });
      at(5000);
      ask(scene, "d", -1, "held", { remaining: 5 * SECOND });
    },
  },
  {
    what: "permits in turn are granted in the order in which callers came",
    run(scene) {
      const { now, at, ttl, same } = scene;
      const first = now();
      ask(scene, "a#2", 0, "granted", { token: first, remaining: 10 * SECOND, holds: 2 });
      same("the times to live", [ttl(), ttl(CROWD)], [70_000, 70_000]);
      at(100);
      const b = now();
      const parts = { remaining: 9_900_000, age: 100_000, tenure: 0, ahead: 0, back: 11_250, ticket: b };
      ask(scene, "b#2", 0, "held", parts);
      // A permit is free, but its turn has not come.
      ask(scene, "c", 0, "held", { ahead: 1, back: 11250, ticket: b + 1 });
      ask(scene, "b#2", b, "held", parts);
      ask(scene, "c", 0, "held", { ahead: 1, ticket: b + 1 });
      ask(scene, "d", -1, "held", { ahead: 2, back: 0, ticket: 0 });
      same("the members", scene.redis("ZCARD", CROWD), 7);
      at(200);
      close(scene, "a#2", first);
      ask(scene, "d", -1, "held", { remaining: 0, ahead: 2 });
      // Of three permits in use one ends in a third of the time.
      ask(scene, "c", b + 1, "held", { remaining: 0, ahead: 1, tenure: 66_667, age: 200_000, back: 61_056 });
      const second = now();
      ask(scene, "b#2", b, "granted", { token: second, holds: 2, remaining: 10 * SECOND });
      inspect(scene, { waiting: 1, many: 2 });
      ask(scene, "c", b + 1, "granted", { token: second + 1, holds: 1 });
      inspect(scene, { waiting: 0, many: 3 });
      ask(scene, "b#2", 0, "granted", { token: second, holds: 2 });
      ask(scene, "a#2", 0, "closed");
      // Nobody waits any more.
      close(scene, "c", second + 1);
      ask(scene, "e", -1, "granted", { token: second + 2 });
      // All three are wanted.
      ask(scene, "d#3", 0, "held", { tenure: 175_000 });
      close(scene, "d#3", 0);
      ask(scene, "d#3", 0, "closed");
    },
  },
  {
    what: "permits in turn that were not to be had",
    run(scene) {
      const { now, at, expect } = scene;
      ask(scene, "a#4", 0, "short", { permits: 3 });
      ask(scene, "a", 0, "short", { permits: 0 }, { permits: "" });
      ask(scene, "a", 0, "late", {}, { notAfter: now() - 1 });
      set(scene, "s", "set", 5);
      ask(scene, "a#4", 0, "granted", { holds: 4 }, { permits: "" });
      ask(scene, "b#6", 0, "short", { permits: 5 });
      ask(scene, "b#2", 0, "held", { ahead: 0 });
      expect("lock-acquire", { id: id("c") }, "kind", { kind: "semaphore" });
      expect("crowd-force", { id: id("d"), kind: "semaphore" }, "forced", { had: 1 });
      at(1);
      expect("lock-acquire", { id: id("c") }, "granted");
      ask(scene, "e", 0, "kind", { kind: "lock" });
      close(scene, "e", 0);
      expect("lock-acquire", { id: id("e") }, "closed");
      expect("record-force", { id: id("f"), kind: "lock" }, "forced");
      // Closed in the record of another kind, and not in the crowd.
      ask(scene, "e", 0, "closed");
    },
  },
  {
    what: "a number of zero is a pause, in which callers line up",
    run(scene) {
      const { now, at, ttl, same } = scene;
      at(5000);
      set(scene, "s", "set", 0, { ttl: 10_000 });
      const first = now();
      // There is no end to wait for, so it asks by the steps of a tenure that is long past the usual one.
      ask(scene, "a", 0, "held", { remaining: 0, ahead: 0, back: 1_000_000, ticket: first });
      ask(scene, "b", 0, "held", { remaining: 0, ahead: 1, back: 1_000_000, ticket: first + 1 });
      at(5001);
      ask(scene, "a", first, "held", { ahead: 0, ticket: first });
      same("the times to live", [ttl(), ttl(CROWD)], [69_999, 69_999]);
      inspect(scene, { waiting: 2 });
      set(scene, "t", "set", 1);
      ask(scene, "b", first + 1, "held", { ahead: 1 });
      ask(scene, "a", first, "granted");
    },
  },
  {
    what: "the queue of a semaphore keeps its name, with the latest deadline of a waiter",
    run(scene) {
      const { now, at, ttl, same } = scene;
      const first = now();
      ask(scene, "a#3", 0, "granted", {}, { lease: 100 });
      ask(scene, "b", 0, "held", { back: 5635 }, { grace: 5000 });
      ask(scene, "c", 0, "held", { back: 13_852 });
      same("the times to live", [ttl(), ttl(CROWD)], [65_006, 65_006]);
      close(scene, "a#3", first);
      inspect(scene, { many: 0, left: 0, waiting: 2, remaining: 5_005_635 });
      at(5009.734);
      scene.expect("crowd-inspect", { kind: "semaphore" }, "free");
      ask(scene, "d", 0, "granted");
      // The waiters are gone, and the permits of a.
      same("the members", scene.redis("ZCARD", CROWD), 3);
    },
  },
  {
    what: "a waiter for a permit comes back by the permit that ends first",
    run(scene) {
      const { now, at } = scene;
      ask(scene, "a", 0, "granted", {}, { lease: 5000 });
      ask(scene, "b#2", 0, "granted");
      at(4990);
      ask(scene, "c", 0, "held", { remaining: 10_000, back: 11_000, age: 4_990_000 - 1 });
      at(4989);
      // The clock was set back, before all of this.
      at(-1);
      ask(scene, "c", now(), "held", { back: 1, ticket: 0 });
      ask(scene, "d#3", 0, "held", { age: 0, remaining: 5_001_000 });
    },
  },
  {
    what: "a waiter behind the first one does not poll before the permits of both can be free",
    run(scene) {
      const { now, at } = scene;
      const token = now();
      ask(scene, "a#3", 0, "granted");
      at(1000);
      close(scene, "a#3", token);
      ask(scene, "b#3", 0, "granted");
      ask(scene, "c#3", 0, "held", { tenure: SECOND, ahead: 0, back: 25_000 });
      ask(scene, "d#3", 0, "held", { ahead: 1, back: 1_672_739 });
    },
  },
  {
    what: "steps between polls are not shorter than 1.75 milliseconds",
    run(scene) {
      const { now, at } = scene;
      const token = now();
      ask(scene, "a#3", 0, "granted");
      at(1);
      close(scene, "a#3", token);
      ask(scene, "b#3", 0, "granted");
      ask(scene, "c#3", 0, "held", { tenure: 1000, age: 0, back: 2000 });
      at(2);
      ask(scene, "c#3", token + 1000, "held", { tenure: 1000, age: 1000, back: 1750 });
      // A semaphore whose number was lowered has fewer than are wanted, as if one after the other.
      set(scene, "s", "set", 0);
      ask(scene, "c#3", token + 1000, "held", { tenure: 1000 });
    },
  },
];

const dead: readonly Case[] = [
  {
    what: "a waiter for a permit that is late finds its place, until another skips it",
    run(scene) {
      const { now, at, redis, same } = scene;
      const first = now();
      ask(scene, "a#3", 0, "granted");
      ask(scene, "b", 0, "held", { ticket: first });
      ask(scene, "c", 0, "held", { ticket: first + 1 }, { grace: 60_000 });
      at(5000);
      ask(scene, "b", first, "held", { ahead: 0, ticket: first });
      at(9000);
      // It was the first, and is not any more.
      ask(scene, "c", first + 1, "held", { ahead: 1, back: 20_000, remaining: 0 }, { grace: 60_000 });
      same("the members", redis("ZCARD", CROWD), 6);
      ask(scene, "c", first + 1, "held", { ahead: 0, remaining: SECOND }, { grace: 60_000 });
      ask(scene, "b", first, "held", { ahead: 0, back: 1, ticket: 0, age: 0, tenure: 0, remaining: 0 });
      ask(scene, "b", 0, "held", { ahead: 1, ticket: now() });
      at(10_000);
      ask(scene, "c", first + 1, "granted", {}, { grace: 60_000 });
      ask(scene, "a#3", 0, "closed");
    },
  },
  {
    what: "an earlier ticket of a waiter for a permit is not its place",
    run(scene) {
      const { now, at } = scene;
      const first = now();
      ask(scene, "a#3", 0, "granted");
      ask(scene, "b", 0, "held", { ticket: first });
      ask(scene, "c", 0, "held", { ticket: first + 1 }, { grace: 60_000 });
      at(5000);
      ask(scene, "c", first + 1, "held", { ahead: 1 }, { grace: 60_000 });
      ask(scene, "b", 0, "held", { ticket: now(), ahead: 1 });
      ask(scene, "b", first, "held", { back: 1, ticket: 0 });
      // The tickets go on from the last one.
      ask(scene, "c", first + 1, "held", { ahead: 0, ticket: first + 1 });
      ask(scene, "d", 0, "held", { ticket: now() + 1, ahead: 2 });
    },
  },
  {
    what: "eight members that are over are removed at once by the waiters behind them",
    run(scene) {
      const { now, at, redis, same } = scene;
      const first = now();
      ask(scene, "a#3", 0, "granted", { token: first }, { lease: 60_000 });
      const letters = [..."bcdefghijk"];
      for (const [n, letter] of letters.entries())
        ask(scene, letter, 0, "held", { ahead: n, ticket: first + n }, { grace: 100 });
      ask(scene, "z", 0, "held", { ahead: 10 }, { grace: 60_000 });
      at(5000);
      ask(scene, "y", -1, "held", { ahead: 1, ticket: 0 });
      same("the members", redis("ZCARD", CROWD), 4 + 22);
      ask(scene, "y", 0, "held", { ahead: 11, back: 20_000 });
      same("the members", redis("ZCARD", CROWD), 4 + 22 - 16 + 2);
      ask(scene, "z", first + 10, "held", { ahead: 2, back: 20_000 }, { grace: 60_000 });
      same("the members", redis("ZCARD", CROWD), 4 + 4);
      ask(scene, "z", first + 10, "held", { ahead: 0 }, { grace: 60_000 });
      ask(scene, "y", now(), "held", { ahead: 1 });
    },
  },
  {
    what: "permits that ended are remembered by whoever removes them",
    run(scene) {
      const { now, at, expect, redis, same } = scene;
      const first = now();
      ask(scene, "a#2", 0, "granted", {}, { lease: 1000 });
      ask(scene, "b", 0, "granted", { token: first + 1 }, { lease: 90_000 });
      ask(scene, "c#3", 0, "held");
      at(1000);
      // The permits of a are removed by a waiter.
      ask(scene, "d", 0, "held", { ahead: 1, back: 20_000 });
      close(scene, "a#2", first, "lost", { reason: "expired" });
      expect("crowd-extend", { id: of("a#2"), token: first, duration: 1000 }, "lost", { reason: "expired" });
      ask(scene, "a#2", 0, "closed");
      close(scene, "c#3", 0);
      close(scene, "d", 0);
      at(3000);
      ask(scene, "e#2", 0, "granted", {}, { lease: 1000 });
      at(4000);
      // And by one that is granted at once.
      ask(scene, "f#2", -1, "granted");
      same("the members", redis("ZCOUNT", CROWD, "0", "4e15"), 3);
      close(scene, "e#2", first + 3 * SECOND, "lost", { reason: "expired" });
      ask(scene, "e#2", 0, "closed");
    },
  },
  {
    what: "the queue of a semaphore begins with nothing of another kind's crowd, and with all of its own",
    run(scene) {
      const { at, expect, redis, same } = scene;
      const reader = `${id("b")}h`;
      expect("rw-acquire", { id: reader, mode: "read", lease: 1000 }, "granted");
      at(5000);
      ask(scene, "a", 0, "held", {}, { permits: 0 });
      same("the members", redis("ZCARD", CROWD), 2);
    },
  },
  {
    what: "what was cancelled before anybody used the name stays closed",
    run(scene) {
      close(scene, "b", 0);
      ask(scene, "a", 0, "held", {}, { permits: 0 });
      ask(scene, "b", 0, "closed");
      ask(scene, "c", 0, "held", { ahead: 1 });
      close(scene, "c", 0);
      ask(scene, "c", 0, "closed");
    },
  },
];

export const permitQueueCases: readonly Case[] = [...ordered, ...dead];
