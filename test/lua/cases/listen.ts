import { type Case, id, type Scene } from "./case.ts";

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
];
