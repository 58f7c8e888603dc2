import { type Case, CROWD, id, type Scene, type Told } from "./case.ts";

const SECOND = 1_000_000;
const MOST = 2 ** 53 - 1;
type More = Readonly<Record<string, string | number>>;

const of = (who: string): string => id(who[0] ?? "") + who.slice(1);
const take = (scene: Scene, who: string, status: string, parts?: More, more?: More): Told =>
  scene.expect("semaphore-acquire", { id: of(who), kind: "semaphore", permits: 3, ...more }, status, parts);
const close = (scene: Scene, who: string, token: number, status = "closed", parts?: More, more?: More): Told =>
  scene.expect("semaphore-close", { id: of(who), token, ...more }, status, parts);
const set = (scene: Scene, who: string, change: string, count: number, status: string, more?: More): Told =>
  scene.expect("semaphore-set", { id: of(who), kind: "semaphore", change, count, ...more }, status);
const inspect = (scene: Scene, parts: More, kind = "semaphore"): Told =>
  scene.expect("crowd-inspect", { kind }, "live", parts);
const counter = { kind: "counter", permits: 3 } as const;

const leased: readonly Case[] = [
  {
    what: "the wait of a semaphore's holders is averaged, and idle time shortens it",
    run(scene) {
      const { now, at } = scene;
      const token = now();
      take(scene, "a#3", "granted");
      at(200);
      close(scene, "a#3", token);
      // A wait moves the average by an eighth of it, and by three tenures at most.
      take(scene, "b#3", "granted", {}, { waited: 5000 });
      take(scene, "c", "held", { queue: 600_000 });
      at(500);
      take(scene, "c", "held", { queue: 500_000 });
      at(2000);
      take(scene, "c", "held", { queue: 0 });
      close(scene, "b#3", now() - 1_800_000);
      take(scene, "d#3", "granted", {}, { waited: 400 });
      take(scene, "c", "held", { queue: 50_000 });
    },
  },
  {
    what: "a semaphore without a permit in use tells since when, within the caller's own wait",
    run(scene) {
      const { now, at } = scene;
      take(scene, "a", "held", { remaining: 0, age: 5 * SECOND, queue: 0 }, { permits: 0, waited: 5000 });
      at(1000);
      const token = now();
      take(scene, "b", "granted", {}, { lease: 1000 });
      at(3000);
      take(scene, "a", "held", { age: 2 * SECOND }, { permits: 0, waited: 5000 });
      at(500);
      close(scene, "b", token, "closed");
      take(scene, "a", "held", { age: 0 }, { permits: 0, waited: 5000 });
    },
  },
  {
    what: "more permits are wanted than are in use",
    run(scene) {
      take(scene, "a#3", "granted", {}, { permits: 5 });
      take(scene, "b#5", "held", { tenure: 0, age: 0 }, { permits: 5 });
    },
  },
  {
    what: "permits of a shorter lease end before the others, and the name with the last of them",
    run(scene) {
      const { now, at, ttl, same } = scene;
      const token = now();
      take(scene, "a", "granted");
      take(scene, "b", "granted", { remaining: 100_000 }, { lease: 100 });
      same("the times to live", [ttl(), ttl(CROWD)], [70_000, 70_000]);
      set(scene, "s", "set", 2, "done", { ttl: 2000 });
      same("the times to live", [ttl(), ttl(CROWD)], [70_000, 70_000]);
      at(100);
      close(scene, "b", token + 1, "lost", { reason: "expired" });
      take(scene, "b", "closed");
    },
  },
  {
    what: "a number of permits ends at its time",
    run(scene) {
      const { at } = scene;
      set(scene, "s", "set", 1, "done", { ttl: 1000 });
      at(1000);
      take(scene, "a", "short", { permits: 0 }, { permits: "" });
      take(scene, "a#2", "granted");
    },
  },
  {
    what: "a hold is closed in the crowd before the name was anybody's, and stays closed",
    run(scene) {
      const { now, at, ttl, same } = scene;
      close(scene, "b", 0, "closed", {}, { retention: 100, due: now() + 60 * SECOND });
      same("the times to live", [ttl(), ttl(CROWD)], [60_000, 60_000]);
      take(scene, "a", "granted");
      take(scene, "b", "closed");
      close(scene, "c", now(), "lost", { reason: "gone" });
      close(scene, "d", 0);
      set(scene, "s", "give", 1, "refused");
      take(scene, "d", "closed");
      at(1);
      take(scene, "b", "closed");
    },
  },
  {
    what: "a number that is set first leaves what was cancelled closed",
    run(scene) {
      close(scene, "b", 0);
      set(scene, "s", "give", 1, "refused");
      take(scene, "b", "closed");
    },
  },
  {
    what: "an id that is over in the record of another kind is over for permits",
    run(scene) {
      const { at, expect } = scene;
      expect("lock-acquire", { id: id("a"), lease: 100 }, "granted");
      close(scene, "b", 0);
      close(scene, "b", 0);
      at(100);
      take(scene, "b", "closed");
      set(scene, "s", "set", 3, "done");
      take(scene, "b", "closed");
      close(scene, "b", 0);
    },
  },
  {
    what: "a cancel that comes behind a release adds no permits",
    run(scene) {
      const { now, ttl, same } = scene;
      set(scene, "s", "set", 3, "done");
      const token = now();
      take(scene, "a#2", "granted");
      close(scene, "a#2", token);
      same("the time to live", ttl(), 660_000);
      close(scene, "a#2", 0);
      take(scene, "b#4", "short", { permits: 3 });
      take(scene, "b#3", "granted");
    },
  },
  {
    what: "a cancel removes the place of a waiter, and the name stays the others'",
    run(scene) {
      const { expect, redis, same } = scene;
      const join = (who: string): More => ({ id: of(who), permits: 0, ticket: 0 });
      expect("semaphore-queue", join("a"), "held", { ahead: 0 });
      expect("semaphore-queue", join("b"), "held", { ahead: 1 });
      close(scene, "b", 0);
      // The other's two members, and what is remembered.
      same("the members", redis("ZCARD", CROWD), 3);
      inspect(scene, { waiting: 1, remaining: 2_000_000 });
    },
  },
  {
    what: "what a drain took is forgotten with it",
    run(scene) {
      const { at, redis, same, now } = scene;
      set(scene, "s", "set", 3, "done", { retention: 1000 });
      // Nothing is remembered of a count of zero.
      same("the members", redis("ZCARD", CROWD), 1);
      set(scene, "t", "drain", 0, "done", { retention: 1000 });
      same("the members", redis("ZCARD", CROWD), 3);
      at(10_000);
      set(scene, "u", "set", 3, "done", { retention: 1000 });
      same("the members", redis("ZCARD", CROWD), 1);
      set(scene, "v", "drain", 0, "done", { retention: 1000 });
      set(scene, "w", "set", 3, "done", { retention: 1000 });
      at(20_000);
      take(scene, "a", "granted", { token: now() });
      same("the members", redis("ZCARD", CROWD), 2);
    },
  },
  {
    what: "a number is set while memory is full, also in a name of another kind",
    run(scene) {
      const { at, expect, setFull } = scene;
      setFull(true);
      set(scene, "s", "add", 1, "done", { permits: 3 });
      setFull(false);
      take(scene, "a#4", "granted", {}, { permits: "" });
      expect("crowd-force", { id: id("f"), kind: "semaphore" }, "forced", { had: 1 });
      at(1);
      expect("lock-acquire", { id: id("b"), lease: 100 }, "granted");
      at(101);
      setFull(true);
      set(scene, "t", "set", 2, "done");
      setFull(false);
      take(scene, "c#3", "short", { permits: 2 });
    },
  },
];

