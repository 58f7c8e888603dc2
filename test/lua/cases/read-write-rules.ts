import { type Case, CROWD, id, type Scene, type Told } from "./case.ts";

const SECOND = 1_000_000;
type More = Readonly<Record<string, string | number>>;

/** Asks for a side: the letter of the id, then the hash of the reentry key. */
const ask = (scene: Scene, mode: string, who: string, status: string, parts?: More, more?: More): Told =>
  scene.expect("rw-acquire", { id: id(who[0] ?? "") + who.slice(1), mode, ...more }, status, parts);
const close = (scene: Scene, who: string, token: number, status = "closed", parts?: More, more?: More): Told =>
  scene.expect("rw-close", { id: id(who[0] ?? "") + who.slice(1), token, ...more }, status, parts);
const force = (scene: Scene, mode: string, parts: More): Told =>
  scene.expect("rw-force", { id: id("f"), mode }, "forced", parts);
const inspect = (scene: Scene, parts: More): Told => scene.expect("crowd-inspect", { kind: "rw" }, "live", parts);
const card = ({ redis, same }: Scene, wanted: number): void => same("the members", redis("ZCARD", CROWD), wanted);

const tokens: readonly Case[] = [
  {
    what: "a reentry key whose write ran out reads under a token of the readers",
    run(scene) {
      const { now, at } = scene;
      ask(scene, "write", "ah", "granted", {}, { lease: 100 });
      at(251);
      const reading = now();
      ask(scene, "read", "bh", "granted", { token: reading, holds: 1 }, { reentrant: 0 });
      ask(scene, "read", "ch", "granted", { token: reading, holds: 2 });
      inspect(scene, { body: `=0 h  0 ${reading} ` });
    },
  },
  {
    what: "a new read phase forgets the token of a writer",
    run(scene) {
      const { now, at } = scene;
      ask(scene, "write", "ah", "granted", {}, { lease: 100 });
      at(251);
      ask(scene, "read", "bi", "granted", { token: now() });
      inspect(scene, { body: `=0 h  0 ${now()} ` });
    },
  },
  {
    what: "each reentry key keeps its own token as long as it reads",
    run(scene) {
      const { now, at } = scene;
      const writing = now();
      ask(scene, "write", "ah", "granted");
      ask(scene, "read", "bh", "granted", { token: writing, holds: 1 }, { lease: 2000 });
      ask(scene, "read", "ch", "granted", { token: writing, holds: 2 }, { lease: 2000 });
      close(scene, "ah", writing);
      at(1000);
      const reading = now();
      ask(scene, "read", "di", "granted", { token: reading, holds: 1 });
      ask(scene, "read", "ei", "granted", { token: reading, holds: 2 });
      close(scene, "ei", reading);
      close(scene, "di", reading);
      ask(scene, "read", "0h", "granted", { token: writing, holds: 3 }, { lease: 500 });
      ask(scene, "read", "1i", "granted", { token: reading, holds: 1 });
      at(2000);
      // All reads of the first reentry key are over, and its write with them.
      ask(scene, "read", "2h", "granted", { token: reading, holds: 1 });
      ask(scene, "read", "3h", "granted", { token: reading, holds: 2 });
    },
  },
  {
    what: "a copy of a read is answered as long as it is alive, and not behind that",
    run(scene) {
      const { now, at } = scene;
      const token = now();
      ask(scene, "read", "ah", "granted", { holds: 1 }, { lease: 100 });
      ask(scene, "read", "bh", "granted", { holds: 2 });
      ask(scene, "read", "bh", "granted", { holds: 2 });
      ask(scene, "read", "c", "granted", { token, holds: 1 });
      ask(scene, "read", "c", "granted", { token, holds: 1 });
      at(100);
      ask(scene, "read", "ah", "closed");
      at(161);
      ask(scene, "read", "ah", "closed");
    },
  },
  {
    what: "a second hold of a side with a shorter lease does not shorten the name's time",
    run(scene) {
      const { ttl, same } = scene;
      ask(scene, "write", "ah", "granted", { remaining: SECOND }, { lease: 1000 });
      ask(scene, "write", "bh", "granted", { remaining: 100_000 }, { lease: 100 });
      same("the time to live", ttl(), 61_000);
    },
  },
  {
    what: "the readers that are over live on in the crowd while somebody writes, as long as their requests may come",
    run(scene) {
      const { at, ttl, same } = scene;
      ask(scene, "read", "ah", "granted", {}, { lease: 500, retention: 1000 });
      at(1001);
      ask(scene, "write", "bi", "granted", {}, { lease: 2000 });
      same("the time to live", ttl(CROWD), 499);
    },
  },
  {
    what: "readers of a name whose record was lost hold back a writer",
    run(scene) {
      ask(scene, "read", "ah", "granted");
      scene.redis("DEL", "record");
      ask(scene, "write", "bi", "held", { remaining: 10 * SECOND });
    },
  },
  {
    what: "neither side is granted while memory is full",
    run(scene) {
      const { call, same, setFull } = scene;
      setFull(true);
      for (const mode of ["read", "write"]) {
        const told = call("rw-acquire", { id: `${id("a")}h`, mode });
        same("the error", /OOM/.test(String(told["message"])), true);
      }
    },
  },
];

