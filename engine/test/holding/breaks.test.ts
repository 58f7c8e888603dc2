import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { createWaitingRoom } from "../../src/holding/index.ts";
import { type Asked, createStage } from "./stage.ts";

type Make = typeof createWaitingRoom;

/** A rule of the room, a change that breaks it, and a story that tells whether it holds. */
interface Rule {
  readonly rule: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly holds: (make: Make) => Promise<boolean>;
}

const SOURCES = join(import.meta.dirname, "../../src/holding");
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** The room with one change in its sources. */
async function broken({ file, from, to }: Rule): Promise<Make> {
  const folder = mkdtempSync(join(tmpdir(), "holding-"));
  folders.push(folder);
  cpSync(SOURCES, folder, { recursive: true });
  const text = readFileSync(join(folder, file), "utf8");
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(join(folder, file), text.replace(from, to));
  const made = (await import(pathToFileURL(join(folder, "index.ts")).href)) as { createWaitingRoom: Make };
  return made.createWaitingRoom;
}

const isGranted = (asked: Asked | undefined): boolean => asked?.status() === "granted";

/** A lock that is held, and as many waiters as there are options. */
function crowd(make: Make, ...options: Parameters<ReturnType<typeof createStage>["lock"]>[2][]) {
  const stage = createStage({ checkMs: Number.POSITIVE_INFINITY }, make);
  const holder = stage.lock("a", "h", {}, { lease: 3000 });
  const waiters = options.map((asking, index) => stage.lock("a", `${index}`, asking));
  return { stage, waiters, release: () => stage.unlock("a", holder, "h") };
}

