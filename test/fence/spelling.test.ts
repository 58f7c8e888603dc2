import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  guardedUpdate,
  guardedUpsert,
  POSTGRES_FENCE_TABLE,
  postgresFence,
  SQLITE_FENCE_TABLE,
  sqliteFence,
} from "../../src/fence/index.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../../tools/postgres.ts";

const lease = { name: "n", token: 7 };
const row = { table: "t", key: { id: 1 }, set: { v: "new" } };

describe("a row that keeps its token in SQLite", () => {
  const open: DatabaseSync[] = [];
  afterEach(() => {
    for (const db of open.splice(0)) db.close();
  });
  function fenced(columns = "id INTEGER PRIMARY KEY, v TEXT, token INTEGER") {
    const db = new DatabaseSync(":memory:");
    open.push(db);
    db.exec(`CREATE TABLE t (${columns}); INSERT INTO t (id, v, token) VALUES (1, 'old', 5)`);
    const tokens = () => db.prepare("SELECT token FROM t").all();
    return { db, fence: sqliteFence(db), tokens };
  }

  it.each([
    ["Token", undefined],
    ["TOKEN", undefined],
    ["token", "Token"],
    ["SEEN", "seen"],
  ])("refuses %s as another spelling of the token's column (E20)", async (spelling, column) => {
    const { fence, tokens } = fenced();
    for (const part of ["set", "key"] as const) {
      const given = { ...row, column, [part]: { ...row[part], [spelling]: 0 } };
      await expect(fence.update(lease, given)).rejects.toThrow("must not contain the token's column");
      await expect(fence.upsert(lease, given)).rejects.toThrow("must not contain the token's column");
    }
    expect(tokens()).toEqual([{ token: 5 }]);
  });

  it("refuses a column that is written twice, in two spellings (E20)", () => {
    const set = { v: "a", V: "b" };
    for (const make of [guardedUpdate, guardedUpsert]) {
      expect(() => make({ ...row, token: 7, set })).toThrow('set has "v" and "V", which are one column');
      expect(() => make({ ...row, token: 7, key: { id: 1, Id: 2 } })).toThrow("which are one column");
    }
    // An update may move the row that its key names; an insert has one value for each column.
    expect(() => guardedUpdate({ ...row, token: 7, set: { ID: 2 } })).not.toThrow();
    expect(() => guardedUpsert({ ...row, token: 7, set: { ID: 2 } })).toThrow("which are one column");
  });

  it("compares only ASCII letters without case, as SQLite does (E20)", () => {
    const given = { ...row, token: 7, column: "tök", set: { TÖK: 1, "to\u212Aen": 1 } };
    expect(() => guardedUpdate(given)).not.toThrow();
    expect(() => guardedUpdate({ ...given, column: "token" })).not.toThrow();
  });

  it("takes quotes, brackets, backticks and spaces as parts of a name (E20)", async () => {
    const { fence, tokens } = fenced();
    for (const spelling of ['"token"', "[token]", "`token`", "token ", " token", "t.token"])
      await expect(fence.update(lease, { ...row, set: { [spelling]: 0 } }), spelling).rejects.toThrow(/no such column/);
    expect(tokens()).toEqual([{ token: 5 }]);
  });

  it("refuses the number of the row as the token's column, under each of its names (E20)", () => {
    for (const column of ["rowid", "OID", "_rowid_"])
      expect(() => guardedUpdate({ ...row, token: 7, column }), column).toThrow("needs its own column");
    expect(() => guardedUpdate({ ...row, token: 7, column: "oid", dialect: "postgres" })).not.toThrow();
  });

  it("keeps the token where the table's own number of the row is the token (E20)", async () => {
    const { fence, tokens } = fenced("id INTEGER UNIQUE, v TEXT, token INTEGER PRIMARY KEY");
    await fence.update(lease, { ...row, set: { v: "new", rowid: 1 } });
    expect(tokens()).toEqual([{ token: 7 }]);
  });

  it("passes on that the database computes the token's column itself (E20)", async () => {
    const { db, fence } = fenced();
    db.exec("ALTER TABLE t ADD COLUMN made INTEGER GENERATED ALWAYS AS (token)");
    await expect(fence.update(lease, { ...row, column: "made" })).rejects.toThrow(/generated column/);
  });
});

const writes = [
  "UPDATE t SET v = 'x'",
  "WITH a AS (SELECT 1 AS id) UPDATE t SET v = 'x' WHERE id IN (SELECT id FROM a)",
  "WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a WHERE n < 2) INSERT INTO t (id) SELECT n + 10 FROM a",
  "/* (SELECT */ WITH -- (\n a AS /* ) */ (SELECT ')' AS \"select\"), b AS (SELECT ((1))) DELETE FROM t WHERE id = 99",
  'WITH "select (" AS (SELECT 1) DELETE FROM t WHERE id = 99',
  "WITH a AS MATERIALIZED (SELECT 1), b AS NOT MATERIALIZED (SELECT 2) DELETE FROM t WHERE id = 99",
];
const reads = [
  "SELECT 1",
  "WITH a AS (SELECT 1 AS id) SELECT * FROM a",
  "WITH a AS (SELECT 1 AS id) SELECT 'UPDATE t' FROM a -- DELETE FROM t",
  "WITH a(x) AS (SELECT 1), b AS (SELECT 'insert') SELECT replace('a', 'b', 'c') FROM a, b",
  "WITH a AS (SELECT 1) (SELECT * FROM a)",
  "WITH a AS (SELECT 1) VALUES (1)",
  "EXPLAIN UPDATE t SET v = 'x'",
  "VALUES (1)",
  "WITH",
  "WITH a",
  "(DELETE FROM t)",
  "",
  "-- UPDATE t SET v = 'x'",
];

