import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { createEngine, ErrorReply, type Reply } from "leasehold-engine";
import { replyJson } from "leasehold-engine/rest";
import { expect, it } from "vitest";
import { steps } from "../../engine/test/support/calls.ts";
import { createObjectServer } from "../src/server.ts";
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
  let now = START_MS;
  const storage = openSqlite();
  const server = createObjectServer({ storage, now: () => now });
  for (let n = 0; n < 50; n++) await server.run([["SET", `{g}/${n}`, "held", "PX", n < 40 ? "1000" : "90000000"]]);
  await server.run([["ZADD", "{g}/x%crowd", "1", "member"]]);
  await server.run([["PEXPIRE", "{g}/x%crowd", "1000"]]);
  // A day at most, since there are many keys.
  now += 24 * 60 * 60_000;
  storage.alarm = null;
  await server.alarm();
  expect(storage.rows("leasehold_keys_1").length).toBe(10);
  expect(storage.rows("leasehold_members_1").length).toBe(0);
  expect(storage.alarm).toBeGreaterThan(now);
  expect(await server.run([["DBSIZE"]])).toEqual([10]);
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
