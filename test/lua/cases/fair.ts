import { type Case, CROWD, id, RECORD, type Scene, type Told } from "./case.ts";

const SECOND = 1_000_000;
type More = Readonly<Record<string, string | number>>;

/** Asks for a lock: the letter of the id, then its reentry key. A ticket of 0 joins the queue, -1 tries without. */
const ask = (scene: Scene, who: string, ticket: number, status: string, parts?: More, more?: More): Told =>
  scene.expect("fair-acquire", { id: id(who[0] ?? ""), reentryKey: who.slice(1), ticket, ...more }, status, parts);
const close = (scene: Scene, who: string, token: number, status = "closed", parts?: More, more?: More): Told =>
  scene.expect("fair-close", { id: id(who), token, ...more }, status, parts);
const extend = (scene: Scene, who: string, token: number, duration: number, status = "extended", parts?: More): Told =>
  scene.expect("hold-extend", { id: id(who), token, duration }, status, parts);

const granted: readonly Case[] = [
  {
    what: "a waiter whose place is forgotten joins again, also if the lock is free",
    run(scene) {
      const { now, at } = scene;
      const token = now();
      ask(scene, "a", 0, "granted", { token });
      at(100);
      const ticket = now();
      ask(scene, "b", 0, "held", { ticket });
      close(scene, "a", token);
      at(200_000);
      ask(scene, "b", ticket, "held", { ticket: 0 });
      ask(scene, "b", 0, "granted");
    },
  },
  {
    what: "a free fair lock is granted at once, and to others in the order in which they came",
    run(scene) {
      const { now, at, ttl, same } = scene;
      const first = now();
      ask(scene, "a", 0, "granted", { token: first, remaining: 10 * SECOND, holds: 1 });
      same("the times to live", [ttl(), ttl(CROWD)], [70_000, -2]);
      at(100);
      const b = now();
      ask(scene, "b", 0, "held", { remaining: 9_900_000, age: 100_000, tenure: 0, ahead: 0, back: 11_250, ticket: b });
      // Twice as long as its deadline is ahead, so that not every poll writes.
      same("the times to live", [ttl(), ttl(CROWD)], [69_900, 62_023]);
      at(105);
      const c = now();
      ask(scene, "c", 0, "held", { ahead: 1, back: 11875, ticket: c, age: 105_000 });
      ask(scene, "d", 0, "held", { ahead: 2, ticket: c + 1 });
      ask(scene, "b", b, "held", { ahead: 0, ticket: b });
      ask(scene, "d", c + 1, "held", { ahead: 2, ticket: c + 1 });
      ask(scene, "c", c, "held", { ahead: 1, ticket: c });
      ask(scene, "d", c + 2, "held", { ticket: 0, back: 1 });
      // Sent again it keeps its place.
      ask(scene, "c", 0, "held", { ahead: 2, ticket: c });
      ask(scene, "e", -1, "held", { ahead: 0, back: 0, ticket: -1 });
      at(200);
      close(scene, "a", first);
      ask(scene, "e", -1, "held", { remaining: 0, ahead: 3, back: 0, ticket: -1 });
      ask(scene, "c", c, "held", { remaining: 0, ahead: 1, tenure: 200_000 });
      const second = now();
      ask(scene, "b", b, "granted", { token: second, remaining: 10 * SECOND, holds: 1 });
      // The spread is an eighth of what the average was wrong by.
      ask(scene, "c", c, "held", { ahead: 0, age: 0, tenure: 200_000, back: 25_000 });
      ask(scene, "d", c + 1, "held", { ahead: 1, back: 28_125 });
      at(300);
      close(scene, "b", second);
      ask(scene, "c", c, "granted", { token: now() });
      ask(scene, "d", c + 1, "held", { ahead: 0, tenure: 187_500 });
      close(scene, "c", now());
      ask(scene, "d", c + 1, "granted");
      same("the members", scene.redis("ZCARD", CROWD), 0);
    },
  },
  {
    what: "a waiter whose first answer was lost gets a free fair lock, unless others wait before it",
    run(scene) {
      const { now, at } = scene;
      const token = now();
      ask(scene, "a", 0, "granted", { token });
      const b = now();
      ask(scene, "b", 0, "held", { ticket: b });
      ask(scene, "c", 0, "held", { ahead: 1, ticket: b + 1 });
      at(100);
      close(scene, "a", token);
      // A ticket of another place is refused, also while the lock is free.
      ask(scene, "c", b + 2, "held", { ticket: 0, back: 1 });
      ask(scene, "c", 0, "held", { remaining: 0, ahead: 1, ticket: b + 1 });
      const second = now();
      ask(scene, "b", 0, "granted", { token: second });
      at(200);
      close(scene, "b", second);
      ask(scene, "c", 0, "granted", { token: now() });
      scene.same("the members", scene.redis("ZCARD", CROWD), 0);
    },
  },
  {
    what: "a reentry key gets a second hold of a fair lock without queueing, and 64 are the most",
    run(scene) {
      const { now, at, expect, ttl, same } = scene;
      const token = now();
      ask(scene, "ax", 0, "granted", { token });
      at(1000);
      ask(scene, "by", 0, "held");
      ask(scene, "cx", 0, "not_reentrant", { remaining: 9 * SECOND }, { reentrant: 0 });
      ask(scene, "cx", 0, "granted", { token, holds: 2, remaining: 20 * SECOND }, { lease: 20_000 });
      ask(scene, "ax", 0, "granted", { token, holds: 2, remaining: 9 * SECOND }, { lease: 20_000 });
      ask(scene, "by", 0, "held", { remaining: 20 * SECOND, age: SECOND });
      ask(scene, "d", 0, "held");
      ask(scene, "cx", 0, "granted", { token, holds: 2 }, { reentrant: 0 });
      const each = (hold: number): More => ({
        id: `${"f".repeat(24)}${String(hold).padStart(12, "0")}`,
        reentryKey: "x",
      });
      for (let hold = 2; hold < 64; hold++) expect("fair-acquire", each(hold), "granted", { token, holds: hold + 1 });
      // The hold of c ends last.
      same("the time to live", ttl(), 80_000);
      expect("fair-acquire", each(64), "too_many_holds");
      expect("fair-acquire", each(5), "granted", { holds: 64 });
      close(scene, "c", token);
      // The other holds end first.
      expect("record-inspect", { kind: "fair" }, "live", { holds: 63, left: 10 * SECOND });
      expect("fair-acquire", each(64), "granted", { holds: 64 });
    },
  },
  {
    what: "a waiter far behind a long tenure polls within two seconds",
    run(scene) {
      const { now, at } = scene;
      const token = now();
      ask(scene, "a", 0, "granted", { token });
      at(300);
      close(scene, "a", token);
      ask(scene, "b", 0, "granted", {}, { lease: 60_000 });
      at(20_300);
      for (const [n, letter] of [..."cdefghijklmn"].entries()) ask(scene, letter, 0, "held", { ahead: n });
      ask(scene, "o", 0, "held", { ahead: 12, back: 2 * SECOND });
    },
  },
  {
    what: "the spread of tenures is half of the first one, and then an average of what the usual one is wrong by",
    run(scene) {
      const { now, at, expect } = scene;
      const tenure = (from: number, ms: number): void => {
        at(from);
        const token = now();
        ask(scene, String(from)[0] ?? "", 0, "granted", { token });
        at(from + ms);
        close(scene, String(from)[0] ?? "", token);
      };
      tenure(1000, 100);
      tenure(2000, 100);
      ask(scene, "f", 0, "granted");
      expect("name-inspect", {}, "live", { body: "=  100000 0 43750 0" });
    },
  },
  {
    what: "callers of a fair lock without a reentry key are not the same",
    run(scene) {
      ask(scene, "a", 0, "granted");
      ask(scene, "b", 0, "held");
      ask(scene, "c", -1, "held");
    },
  },
  {
    what: "a fair lock whose lease ran out goes to the first in the queue",
    run(scene) {
      const { now, at } = scene;
      const token = now();
      ask(scene, "a", 0, "granted", {}, { lease: 2000 });
      at(1990);
      const b = now();
      ask(scene, "b", 0, "held", { remaining: 10_000, back: 11_000 });
      ask(scene, "c", 0, "held", { ahead: 1, ticket: b + 1 });
      at(2001);
      ask(scene, "d", -1, "held", { ahead: 2, remaining: 0 });
      ask(scene, "c", b + 1, "held", { ahead: 1, remaining: 0, back: 241_750 });
      // The hold that is over was closed by that, and no clock that is set back brings it back.
      at(1999);
      ask(scene, "a", 0, "closed");
      at(2001);
      ask(scene, "a", 0, "closed");
      ask(scene, "b", b, "granted", { token: now() });
      close(scene, "a", token, "lost", { reason: "taken" });
      extend(scene, "a", token, 9000, "lost", { reason: "taken" });
      ask(scene, "c", b + 1, "held", { ahead: 0, remaining: 10 * SECOND });
    },
  },
  {
    what: "a fair lock's tokens only rise, and its times to live cover what is remembered",
    run(scene) {
      const { now, at, ttl, same } = scene;
      at(5000);
      const token = now();
      ask(scene, "a", 0, "granted", { token }, { lease: 1000 });
      at(4000);
      close(scene, "a", token);
      same("the time to live", ttl(), 61_000);
      ask(scene, "b", 0, "granted", { token: token + 1 });
      // The tenure of a clock that was set back is none.
      ask(scene, "c", 0, "held", { age: 0, tenure: 0 });
      close(scene, "b", token + 1);
    },
  },
];

