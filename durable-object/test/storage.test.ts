import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { createEngine, ErrorReply, type Reply } from "leasehold-engine";
import { replyJson } from "leasehold-engine/rest";
import { describe, expect, it } from "vitest";
import { steps } from "../../engine/test/support/calls.ts";
import { createObjectServer, type ObjectServer } from "../src/server.ts";
import { contentsOf, tablesOf } from "./support/contents.ts";
import { openSqlite } from "./support/sqlite-storage.ts";

const START_MS = 1_795_000_000_000;
const RUNS = Number(process.env["OBJECT_RUNS"] ?? 15);

/** A reply that two servers can be compared by, where members have no order. */
const shown = (reply: Reply, name: string): unknown => {
  const text = replyJson(reply, "text");
  return /^(KEYS|SMEMBERS|SINTER|SUNION|SDIFF|HKEYS|HVALS|HGETALL)$/i.test(name) ? [...text].sort().join("") : text;
};

it("fails as a whole when a statement fails, and memory and storage never differ", { timeout: 600_000 }, async () => {
  let failures = 0;
  const runs = steps(30).map((run) => run.filter(({ text }) => text !== "FULL" && text !== "FREE"));
  const property = fc.asyncProperty(runs, async (run) => {
    let now = START_MS;
    const storage = openSqlite();
    const server = createObjectServer({ storage, now: () => now });
    const reference = createEngine({ dialect: "upstash", now: () => now, random: Math.random });
    await server.run([["SCRIPT", "FLUSH"]]);
    const times: number[] = [];
    for (const { seconds, words: wordsOf } of run) {
      now += seconds * 1000 + 7;
      times.push(now * 1000);
      const words = wordsOf(times);
      for (let at = 0; ; at++) {
        const before = tablesOf(storage);
        storage.failAt(at);
        const [reply] = await server.run([words]).catch((error: unknown) => [new ErrorReply(`${error}`)]);
        const isHit = storage.statements > at;
        storage.failAt(undefined);
        expect(await contentsOf(server)).toEqual(await contentsOf(createObjectServer({ storage, now: () => now })));
        if (!isHit) {
          expect(shown(reply as Reply, words[0] ?? "")).toEqual(shown(reference.run(words), words[0] ?? ""));
          break;
        }
        failures++;
        expect(reply).toBeInstanceOf(ErrorReply);
        const isRefused = (reply as ErrorReply).message.startsWith("TRYAGAIN");
        if (isDeepStrictEqual(tablesOf(storage), before)) continue;
        // A call that rejects, as where its alarm cannot be set, may have done its work: its outcome is unknown.
        expect(isRefused).toBe(false);
        reference.run(words);
        break;
      }
    }
    storage.close();
  });
  await fc.assert(property, { numRuns: RUNS });
  console.log(`${failures} statements failed`);
  expect(failures).toBeGreaterThan(RUNS);
});

const MINUTE_MS = 60_000;

/** An object whose time and alarm the test plays. */
function stage() {
  const storage = openSqlite();
  const open = (): ObjectServer => createObjectServer({ storage, now: () => played.now });
  const played = {
    storage,
    now: START_MS,
    server: open(),
    /** Loads the object anew. */
    reload(): void {
      played.server = open();
    },
    run: (...commands: string[][]): Promise<unknown> => played.server.run(commands),
    /** Lets the time go on until the alarm, and runs it. */
    async ring(): Promise<void> {
      played.now = Math.max(Number(storage.alarm), played.now);
      storage.alarm = null;
      await played.server.alarm();
    },
  };
  return played;
}

const hold = (name: string, ms: number): string[] => ["SET", `{${name}}`, "held", "PX", String(ms)];

it("sets one alarm for all that follows, and deletes everything when nothing is left", async () => {
  let now = START_MS;
  const storage = openSqlite();
  const server = createObjectServer({ storage, now: () => now });
  // What only reads leaves nothing behind.
  await server.run([["GET", "{a}"]]);
  expect([storage.tables, storage.alarm]).toEqual([[], null]);

  await server.run([hold("a", 60_000)]);
  const first = storage.alarm as number;
  expect(first).toBeGreaterThan(now + 60_000);
  for (let n = 0; n < 100; n++) {
    now += 1000;
    await server.run([hold("a", 60_000)]);
    await createObjectServer({ storage, now: () => now }).run([hold("a", 60_000)]);
  }
  expect([storage.alarm, storage.alarms]).toEqual([first, 1]);

  // It is still in use when the alarm comes.
  now = first;
  await server.run([hold("a", 3_600_000)]);
  storage.alarm = null;
  await server.alarm();
  expect(storage.alarm).toBeGreaterThan(now + 3_600_000);
  expect(await server.run([["GET", "{a}"]])).toEqual(["held"]);

  now = Number(storage.alarm);
  storage.alarm = null;
  await server.alarm();
  expect([storage.tables, storage.alarm]).toEqual([[], null]);
  // The same instance can begin anew.
  expect(await server.run([["GET", "{a}"]])).toEqual([null]);
  await server.run([hold("a", 60_000)]);
  expect(storage.alarm).toBeGreaterThan(now);
});

it("accepts an alarm of an object without data", async () => {
  const storage = openSqlite();
  await createObjectServer({ storage }).alarm();
  expect([storage.tables, storage.alarm]).toEqual([[], null]);
});

it("sets the alarm that a lost one leaves missing", async () => {
  const storage = openSqlite();
  await createObjectServer({ storage }).run([hold("a", 60_000)]);
  storage.alarm = null;
  await createObjectServer({ storage }).run([hold("a", 60_000)]);
  expect(storage.alarm).toBeGreaterThan(Date.now());
});

