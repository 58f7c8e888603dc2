import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, it } from "vitest";
import { forgetTokens, guardedUpsert, postgresFence, StaleTokenError, sqliteFence } from "../../src/fence/index.ts";
import { freshName, pause } from "../support/names.ts";
import { attacks, judge } from "./attacks.ts";
import type { Deed, Resource } from "./deed.ts";
import { openSqlite, resourceOf } from "./sqlite-resource.ts";

const dir = mkdtempSync(join(tmpdir(), "leasehold-sqlite-"));
const handles: DatabaseSync[] = [];
afterAll(() => {
  for (const handle of handles) handle.close();
  rmSync(dir, { recursive: true, force: true });
});
function open(file = join(dir, freshName())): DatabaseSync {
  const handle = openSqlite(file);
  handles.push(handle);
  return handle;
}

/** Two handles of one file, as two processes have them, in turns. */
async function openTwo(): Promise<Resource> {
  const file = join(dir, freshName());
  const two = [await resourceOf(open(file)), await resourceOf(open(file))] as const;
  let turn = 0;
  const pick = (): Resource => two[turn++ % 2] as Resource;
  return { claim: (...a) => pick().claim(...a), write: (...a) => pick().write(...a), values: two[0].values };
}

attacks("sqliteFence", openTwo);

it("takes no stale write from two processes at once", async () => {
  const file = join(dir, freshName());
  const resource = await resourceOf(open(file));
  const writer = join(import.meta.dirname, "sqlite-writer.ts");
  const children = ["1", "2"].map((id) => {
    const child = spawn(process.execPath, [writer, file, "shared", id], { stdio: ["pipe", "pipe", "inherit"] });
    return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
  });
  const line = async ({ lines }: (typeof children)[number]): Promise<string> => `${(await lines.next()).value}`;
  expect(await Promise.all(children.map(line))).toEqual(["ready", "ready"]);
  for (const { child } of children) child.stdin.write("go");
  // Until they have met, however the machine schedules them: how often one of them wrote behind the other.
  const turns = async (): Promise<number> => {
    const writers = (await resource.values()).map((value) => value.replace(/.*:|-.*/g, ""));
    return writers.filter((writer, at) => writer !== writers[at - 1]).length;
  };
  while ((await turns()) < 30) await pause(20);
  for (const { child } of children) child.stdin.end();
  const each = (await Promise.all(children.map(line))).map((output) => JSON.parse(output) as Deed[]);
  const deeds = each.flat();
  judge(deeds, await resource.values());
  expect(deeds.some(({ accepted }) => !accepted)).toBe(true);
});

it("is undone with the write that fails, and passes its error on", async () => {
  const db = open();
  const fence = sqliteFence(db);
  await fence.setup();
  db.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT NOT NULL)");
  const lease = { name: "n", token: 3 };
  await expect(fence.write(lease, "INSERT INTO t (id) VALUES (1)")).rejects.toThrow(/NOT NULL constraint failed: t\.v/);
  await fence.claim({ name: "n", token: 2 });
  await expect(fence.write({ name: "n", token: 3 }, "INSERT OR ROLLBACK INTO t (id) VALUES (1)")).rejects.toThrow(
    /t\.v/,
  );
  expect(db.isTransaction).toBe(false);
  expect(await fence.write(lease, "INSERT INTO t (v) VALUES (?), (?)", ["a", "b"])).toBe(2);
  expect(await fence.write(lease, "UPDATE t SET v = v || ? RETURNING id", ["!"])).toBe(2);
  expect(
    await fence.write(lease, " -- why\n WITH x AS (SELECT 1 AS id) DELETE FROM t WHERE id IN (SELECT id FROM x);"),
  ).toBe(1);
  expect(await fence.write(lease, "UPDATE t SET v = v || '; it''s' -- ; why\n;")).toBe(1);
  expect(db.prepare("SELECT v FROM t").all()).toEqual([{ v: "b!; it's" }]);
  for (const sql of [
    "SELECT 1",
    "DROP TABLE t",
    "",
    "COMMIT",
    "PRAGMA user_version = 5",
    "DELETE FROM t; DROP TABLE t",
    "UPDATE t SET v = 1 WHERE v IN (SELECT 'a' AS [a'b]); DELETE FROM t --'",
    "WITH x AS (SELECT 'delete') SELECT * FROM x -- update",
  ]) {
    await expect(fence.write(lease, sql), sql).rejects.toThrow(TypeError);
  }
});

it("leaves nothing open when somebody's read holds up the commit, so that later writes are not lost", async () => {
  const file = join(dir, freshName());
  // Without WAL a commit waits for readers.
  const [db, reader] = [new DatabaseSync(file), new DatabaseSync(file)];
  handles.push(db, reader);
  const fence = sqliteFence(db);
  await fence.setup();
  db.exec("CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('0')");
  reader.exec("BEGIN");
  reader.prepare("SELECT * FROM t").all();
  await expect(fence.write({ name: "n", token: 5 }, "INSERT INTO t VALUES ('1')")).rejects.toThrow(/locked/);
  expect(db.isTransaction).toBe(false);
  reader.exec("COMMIT");
  await fence.write({ name: "n", token: 2 }, "INSERT INTO t VALUES ('2')");
  expect(reader.prepare("SELECT v FROM t").all()).toEqual([{ v: "0" }, { v: "2" }]);
  await sqliteFence(reader).claim({ name: "n", token: 3 });
});