const queued: readonly Case[] = [
  {
    what: "a waiter that is late loses its place, and joins again at the end",
    run(scene) {
      const { now, at, redis, same } = scene;
      const token = now();
      ask(scene, "a", 0, "granted");
      const b = now();
      ask(scene, "b", 0, "held", { ticket: b, back: 5635 });
      ask(scene, "c", 0, "held", { ticket: b + 1, ahead: 1 }, { grace: 60_000 });
      at(9);
      close(scene, "a", token);
      at(1009.735);
      // The first is dead, so the next one is granted.
      ask(scene, "c", b + 1, "granted", { token: now() }, { grace: 60_000 });
      same("the members", redis("ZCARD", CROWD), 0);
      // A ticket without a place changes nothing.
      ask(scene, "b", b, "held", { ahead: 0, back: 1, ticket: 0 });
      same("the members", redis("ZCARD", CROWD), 0);
      const again = now();
      ask(scene, "b", 0, "held", { ahead: 0, ticket: again });
      ask(scene, "b", b, "held", { ahead: 0, back: 1, ticket: 0 });
      ask(scene, "b", again, "held", { ahead: 0, ticket: again });
    },
  },
  {
    what: "the first in the queue keeps its place although it is late, as long as nobody else was granted",
    run(scene) {
      const { now, at } = scene;
      const token = now();
      ask(scene, "a", 0, "granted");
      ask(scene, "b", 0, "held", { ticket: token });
      ask(scene, "c", 0, "held", { ticket: token + 1 });
      close(scene, "a", token);
      at(5000);
      ask(scene, "b", token, "granted", { token: now() });
    },
  },
  {
    what: "a late waiter in the middle finds its place as it was",
    run(scene) {
      const { now, at } = scene;
      const token = now();
      ask(scene, "a", 0, "granted", {}, { lease: 60_000 });
      ask(scene, "b", 0, "held", { ticket: token }, { grace: 60_000 });
      ask(scene, "c", 0, "held", { ticket: token + 1, ahead: 1 });
      ask(scene, "d", 0, "held", { ticket: token + 2, ahead: 2 }, { grace: 60_000 });
      at(5000);
      close(scene, "a", token);
      ask(scene, "c", token + 1, "held", { ahead: 1 });
      ask(scene, "d", token + 2, "held", { ahead: 2 }, { grace: 60_000 });
      at(9000);
      // It is late again, and is removed by another.
      ask(scene, "d", token + 2, "held", { ahead: 1 }, { grace: 60_000 });
      ask(scene, "c", token + 1, "held", { ticket: 0, back: 1 });
      ask(scene, "b", token, "granted");
      ask(scene, "d", token + 2, "held", { ahead: 0 });
    },
  },
  {
    what: "eight dead waiters are removed at once, and those behind come back soon for the others",
    run(scene) {
      const { now, at, redis, same } = scene;
      const token = now();
      ask(scene, "a", 0, "granted", {}, { lease: 2000 });
      const letters = [..."bcdefghijk"];
      for (const [n, letter] of letters.entries())
        ask(scene, letter, 0, "held", { ahead: n, ticket: token + n }, { grace: 100 });
      ask(scene, "z", 0, "held", { ahead: 10, ticket: token + 10 }, { grace: 60_000 });
      at(2000);
      // Waiters that are dead do not count for one that joins or tries, but stand before the others.
      ask(scene, "y", -1, "held", { ahead: 1 });
      ask(scene, "z", token + 10, "held", { ahead: 2, back: 20_000 }, { grace: 60_000 });
      same("the members", redis("ZCARD", CROWD), 6);
      ask(scene, "z", token + 10, "granted");
      same("the members", redis("ZCARD", CROWD), 0);
    },
  },
  {
    what: "the dead are not looked for while the lock is held",
    run(scene) {
      const { now, at, redis, same } = scene;
      const token = now();
      ask(scene, "a", 0, "granted", {}, { lease: 60_000 });
      ask(scene, "b", 0, "held", { ticket: token });
      ask(scene, "c", 0, "held", { ticket: token + 1 }, { grace: 60_000 });
      at(9000);
      ask(scene, "c", token + 1, "held", { ahead: 1 });
      same("the members", redis("ZCARD", CROWD), 4);
      ask(scene, "b", token, "held", { ahead: 0, ticket: token });
      ask(scene, "c", token + 1, "held", { ahead: 1 });
    },
  },
  {
    what: "somebody who gives up leaves the queue, and a hold that is over does not come back",
    run(scene) {
      const { now, at, ttl, same } = scene;
      const token = now();
      ask(scene, "a", 0, "granted", {}, { lease: 1000 });
      ask(scene, "b", 0, "held", { ticket: token });
      ask(scene, "c", 0, "held", { ahead: 1, ticket: token + 1 }, { grace: 5000 });
      close(scene, "b", 0);
      ask(scene, "b", token, "closed");
      close(scene, "b", 0);
      close(scene, "b", token, "lost", { reason: "released" });
      ask(scene, "c", token + 1, "held", { ahead: 0 }, { grace: 5000 });
      at(500);
      close(scene, "c", 0);
      // Nobody is in the queue, so the name ends with the lease.
      same("the time to live", ttl(), 60_500);
      ask(scene, "c", 0, "closed");
      close(scene, "a", token);
      same("the times to live", [ttl(), ttl(CROWD)], [60_000, -2]);
      ask(scene, "a", 0, "closed");
      close(scene, "a", token);
      ask(scene, "d", 0, "granted", { token: now() });
    },
  },
  {
    what: "the name of a fair lock ends with its last waiter",
    run(scene) {
      const { now, at, ttl, same, expect } = scene;
      const token = now();
      ask(scene, "a", 0, "granted");
      ask(scene, "b", 0, "held", { ticket: token });
      ask(scene, "c", 0, "held", { ticket: token + 1, back: 13_852 }, { grace: 5000 });
      same("the times to live", [ttl(), ttl(CROWD)], [70_028, 70_028]);
      close(scene, "a", token);
      same("the time to live", ttl(), 70_028);
      expect("crowd-inspect", { kind: "fair" }, "live", { holds: 0, left: 0, waiting: 2, remaining: 10_027_704 });
      expect("lock-acquire", { id: id("d") }, "kind", { kind: "fair" });
      close(scene, "c", 0);
      // As long as the other one may come back.
      expect("crowd-inspect", { kind: "fair" }, "live", { waiting: 1, remaining: 1_005_635 });
      at(1009.734);
      expect("crowd-inspect", { kind: "fair" }, "free");
      expect("lock-acquire", { id: id("d") }, "granted");
      ask(scene, "b", token, "kind", { kind: "lock" });
    },
  },
];