it("a fence of SQLite takes what writes, and no other statement (E20)", async () => {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)");
  const fence = sqliteFence(db);
  await fence.setup();
  for (const sql of [
    ...writes,
    "WITH [update (] AS (SELECT 1), `b)` AS (SELECT 2) REPLACE INTO t (id) SELECT 1",
    "UPDATE t SET v = 'x' /* no end; SELECT",
  ])
    await expect(fence.write(lease, sql), sql).resolves.toBeTypeOf("number");
  for (const sql of [
    ...reads,
    "WITH [update] AS (SELECT 1) SELECT * FROM [update]",
    "UPDATE t SET v = 1; DELETE FROM t",
  ])
    await expect(fence.write({ name: "reads", token: 9 }, sql), sql).rejects.toThrow(TypeError);
  // Nothing of a refused statement was run: the token is as it was.
  await fence.claim({ name: "reads", token: 1 });
  db.close();
});

it("the table's SQL is a complete statement, so that a migration may continue after it (E24)", () => {
  const db = new DatabaseSync(":memory:");
  db.exec(`${SQLITE_FENCE_TABLE}\nCREATE TABLE orders (id INTEGER);`);
  db.exec("INSERT INTO leasehold_fence (name, token) VALUES ('n', 1); INSERT INTO orders VALUES (1)");
  db.close();
});

const bin = findPostgres();
describe.skipIf(!bin)("PostgreSQL", () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await startPostgres(bin ?? "");
    pool = new pg.Pool({ connectionString: server.url });
    await postgresFence(pool).setup();
    await pool.query('CREATE TABLE t (id BIGINT PRIMARY KEY, v TEXT, token BIGINT, "Token" BIGINT)');
  });
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });

  it("a fence takes what writes, and no other statement (E20)", async () => {
    const fence = postgresFence(pool);
    for (const sql of [
      ...writes,
      "WITH gone AS (DELETE FROM t WHERE id = 11 RETURNING *) INSERT INTO t (id) SELECT id + 10 FROM gone",
      "WITH insert AS (SELECT 1), select_ AS (SELECT 2) DELETE FROM t WHERE v = $$ SELECT ( $$ OR v = E'\\'(' OR v = $a$)$a$",
      "WITH /* a /* nested ( */ ( */ RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a WHERE n < 2) SEARCH DEPTH FIRST BY n SET o, b AS (SELECT 1) DELETE FROM t WHERE id = 99",
      "WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n FROM a) CYCLE n SET c USING p, b AS (SELECT 1) DELETE FROM t WHERE id IN (SELECT n + 98 FROM a)",
      "/* a /* b */ c */ DELETE FROM t WHERE id = 99",
    ])
      await expect(fence.write(lease, sql), sql).resolves.toBeTypeOf("number");
    for (const sql of [
      ...reads,
      "WITH update AS (SELECT 1) SELECT * FROM update",
      "WITH gone AS (DELETE FROM t RETURNING *) SELECT count(*) FROM gone",
      "WITH a AS (SELECT 1) TABLE t",
      "WITH a AS (SELECT $$) UPDATE $$) SELECT * FROM a",
      "WITH a AS (SELECT /* /* ) UPDATE */ ) UPDATE */ 1) SELECT * FROM a",
    ])
      await expect(fence.write({ name: "reads", token: 9 }, sql), sql).rejects.toThrow(TypeError);
    await fence.claim({ name: "reads", token: 1 });
    expect((await pool.query("SELECT count(*)::int AS rows FROM t")).rows).toEqual([{ rows: 2 }]);
  });

  it("the table's SQL is a complete statement, so that a migration may continue after it (E24)", async () => {
    await pool.query(`${POSTGRES_FENCE_TABLE}\nCREATE TABLE orders (id BIGINT);`);
    await pool.query("INSERT INTO orders VALUES (1)");
  });

  it("a quoted column in another spelling is another column (E20)", async () => {
    const fence = postgresFence(pool);
    await fence.upsert(lease, { ...row, set: { v: "x", Token: 1 } });
    const { rows } = await pool.query('SELECT token, "Token" FROM t WHERE id = 1');
    expect(rows).toEqual([{ token: "7", Token: "1" }]);
    expect(() => guardedUpdate({ ...row, token: 7, dialect: "postgres", set: { token: 0 } })).toThrow(TypeError);
    // Postgres cuts a name after 63 bytes.
    const long = "ö".repeat(31);
    const cut = { ...row, token: 7, dialect: "postgres", column: `${long}xy`, set: { [`${long}xz`]: 0 } } as const;
    expect(() => guardedUpdate(cut)).toThrow("must not contain the token's column");
  });
});