it("removes from a group what has expired, and keeps the rest", async () => {
  const object = stage();
  const { storage } = object;
  for (let n = 0; n < 50; n++) await object.run(["SET", `{g}/${n}`, "held", "PX", n < 40 ? "1000" : "90000000"]);
  await object.run(["ZADD", "{g}/x%crowd", "1", "member"]);
  await object.run(["PEXPIRE", "{g}/x%crowd", "1000"]);
  await object.ring();
  expect(object.now).toBeLessThanOrEqual(START_MS + 10 * MINUTE_MS);
  expect(storage.rows("leasehold_keys_1").length).toBe(10);
  expect(storage.rows("leasehold_members_1").length).toBe(0);
  expect(storage.alarm).toBe(START_MS + 90_000_000 + 1);
  expect(await object.run(["DBSIZE"])).toEqual([10]);
});

describe("the alarm of an object", () => {
  const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;

  it("moves earlier when a long lease is released, for one row, and then all is deleted (B33)", async () => {
    const object = stage();
    const { storage } = object;
    await object.run(hold("a", YEAR_MS));
    expect([storage.alarm, storage.alarms]).toEqual([START_MS + YEAR_MS + 1, 1]);
    object.now += 1000;
    // A release leaves a record for a minute.
    await object.run(hold("a", MINUTE_MS));
    expect([storage.alarm, storage.alarms]).toEqual([object.now + 10 * MINUTE_MS, 2]);
    await object.ring();
    expect([storage.tables, storage.alarm]).toEqual([[], null]);
  });

  it("moves earlier in an object that was loaded anew, and where the last key was removed (B33)", async () => {
    const object = stage();
    const { storage } = object;
    await object.run(hold("a", YEAR_MS), hold("b", YEAR_MS));
    object.now += 1000;
    object.reload();
    // The other key still needs its alarm.
    await object.run(["DEL", "{b}"]);
    expect([storage.alarm, storage.alarms]).toEqual([START_MS + YEAR_MS + 1, 1]);
    object.reload();
    await object.run(["DEL", "{a}"]);
    expect([storage.alarm, storage.alarms]).toEqual([object.now + 10 * MINUTE_MS, 2]);
    await object.ring();
    expect([storage.tables, storage.alarm]).toEqual([[], null]);
    await object.run(hold("a", YEAR_MS));
    await object.run(["FLUSHALL"]);
    expect(storage.alarm).toBe(object.now + 10 * MINUTE_MS);
  });

  it("comes for the first key of a small group too, not for the last one (B33)", async () => {
    const object = stage();
    await object.run(["SET", "{g}/1", "held", "PX", String(YEAR_MS)], ["SET", "{g}/2", "held", "PX", "1000"]);
    await object.ring();
    expect(object.now).toBe(START_MS + 10 * MINUTE_MS);
    expect(object.storage.rows("leasehold_keys_1").length).toBe(1);
  });

  it("is not moved for a gain of less than ten minutes, however often a name is used (B33)", async () => {
    const object = stage();
    for (let n = 0; n < 100; n++) {
      await object.run(hold("a", 15 * MINUTE_MS));
      await object.run(hold("a", MINUTE_MS));
      object.now += 1000;
    }
    expect(object.storage.alarms).toBe(1);
  });

  it("is set at most three times in ten minutes by long leases that are released at once (B33)", async () => {
    const object = stage();
    for (let n = 0; n < 600; n++) {
      object.now += 1000;
      if (object.storage.alarm !== null && object.storage.alarm <= object.now) await object.ring();
      await object.run(hold("a", YEAR_MS));
      await object.run(hold("a", MINUTE_MS));
    }
    expect(object.storage.alarms).toBeLessThanOrEqual(3);
  });

  it("is not needed where no key expires, and set once one does (B33)", async () => {
    const object = stage();
    await object.run(["SET", "{a}", "1"]);
    await object.run(["SET", "{a}", "2"]);
    expect([object.storage.alarm, object.storage.alarms]).toEqual([null, 0]);
    await object.run(hold("a", YEAR_MS));
    expect(object.storage.alarm).toBe(START_MS + YEAR_MS + 1);
  });
});

it("reads the storage for each answer, so that an instance that was replaced says nothing", async () => {
  const storage = openSqlite();
  const server = createObjectServer({ storage });
  for (const words of [["GET", "{a}"], hold("a", 60_000), ["GET", "{a}"], ["PING"], ["NOPE"], ["GET"]]) {
    storage.failAt(undefined);
    await server.run([words]);
    expect(storage.statements, words.join(" ")).toBeGreaterThan(0);
  }
  storage.failAt(0, "the object was replaced");
  await expect(server.run([["GET", "{a}"]])).rejects.toThrow("replaced");
});

it("refuses tables of a later format, and does not touch them", async () => {
  const storage = openSqlite();
  storage.sql.exec("CREATE TABLE leasehold_keys_2 (key TEXT)");
  await expect(createObjectServer({ storage }).run([hold("a", 1000)])).rejects.toThrow("newer format");
  expect(storage.tables).toEqual(["leasehold_keys_2"]);
});

it.each([
  ["disk I/O error", "TRYAGAIN the object could not store this: disk I/O error"],
  ["database or disk is full: SQLITE_FULL", "OOM the object cannot store more: database or disk is full: SQLITE_FULL"],
])("says why a change was not stored: %s", async (reason, message) => {
  const storage = openSqlite();
  const server = createObjectServer({ storage });
  await server.run([hold("a", 60_000)]);
  const before = storage.rows("leasehold_keys_1");
  storage.failAt(0, reason);
  expect(await server.run([["SET", "{a}", "other"]])).toEqual([new ErrorReply(message)]);
  storage.failAt(undefined);
  expect(storage.rows("leasehold_keys_1")).toEqual(before);
});