const timed: readonly Case[] = [
  {
    what: "the reentry key whose lease ran out is a new holder like any other",
    run(scene) {
      const { now, at } = scene;
      ask(scene, "ax", 0, "granted", {}, { lease: 1000 });
      at(1000);
      ask(scene, "bx", 0, "granted", { token: now(), holds: 1 }, { reentrant: 0 });
    },
  },
  {
    what: "the name stays a fair lock's while somebody waits behind a holder",
    run(scene) {
      const { now, expect } = scene;
      const token = now();
      ask(scene, "a", 0, "granted", {}, { lease: 100 });
      ask(scene, "b", 0, "held");
      ask(scene, "c", 0, "held");
      close(scene, "a", token);
      ask(scene, "b", token, "granted", {}, { lease: 100 });
      close(scene, "b", token + 1);
      expect("crowd-inspect", { kind: "fair" }, "live", { waiting: 1, holds: 0 });
      ask(scene, "c", token + 1, "granted");
      close(scene, "c", token + 2);
      expect("crowd-inspect", { kind: "fair" }, "free");
    },
  },
  {
    what: "a waiter that joins once more behind its own deadline has nobody before it",
    run(scene) {
      const { now, at } = scene;
      const token = now();
      ask(scene, "a", 0, "granted", {}, { lease: 60_000 });
      ask(scene, "b", 0, "held", { ahead: 0 });
      at(5000);
      ask(scene, "b", 0, "held", { ahead: 0, ticket: token });
    },
  },
  {
    what: "a waiter that joined and is granted as its reentry key's second hold leaves the queue",
    run(scene) {
      const { now, redis, same, ttl } = scene;
      const token = now();
      ask(scene, "a", 0, "granted");
      ask(scene, "bx", 0, "held", {}, { grace: 60_000 });
      ask(scene, "cx", 0, "held", {}, { grace: 60_000 });
      close(scene, "a", token);
      ask(scene, "bx", token, "granted", { holds: 1 });
      ask(scene, "cx", 0, "granted", { holds: 2, token: token + 1 });
      same("the members", redis("ZCARD", CROWD), 0);
      ask(scene, "d", 0, "held", { ahead: 0 });
      same("the time to live", ttl(CROWD), 180_012);
    },
  },
  {
    what: "the first in a queue comes back within a part of the age of the tenure, and those behind it if tenures vary",
    run(scene) {
      const { now, at } = scene;
      let token = now();
      ask(scene, "a", 0, "granted", {}, { lease: 60_000 });
      at(9000);
      close(scene, "a", token);
      token = now();
      ask(scene, "b", 0, "granted", {}, { lease: 60_000 });
      // Whatever earlier tenures were like, the delay of the first starts from 25 ms.
      ask(scene, "c", 0, "held", { tenure: 9 * SECOND, ahead: 0, back: 25_000 });
      // After one tenure, the next may be of any length: those behind have an eighth more for each place.
      ask(scene, "d", 0, "held", { ahead: 1, back: 28_125 });
      at(9100);
      // By a quarter of the age, and later by a twelfth from 75 ms.
      ask(scene, "c", token, "held", { age: 100_000, back: 50_000 });
      at(9600);
      ask(scene, "c", token, "held", { age: 600_000, back: 125_000 });
      at(30_000);
      ask(scene, "c", token, "held", { age: 21 * SECOND, back: 1 * SECOND });
    },
  },
  {
    what: "a deadline of waiters is only moved ahead, and so are the times to live",
    run(scene) {
      const { at, ttl, same } = scene;
      ask(scene, "a", 0, "granted", {}, { lease: 100_000 });
      ask(scene, "b", 0, "held", {}, { grace: 60_000 });
      same("the time to live", ttl(CROWD), 180_012);
      at(60_010);
      ask(scene, "c", 0, "held", { ahead: 0 });
      same("the time to live", ttl(CROWD), 120_002);
      // What a poll need not write it does not write.
      ask(scene, "d", 0, "held", { ahead: 1 });
      same("the times to live", [ttl(), ttl(CROWD)], [120_002, 120_002]);
    },
  },
  {
    what: "a poll writes when its deadline is no longer covered",
    run(scene) {
      const { now, at, ttl, same, expect } = scene;
      const token = now();
      ask(scene, "a", 0, "granted");
      ask(scene, "b", 0, "held");
      ask(scene, "b", token, "held", {}, { grace: 5000, retention: 1000 });
      same("the times to live", [ttl(), ttl(CROWD)], [11_012, 11_012]);
      at(1);
      close(scene, "a", token);
      expect("crowd-inspect", { kind: "fair" }, "live", { waiting: 1, remaining: 10_010_270 });
    },
  },
  {
    what: "the queue outlives a holder that is forced out, with those who join it then",
    run(scene) {
      const { now, ttl, same, expect } = scene;
      const token = now();
      ask(scene, "a", 0, "granted");
      ask(scene, "b", 0, "held", { back: 5635 });
      expect("crowd-force", { id: id("f"), kind: "fair", retention: 100 }, "forced", { had: 1, token: token + 1 });
      same("the times to live", [ttl(), ttl(CROWD)], [1106, 1106]);
      ask(scene, "c", 0, "held", { ahead: 1, back: 13_852, ticket: token + 1 }, { retention: 100 });
      same("the times to live", [ttl(), ttl(CROWD)], [2128, 2128]);
      ask(scene, "a", 0, "closed");
      ask(scene, "b", token, "granted", { token: token + 2 });
    },
  },
  {
    what: "no fair lock is granted while memory is full, but every hold is released",
    run(scene) {
      const { now, call, setFull, same } = scene;
      const isFull = (who: string): unknown =>
        /OOM/.test(String(call("fair-acquire", { id: id(who), ticket: 0 })["message"]));
      const token = now();
      setFull(true);
      same("the error", isFull("a"), true);
      setFull(false);
      ask(scene, "a", 0, "granted");
      setFull(true);
      same("the error", isFull("b"), true);
      close(scene, "a", token);
      setFull(false);
      ask(scene, "a", 0, "closed");
      ask(scene, "c", 0, "granted", { token: token + 1 });
    },
  },
];

