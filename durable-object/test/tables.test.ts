import { afterEach, expect, it } from "vitest";
import { createObjectServer, type ObjectServer } from "../src/server.ts";
import { openSqlite, type SqliteStorage } from "./support/sqlite-storage.ts";

const START_MS = 1_795_000_000_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
let now = START_MS;
const opened: SqliteStorage[] = [];
afterEach(() => {
  for (const storage of opened.splice(0)) storage.close();
  now = START_MS;
});

interface Stage {
  readonly storage: SqliteStorage;
  readonly server: ObjectServer;
  run(line: string): Promise<unknown>;
  /** The reply of an object that was loaded anew. */
  reloaded(line: string): Promise<unknown>;
}
function stage(): Stage {
  const storage = openSqlite();
  opened.push(storage);
  const open = (): ObjectServer => createObjectServer({ storage, now: () => now });
  const ask = async (server: ObjectServer, line: string): Promise<unknown> => (await server.run([line.split(" ")]))[0];
  const server = open();
  return { storage, server, run: (line) => ask(server, line), reloaded: (line) => ask(open(), line) };
}

it("a key that is replaced leaves no member behind", async () => {
  const { run, reloaded } = stage();
  await run("HSET h old 1");
  await run("SET h text");
  expect(await reloaded("GET h")).toBe("text");
  await run("DEL h");
  await run("HSET h new 2");
  expect(await reloaded("HGETALL h")).toEqual(["new", "2"]);
});

it("a key that is deleted stays deleted, with its members", async () => {
  const { run, reloaded, storage } = stage();
  await run("HSET h old 1");
  await run("SET s text");
  await run("DEL h s");
  expect(await reloaded("EXISTS h s")).toBe(0);
  for (const table of storage.tables) expect(storage.rows(table)).toEqual([]);
});

it("a member that is removed stays removed, and the others stay", async () => {
  const { run, reloaded } = stage();
  await run("HSET h a 1 b 2");
  await run("HDEL h a");
  expect(await reloaded("HGETALL h")).toEqual(["b", "2"]);
});

it("an object that is cleared is empty, and takes new keys", async () => {
  const { run, reloaded, storage } = stage();
  await run("HSET h a 1");
  await run("SET s text");
  await run("FLUSHALL");
  expect(await reloaded("DBSIZE")).toBe(0);
  for (const table of storage.tables) expect(storage.rows(table)).toEqual([]);
  await run("HSET h b 2");
  expect(await reloaded("HGETALL h")).toEqual(["b", "2"]);
});

it("an object that is cleared before its first write needs no table that it lacks", async () => {
  const { run, reloaded, storage } = stage();
  await run("FLUSHALL");
  await run("SET s text");
  expect(await reloaded("GET s")).toBe("text");
  expect(storage.tables).toHaveLength(1);
});

it("keys are loaded once, and what only reads touches the storage once", async () => {
  const { run, storage } = stage();
  await run(`SET s text PX ${DAY_MS}`);
  storage.failAt(undefined);
  await run("GET s");
  expect(storage.statements).toBe(1);
});

it("an object that was never written looks for its tables, and makes none", async () => {
  const { run, storage } = stage();
  expect(await run("GET s")).toBe(null);
  expect([storage.tables, storage.alarm, storage.alarms]).toEqual([[], null, 0]);
});

it("a storage of a later release is not touched", async () => {
  const { run, storage } = stage();
  storage.sql.exec("CREATE TABLE leasehold_keys_2 (key TEXT)");
  await expect(run("GET s")).rejects.toThrow("newer format: leasehold_keys_2");
});

it("the alarm comes after the last key has expired, and no sooner than in ten minutes", async () => {
  const { run, storage } = stage();
  await run(`SET a 1 PX ${MINUTE_MS}`);
  expect(storage.alarm).toBe(START_MS + 10 * MINUTE_MS);
  const later = stage();
  await later.run(`SET a 1 PX ${3 * DAY_MS}`);
  expect(later.storage.alarm).toBe(START_MS + 3 * DAY_MS + 1);
});

it("an object is swept when its first key expires, however many it has (B33)", async () => {
  for (const count of [1, 10, 11, 100]) {
    const { run, server, storage } = stage();
    for (let n = 0; n < count; n++) await run(`SET key${n} 1 PX ${(n + 3) * DAY_MS}`);
    expect([storage.alarm, storage.alarms]).toEqual([START_MS + 3 * DAY_MS + 1, 1]);
    await server.alarm();
    expect(storage.alarm).toBe(START_MS + 3 * DAY_MS + 1);
  }
});

it("a key without a TTL needs no alarm", async () => {
  const { run, server, storage } = stage();
  await run("SET a 1");
  expect([storage.alarm, storage.alarms]).toEqual([null, 0]);
  await server.alarm();
  expect(storage.alarm).toBe(null);
  expect(await run("GET a")).toBe("1");
});

it("the alarm is set once, also by an object that is loaded anew", async () => {
  const { run, reloaded, storage } = stage();
  await run(`SET a 1 PX ${DAY_MS}`);
  await run(`SET b 1 PX ${DAY_MS}`);
  await reloaded(`SET c 1 PX ${DAY_MS}`);
  expect(storage.alarms).toBe(1);
  // An alarm that was lost is set again by the next object.
  storage.alarm = null;
  await reloaded("GET a");
  expect([storage.alarm, storage.alarms]).toEqual([START_MS + DAY_MS + 1, 2]);
});

it("the sweep removes what has expired and nothing else, and the last one everything", async () => {
  const { run, server, storage } = stage();
  await run("HSET short a 1");
  await run(`PEXPIRE short ${MINUTE_MS}`);
  await run("HSET long a 1");
  await run(`PEXPIRE long ${DAY_MS}`);
  now += MINUTE_MS;
  await server.alarm();
  expect(await run("KEYS *")).toEqual(["short", "long"]);
  now += 1;
  await server.alarm();
  expect(storage.tables.map((table) => storage.rows(table).length)).toEqual([1, 1]);
  expect(storage.alarm).toBe(START_MS + DAY_MS + 1);
  now = START_MS + DAY_MS + 1;
  await server.alarm();
  expect([storage.tables, storage.alarm]).toEqual([[], null]);
  await run(`SET s text PX ${DAY_MS}`);
  expect([await run("GET s"), storage.alarm]).toEqual(["text", now + DAY_MS + 1]);
});