const RULES: readonly Rule[] = [
  {
    rule: "a release wakes the first waiter",
    file: "next-waiter.ts",
    from: "line.isDirty = true;",
    to: "",
    async holds(make) {
      const { stage, waiters, release } = crowd(make, {});
      release();
      await stage.settle();
      return isGranted(waiters[0]);
    },
  },
  {
    rule: "one release tries one waiter",
    file: "next-waiter.ts",
    from: "  let size = 1;\n  let onward",
    to: "  let size = 64;\n  let onward",
    async holds(make) {
      const { stage, release } = crowd(make, {}, {}, {});
      release();
      await stage.settle();
      return stage.runs.length === 1;
    },
  },
  {
    rule: "waiters go in the order of their arrival",
    file: "room.ts",
    from: "entries.splice(at + 1, 0, entry);",
    to: "entries.splice(0, 0, entry);",
    async holds(make) {
      const { stage, waiters, release } = crowd(make, {}, {});
      release();
      await stage.settle();
      return isGranted(waiters[0]) && !isGranted(waiters[1]);
    },
  },
  {
    rule: "the end of a lease needs no wake-up",
    file: "entry.ts",
    from: "if (leaseMs > 0) dueMs =",
    to: "if (leaseMs < 0) dueMs =",
    async holds(make) {
      const { stage, waiters } = crowd(make, {});
      await stage.advance(3100);
      return isGranted(waiters[0]);
    },
  },
  {
    rule: "nobody is held beyond the wait",
    file: "waiting-room.ts",
    from: "return Math.min(waitMs, validMs, MAX_HOLD_MS);",
    to: "return Math.min(validMs, MAX_HOLD_MS);",
    async holds(make) {
      const { stage, waiters } = crowd(make, { waitMs: 500 });
      await stage.advance(600);
      return waiters[0]?.status() === "held";
    },
  },
  {
    rule: "nobody is held until the script is void (R3c)",
    file: "waiting-room.ts",
    from: "return Math.min(waitMs, validMs, MAX_HOLD_MS);",
    to: "return Math.min(waitMs, MAX_HOLD_MS);",
    async holds(make) {
      const { stage, waiters } = crowd(make, { validMs: 1000 });
      await stage.advance(1000);
      return waiters[0]?.status() === "held";
    },
  },
  {
    rule: "a wake-up during a run is not lost",
    file: "next-waiter.ts",
    from: "while (line.isDirty) {",
    to: "for (const _ of [1]) {",
    async holds(make) {
      const { stage, waiters, release } = crowd(make, {});
      stage.setLatency(50);
      stage.accidents.push(() => ["held", stage.now * 1000, 5_000_000, 0, 0, 0, 1]);
      stage.room.wake("a");
      await stage.advance(20);
      release();
      await stage.advance(200);
      return isGranted(waiters[0]);
    },
  },
  {
    rule: "who has gone is forgotten",
    file: "waiting-room.ts",
    from: 'signal?.addEventListener("abort", aborted);',
    to: "",
    async holds(make) {
      const gone = new AbortController();
      const { stage } = crowd(make, { signal: gone.signal });
      gone.abort();
      return stage.room.size === 0;
    },
  },
  {
    rule: "a later request of an id takes the place of the first",
    file: "waiting-room.ts",
    from: 'older?.end("replaced");',
    to: "",
    async holds(make) {
      const { stage } = crowd(make, {});
      stage.lock("a", "0");
      return stage.room.size === 1;
    },
  },
  {
    rule: "a failed run ends its own request only",
    file: "next-waiter.ts",
    from: 'if (outcomes.some(({ type }) => type === "failed" || type === "unsent")) return "done";',
    to: "",
    async holds(make) {
      const { stage, waiters, release } = crowd(make, {}, {});
      const fail = (): never => {
        throw new Error("no connection");
      };
      stage.accidents.push(fail, fail);
      release();
      await stage.settle();
      return waiters[0]?.error !== undefined && waiters[1]?.error === undefined;
    },
  },
  {
    rule: "after a failed try the next waiter is tried soon",
    file: "next-waiter.ts",
    from: "line.retryAt = at + AFTER_FAILURE_MS;",
    to: "line.retryAt = Number.POSITIVE_INFINITY;",
    async holds(make) {
      const { stage, waiters, release } = crowd(make, {}, {});
      stage.accidents.push(() => "-LOADING Redis is loading the dataset in memory");
      release();
      await stage.advance(500);
      return isGranted(waiters[1]);
    },
  },
  {
    rule: "a room has its number of places",
    file: "waiting-room.ts",
    from: "all.size >= max",
    to: "all.size > 1e9",
    async holds(make) {
      const stage = createStage({ max: 1, mostOfOwner: 10 }, make);
      stage.lock("a", "h");
      stage.lock("a", "1");
      stage.lock("a", "2");
      return stage.room.size === 1;
    },
  },
  {
    rule: "a place in a queue is kept",
    file: "entry.ts",
    from: "return { dueMs, refreshMs: Math.max(backMs + toleratedMs / 2, MIN_REFRESH_MS) };",
    to: "return { dueMs, refreshMs: undefined };",
    async holds(make) {
      const stage = createStage({ checkMs: Number.POSITIVE_INFINITY }, make);
      stage.fair("a", "h", {}, { lease: 60_000 });
      for (const id of ["1", "2"]) stage.fair("a", id, { validMs: 30_000, waitMs: 20_000 });
      await stage.advance(8000);
      // Waiters whose deadline has not passed.
      return stage.command("ZCOUNT", "a%crowd", "-4e15", `(${-stage.now * 1000}`) === 2;
    },
  },
  {
    rule: "the time before the last run is never told too long (R6)",
    file: "next-waiter.ts",
    from: "const heldMs = now() - since;",
    to: "const heldMs = now() - since + 1000;",
    async holds(make) {
      const { stage, waiters, release } = crowd(make, {});
      await stage.advance(700);
      release();
      await stage.settle();
      return (waiters[0]?.held?.heldMs ?? Number.POSITIVE_INFINITY) <= 700;
    },
  },
  {
    rule: "closing the room answers everybody",
    file: "waiting-room.ts",
    from: 'else entry.end("closed");',
    to: "else continue;",
    async holds(make) {
      const { stage, waiters } = crowd(make, {});
      await stage.room.closeAll();
      return waiters[0]?.status() === "held";
    },
  },
];

it.each(RULES)("$rule, and a room that breaks this is found out", async (rule) => {
  expect(await rule.holds(createWaitingRoom)).toBe(true);
  expect(await rule.holds(await broken(rule))).toBe(false);
});
