/** A fence counts the rows that a statement changes itself, in every database. */
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresFence, type SqlBatchFence, sqliteFence } from "../../src/fence/index.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../../tools/postgres.ts";
import { startWorkerd, type Workerd } from "./workerd.ts";

const lease = { name: "n", token: 5 };
const stale = { name: "n", token: 4 };

/** Each statement, and the number of rows that it changes itself. */
const STATEMENTS = [
  ["INSERT INTO rows (id, value) VALUES (1, 'a')", 1],
  ["INSERT INTO rows (id, value) VALUES (2, 'b'), (3, 'c') RETURNING id", 2],
  ["INSERT INTO rows (id, value) VALUES (1, 'x') ON CONFLICT DO NOTHING", 0],
  ["INSERT INTO rows (id, value) VALUES (1, 'x'), (9, 'y') ON CONFLICT (id) DO UPDATE SET value = excluded.value", 2],
  ["UPDATE rows SET value = 'd' WHERE id > 100", 0],
  ["UPDATE rows SET value = 'd' WHERE id IN (1, 2) RETURNING value", 2],
  ["INSERT INTO parts (owner) VALUES (1), (1), (2)", 3],
  ["DELETE FROM rows WHERE id = 1", 1],
  ["DELETE FROM rows WHERE id > 100", 0],
] as const;

const SQLITE = [
  "PRAGMA foreign_keys = ON",
  "CREATE TABLE log (value TEXT)",
  "CREATE TABLE rows (id INTEGER PRIMARY KEY, value TEXT, token INTEGER)",
  "CREATE TABLE parts (owner INTEGER REFERENCES rows (id) ON DELETE CASCADE)",
  ...["BEFORE INSERT", "AFTER INSERT", "AFTER UPDATE", "AFTER DELETE"].map(
    (when) =>
      `CREATE TRIGGER on_${when.replace(" ", "_")} ${when} ON rows BEGIN INSERT INTO log VALUES ('${when}'), ('again'); END`,
  ),
];

it("sqliteFence counts no rows of triggers and foreign keys (B25)", async () => {
  const db = new DatabaseSync(":memory:");
  for (const sql of SQLITE) db.exec(sql);
  // A driver whose own count is that of `total_changes()`, as some have.
  const total = (): number => Number(db.prepare("SELECT total_changes() AS n").get()?.["n"]);
  const fence: SqlBatchFence = sqliteFence({
    exec: (sql) => db.exec(sql),
    prepare(sql) {
      const statement = db.prepare(sql);
      return {
        get: (...params) => statement.get(...(params as number[])),
        run(...params) {
          const before = total();
          statement.run(...(params as number[]));
          return { changes: total() - before };
        },
      };
    },
  });
  await fence.setup();
  for (const [sql, rows] of STATEMENTS) expect(await fence.write(lease, sql), sql).toBe(rows);
  db.exec("DELETE FROM rows");
  const all = STATEMENTS.map(([sql]) => ({ sql, params: [] }));
  expect(await fence.batch(lease, all)).toEqual(STATEMENTS.map(([, rows]) => rows));
  const row = { table: "rows", key: { id: 1 }, set: { value: "kept" } };
  expect(await fence.update(lease, row)).toBe(0);
  await fence.upsert(lease, row);
  expect(await fence.update(lease, row)).toBe(1);
  // The trigger before an insert runs, and the row is not written.
  await expect(fence.upsert(stale, { ...row, set: { value: "stale" } })).rejects.toMatchObject({ seen: 5 });
  db.close();
});

describe("d1Fence", () => {
  let workerd: Workerd;
  const ask = (what: string, token: number, value: string): Promise<unknown> =>
    workerd.ask("hand", "", what, { lease: { name: "n", token }, value });
  beforeAll(async () => {
    workerd = await startWorkerd();
    for (const sql of SQLITE) await ask("exec", 5, sql);
    await ask("setup", 5, "");
  });
  afterAll(() => workerd?.stop());

  it("counts no rows of triggers and foreign keys (B25)", async () => {
    for (const [sql, rows] of STATEMENTS) expect(await ask("write", 5, sql), sql).toBe(rows);
    await ask("exec", 5, "DELETE FROM rows");
    const all = STATEMENTS.map(([sql]) => sql).join(";");
    expect(await ask("batch", 5, all)).toEqual(STATEMENTS.map(([, rows]) => rows));
  });

  it("refuses a stale upsert whose insert fires a trigger (B25)", async () => {
    await ask("exec", 5, "DELETE FROM rows");
    expect(await ask("update", 5, "missing")).toBe(0);
    await ask("upsert", 5, "kept");
    await expect(ask("upsert", 4, "stale")).rejects.toMatchObject({ code: "stale_token", seen: 5 });
    expect(await ask("update", 5, "kept")).toBe(1);
    await expect(ask("update", 4, "stale")).rejects.toMatchObject({ code: "stale_token", seen: 5 });
  });
});

const bin = findPostgres();
describe.skipIf(!bin)("postgresFence", () => {
  let server: PostgresServer;
  let client: pg.Client;
  beforeAll(async () => {
    server = await startPostgres(bin ?? "");
    client = new pg.Client({ connectionString: server.url });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await server?.stop();
  });

  it("counts no rows of triggers and foreign keys (B25)", async () => {
    const fence = postgresFence(client);
    await fence.setup();
    for (const sql of [
      "CREATE TABLE log (value TEXT)",
      "CREATE TABLE rows (id INTEGER PRIMARY KEY, value TEXT, token BIGINT)",
      "CREATE TABLE parts (owner INTEGER REFERENCES rows (id) ON DELETE CASCADE)",
      "CREATE FUNCTION logs() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO log VALUES (TG_OP), ('again'); RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END; END $$",
      "CREATE TRIGGER before BEFORE INSERT OR UPDATE OR DELETE ON rows FOR EACH ROW EXECUTE FUNCTION logs()",
      "CREATE TRIGGER after AFTER INSERT OR UPDATE OR DELETE ON rows FOR EACH ROW EXECUTE FUNCTION logs()",
    ])
      await client.query(sql);
    for (const [sql, rows] of STATEMENTS) expect(await fence.write(lease, sql), sql).toBe(rows);
    const row = { table: "rows", key: { id: 1 }, set: { value: "kept" } };
    expect(await fence.update(lease, row)).toBe(0);
    await fence.upsert(lease, row);
    expect(await fence.update(lease, row)).toBe(1);
    await expect(fence.upsert(stale, { ...row, set: { value: "stale" } })).rejects.toMatchObject({ seen: 5 });
  });
});