const changed: readonly Case[] = [
  {
    what: "a number goes from the least to the most that is counted exactly",
    run(scene) {
      const { now, expect } = scene;
      set(scene, "a", "add", MOST, "done", counter);
      set(scene, "b", "add", 3, "done", counter);
      const body = (number: number): string => `=${number} 0 0 ${now()} 0`;
      inspect(scene, { body: body(MOST) }, "counter");
      take(scene, "c#2", "granted", {}, counter);
      set(scene, "d", "add", 1, "done", counter);
      close(scene, "c#2", 0);
      inspect(scene, { body: body(MOST) }, "counter");
      set(scene, "e", "add", -MOST, "done", counter);
      set(scene, "f", "add", -MOST, "done", counter);
      set(scene, "g", "add", -3, "done", counter);
      inspect(scene, { body: body(-MOST) }, "counter");
      set(scene, "h", "drain", 0, "done", counter);
      expect("semaphore-set", { ...counter, id: of("h"), change: "drain" }, "done", { count: 0 });
    },
  },
  {
    what: "a number that nobody set begins at zero",
    run(scene) {
      const { expect } = scene;
      take(scene, "a", "held", { remaining: 0, age: 0 }, { ...counter, permits: "" });
      set(scene, "s", "add", 2, "done", { permits: "" });
      take(scene, "a#3", "short", { permits: 2 }, { permits: "" });
      take(scene, "a#2", "granted", {}, { permits: "" });
      set(scene, "t", "set", 1, "done");
      // More are in use than there are.
      expect("semaphore-set", { id: of("u"), kind: "semaphore", change: "drain" }, "done", { count: 0 });
    },
  },
  {
    what: "a counter's tokens rise with everything that is done to it",
    run(scene) {
      const { now, expect, call, same } = scene;
      const token = now();
      expect("crowd-force", { id: id("f"), kind: "counter" }, "forced", { token });
      set(scene, "s", "set", 3, "done", counter);
      take(scene, "a", "granted", { token: token + 2 }, counter);
      same("the token", call("crowd-inspect", { kind: "counter" })["token"], token + 2);
    },
  },
  {
    what: "permits of a counter are given back to the number from which they were taken",
    run(scene) {
      const { now, at } = scene;
      take(scene, "a#2", "granted", {}, { ...counter, ttl: 1000 });
      at(1000);
      // The number was over, and another one began.
      take(scene, "b#1", "granted", {}, counter);
      close(scene, "a#2", 0);
      take(scene, "c#3", "held", {}, counter);
      at(1100);
      take(scene, "d#1", "granted", {}, counter);
      close(scene, "b#1", 0);
      take(scene, "e#3", "held", {}, counter);
      take(scene, "e#2", "granted", {}, counter);
      at(2000);
      // A number that is added to stays the same one, and one that is not changed, too.
      set(scene, "s", "add", 1, "done", counter);
      set(scene, "t", "try", 9, "refused", counter);
      close(scene, "e#2", 0);
      take(scene, "f#3", "granted", { token: now() + 2 }, counter);
      // What its holder ends is not given back.
      close(scene, "f#3", now() + 2);
      take(scene, "g", "held", {}, counter);
    },
  },
  {
    what: "a counter whose first number is added is not given back what was taken before",
    run(scene) {
      const { at } = scene;
      take(scene, "a#2", "granted", {}, { ...counter, ttl: 1000 });
      at(1000);
      close(scene, "z#1", 0);
      set(scene, "s", "add", 1, "done", { ...counter, permits: "" });
      close(scene, "a#2", 0);
      take(scene, "b#2", "held", {}, counter);
      take(scene, "b#1", "granted", {}, counter);
    },
  },
  {
    what: "a counter with a number of its own is given no more than was taken from it",
    run(scene) {
      const { at } = scene;
      const short = { ...counter, ttl: 1000 };
      set(scene, "a", "give", 1, "refused", short);
      take(scene, "b#2", "granted", {}, short);
      set(scene, "c", "give", 3, "refused", short);
      set(scene, "d", "give", 1, "done", short);
      set(scene, "e", "give", 2, "refused", short);
      // A number that was set only is given whatever comes.
      set(scene, "f", "give", 9, "done", { ...short, permits: "" });
      at(1000);
      set(scene, "g", "give", 1, "refused", short);
      take(scene, "h#1", "granted", {}, counter);
      set(scene, "i", "give", 2, "refused", counter);
      set(scene, "j", "set", 4, "done", counter);
      set(scene, "k", "give", 1, "refused", counter);
      take(scene, "l#4", "granted", {}, counter);
      take(scene, "m", "held", {}, counter);
      at(1001);
      close(scene, "l#4", 0);
      set(scene, "n", "give", 1, "refused", counter);
    },
  },
  {
    what: "a cancel gives a counter with a number of its own no more than is still taken from it",
    run(scene) {
      const { at } = scene;
      take(scene, "a#1", "granted", {}, counter);
      take(scene, "b#2", "granted", {}, counter);
      // Others give back what the request took, before it is cancelled.
      set(scene, "c", "give", 2, "done", counter);
      at(1);
      close(scene, "b#2", 0, "closed", {}, { permits: 3 });
      inspect(scene, { body: "=3 0 0 2000000000000000 0" }, "counter");
      close(scene, "b#2", 0, "closed", {}, { permits: 3 });
      close(scene, "a#1", 0, "closed", {}, { permits: 3 });
      inspect(scene, { body: "=3 0 0 2000000000000000 0" }, "counter");
      // What a client took whose counter has a number that was set only comes back as a whole.
      take(scene, "d#3", "granted", {}, { ...counter, permits: "" });
      set(scene, "e", "give", 3, "done", counter);
      close(scene, "d#3", 0);
      inspect(scene, { body: "=6 0 0 2000000000000000 0" }, "counter");
    },
  },
  {
    what: "a cancel behind the end of a counter's number gives nothing back",
    run(scene) {
      const { at } = scene;
      take(scene, "a#2", "granted", {}, { ...counter, ttl: 100 });
      at(1000);
      close(scene, "a#2", 0);
      take(scene, "a#2", "closed", {}, counter);
    },
  },
];

