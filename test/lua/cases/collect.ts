import { type Case, CROWD, id, RECORD, type Scene } from "./case.ts";

const [A, B, C, D] = [id("a"), id("b"), id("c"), id("d")];
const SECOND = 1_000_000;
const KEYS = [RECORD, CROWD, "inbox"] as const;
const keyOf = (name: string): string => name.padEnd(22, ".");
const textOf = (name: string): string => `{"id":"${name}","message":null}`;
const message = (name: string) => ({ key: keyOf(name), message: textOf(name) });
const list = (...names: string[]): string => `=[${names.map(textOf).join()}]`;

/** Calls the script on the keys of the name. */
const by =
  ({ expect }: Scene) =>
  (args: Parameters<Scene["call"]>[1], status: string, parts?: Parameters<Scene["call"]>[1]) =>
    expect("fair-collect", { ...args }, status, parts, ...KEYS);

/** The end of a turn, as its caller asks for it. */
const after = (former: string, formerToken: number, upTo: number) => ({ former, formerToken, upTo });

/** The numbers in the inbox: token, place, bytes, number. */
const numbers = ({ redis }: Scene): readonly number[] =>
  (redis("ZMSCORE", "inbox", "c", "p", "b", "n") as string[]).map((score) => -4.5e15 - Number(score));
const scoreOf = ({ redis }: Scene, name: string): number => Number(redis("ZSCORE", "inbox", `i${keyOf(name)}`));

