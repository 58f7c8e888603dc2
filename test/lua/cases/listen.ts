import { type Case, CROWD, id, RECORD, type Scene } from "./case.ts";

const [A, B, C, D] = [id("a"), id("b"), id("c"), id("d")];
const tailOf = (one: string): string => one.slice(24);
/** A caller that listens for 5 s. */
const LISTENS = { listens: 5000 };

const expectMessages = ({ messages, same }: Scene, ...wanted: readonly string[]): void => {
  same("the messages", messages().join(), wanted.join());
};

export const listenCases: readonly Case[] = [
  {
    what: "a release wakes the first waiter that listens, and a caller that does not listen is never listed",
    run(scene) {
      const { expect, now } = scene;
      const token = now();
      expect("lock-acquire", {}, "granted");
      expect("lock-acquire", { id: D }, "held", { listed: 0 });
      // The first listener shows that messages can be sent.
      expect("lock-acquire", { id: B, ...LISTENS }, "held", { listed: 1 });
      expectMessages(scene, "");
      expect("lock-acquire", { id: C, ...LISTENS }, "held", { listed: 1 });
      expect("lock-acquire", { id: B, ...LISTENS }, "held", { listed: 1 });
      expect("lock-close", { token }, "closed");
      expectMessages(scene, tailOf(B));
      const next = Number(expect("lock-acquire", { id: B }, "granted")["token"]);
      expect("lock-close", { id: B, token: next }, "closed");
      expectMessages(scene, tailOf(C));
      const last = Number(expect("lock-acquire", { id: C }, "granted")["token"]);
      expect("lock-close", { id: C, token: last }, "closed");
      expectMessages(scene);
    },
  },
  {
    what: "a woken waiter that comes too late is the first again, and one that never comes is passed over",
    run(scene) {
      const { expect, now } = scene;
      expect("lock-acquire", {}, "granted");
      expect("lock-acquire", { id: B, ...LISTENS }, "held");
      expect("lock-acquire", { id: C, ...LISTENS }, "held");
      scene.messages();
      expect("lock-close", { token: now() }, "closed");
      expectMessages(scene, tailOf(B));
      const second = Number(expect("lock-acquire", { id: D }, "granted")["token"]);
      expect("lock-acquire", { id: B, ...LISTENS }, "held", { listed: 1 });
      expect("lock-close", { id: D, token: second }, "closed");
      expectMessages(scene, tailOf(B));
      const third = Number(expect("lock-acquire", { id: id("e") }, "granted")["token"]);
      expect("lock-close", { id: id("e"), token: third }, "closed");
      expectMessages(scene, tailOf(C));
    },
  },
  {
    what: "a waiter whose time is up is not woken, and one that leaves passes a free lock on",
    run(scene) {
      const { expect, now, at } = scene;
      const token = now();
      expect("lock-acquire", {}, "granted");
      expect("lock-acquire", { id: B, listens: 1000 }, "held", { listed: 1 });
      expect("lock-acquire", { id: C, ...LISTENS }, "held");
      expect("lock-acquire", { id: D, ...LISTENS }, "held");
      scene.messages();
      at(2000);
      expect("lock-close", { token }, "closed");
      expectMessages(scene, tailOf(C));
      expect("lock-close", { id: C, due: now() + 60e6 }, "closed");
      expectMessages(scene, tailOf(D));
    },
  },
  {
    what: "of 65 listeners, the last is not listed until one has left",
    run(scene) {
      const { expect, now } = scene;
      const listener = (n: number): string => `${String(n).padStart(36, "0")}`;
      expect("lock-acquire", {}, "granted");
      for (let n = 0; n < 64; n++) expect("lock-acquire", { id: listener(n), ...LISTENS }, "held", { listed: 1 });
      expect("lock-acquire", { id: B, ...LISTENS }, "held", { listed: 0 });
      expect("lock-close", { id: listener(7), due: now() + 60e6 }, "closed");
      expect("lock-acquire", { id: B, ...LISTENS }, "held", { listed: 1 });
    },
  },
  {
    what: "a fair lock wakes the first of its queue, and only if that one listens",
    run(scene) {
      const { expect, now } = scene;
      const token = now();
      expect("fair-acquire", {}, "granted");
      expect("fair-acquire", { id: B, ...LISTENS }, "held", { listed: 1, ahead: 0, back: 2_000_000 });
      expect("fair-acquire", { id: C, ...LISTENS }, "held", { listed: 1, ahead: 1 });
      scene.messages();
      expect("fair-close", { token }, "closed");
      expectMessages(scene, tailOf(B));
      expect("fair-close", { id: B }, "closed");
      expectMessages(scene, tailOf(C));
    },
  },
  {
    what: "a listener in a queue polls when the lease ends, and in turn while the lock is free for another",
    run(scene) {
      const { expect, now, at, same } = scene;
      const token = now();
      expect("fair-acquire", { lease: 500 }, "granted");
      expect("fair-acquire", { id: B, grace: 60_000 }, "held");
      const ticket = Number(expect("fair-acquire", { id: C, ...LISTENS }, "held", { back: 501_000 })["ticket"]);
      at(100);
      expect("fair-close", { token }, "closed");
      const silent = expect("fair-acquire", { id: C, ticket }, "held", { ahead: 1 });
      expect("fair-acquire", { id: C, ticket, ...LISTENS }, "held", { ahead: 1, listed: 1, back: silent["back"] ?? 0 });
      same("it is no poll each millisecond", Number(silent["back"]) > 1000, true);
    },
  },
  {
    what: "a waiter in a queue that listens from its second poll on is woken",
    run(scene) {
      const { expect, now } = scene;
      const token = now();
      expect("fair-acquire", {}, "granted");
      const ticket = Number(expect("fair-acquire", { id: B, grace: 60_000 }, "held", { listed: 0 })["ticket"]);
      expect("fair-acquire", { id: B, ticket, ...LISTENS }, "held", { listed: 1 });
      scene.messages();
      expect("fair-close", { token }, "closed");
      expectMessages(scene, tailOf(B));
    },
  },
  {
    what: "of 66 listeners, one is listed when another leaves, and one when another is granted what it waits for",
    run({ expect, now }) {
      const listener = (n: number): string => `${String(n).padStart(36, "0")}`;
      const permits = { kind: "semaphore", permits: 1 };
      const kinds: readonly [acquire: string, close: string, refusal: string, args: object, keys: readonly string[]][] =
        [
          ["lock-acquire", "lock-close", "held", {}, ["lock"]],
          ["fair-acquire", "fair-close", "held", {}, ["fair", "fair crowd"]],
          ["group-acquire", "group-close", "held", {}, ["x", "y"]],
          ["once-begin", "once-close", "running", {}, ["once"]],
          ["semaphore-acquire", "semaphore-close", "held", permits, ["pool", "pool crowd"]],
          ["rw-acquire", "rw-close", "held", { mode: "write" }, ["rw", "rw crowd"]],
        ];
      for (const [acquire, close, refusal, args, keys] of kinds) {
        const suffix = acquire.startsWith("semaphore") ? "#1" : "";
        const ask = (one: string, status: string, parts: object = {}, more: object = LISTENS) =>
          expect(acquire, { ...args, id: one + suffix, ...more }, status, { ...parts }, ...keys);
        const token = Number(ask(A, "granted", { token: now() }, {})["token"]);
        for (let n = 0; n < 64; n++) ask(listener(n), refusal, { listed: 1 });
        ask(B, refusal, { listed: 0 });
        expect(close, { id: listener(1) + suffix, due: now() + 60e6 }, "closed", {}, ...keys);
        ask(C, refusal, { listed: 1 });
        ask(B, refusal, { listed: 0 });
        expect(close, { id: A + suffix, token }, "closed", {}, ...keys);
        ask(listener(0), "granted", {}, {});
        ask(B, refusal, { listed: 1 });
      }
    },
  },
  {
    what: "of 64 readers that listen, one that may read makes room for a writer",
    run({ expect, now }) {
      const token = now();
      const reader = (n: number, status: string): unknown =>
        expect("rw-acquire", { id: `${String(n).padStart(36, "0")}`, mode: "read", ...LISTENS }, status);
      const writer = (listed: number): unknown => expect("rw-acquire", { id: B, ...LISTENS }, "held", { listed });
      expect("rw-acquire", {}, "granted");
      for (let n = 0; n < 64; n++) reader(n, "held");
      writer(0);
      expect("rw-close", { token }, "closed");
      reader(0, "granted");
      writer(1);
    },
  },
  {
    what: "a caller that listens is listed, also where its refusal needs no clock",
    run(scene) {
      const { expect, now } = scene;
      const token = now();
      const asked = { asked: now() };
      expect("lock-acquire", { lease: 120_000 }, "granted");
      expect("lock-acquire", { id: B, ...asked }, "held", { clockRead: 0, listed: 0 });
      expect("lock-acquire", { id: B, ...asked, ...LISTENS }, "held", { clockRead: 1, listed: 1 });
      scene.messages();
      expect("lock-close", { token }, "closed");
      expectMessages(scene, tailOf(B));
    },
  },
  {
    what: "a waiter with a back-off of its own keeps its place for two seconds",
    run({ expect }) {
      expect("fair-acquire", {}, "granted");
      expect("fair-acquire", { id: B, ownPace: 1 }, "held", { listed: 0, back: 2_000_000 });
    },
  },
  {
    what: "a writer that leaves wakes all readers together, and the last reader wakes one writer",
    run(scene) {
      const { expect, now } = scene;
      const token = now();
      expect("rw-acquire", { mode: "write" }, "granted");
      expect("rw-acquire", { id: B, mode: "read", back: 1000, ...LISTENS }, "held", { listed: 1 });
      expect("rw-acquire", { id: C, mode: "write", back: 1000, ...LISTENS }, "held", { listed: 1 });
      scene.messages();
      expect("rw-close", { token }, "closed");
      expectMessages(scene, "read");
      const read = Number(expect("rw-acquire", { id: B, mode: "read" }, "granted")["token"]);
      expect("rw-close", { id: B, token: read }, "closed");
      expectMessages(scene, tailOf(C));
    },
  },
  {
    what: "permits that return wake as many waiters",
    run(scene) {
      const { expect } = scene;
      const two = { kind: "semaphore", permits: 2, id: `${A}#2` };
      const token = Number(expect("semaphore-acquire", two, "granted")["token"]);
      for (const one of [B, C, D])
        expect("semaphore-acquire", { ...two, id: `${one}#1`, ...LISTENS }, "held", { listed: 1 });
      scene.messages();
      expect("semaphore-close", { id: `${A}#2`, token }, "closed");
      expectMessages(scene, tailOf(B), tailOf(C));
    },
  },
  {
    what: "a result wakes everybody, a failed attempt one, and the fingerprint of a waiter does not count",
    run(scene) {
      const { expect, now } = scene;
      const token = now();
      expect("once-begin", {}, "granted");
      expect("once-begin", { id: B, ...LISTENS }, "running", { listed: 1 });
      expect("once-begin", { id: C, fingerprint: "of a waiter", ...LISTENS }, "running", { listed: 1 });
      scene.messages();
      expect("once-close", { token }, "closed");
      expectMessages(scene, tailOf(B));
      const next = Number(expect("once-begin", { id: B, fingerprint: "another" }, "granted")["token"]);
      expect("once-complete", { id: B, token: next }, "completed");
      expectMessages(scene, "*");
    },
  },
  {
    what: "a name of a group that is released wakes its first waiter, one that has left is forgotten",
    run(scene) {
      const { expect, now } = scene;
      const token = now();
      expect("group-acquire", {}, "granted", {}, "x", "y");
      for (const one of [B, C]) expect("group-acquire", { id: one, ...LISTENS }, "held", { listed: 1 }, "x", "y");
      scene.messages();
      expect("group-close", { id: B, due: now() + 60e6 }, "closed", {}, "x", "y");
      expectMessages(scene);
      expect("group-close", { token }, "closed", {}, "x", "y");
      expectMessages(scene, tailOf(C));
    },
  },
  {
    what: "a waiter that cannot be listed since memory is full polls, and one that is listed is not stored again",
    run(scene) {
      const { expect, commandsOf, setFull, same } = scene;
      /** The commands of a refusal that stores nothing. */
      const calls: readonly [
        script: string,
        args: object,
        refusal: string,
        commands: number,
        keys: readonly string[],
      ][] = [
        ["lock-acquire", {}, "held", 2, ["lock"]],
        ["group-acquire", {}, "held", 2, ["x", "y"]],
        ["once-begin", {}, "running", 2, ["once"]],
        ["semaphore-acquire", { kind: "semaphore", permits: 1 }, "held", 6, ["semaphore", "its crowd"]],
        ["rw-acquire", { mode: "write" }, "held", 2, ["rw", "readers"]],
      ];
      for (const [script, args, refusal, refused, keys] of calls) {
        const suffix = script.startsWith("semaphore") ? "#1" : "";
        const poll = (one: string, listens: number): number =>
          commandsOf(() =>
            expect(script, { ...args, id: one + suffix, listens }, refusal, { listed: listens > 0 ? 1 : 0 }, ...keys),
          );
        expect(script, { ...args, id: A + suffix }, "granted", {}, ...keys);
        setFull(true);
        expect(script, { ...args, id: B + suffix, ...LISTENS }, refusal, { listed: 0 }, ...keys);
        setFull(false);
        const first = poll(B, 5000);
        same(`the commands of a second poll of ${script}`, poll(B, 5000), refused);
        same(`the commands of one that does not listen of ${script}`, poll(C, 0), refused);
        same(`the commands of the first poll of ${script}`, first > refused, true);
      }
    },
  },
  {
    what: "a lock that is released by force wakes one waiter, a once wakes all, and so does what ends a whole queue",
    run(scene) {
      const { expect } = scene;
      expect("lock-acquire", {}, "granted");
      for (const one of [B, C]) expect("lock-acquire", { id: one, ...LISTENS }, "held");
      scene.messages();
      expect("record-force", { id: D }, "forced");
      expectMessages(scene, tailOf(B));
      expect("once-begin", {}, "granted", {}, "once");
      for (const one of [B, C]) expect("once-begin", { id: one, ...LISTENS }, "running", {}, "once");
      scene.messages();
      expect("record-force", { id: D, kind: "once" }, "forced", {}, "once");
      expectMessages(scene, "*");
      expect("fair-acquire", {}, "granted", {}, "fair", "its queue");
      expect("fair-acquire", { id: B, ...LISTENS }, "held", {}, "fair", "its queue");
      scene.messages();
      expect("crowd-force", { id: D, kind: "fair" }, "forced", {}, "fair", "its queue");
      expectMessages(scene, "*");
    },
  },
  {
    what: "a side of a read-write lock that is released by force wakes those who may go on",
    run(scene) {
      const { expect } = scene;
      expect("rw-acquire", { id: A, mode: "write" }, "granted");
      expect("rw-acquire", { id: B, mode: "read", ...LISTENS }, "held", { listed: 1 });
      scene.messages();
      expect("rw-force", { id: D, mode: "write" }, "forced", { had: 1 });
      expectMessages(scene, "read");
      expect("rw-acquire", { id: B, mode: "read" }, "granted");
      expect("rw-acquire", { id: C, mode: "write", back: 1000, ...LISTENS }, "held", { listed: 1 });
      scene.messages();
      expect("rw-force", { id: id("e"), mode: "read" }, "forced", { had: 1 });
      // No writer's announcement is kept, so readers may go on as well.
      expectMessages(scene, tailOf(C), "read");
    },
  },
  {
    what: "a writer that is forced out leaves the readers of its re-entry key, and wakes others",
    run(scene) {
      const { expect } = scene;
      expect("rw-acquire", { id: `${A}h`, mode: "write" }, "granted");
      expect("rw-acquire", { id: `${B}h`, mode: "read" }, "granted");
      expect("rw-acquire", { id: C, mode: "read", ...LISTENS }, "held", { listed: 1 });
      scene.messages();
      expect("rw-force", { id: D, mode: "write" }, "forced", { had: 1 });
      expectMessages(scene, "read");
    },
  },
  {
    what: "readers that are released by force wake nobody while the writer beside them stays",
    run(scene) {
      const { expect } = scene;
      expect("rw-acquire", { id: `${A}h`, mode: "write" }, "granted");
      expect("rw-acquire", { id: `${B}h`, mode: "read" }, "granted");
      expect("rw-acquire", { id: C, mode: "read", ...LISTENS }, "held", { listed: 1 });
      scene.messages();
      expect("rw-force", { id: D, mode: "read" }, "forced", { had: 1 });
      expectMessages(scene);
    },
  },
  {
    what: "a latch that reaches zero wakes everybody who listens",
    run(scene) {
      const { expect, now } = scene;
      const generation = now();
      expect("latch-set", { count: 2 }, "set");
      for (const one of [B, C]) expect("latch-wait", { id: one, ...LISTENS }, "counting", { listed: 1 });
      expect("latch-wait", { id: D }, "counting", { listed: 0 });
      scene.messages();
      expect("latch-down", { id: "p", generation }, "left", { left: 1 });
      expectMessages(scene);
      expect("latch-down", { id: "q", generation }, "left", { left: 0 });
      expectMessages(scene, "*");
    },
  },
  {
    what: "a waiter of a latch that cannot be listed since memory is full polls, and is stored once",
    run(scene) {
      const { expect, commandsOf, setFull, same } = scene;
      const poll = (one: string, more: object, listed: number): number =>
        commandsOf(() => expect("latch-wait", { id: one, ...more }, "counting", { listed }));
      expect("latch-set", { count: 1 }, "set");
      setFull(true);
      poll(B, LISTENS, 0);
      setFull(false);
      // The clock and the record are read.
      const reads = 2;
      same("the commands of one that does not listen", poll(C, {}, 0), reads);
      same("the first poll stores it", poll(B, LISTENS, 1) > reads, true);
      same("the commands of a second poll", poll(B, LISTENS, 1), reads);
    },
  },
  {
    what: "a waiter that needs more permits than are free passes its message on, and only then",
    run(scene) {
      const { expect } = scene;
      const ask = (who: string, status: string, listens = 0) =>
        expect("semaphore-acquire", { id: who, kind: "semaphore", permits: 2, listens }, status);
      const token = Number(ask(`${A}#1`, "granted")["token"]);
      // It is the first that listens, and a permit is free: nobody is woken for it.
      ask(`${B}#2`, "held", 5000);
      expectMessages(scene, "");
      const other = Number(ask(`${id("e")}#1`, "granted")["token"]);
      ask(`${C}#1`, "held", 5000);
      expect("semaphore-close", { id: `${A}#1`, token }, "closed");
      expectMessages(scene, tailOf(B));
      ask(`${B}#2`, "held", 5000);
      expectMessages(scene, tailOf(C));
      // One that took the permit before leaves nothing to pass on.
      const third = Number(ask(`${D}#1`, "granted")["token"]);
      ask(`${C}#1`, "held", 5000);
      scene.messages();
      expect("semaphore-close", { id: `${D}#1`, token: third }, "closed");
      expectMessages(scene, tailOf(B));
      ask(`${id("f")}#1`, "granted");
      ask(`${B}#2`, "held", 5000);
      expectMessages(scene);
      expect("semaphore-close", { id: `${id("e")}#1`, token: other }, "closed");
      expectMessages(scene, tailOf(B));
    },
  },
  {
    what: "a counter wakes its waiters when a grant is cancelled and when permits are given, however many",
    run(scene) {
      const { expect, now } = scene;
      const many = 3e15;
      const counter = { kind: "counter", permits: 2 * many };
      const take = (who: string, status: string, listens = 0) =>
        expect("semaphore-acquire", { ...counter, id: who, listens }, status);
      take(`${A}#${many}`, "granted");
      take(`${id("e")}#${2.1e15}`, "granted");
      take(`${B}#${many + 1}`, "held", 5000);
      scene.messages();
      expect("semaphore-close", { id: `${A}#${many}`, due: now() + 60e6 }, "closed");
      expectMessages(scene, tailOf(B));
      take(`${C}#${many}`, "granted");
      take(`${B}#${many + 1}`, "held", 5000);
      scene.messages();
      expect("semaphore-set", { ...counter, id: D, change: "give", count: 1, permits: "" }, "done");
      expectMessages(scene, tailOf(B));
    },
  },
  {
    what: "a number that is raised wakes waiters, of a queue the first, and a drain that takes nothing wakes nobody",
    run(scene) {
      const { expect } = scene;
      for (const script of ["semaphore-acquire", "semaphore-queue"]) {
        const keys = [script, `${script} crowd`];
        const pool = { kind: "semaphore", permits: 1 };
        expect(script, { ...pool, id: `${A}#1` }, "granted", {}, ...keys);
        for (const one of [B, C]) expect(script, { ...pool, id: `${one}#1`, ...LISTENS }, "held", {}, ...keys);
        scene.messages();
        expect("semaphore-set", { ...pool, id: D, change: "drain" }, "done", { count: 0 }, ...keys);
        expectMessages(scene, ...(script === "semaphore-queue" ? [tailOf(B)] : []));
        expect("semaphore-set", { ...pool, id: id("e"), change: "set", count: 3 }, "done", {}, ...keys);
        expectMessages(scene, ...(script === "semaphore-queue" ? [tailOf(B)] : [tailOf(B), tailOf(C)]));
      }
    },
  },
  {
    what: "a spend wakes as many waiters as permits return, of a queue the first",
    run(scene) {
      const { expect } = scene;
      for (const script of ["semaphore-acquire", "semaphore-queue"]) {
        const keys = [script, `${script} crowd`];
        const pool = { kind: "semaphore", permits: 10 };
        const token = Number(expect(script, { ...pool, id: `${A}#10` }, "granted", {}, ...keys)["token"]);
        for (const one of [B, C, D]) expect(script, { ...pool, id: `${one}#1`, ...LISTENS }, "held", {}, ...keys);
        scene.messages();
        expect("semaphore-spend", { spends: `${A}#10 ${token} 8 10 0` }, "spent", {}, ...keys);
        expectMessages(scene, ...(script === "semaphore-queue" ? [tailOf(B)] : [tailOf(B), tailOf(C)]));
      }
    },
  },
  {
    what: "a listener in the queue of a semaphore polls when a permit ends, or after two seconds",
    run(scene) {
      const { expect } = scene;
      const ask = (who: string, status: string, parts: object, more: object) =>
        expect("semaphore-queue", { id: who, permits: 1, grace: 60_000, ...more }, status, { ...parts });
      ask(`${A}#1`, "granted", {}, { lease: 10_000 });
      ask(`${B}#1`, "held", { listed: 1, back: 2_000_000 }, LISTENS);
      ask(`${C}#1`, "held", { listed: 0, back: 2_000_000 }, { ownPace: 1 });
      scene.at(9500);
      ask(`${B}#1`, "held", { listed: 1, back: 501_000 }, { listens: 20_000 });
      ask(`${D}#1`, "held", { listed: 0, back: 501_000 }, { ownPace: 1 });
    },
  },
  {
    what: "while a semaphore is paused, a listener polls as others do, and one with a pace of its own every two seconds",
    run(scene) {
      const { expect, at } = scene;
      const ask = (who: string, parts: object, more: object) =>
        expect("semaphore-queue", { id: who, permits: 0, ...more }, "held", { ...parts });
      at(5000);
      expect("semaphore-set", { id: A, kind: "semaphore", count: 0 }, "done");
      ask(`${B}#1`, { back: 1_000_000 }, LISTENS);
      ask(`${C}#1`, { back: 2_000_000 }, { ownPace: 1 });
    },
  },
  {
    what: "a waiter that is granted permits wakes the next one if some are left, and nobody if none is",
    run(scene) {
      const { expect } = scene;
      const ask = (who: string, status: string, more: object = {}) =>
        expect("semaphore-queue", { id: who, permits: 3, ...LISTENS, ...more }, status);
      const token = Number(ask(`${A}#3`, "granted")["token"]);
      const tickets = [`${B}#1`, `${C}#2`, `${D}#1`].map((who) => Number(ask(who, "held")["ticket"]));
      scene.messages();
      expect("semaphore-close", { id: `${A}#3`, token }, "closed");
      expectMessages(scene, tailOf(B));
      ask(`${B}#1`, "granted", { ticket: tickets[0] });
      expectMessages(scene, tailOf(C));
      ask(`${C}#2`, "granted", { ticket: tickets[1] });
      expectMessages(scene);
    },
  },
  {
    what: "a caller that is granted permits before a late waiter wakes that one if some are left",
    run(scene) {
      const { expect, at } = scene;
      const ask = (who: string, status: string, more: object = {}) =>
        expect("semaphore-queue", { id: who, permits: 2, ...more }, status);
      ask(`${A}#2`, "granted", { lease: 5000 });
      ask(`${B}#1`, "held", { listens: 60_000 });
      scene.messages();
      at(5000);
      ask(`${C}#1`, "granted");
      expectMessages(scene, tailOf(B));
    },
  },
  {
    what: "a tenure that is ended by its token wakes one waiter of a lock",
    run(scene) {
      const { expect, now } = scene;
      const token = now();
      expect("lock-acquire", {}, "granted");
      for (const one of [B, C]) expect("lock-acquire", { id: one, ...LISTENS }, "held");
      scene.messages();
      expect("name-release", { id: D, token }, "released");
      expectMessages(scene, tailOf(B));
    },
  },
  {
    what: "a tenure of another kind that is ended by its token wakes everybody, who poll in their turn",
    run(scene) {
      const { expect, now } = scene;
      const token = now();
      expect("fair-acquire", {}, "granted");
      for (const one of [B, C]) expect("fair-acquire", { id: one, ...LISTENS }, "held");
      scene.messages();
      expect("name-release", { id: D, token }, "released", {}, RECORD, CROWD);
      expectMessages(scene, "*");
    },
  },
  {
    what: "a release of a fair lock wakes nobody if its first waiter does not listen, and looks for none without listeners",
    run(scene) {
      const { expect, now, commandsOf, same } = scene;
      const token = now();
      expect("fair-acquire", {}, "granted");
      expect("fair-acquire", { id: B }, "held", { listed: 0, ahead: 0 });
      expect("fair-acquire", { id: C, ...LISTENS }, "held", { listed: 1, ahead: 1 });
      scene.messages();
      const looked = commandsOf(() => expect("fair-close", { token }, "closed"));
      expectMessages(scene);
      expect("fair-close", { id: C, due: now() + 60e6 }, "closed");
      const next = Number(expect("fair-acquire", { id: B }, "granted")["token"]);
      expect("fair-acquire", { id: D }, "held");
      same(
        "one command less without listeners",
        commandsOf(() => expect("fair-close", { id: B, token: next }, "closed")),
        looked - 1,
      );
    },
  },
  {
    what: "a reader that leaves wakes no writer while others read, and a writer that gives up wakes the readers",
    run(scene) {
      const { expect, now } = scene;
      const token = now();
      const reads = { mode: "read", back: 1000 };
      expect("rw-acquire", { id: A, ...reads }, "granted");
      expect("rw-acquire", { id: B, ...reads }, "granted");
      expect("rw-acquire", { id: C, mode: "write", back: 1000, ...LISTENS }, "held", { listed: 1 });
      expect("rw-acquire", { id: D, ...reads, ...LISTENS }, "held", { listed: 1 });
      scene.messages();
      expect("rw-close", { id: A, token }, "closed");
      expectMessages(scene);
      expect("rw-close", { id: C, due: now() + 60e6 }, "closed");
      expectMessages(scene, "read");
    },
  },
  {
    what: "a writer that leaves wakes readers if no writer waits, and publishes nothing if nobody listens",
    run(scene) {
      const { expect, now } = scene;
      const token = now();
      expect("rw-acquire", {}, "granted");
      expect("rw-acquire", { id: B, mode: "read", ...LISTENS }, "held", { listed: 1 });
      scene.messages();
      expect("rw-close", { token }, "closed");
      expectMessages(scene, "read");
      expect("rw-close", { id: B, due: now() + 60e6 }, "closed");
      scene.messages();
      const next = Number(expect("rw-acquire", { id: C }, "granted")["token"]);
      expect("rw-acquire", { id: D, mode: "read" }, "held", { listed: 0 });
      expect("rw-close", { id: C, token: next }, "closed");
      expectMessages(scene);
    },
  },
  {
    what: "a waiting writer is not passed over by readers, whether it listens or not",
    run(scene) {
      const { expect, now } = scene;
      const token = now();
      expect("rw-acquire", { mode: "read" }, "granted");
      expect("rw-acquire", { id: B, mode: "write", back: 1000 }, "held", { listed: 0 });
      expect("rw-acquire", { id: C, mode: "read", back: 1000, ...LISTENS }, "held", { listed: 1 });
      scene.messages();
      expect("rw-close", { token }, "closed");
      expectMessages(scene);
    },
  },
  {
    what: "a read hold that ends at this microsecond is over for the writer that waits",
    run(scene) {
      const { expect, now, at } = scene;
      const token = now();
      const reads = { mode: "read" };
      expect("rw-acquire", { id: A, ...reads, lease: 1000 }, "granted");
      expect("rw-acquire", { id: B, ...reads, lease: 5000 }, "granted");
      expect("rw-acquire", { id: C, back: 1000, ...LISTENS }, "held", { listed: 1 });
      scene.messages();
      at(1000);
      expect("rw-close", { id: B, token }, "closed");
      expectMessages(scene, tailOf(C));
    },
  },
  {
    what: "a writer whose place ends at this microsecond keeps no reader asleep",
    run(scene) {
      const { expect, now, at } = scene;
      const placeMs = 2000;
      for (const [holder, key] of [
        ["write", "free afterwards"],
        ["read", "read by another"],
      ] as const) {
        at(0);
        const token = now();
        const keys = [key, `${key}, its crowd`];
        expect("rw-acquire", { mode: holder }, "granted", {}, ...keys);
        if (holder === "read") expect("rw-acquire", { id: D, mode: holder }, "granted", {}, ...keys);
        expect("rw-acquire", { id: B, mode: "write", back: 1000 }, "held", {}, ...keys);
        expect("rw-acquire", { id: C, mode: "read", ...LISTENS }, "held", { listed: 1 }, ...keys);
        scene.messages();
        at(placeMs);
        expect("rw-close", { token }, "closed", {}, ...keys);
        expectMessages(scene, "read");
      }
    },
  },
  {
    what: "the end of a run under a lock wakes one waiter of the lock, and all who wait for the result",
    run(scene) {
      const { expect, now, commandsOf, same } = scene;
      const [lock, message] = ["{lock}", "{lock}/message"];
      const begin = [message, lock];
      const end = [lock, message, `${message}%fence`];
      const listen = (...waiters: readonly string[]): void => {
        for (const one of waiters) expect("lock-acquire", { id: one, ...LISTENS }, "held", { listed: 1 }, lock);
        scene.messages();
      };
      const alone = { lease: 5000, anew: 1, hold: "", holdToken: 0 };
      const ends = { run: "", kept: 0 };

      // An attempt that fails: one waiter of the lock, and one of the attempts.
      const first = now();
      expect("held-begin", alone, "granted", {}, ...begin);
      listen(B, C);
      expect("once-begin", { id: D, ...LISTENS }, "running", { listed: 1 }, message);
      scene.messages();
      expect("held-end", { ...ends, token: first, result: "" }, "closed", {}, ...end);
      same("those who are woken", scene.messages().toSorted().join(), [tailOf(B), tailOf(D)].toSorted().join());
      for (const one of [B, C]) expect("lock-close", { id: one, due: now() + 60e6 }, "closed", {}, lock);
      expect("once-close", { id: D, due: now() + 60e6 }, "closed", {}, message);
      scene.messages();

      // One that completes: one waiter of the lock, and all who wait for the result.
      const next = Number(expect("held-begin", { ...alone, id: id("e") }, "granted", {}, ...begin)["token"]);
      listen(id("f"), id("g"));
      expect("once-begin", { id: id("h"), ...LISTENS }, "running", { listed: 1 }, message);
      scene.messages();
      expect("held-end", { ...ends, id: id("e"), token: next, result: "=1" }, "closed", {}, ...end);
      same("those who are woken", scene.messages().toSorted().join(), ["*", tailOf(id("f"))].toSorted().join());

      // A second end of it wakes nobody, and neither does one whose lock another holds by now.
      const again = commandsOf(() =>
        expect("held-end", { ...ends, id: id("e"), token: next, result: "=1" }, "closed", {}, ...end),
      );
      expectMessages(scene);
      same("a second end stores nothing", again <= 3, true);
    },
  },
];