it("is a part of a transaction that is open already", async () => {
  const file = join(dir, freshName());
  const [db, other] = [open(file), open(file)];
  const fence = sqliteFence(db);
  await fence.setup();
  db.exec("CREATE TABLE t (v TEXT)");
  db.exec("BEGIN");
  await fence.write({ name: "n", token: 2 }, "INSERT INTO t VALUES ('a')");
  await expect(fence.write({ name: "n", token: 1 }, "INSERT INTO t VALUES ('stale')")).rejects.toMatchObject({
    seen: 2,
  });
  db.exec("INSERT INTO t VALUES ('b')");
  expect(other.prepare("SELECT * FROM t").all()).toEqual([]);
  db.exec("ROLLBACK");
  await fence.write({ name: "n", token: 1 }, "INSERT INTO t VALUES ('c')");
  expect(other.prepare("SELECT * FROM t").all()).toEqual([{ v: "c" }]);
});

it("keeps the token in the row itself, where it is wanted", async () => {
  const db = open();
  const fence = sqliteFence(db);
  db.exec('CREATE TABLE "odd ""name" (id INTEGER PRIMARY KEY, "paid at" TEXT, seen INTEGER)');
  db.exec('INSERT INTO "odd ""name" (id) VALUES (1)');
  const row = (id: number, at: string) => ({ table: 'odd "name', key: { id }, set: { "paid at": at }, column: "seen" });
  const lease = (token: number) => ({ name: "n", token });
  // A row that nobody has fenced yet.
  expect(await fence.update(lease(5), row(1, "a"))).toBe(1);
  expect(await fence.update(lease(5), row(1, "b"))).toBe(1);
  await expect(fence.update(lease(4), row(1, "stale"))).rejects.toMatchObject({ code: "stale_token", seen: 5 });
  expect(await fence.update(lease(4), row(2, "missing"))).toBe(0);
  await fence.upsert(lease(4), row(2, "c"));
  await fence.upsert(lease(6), row(2, "d"));
  await expect(fence.upsert(lease(5), row(2, "stale"))).rejects.toMatchObject({ code: "stale_token", seen: 6 });
  expect(db.prepare('SELECT * FROM "odd ""name"').all()).toEqual([
    { id: 1, "paid at": "b", seen: 5 },
    { id: 2, "paid at": "d", seen: 6 },
  ]);
});

it("takes a batch of statements, all or none, of which each is checked", async () => {
  const db = open();
  const fence = sqliteFence(db);
  await fence.setup();
  db.exec("CREATE TABLE t (v TEXT NOT NULL); CREATE TABLE u (id TEXT PRIMARY KEY, v TEXT, token INTEGER)");
  const lease = { name: "n", token: 5 };
  const insert = (v: unknown) => ({ sql: "INSERT INTO t VALUES (?)", params: [v] });
  const upsert = guardedUpsert({ table: "u", key: { id: "a" }, set: { v: 1 }, token: 5 });
  expect(await fence.batch(lease, [insert("a"), upsert, { sql: "UPDATE t SET v = v || '!'", params: [] }])).toEqual([
    1, 1, 1,
  ]);
  await expect(fence.batch({ name: "n", token: 4 }, [insert("stale")])).rejects.toThrow(StaleTokenError);
  await expect(fence.batch({ name: "n", token: 9 }, [insert("b"), insert(null)])).rejects.toThrow(/NOT NULL/);
  await expect(fence.batch(lease, [insert("b"), { sql: "DROP TABLE t", params: [] }])).rejects.toThrow(TypeError);
  expect(db.prepare("SELECT v FROM t").all()).toEqual([{ v: "a!" }]);
  // Without statements it is a claim.
  expect(await fence.batch({ name: "n", token: 6 }, [])).toEqual([]);
  await expect(fence.claim(lease)).rejects.toMatchObject({ seen: 6 });
  expect(postgresFence({ query: async () => ({ rows: [], rowCount: 0 }) })).not.toHaveProperty("batch");
});

it("forgets tokens that are older than asked, and refuses by the others as before", async () => {
  const db = open();
  const fence = sqliteFence(db);
  await fence.setup();
  const ago = (days: number): number => (Date.now() - days * 86_400_000) * 1000;
  const [old, recent] = [
    { name: "old", token: ago(31) },
    { name: "recent", token: ago(29) },
  ];
  await fence.claim(old);
  await fence.claim(recent);
  const { sql, params } = forgetTokens();
  expect(db.prepare(sql).run(...(params as number[])).changes).toBe(1);
  expect(db.prepare("SELECT name FROM leasehold_fence").all()).toEqual([{ name: "recent" }]);
  await expect(fence.claim({ ...recent, token: recent.token - 1 })).rejects.toThrow(StaleTokenError);
  await fence.claim({ ...old, token: old.token - 1 });
  expect(forgetTokens({ dialect: "postgres", olderThan: "2h" }).sql).toBe(
    "DELETE FROM leasehold_fence WHERE token < $1",
  );
  expect(forgetTokens({ dialect: "mysql" }).sql).toBe("DELETE FROM leasehold_fence WHERE token < ?");
  expect(() => forgetTokens({ dialect: "mssql" as never })).toThrow('must be "sqlite" or "postgres" or "mysql"');
  expect(() => forgetTokens({ olderThan: "30m" })).toThrow(RangeError);
  expect(() => forgetTokens({ olderThan: "soon" as never })).toThrow(TypeError);
  expect(() => forgetTokens({ age: "30d" } as never)).toThrow(/no option "age"/);
});