const ended: readonly Case[] = [
  {
    what: "an id of a fair lock is closed until the last of its requests is void",
    run(scene) {
      const { now, at } = scene;
      at(5000);
      close(scene, "b", 0, "closed", {}, { due: now() + SECOND });
      // A cancel of what never was takes nothing, also where the clock is set back.
      at(4999);
      scene.expect("crowd-inspect", { kind: "fair" }, "free");
      at(6000);
      ask(scene, "b", 0, "closed");
      ask(scene, "c", 0, "granted");
      at(6001);
      close(scene, "c", now() - 1000);
      ask(scene, "b", 0, "granted");
    },
  },
  {
    what: "a server that refuses writes is not reported to have closed a hold",
    run(scene) {
      const { now, at, call, same, setReadOnly, ttl } = scene;
      const token = now();
      ask(scene, "a", 0, "granted", {}, { lease: 1000 });
      at(1000);
      setReadOnly(true);
      same("the error", /^READONLY/.test(String(call("fair-close", { id: id("a"), token })["message"])), true);
      setReadOnly(false);
      close(scene, "a", token, "lost", { reason: "expired" });
      scene.redis("DEL", RECORD);
      // Nothing is remembered of a hold that nobody knows.
      close(scene, "b", token, "lost", { reason: "gone" });
      same("the time to live", ttl(), -2);
    },
  },
  {
    what: "a fair lock is released by its token",
    run(scene) {
      const { now, at } = scene;
      const token = now();
      ask(scene, "a", 0, "granted", { token });
      close(scene, "a", token + 1, "lost", { reason: "gone" });
      close(scene, "b", token, "lost", { reason: "released" });
      extend(scene, "a", token, 0, "extended", { remaining: 10 * SECOND });
      at(1000);
      close(scene, "a", token);
      extend(scene, "a", token, 9000, "lost", { reason: "released" });
      ask(scene, "c", 0, "granted", { token: now() });
      close(scene, "d", token, "lost", { reason: "unknown" });
      close(scene, "a", token);
      extend(scene, "c", now(), 0, "extended");
    },
  },
];