const ousted: readonly Case[] = [
  {
    what: "waiters of a fair lock that nobody holds are removed by force",
    run(scene) {
      const { at, expect, ttl, same } = scene;
      expect("fair-acquire", { id: id("a"), lease: 100 }, "granted");
      expect("fair-acquire", { id: id("b") }, "held");
      at(100);
      expect("crowd-force", { id: id("f"), kind: "fair" }, "forced", { had: 0 });
      same("the time to live", ttl(CROWD), -2);
      expect("crowd-inspect", { kind: "fair" }, "free");
    },
  },
  {
    what: "waiters of a read-write lock do not keep it from being free behind force",
    run(scene) {
      const { expect, ttl, same } = scene;
      expect("rw-acquire", { id: `${id("a")}h` }, "granted");
      expect("rw-acquire", { id: `${id("b")}i`, back: 5000 }, "held");
      expect("crowd-force", { id: id("f"), kind: "rw" }, "forced", { had: 1 });
      same("the time to live", ttl(CROWD), -2);
      expect("crowd-inspect", { kind: "rw" }, "free");
    },
  },
  {
    what: "permits whose time is just over are nobody's",
    run(scene) {
      take(scene, "a", "granted", {}, { lease: 100 });
      scene.at(100);
      scene.expect("crowd-force", { id: id("f"), kind: "semaphore" }, "forced", { had: 0 });
    },
  },
  {
    what: "a reader of a name finds a lease that has just run out",
    run({ at, expect, now }) {
      const token = now();
      expect("fair-acquire", { id: id("a"), lease: 1000 }, "granted");
      at(1000);
      expect("crowd-inspect", { kind: "fair" }, "free", { token });
    },
  },
  {
    what: "a queue that is forgotten leaves nothing in the crowd",
    run({ expect, now, ttl, same }) {
      const token = now();
      expect("fair-acquire", { id: id("a") }, "granted");
      expect("fair-acquire", { id: id("b") }, "held");
      expect("name-release", { id: id("f"), token, scope: "forget" }, "released", { token: token + 1 });
      same("the time to live", ttl(CROWD), -2);
    },
  },
];

export const permitRuleCases: readonly Case[] = [...leased, ...changed, ...ousted];