export const collectCases: readonly Case[] = [
  {
    what: "a message begins a turn with all messages, and others are kept for its successor, in order, each once (52.3)",
    run(scene) {
      const { now, at, same, ttl } = scene;
      const ask = by(scene);
      const token = now();
      const first = { token, remaining: 10 * SECOND, holds: 1, own: 1, upTo: token, wait: 0, messages: list("one") };
      ask(message("one"), "granted", first);
      same("the time to live", [ttl(), ttl("inbox")], [70_000, 600_000]);
      same("the numbers", numbers(scene), [token, token, textOf("one").length, 1]);
      at(1000);
      for (const name of ["two", "three", "two"]) ask({ id: B, ...message(name) }, "kept");
      ask({ id: B, ...message("one") }, "kept");
      same("the numbers", numbers(scene), [token, now() + 1, 83, 3]);
      same("the time to live", ttl("inbox"), 600_000);
      // A retry has what is there by then.
      ask(message("one"), "granted", {
        token,
        remaining: 9 * SECOND,
        own: 1,
        upTo: now() + 1,
        messages: list("one", "two", "three"),
      });
      at(2000);
      const next = now();
      const successor = {
        token: next,
        remaining: 10 * SECOND,
        upTo: next - SECOND + 1,
        messages: list("two", "three"),
      };
      ask({ id: C, ...after(A, token, token) }, "granted", successor);
      same("one", scoreOf(scene, "one"), -next - 600 * SECOND);
      same("the numbers", numbers(scene), [next, next - SECOND + 1, 56, 2]);
      // A retry, and a late duplicate of the first request.
      ask({ id: C, ...after(A, token, token) }, "granted", successor);
      ask(message("one"), "closed");
      ask({ id: B, ...message("one") }, "handled");
      at(3000);
      ask({ id: D, ...after(C, next, next) }, "ended", { left: 0 });
      same("the messages", scene.redis("ZCOUNT", "inbox", "4.5e15", "8e15"), 0);
      same("the numbers", numbers(scene), [next, next - SECOND + 1, 0, 0]);
      ask({ id: D, ...after(C, next, next) }, "ended", { left: 0 });
      for (const name of ["one", "two", "three"]) ask({ id: D, ...message(name) }, "handled");
      scene.expect("crowd-inspect", { kind: "fair" }, "free", { token: next });
      same("the time to live", ttl(), 60_000);
      ask({ id: D, ...message("four") }, "granted", { token: now(), messages: list("four") });
    },
  },
  {
    what: "a turn ends with what it had, and its successor gets what arrived since (52.3)",
    run(scene) {
      const { now, at } = scene;
      const ask = by(scene);
      const token = now();
      ask(message("one"), "granted");
      ask({ id: B, ...message("two") }, "kept");
      ask({ id: B, ...message("three") }, "kept");
      at(1);
      ask({ id: C, ...after(A, token, token + 1) }, "granted", { messages: list("three") });
      ask({ id: B, ...message("two") }, "handled");
      ask({ id: B, ...message("three") }, "kept");
      at(2);
      ask({ id: D, ...after(C, token + 1000, token + 2), begins: 0 }, "ended", { left: 0 });
      ask({ id: id("e"), ...message("four") }, "granted", { messages: list("four") });
    },
  },
  {
    what: "without a successor, what is left waits for the next delivery, also of a message that is known (52.3)",
    run(scene) {
      const { now, at, same, ttl } = scene;
      const ask = by(scene);
      const token = now();
      ask(message("one"), "granted");
      ask({ id: B, ...message("two") }, "kept");
      at(1);
      ask({ id: C, ...after(A, token, token), begins: 0 }, "ended", { left: 1 });
      scene.expect("crowd-inspect", { kind: "fair" }, "free", { token });
      same("the time to live", ttl(), 60_000);
      ask({ id: D, ...message("one") }, "granted", { own: 2, messages: list("two") });
      const next = now();
      ask({ id: id("e"), ...message("two") }, "kept");
      ask({ id: id("f"), ...after(D, next, token + 1) }, "ended", { left: 0 });
      // A request that only ends a turn begins none if nothing waits.
      ask({ id: id("g") }, "ended", { left: 0 });
    },
  },
  {
    what: "after an expired lease, a force release or a release, the messages of the turn are the next one's (52.3)",
    run(scene) {
      const { expect, now, at } = scene;
      const ask = by(scene);
      const token = now();
      ask({ ...message("one"), lease: 1000 }, "granted");
      at(500);
      ask({ id: B, ...message("two") }, "kept");
      at(1000);
      ask({ id: C, ...after(A, token, token) }, "lost", { reason: "expired" });
      // That it has expired is saved, whatever the clock does.
      at(999);
      ask({ id: C, ...after(A, token, token) }, "lost", { reason: "expired" });
      at(1000);
      ask({ id: B, ...message("two") }, "granted", { own: 1, messages: list("one", "two") });
      ask({ id: C, ...after(A, token, token) }, "lost", { reason: "taken" });
      const second = now();
      expect("crowd-force", { id: C, kind: "fair" }, "forced");
      ask({ id: D, ...after(B, second, second) }, "lost", { reason: "forced" });
      ask({ id: D, ...message("three") }, "granted", { messages: list("one", "two", "three") });
      const [, third] = [0, numbers(scene)[0] as number];
      expect("fair-close", { id: D, token: third }, "closed");
      ask({ id: id("e"), ...message("two") }, "granted", { messages: list("one", "two", "three") });
      const fourth = numbers(scene)[0] as number;
      // A late duplicate of an end with another token ends nothing.
      ask({ id: id("f"), ...after(id("e"), fourth - 1, fourth) }, "lost", { reason: "taken" });
      ask({ id: id("f"), ...after(id("e"), fourth, now() + SECOND) }, "ended", { left: 0 });
    },
  },
  {
    what: "an end whose next ID is closed ends nothing, and one that ran is known by its former ID (52.3)",
    run(scene) {
      const { expect, now, at } = scene;
      const ask = by(scene);
      const token = now();
      ask(message("one"), "granted");
      ask({ id: B, ...message("two") }, "kept");
      at(1);
      expect("fair-close", { id: C, token: 0 }, "closed");
      ask({ id: C, ...after(A, token, token) }, "closed");
      ask({ id: B, ...message("one") }, "kept");
      // It runs, and its next turn is cancelled: another request for it begins a turn under another ID.
      ask({ id: D, ...after(A, token, token) }, "granted", { messages: list("two") });
      expect("fair-close", { id: D, token: 0 }, "closed");
      ask({ id: D, ...after(A, token, token) }, "closed");
      ask({ id: id("e"), ...after(A, token, token) }, "granted", { messages: list("two") });
      // While another turn runs, an end that has run says so.
      ask({ id: id("f"), ...after(A, token, token) }, "ended", { left: 1 });
    },
  },
  {
    what: "the ID of a turn that has ended is closed, as long as its requests may arrive (52.3)",
    run(scene) {
      const { expect, now, at } = scene;
      const ask = by(scene);
      const token = now();
      ask(message("one"), "granted");
      ask({ id: B, ...after(A, token, token), due: now() + 30 * SECOND }, "ended");
      // More holds than a record remembers without a time.
      for (let n = 0; n < 65; n++) {
        at(1 + n);
        const own = `${n}`.padStart(36, "0");
        expect("fair-acquire", { id: own, ticket: -1 }, "granted");
        expect("fair-close", { id: own, token: now() }, "closed");
      }
      at(29_000);
      ask({ id: B, ...after(A, token, token) }, "ended");
    },
  },
  {
    what: "a request that arrives too late, or under a closed ID, keeps no message (52.3)",
    run(scene) {
      const { expect, now, redis, same } = scene;
      const ask = by(scene);
      ask({ ...message("one"), notAfter: now() - 1 }, "late");
      expect("fair-close", { id: A, token: 0 }, "closed");
      ask(message("one"), "closed");
      same("the inbox", redis("EXISTS", "inbox"), 0);
    },
  },
  {
    what: "100 messages and 256 kB are kept, those of the running turn included, and no more (52.3)",
    run(scene) {
      const { now, at, same } = scene;
      const ask = by(scene);
      const token = now();
      ask(message("0"), "granted");
      for (let n = 1; n < 100; n++) ask({ id: B, ...message(`${n}`) }, "kept");
      ask({ id: B, ...message("100") }, "full", { remaining: 10 * SECOND });
      ask({ id: B, ...message("99") }, "kept");
      same("the number", numbers(scene)[3], 100);
      // A retry of the first one is refused nothing.
      ask(message("0"), "granted", { own: 1 });
      at(11_000);
      ask({ id: C, ...message("100") }, "granted", { own: 0, upTo: token + 99 });
      const next = now();
      ask({ id: B, ...message("100") }, "full");
      ask({ id: D, ...after(C, next, token + 99) }, "ended", { left: 0 });
      ask({ id: D, ...message("100") }, "granted", { own: 1, messages: list("100") });
    },
  },
  {
    what: "the bytes of messages are counted, and those of ended ones are free again (52.3)",
    run(scene) {
      const { now, at, same } = scene;
      const ask = by(scene);
      const token = now();
      const send = (name: string, bytes: number) => ({ key: keyOf(name), message: "1".repeat(bytes) });
      ask(send("a", 100_000), "granted");
      ask({ id: B, ...send("b", 162_144) }, "kept");
      ask({ id: B, ...send("c", 1) }, "full");
      same("the bytes", numbers(scene)[2], 262_144);
      at(1);
      ask({ id: C, ...after(A, token, token) }, "granted");
      ask({ id: B, ...send("c", 100_001) }, "full");
      ask({ id: B, ...send("c", 100_000) }, "kept");
    },
  },
  {
    what: "a turn gets its messages after a pause, or once there are 100 (52.3)",
    run(scene) {
      const { now, at } = scene;
      const ask = by(scene);
      const quiet = 2000;
      const token = now();
      ask({ ...message("one"), quiet }, "granted", { wait: 2 * SECOND, messages: "", upTo: token });
      at(1500);
      ask({ quiet, begins: 0 }, "granted", { wait: SECOND / 2, messages: "", token });
      ask({ id: B, quiet, ...message("two") }, "kept");
      ask({ id: B, quiet, ...message("two") }, "kept");
      at(2000);
      ask({ quiet, begins: 0 }, "granted", { wait: 1.5 * SECOND, messages: "" });
      // After a step back of the clock, the pause is not longer than `quiet`.
      at(1000);
      ask({ quiet, begins: 0 }, "granted", { wait: 2 * SECOND, messages: "" });
      at(3500);
      ask({ quiet, begins: 0 }, "granted", { wait: 0, messages: list("one", "two"), upTo: token + 1.5 * SECOND });
      at(3600);
      ask({ id: B, quiet, ...message("three") }, "kept");
      const next = now();
      ask({ id: C, quiet, ...after(A, token, next - 1) }, "granted", { wait: 2 * SECOND, messages: "" });
      ask({ id: B, quiet, ...message("two") }, "handled");
      ask({ id: C, quiet: 0, begins: 0 }, "granted", { wait: 0, messages: list("three") });
      for (let n = 1; n < 100; n++) ask({ id: B, quiet, ...message(`${n}`) }, "kept");
      ask({ id: C, quiet, begins: 0 }, "granted", { wait: 0 });
      // A read begins no turn.
      ask({ id: D, quiet, begins: 0 }, "ended", { left: 100 });
      // What the turn before had is not counted.
      const last = numbers(scene)[1] as number;
      ask({ id: D, quiet, ...after(C, next, last - 1) }, "granted", { wait: 2 * SECOND, messages: "" });
    },
  },
  {
    what: "a holder that does not collect keeps nothing, a queue is not overtaken, and waiters are woken (52.3)",
    run(scene) {
      const { expect, now, at, redis, same, messages } = scene;
      const ask = by(scene);
      expect("fair-acquire", { id: B, ticket: -1 }, "granted");
      ask(message("one"), "held", { remaining: 10 * SECOND });
      expect("fair-supersede", { id: C }, "granted", {}, RECORD);
      ask(message("one"), "held");
      expect("fair-acquire", { id: D, listens: 5000 }, "held", { listed: 1 });
      expect("fair-close", { id: C, token: now() + 1 }, "closed");
      messages();
      ask(message("one"), "held", { remaining: 0 });
      same("the inbox", redis("EXISTS", "inbox"), 0);
      at(20_000);
      ask(message("one"), "granted");
      const token = now();
      expect("fair-acquire", { id: D, listens: 5000 }, "held", { listed: 1 });
      messages();
      at(20_100);
      ask({ id: id("e"), ...after(A, token, token) }, "ended");
      same("the messages", messages(), [D.slice(24)]);
      expect("lock-acquire", {}, "kind", { kind: "fair" });
      // Nor does a lock that has the name.
      expect("lock-acquire", {}, "granted", {}, "other");
      expect("fair-collect", { id: B, ...message("one") }, "kind", { kind: "lock" }, "other", CROWD, "inbox");
    },
  },
  {
    what: "the keys of ended messages are remembered for ttl, and then removed (52.3)",
    run(scene) {
      const { now, at, same, redis, ttl } = scene;
      const ask = by(scene);
      const brief = { ttl: 5000 };
      for (let n = 0; n < 3; n++) {
        at(n);
        const token = now();
        const own = id(`${n}`);
        ask({ ...brief, id: own, ...message(`${n}`) }, "granted", { messages: list(`${n}`) });
        ask({ ...brief, id: id("f"), ...after(own, token, token) }, "ended");
      }
      at(5001);
      ask({ ...brief, id: B, ...message("2") }, "handled");
      at(5002);
      ask({ ...brief, id: B, ...message("2") }, "granted", { own: 1, messages: list("2") });
      same("the members", redis("ZCARD", "inbox"), 5 + 2);
      // The set is kept for the longest ttl that was asked for.
      ask({ ...brief, id: C, ttl: 60_000, ...message("3") }, "kept");
      ask({ ...brief, id: C, ...message("4") }, "kept");
      same("the time to live", ttl("inbox"), 60_000);
    },
  },
  {
    what: "places rise although the clock is set back (52.3)",
    run(scene) {
      const { now, at } = scene;
      const ask = by(scene);
      at(5000);
      const token = now();
      ask({ ...message("one"), lease: 20_000 }, "granted");
      at(0);
      ask({ id: B, ...message("two") }, "kept");
      ask({ id: C, ...after(A, token, token) }, "granted", {
        messages: list("two"),
        token: token + 1,
        upTo: token + 1,
      });
    },
  },
  {
    what: "a turn is nobody's re-entry, and has a note of its own (52.3)",
    run(scene) {
      const { expect, now, at } = scene;
      const ask = by(scene);
      expect("fair-acquire", { reentryKey: "x", note: "before@host" }, "granted");
      expect("fair-close", { token: now() }, "closed");
      at(1);
      ask({ id: `${B}@turn@host`, ...message("one") }, "granted", { token: now() });
      expect("name-inspect", {}, "live", { body: "= turn@host 0 0 0 0" });
      expect("fair-acquire", { id: C, reentryKey: "x", ticket: -1 }, "held");
    },
  },
  {
    what: "the holder of a turn adds a message to it, which ends with it (52.3)",
    run(scene) {
      const { now, at } = scene;
      const ask = by(scene);
      const token = now();
      ask(message("one"), "granted");
      ask(message("two"), "granted", { token, upTo: token + 1, messages: list("one", "two") });
      ask({ begins: 0 }, "granted", { messages: list("one", "two") });
      at(1);
      ask({ id: B, ...after(A, token, token + 1) }, "ended", { left: 0 });
      ask({ id: B, ...message("two") }, "handled");
    },
  },
  {
    what: "a request that changes nothing stores nothing (52.3)",
    run(scene) {
      const { commandsOf, same, redis, ttl } = scene;
      const ask = by(scene);
      ask({ begins: 0 }, "ended", { left: 0 });
      same("what is stored", redis("DBSIZE"), 0);
      ask({ ...message("one"), ttl: 5000 }, "granted");
      const read = commandsOf(() => ask({ begins: 0, ttl: 60_000 }, "granted"));
      same("the time to live", ttl("inbox"), 5000);
      same(
        "the commands of a retry",
        commandsOf(() => ask({ ...message("one"), ttl: 60_000 }, "granted")),
        read,
      );
      same("the time to live", ttl("inbox"), 5000);
    },
  },
  {
    what: "a queue whose last waiter had its tenure holds up no turn (52.3)",
    run(scene) {
      const { expect, now, at } = scene;
      const ask = by(scene);
      const token = now();
      expect("fair-acquire", {}, "granted");
      for (const one of [B, C]) expect("fair-acquire", { id: one, grace: 60_000 }, "held");
      at(1);
      expect("fair-close", { token }, "closed");
      expect("fair-acquire", { id: B }, "granted");
      expect("fair-close", { id: B, token: now() }, "closed");
      ask({ id: D, ...message("one") }, "held");
      expect("fair-close", { id: C, due: now() + 60 * SECOND }, "closed");
      ask({ id: D, ...message("one") }, "granted");
    },
  },
  {
    what: "a waiter that does not come back holds up no turn (52.3)",
    run(scene) {
      const { expect, now, at, same, redis } = scene;
      const ask = by(scene);
      const token = now();
      expect("fair-acquire", {}, "granted");
      expect("fair-acquire", { id: B, grace: 1000 }, "held");
      const deadline = -Number(redis("ZSCORE", CROWD, `w${B}`));
      expect("fair-close", { token }, "closed");
      ask({ id: D, ...message("one") }, "held");
      at((deadline - now()) / 1000);
      // Its place is kept for longer, so that few polls write the record.
      same("the name is kept", Number(expect("crowd-inspect", { kind: "fair" }, "live")["remaining"]) > 0, true);
      ask({ id: D, ...message("one") }, "granted");
    },
  },
  {
    what: "a message that is no longer remembered, and for which there is no room, is refused (52.3)",
    run(scene) {
      const { now, at } = scene;
      const ask = by(scene);
      const token = now();
      ask(message("old"), "granted");
      ask({ id: B, ...after(A, token, token), ttl: 1000 }, "ended");
      at(500);
      for (let n = 0; n < 100; n++) ask({ id: C, ...message(`${n}`) }, "granted");
      at(999.999);
      ask({ id: D, ...message("old") }, "handled");
      at(1000);
      ask({ id: D, ...message("old") }, "full");
    },
  },
  {
    what: "an end is granted again, whatever requests were cancelled since (52.3)",
    run(scene) {
      const { expect, now, at } = scene;
      const ask = by(scene);
      const token = now();
      ask(message("one"), "granted");
      ask({ id: B, ...message("two") }, "kept");
      at(1);
      const next = ask({ id: C, ...after(A, token, token) }, "granted", { messages: list("two") });
      // As many as a record remembers without a time.
      for (let n = 0; n < 64; n++) expect("fair-close", { id: `${n}`.padStart(36, "0"), token: 0 }, "closed");
      ask({ id: C, ...after(A, token, token) }, "granted", { token: Number(next["token"]), messages: list("two") });
    },
  },
  {
    what: "a late end removes no message that came after it, although the places began anew (52.3)",
    run(scene) {
      const { now, at, redis } = scene;
      const ask = by(scene);
      at(5000);
      const token = now();
      ask(message("one"), "granted");
      const end = { id: B, ...after(A, token, token) };
      ask(end, "ended", { left: 0 });
      // The server loses the messages, and its clock is set back.
      redis("DEL", "inbox");
      at(0);
      ask({ id: C, lease: 1000, ...message("two") }, "granted", { upTo: now() });
      at(1000);
      ask(end, "granted", { messages: list("two") });
    },
  },
  {
    what: "no step of a conversation runs a command that it does not need (52.3)",
    run(scene) {
      const { commandsOf, same, now, at } = scene;
      const ask = by(scene);
      const count = (what: string, wanted: number, ...given: Parameters<typeof ask>): void =>
        same(
          `the commands of ${what}`,
          commandsOf(() => ask(...given)),
          wanted,
        );
      const token = now();
      count("a request for nothing", 3, { id: D }, "ended");
      count("a grant", 7, { ...message("one"), ttl: 1000 }, "granted");
      count("a message that is kept", 5, { id: B, ...message("two") }, "kept");
      at(1);
      count("an end with a successor", 8, { id: C, ...after(A, token, token), ttl: 1000 }, "granted");
      at(2);
      count("an end without one", 8, { id: D, ...after(C, token + 1000, token + 1) }, "ended");
      at(1500);
      count("a grant that forgets a key", 8, { id: id("e"), ...message("three") }, "granted");
      at(12_000);
      count("a read", 3, { id: D, begins: 0 }, "ended");
      count("a turn that waits for a pause", 6, { id: id("f"), quiet: 1000, ...message("four") }, "granted");
    },
  },
  {
    what: "those in the queue keep the name, whatever turns begin and end (52.3)",
    run(scene) {
      const { expect, now, at } = scene;
      const ask = by(scene);
      const token = now();
      ask(message("one"), "granted");
      ask({ id: B, ...message("two") }, "kept");
      const ticket = now();
      expect("fair-acquire", { id: D, grace: 60_000 }, "held", { ticket });
      // The turn goes on, and gets messages.
      ask(message("one"), "granted", { token });
      ask({ id: B, ...message("two") }, "kept");
      at(1000);
      const next = now();
      // The successor of a turn does not queue.
      ask({ id: C, ...after(A, token, token), lease: 1000 }, "granted", { messages: list("two") });
      at(3000);
      expect("lock-acquire", { id: id("e") }, "kind", { kind: "fair" });
      expect("fair-acquire", { id: D, grace: 60_000, ticket }, "granted", { token: now() });
      expect("fair-close", { id: D, token: now() }, "closed");
      // A turn that has no successor.
      at(4000);
      ask({ id: id("f"), ...message("three") }, "granted", { messages: list("two", "three") });
      const last = now();
      expect("fair-acquire", { id: id("g"), grace: 60_000 }, "held");
      at(5000);
      ask({ id: id("h"), ...after(id("f"), last, next + SECOND * 10) }, "ended", { left: 0 });
      expect("lock-acquire", { id: id("e") }, "kind", { kind: "fair" });
    },
  },
  {
    what: "a turn ends when memory is full, and a message is refused (52.3)",
    run(scene) {
      const { now, at, setFull, call, same } = scene;
      const ask = by(scene);
      const token = now();
      ask(message("one"), "granted");
      ask({ id: B, ...message("two") }, "kept");
      at(1);
      setFull(true);
      same("the answer", call("fair-collect", { id: B, ...message("three") }, ...KEYS)["status"], "error");
      ask({ id: C, ...after(A, token, token) }, "granted", { messages: list("two") });
      const next = now();
      ask({ id: D, ...after(C, next, next) }, "ended", { left: 0 });
      setFull(false);
      ask({ id: D, ...message("three") }, "granted", { messages: list("three") });
    },
  },
  {
    what: "a lost inbox leaves a turn nothing, and a lost record leaves the next turn the messages (52.3)",
    run(scene) {
      const { now, redis, at } = scene;
      const ask = by(scene);
      ask({ ...message("one"), quiet: 1000 }, "granted", { messages: "" });
      redis("DEL", "inbox");
      ask({ begins: 0 }, "granted", { messages: "=[]" });
      // The holder is not known to collect any more.
      ask({ id: B, ...message("two") }, "held");
      redis("DEL", RECORD);
      at(1);
      ask({ id: B, ...message("two") }, "granted", { messages: list("two") });
      redis("DEL", RECORD);
      ask({ id: C, ...after(B, now(), now()) }, "lost", { reason: "gone" });
      ask({ id: B, begins: 0 }, "ended", { left: 1 });
      ask({ id: C, ...message("three") }, "granted", { messages: list("two", "three") });
    },
  },
];
