import { type Case, id } from "./case.ts";

export const lockCases: readonly Case[] = [
  {
    what: "a lock is granted, refused and released",
    run({ expect, now, at }) {
      const token = now();
      expect("lock-acquire", {}, "granted", { token, remaining: 10_000_000, holds: 1 });
      at(1000);
      expect("lock-acquire", { id: id("b") }, "held", { remaining: 9_000_000, age: 1_000_000, tenure: 0, queue: 0 });
      expect("lock-close", { token }, "closed");
      expect("lock-acquire", { id: id("b") }, "granted", { token: token + 1_000_000, remaining: 10_000_000, holds: 1 });
    },
  },
];