/** Takes the lock from its holder: the letter of the id, then its note. */
const take = (scene: Scene, who: string, status: string, parts?: More, more?: More): Told =>
  scene.expect("fair-supersede", { id: id(who[0] ?? "") + who.slice(1), ...more }, status, parts);

const superseded: readonly Case[] = [
  {
    what: "a fair lock is taken from its holder, by the last of many who arrive",
    run(scene) {
      const { now, at, same, ttl } = scene;
      const first = now();
      take(scene, "a@note", "granted", { token: first, remaining: 10 * SECOND, holds: 1, ended: 0 });
      same("the times to live", [ttl(), ttl(CROWD)], [70_000, -2]);
      scene.expect("record-inspect", { kind: "fair" }, "live", { body: "= note 0 0 0 0" });
      at(1000);
      take(scene, "b", "granted", { token: now(), ended: 1 });
      extend(scene, "a", first, 0, "lost", { reason: "forced" });
      take(scene, "c", "granted", { token: now() + 1, remaining: 2 * SECOND, ended: 1 }, { lease: 2000 });
      // What was promised to those before it is no longer kept.
      same("the time to live", ttl(), 62_000);
      for (const who of ["a", "b"]) take(scene, who, "superseded", { reason: "forced" });
      extend(scene, "c", now() + 1, 0, "extended", { remaining: 2 * SECOND });
      scene.expect("record-inspect", { kind: "fair" }, "live", { holds: 1, token: now() + 1, body: "=  0 0 0 0" });
      // Its own answer was lost: whether it ended another hold is not remembered.
      at(1500);
      take(scene, "c", "granted", { token: now() - 499_999, remaining: 1_500_000, ended: 1 }, { lease: 9000 });
    },
  },
  {
    what: "a request that was superseded, expired or was cancelled takes a fair lock from nobody",
    run(scene) {
      const { now, at } = scene;
      const token = now();
      take(scene, "a", "granted", { token }, { lease: 1000 });
      at(1000);
      take(scene, "a", "superseded", { reason: "expired" });
      // Under another ID, it is granted again as long as nobody else was.
      take(scene, "b", "granted", { token: now(), ended: 0 }, { after: token, lease: 1000 });
      at(2000);
      ask(scene, "c", 0, "granted", { token: now() });
      take(scene, "d", "superseded", { reason: "taken" }, { after: now() - SECOND });
      take(scene, "d", "granted", { ended: 1 }, { after: now() });
      close(scene, "d", now() + 1);
      take(scene, "d", "superseded", { reason: "released" });
      close(scene, "e", 0);
      take(scene, "e", "superseded", { reason: "released" });
      at(2001);
      take(scene, "f", "late", {}, { notAfter: now() - 1 });
      scene.expect("record-inspect", { kind: "fair" }, "free");
    },
  },
  {
    what: "the re-entry key of a holder that was superseded does not enter beside the new holder",
    run(scene) {
      ask(scene, "ax", 0, "granted");
      take(scene, "b", "granted", { ended: 1 });
      ask(scene, "cx", -1, "held");
    },
  },
  {
    what: "waiters of a fair lock keep their places while it is taken from its holder",
    run(scene) {
      const { now, at, same, ttl } = scene;
      ask(scene, "a", 0, "granted", {}, { lease: 60_000 });
      const b = now();
      ask(scene, "b", 0, "held", { ticket: b }, { grace: 10_000 });
      ask(scene, "c", 0, "held", { ahead: 1, ticket: b + 1 });
      at(1);
      const token = now();
      take(scene, "d", "granted", { token, ended: 1 }, { lease: 500 });
      same("the time to live covers the waiters", ttl() > 70_000, true);
      ask(scene, "b", b, "held", { ahead: 0, ticket: b, remaining: 500_000 });
      at(100);
      close(scene, "d", token);
      ask(scene, "c", b + 1, "held", { ahead: 1 });
      ask(scene, "b", b, "granted");
      ask(scene, "c", b + 1, "held", { ahead: 0 });
    },
  },
  {
    what: "a name of another kind is not taken as a fair lock, and a token never falls",
    run(scene) {
      const { now, at } = scene;
      at(5000);
      const token = now();
      scene.expect("lock-acquire", { id: id("a") }, "granted", { token }, RECORD);
      take(scene, "b", "kind", { kind: "lock" });
      scene.expect("lock-close", { id: id("a"), token }, "closed", {}, RECORD);
      at(5001);
      take(scene, "b", "granted", { token: now(), ended: 0 });
      at(4000);
      take(scene, "c", "granted", { token: token + 1001, ended: 1 });
    },
  },
];

export const fairCases: readonly Case[] = [...granted, ...queued, ...timed, ...ended, ...superseded];