const waiting: readonly Case[] = [
  {
    what: "a waiter that gives up leaves the deadline of the others",
    run(scene) {
      const { now } = scene;
      const token = now();
      ask(scene, "write", "ah", "granted", {}, { lease: 100 });
      ask(scene, "write", "bi", "held", { back: 5 * SECOND }, { back: 5000 });
      ask(scene, "write", "cj", "held", {}, { back: 100 });
      close(scene, "cj", 0);
      close(scene, "ah", token);
      inspect(scene, { remaining: 6 * SECOND, waiting: 1 });
      inspect(scene, { body: `=${now() + 6 * SECOND} h  0 0 ` });
      close(scene, "bi", 0);
      scene.expect("crowd-inspect", { kind: "rw" }, "free");
      card(scene, 0);
    },
  },
  {
    what: "a reader behind a waiting writer announces nothing",
    run(scene) {
      ask(scene, "read", "ah", "granted");
      ask(scene, "write", "bi", "held", {}, { back: 100 });
      ask(scene, "read", "cj", "held", { back: 5 * SECOND, remaining: 10 * SECOND }, { back: 5000 });
      inspect(scene, { waiting: 1, behind: 0 });
    },
  },
  {
    what: "a deadline that was announced is not moved nearer, also while dead readers are taken out",
    run(scene) {
      const { at } = scene;
      ask(scene, "read", "ah", "granted", {}, { lease: 100 });
      ask(scene, "read", "bi", "granted", {}, { lease: 60_000 });
      ask(scene, "write", "cj", "held", {}, { back: 60_000 });
      at(200);
      ask(scene, "write", "cj", "held", { back: 100_000 }, { back: 100 });
      at(5000);
      inspect(scene, { waiting: 1 });
    },
  },
  {
    what: "nor is that of a reader who waits for a writer",
    run(scene) {
      const { at } = scene;
      ask(scene, "write", "ai", "granted", {}, { lease: 60_000 });
      ask(scene, "read", "bi", "granted", {}, { lease: 200 });
      ask(scene, "read", "cj", "held", {}, { back: 60_000 });
      at(300);
      ask(scene, "read", "cj", "held", {}, { back: 100 });
      at(5000);
      inspect(scene, { behind: 1 });
    },
  },
  {
    what: "readers that wait for a writer are removed when they do not come back",
    run(scene) {
      const { at } = scene;
      ask(scene, "write", "ah", "granted", {}, { lease: 60_000 });
      ask(scene, "read", "bi", "held", {}, { back: 100 });
      at(2000);
      ask(scene, "read", "bi", "held", {}, { back: 100 });
      card(scene, 1);
      ask(scene, "read", "cj", "held", {}, { back: 100 });
      card(scene, 2);
      at(4000);
      ask(scene, "read", "cj", "held", {}, { back: 100 });
      card(scene, 1);
    },
  },
  {
    what: "a writer that announces its return takes the dead readers out of their reentry keys' accounts",
    run(scene) {
      const { at, redis, same } = scene;
      ask(scene, "read", "ah", "granted", {}, { lease: 100, retention: 1000 });
      at(200);
      ask(scene, "write", "bi", "granted");
      ask(scene, "write", "ch", "held", {}, { back: 100 });
      same("the account", redis("ZSCORE", CROWD, "oh"), null);
      // The hold that is over, and the waiter.
      card(scene, 2);
      at(5000);
      ask(scene, "write", "dj", "held");
      card(scene, 2);
    },
  },
  {
    what: "the fifty-first dead reader is over, although one call takes out fifty",
    run(scene) {
      const { at, expect } = scene;
      const reader = (n: number): More => ({
        id: `${"e".repeat(24)}${String(n).padStart(12, "0")}x${n}`,
        mode: "read",
        lease: 100,
      });
      for (let n = 0; n < 50; n++) expect("rw-acquire", reader(n), "granted");
      at(1);
      ask(scene, "read", "ah", "granted", {}, { lease: 100 });
      ask(scene, "read", "bi", "granted", {}, { lease: 60_000 });
      at(101);
      // It is on its reentry key's account still, and is no hold.
      ask(scene, "write", "ch", "held", { remaining: 59_900_000 });
      ask(scene, "read", "dh", "granted", { holds: 1 }, { reentrant: 0 });
    },
  },
  {
    what: "a reader that removes fifty expired holds removes no expired waiting readers in the same call",
    run(scene) {
      const { at, now, expect } = scene;
      const reader = (letter: string, n: number): More => ({
        id: `${letter.repeat(24)}${String(n).padStart(12, "0")}${letter}${n}@note`,
        mode: "read",
      });
      const token = now();
      ask(scene, "write", "ah", "granted", { token });
      for (let n = 0; n < 20; n++) expect("rw-acquire", { ...reader("b", n), back: 10 }, "held");
      close(scene, "ah", token);
      at(1);
      for (let n = 0; n < 50; n++) expect("rw-acquire", { ...reader("c", n), lease: 100 }, "granted");
      at(2000);
      ask(scene, "write", "dh", "granted");
      ask(scene, "read", "ei", "held", { placed: 1 }, { back: 10, retention: 1 });
      // The waiting readers, and the one that came now.
      card(scene, 20 + 1);
    },
  },
];

const ended: readonly Case[] = [
  {
    what: "a side is released by its token, once",
    run(scene) {
      const { now, at } = scene;
      const token = now();
      ask(scene, "write", "ah", "granted", { token });
      close(scene, "ah", token + 1, "lost", { reason: "gone" });
      // Somebody else gives up, under the same reentry key.
      close(scene, "bh", 0);
      ask(scene, "write", "ah", "granted", { token });
      close(scene, "ah", token);
      close(scene, "ah", token);
      close(scene, "ah", 0);
      ask(scene, "write", "ah", "closed");
      at(1000);
      ask(scene, "read", "ci", "granted", { token: now() });
      close(scene, "ci", token, "lost", { reason: "unknown" });
      close(scene, "ci", now());
      close(scene, "ci", now());
    },
  },
  {
    what: "an id of a side is closed until the last of its requests is void",
    run(scene) {
      const { now, at } = scene;
      at(5000);
      close(scene, "ah", 0, "closed", {}, { due: now() + SECOND });
      at(4999);
      scene.expect("crowd-inspect", { kind: "rw" }, "free");
      at(6000);
      ask(scene, "read", "ah", "closed");
      at(7000);
      ask(scene, "read", "bi", "granted", {}, { lease: 100 });
      ask(scene, "read", "ah", "granted");
    },
  },
  {
    what: "the name stays with a reader that waits for a writer whose lease is over",
    run(scene) {
      const { at } = scene;
      ask(scene, "write", "ah", "granted", {}, { lease: 2000 });
      ask(scene, "read", "bi", "held", {}, { back: 5000 });
      at(2900);
      close(scene, "cj", 0);
      inspect(scene, { behind: 1, remaining: 3_100_000 });
      force(scene, "read", { had: 0 });
      inspect(scene, { behind: 1, remaining: 3_100_000 });
    },
  },
  {
    what: "force on one side leaves what the other has",
    run(scene) {
      const { now, at } = scene;
      const token = now();
      ask(scene, "write", "ah", "granted");
      ask(scene, "write", "bi", "held", {}, { back: 15_000 });
      force(scene, "read", { had: 0, token });
      inspect(scene, { holds: 1, left: 10 * SECOND, waiting: 1, remaining: 16 * SECOND });
      at(1000);
      scene.expect("rw-force", { id: id("g"), mode: "read" }, "forced", { had: 0, token });
      ask(scene, "write", "ah", "granted", { token, remaining: 9 * SECOND });
    },
  },
  {
    what: "force on readers while nobody waits leaves a writer its time",
    run(scene) {
      const { ttl, same } = scene;
      ask(scene, "write", "ah", "granted");
      force(scene, "read", { had: 0 });
      same("the time to live", ttl(), 70_000);
    },
  },
  {
    what: "when the readers are forced out, the waiting writers hold back nobody",
    run(scene) {
      const { now, at } = scene;
      const token = now();
      ask(scene, "read", "ah", "granted", { token });
      ask(scene, "write", "bi", "held", {}, { back: 100 });
      force(scene, "read", { had: 1, token: token + 1 });
      ask(scene, "read", "cj", "granted", { token: token + 2 }, { back: 5000 });
      at(1000);
      close(scene, "ah", token, "lost", { reason: "forced" });
    },
  },
  {
    what: "what is remembered of readers lives on behind force on a writer",
    run(scene) {
      const { at, ttl, same } = scene;
      ask(scene, "read", "ah", "granted", {}, { lease: 1000, retention: 100 });
      at(1001);
      force(scene, "write", { had: 0 });
      same("the times to live", [ttl(), ttl(CROWD)], [60_000, 60_000]);
    },
  },
];

export const readWriteRuleCases: readonly Case[] = [...tokens, ...waiting, ...ended];
