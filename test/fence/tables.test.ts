/** Fence tables that were created by hand: each refuses stale writes, or is refused itself. */
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresFence, type SqlFence, sqliteFence } from "../../src/fence/index.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../../tools/postgres.ts";
import { startWorkerd, type Workerd } from "./workerd.ts";

/** Tokens as locks have them: µs since 1970. */
const NEWER = 1_795_245_806_351_391;
const OLDER = NEWER - 1;
const name = "Invoice 42";

interface Database {
  readonly fence: Pick<SqlFence, "setup" | "claim" | "write">;
  exec(sql: string): Promise<void>;
  /** The values in the table `log`, in order. */
  log(): Promise<unknown[]>;
}

/** A table, and what `setup` says about it. */
type Table = readonly [about: string, sql: readonly string[], problem: RegExp];

const insert = (value: string): string => `INSERT INTO log (value) VALUES ('${value}')`;
const accepted = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  );

/** After a newer claim or write, no older one is accepted, whatever the table forgets, rounds, skips or confuses. */
async function attack({ fence, exec, log }: Database, [, sql, problem]: Table): Promise<void> {
  for (const statement of sql) await exec(statement);
  await expect(fence.setup()).rejects.toMatchObject({ name: "TypeError", message: expect.stringMatching(problem) });
  const isWritten = await accepted(fence.write({ name, token: NEWER }, insert("newer")));
  const isClaimed = await accepted(fence.claim({ name, token: NEWER }));
  // A column may be too small for every token but the smallest ones.
  for (const token of isWritten || isClaimed ? [OLDER, 9] : [OLDER]) {
    await expect(fence.write({ name, token }, insert("stale")), `write ${token}`).rejects.toThrow();
    await expect(fence.claim({ name, token }), `claim ${token}`).rejects.toThrow();
    await expect(fence.write({ name, token }, insert("stale")), `again ${token}`).rejects.toThrow();
  }
  expect(await log()).toEqual(isWritten ? ["newer"] : []);
}

const SQLITE_LOG = "CREATE TABLE log (at INTEGER PRIMARY KEY, value TEXT)";
const sqliteTable = (columns: string): string => `CREATE TABLE leasehold_fence (${columns})`;
const RIGHT = "name TEXT PRIMARY KEY NOT NULL, token INTEGER NOT NULL";
const SQLITE: readonly Table[] = [
  ["a token that may be NULL", [sqliteTable("name TEXT PRIMARY KEY, token INTEGER")], /token may be NULL/],
  [
    "a token that is NULL",
    [sqliteTable("name TEXT PRIMARY KEY, token INTEGER"), `INSERT INTO leasehold_fence VALUES ('${name}', NULL)`],
    /token may be NULL/,
  ],
  ["a name without an index", [sqliteTable("name TEXT NOT NULL, token INTEGER NOT NULL")], /no PRIMARY KEY/],
  [
    "a primary key of two columns",
    [sqliteTable("name TEXT, tenant TEXT, token INTEGER NOT NULL, PRIMARY KEY (name, tenant)")],
    /no PRIMARY KEY/,
  ],
  [
    "an index of some rows",
    [
      sqliteTable("name TEXT NOT NULL, token INTEGER NOT NULL"),
      "CREATE UNIQUE INDEX part ON leasehold_fence (name) WHERE token > 5",
    ],
    /no PRIMARY KEY/,
  ],
  [
    "tokens as TEXT",
    [sqliteTable("name TEXT PRIMARY KEY NOT NULL, token TEXT NOT NULL")],
    /token must be INTEGER, not TEXT/,
  ],
  ["tokens as REAL", [sqliteTable("name TEXT PRIMARY KEY NOT NULL, token REAL NOT NULL")], /INTEGER, not REAL/],
  ["tokens as BLOB", [sqliteTable("name TEXT PRIMARY KEY NOT NULL, token BLOB NOT NULL")], /INTEGER, not BLOB/],
  ["tokens of no type", [sqliteTable("name TEXT PRIMARY KEY NOT NULL, token NOT NULL")], /INTEGER, not untyped/],
  ["no token", [sqliteTable("name TEXT PRIMARY KEY NOT NULL, seen INTEGER NOT NULL")], /no column token/],
  [
    "a token that is computed",
    [sqliteTable("name TEXT PRIMARY KEY NOT NULL, token INTEGER NOT NULL AS (7) STORED")],
    /no column token/,
  ],
  [
    "names as INTEGER",
    [sqliteTable("name INTEGER PRIMARY KEY NOT NULL, token INTEGER NOT NULL")],
    /name must be TEXT, not INTEGER/,
  ],
  [
    "names without case",
    [sqliteTable("name TEXT COLLATE NOCASE PRIMARY KEY NOT NULL, token INTEGER NOT NULL")],
    /collation NOCASE/,
  ],
  [
    "names without trailing spaces",
    [sqliteTable("name TEXT COLLATE RTRIM PRIMARY KEY NOT NULL, token INTEGER NOT NULL")],
    /collation RTRIM/,
  ],
  [
    "a trigger that skips every row",
    [sqliteTable(RIGHT), "CREATE TRIGGER skips BEFORE INSERT ON leasehold_fence BEGIN SELECT RAISE(IGNORE); END"],
    /trigger skips/,
  ],
  [
    "a trigger that forgets",
    [
      sqliteTable(RIGHT),
      "CREATE TRIGGER forgets AFTER INSERT ON leasehold_fence BEGIN DELETE FROM leasehold_fence; END",
      "CREATE TRIGGER lowers AFTER UPDATE ON leasehold_fence BEGIN UPDATE leasehold_fence SET token = 1; END",
    ],
    /triggers forgets, lowers/,
  ],
  ["a view", ["CREATE TABLE t (name TEXT, token INTEGER)", "CREATE VIEW leasehold_fence AS SELECT * FROM t"], /a view/],
  [
    "another case of its name, which may be NULL",
    ["CREATE TABLE Leasehold_Fence (Name TEXT PRIMARY KEY NOT NULL, Token INTEGER)"],
    /token may be NULL/,
  ],
];

function openSqlite() {
  const db = new DatabaseSync(":memory:");
  db.exec(SQLITE_LOG);
  const log = async () =>
    db
      .prepare("SELECT value FROM log ORDER BY at")
      .all()
      .map((row) => row["value"]);
  return { db, fence: sqliteFence(db), log, exec: async (sql: string) => db.exec(sql) };
}

describe("a table of SQLite that was made by hand", () => {
  it.each(SQLITE)("lets no stale write in: %s (B11)", async (...table) => {
    const database = openSqlite();
    await attack(database, table);
    database.db.close();
  });

  it("is refused by setup if each connection has its own (B11)", async () => {
    const { db, fence, exec } = openSqlite();
    await exec(`CREATE TEMP TABLE leasehold_fence (${RIGHT})`);
    await expect(fence.setup()).rejects.toThrow(/temporary/);
    db.close();
  });

  it("says of a token that it is NULL, and not that it is stale (B11)", async () => {
    const { db, fence, exec } = openSqlite();
    await exec(sqliteTable("name TEXT PRIMARY KEY, token INTEGER"));
    await exec(`INSERT INTO leasehold_fence VALUES ('${name}', NULL)`);
    const problem = /leasehold_fence has NULL as the token of "Invoice 42"/;
    await expect(fence.write({ name, token: NEWER }, insert("newer"))).rejects.toThrow(problem);
    await expect(fence.claim({ name, token: NEWER })).rejects.toThrow(problem);
    await expect(fence.write({ name: "other", token: NEWER }, insert("newer"))).resolves.toBe(1);
    await expect(fence.write({ name: "other", token: OLDER }, insert("newer"))).rejects.toMatchObject({
      code: "stale_token",
      seen: NEWER,
    });
    db.close();
  });

  it("is as good as setup's own if it is right, in any spelling (B11)", async () => {
    for (const sql of [
      "CREATE TABLE Leasehold_Fence (Name VARCHAR(999) NOT NULL UNIQUE, TOKEN BIGINT NOT NULL)",
      `CREATE TABLE "leasehold_fence" (${RIGHT}) WITHOUT ROWID`,
      `CREATE TABLE leasehold_fence (${RIGHT}, at TEXT DEFAULT CURRENT_TIMESTAMP) STRICT`,
    ]) {
      const { db, fence, log, exec } = openSqlite();
      await exec(sql);
      await fence.setup();
      await fence.claim({ name, token: NEWER });
      await fence.write({ name, token: NEWER }, insert("newer"));
      const stale = fence.write({ name, token: OLDER }, insert("stale"));
      await expect(stale, sql).rejects.toMatchObject({ code: "stale_token", seen: NEWER });
      expect(await log()).toEqual(["newer"]);
      db.close();
    }
  });

  it("keeps the token of a write that would remove it (B11)", async () => {
    const { db, fence, exec, log } = openSqlite();
    await fence.setup();
    await exec("CREATE TRIGGER t AFTER INSERT ON log BEGIN DELETE FROM leasehold_fence; END");
    for (const sql of ["DELETE FROM leasehold_fence", "UPDATE leasehold_fence SET token = 1", insert("x")])
      await expect(fence.write({ name, token: NEWER }, sql), sql).rejects.toThrow(/did not keep the token/);
    await fence.claim({ name, token: NEWER });
    for (const sql of ["DELETE FROM leasehold_fence", insert("x")])
      await expect(fence.write({ name, token: OLDER }, sql), sql).rejects.toMatchObject({ code: "stale_token" });
    expect(await log()).toEqual([]);
    db.close();
  });
});

describe("a table of D1 that was made by hand", () => {
  let workerd: Workerd;
  beforeAll(async () => {
    workerd = await startWorkerd();
  });
  afterAll(() => workerd?.stop());

  const database: Database = {
    fence: {
      setup: async () => void (await workerd.ask("hand", "", "setup")),
      claim: async (lease) => void (await workerd.ask("hand", "", "claim", { lease })),
      write: async (lease, value) => (await workerd.ask("hand", "", "write", { lease, value })) as number,
    },
    exec: async (value) => void (await workerd.ask("hand", "", "exec", { value })),
    log: async () => (await workerd.ask("hand", "", "log")) as unknown[],
  };
  const drop = async (): Promise<void> => {
    const { exec } = database;
    for (const sql of ["VIEW leasehold_fence", "TABLE leasehold_fence", "TABLE t", "TABLE log"])
      await exec(`DROP ${sql.replace(" ", " IF EXISTS ")}`).catch(() => {});
    await exec(SQLITE_LOG);
  };

  it.each(SQLITE)("lets no stale write in: %s (B11)", async (...table) => {
    await drop();
    await attack(database, table);
  });

  it("keeps the token of a write that would remove it (B11)", async () => {
    await drop();
    const { fence } = database;
    await fence.setup();
    const removes = "DELETE FROM leasehold_fence";
    await expect(fence.write({ name, token: NEWER }, removes)).rejects.toThrow(/did not keep the token/);
    await fence.claim({ name, token: NEWER });
    await expect(fence.write({ name, token: OLDER }, removes)).rejects.toMatchObject({ code: "stale_token" });
  });
});

const POSTGRES_RIGHT = "name TEXT PRIMARY KEY, token BIGINT NOT NULL";
const postgresTable = (columns: string): string => `CREATE TABLE leasehold_fence (${columns})`;
const procedure = (body: string): string =>
  `CREATE FUNCTION does() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$`;
const POSTGRES: readonly Table[] = [
  ["a token that may be NULL", [postgresTable("name TEXT PRIMARY KEY, token BIGINT")], /token may be NULL/],
  [
    "a token that is NULL",
    [postgresTable("name TEXT PRIMARY KEY, token BIGINT"), `INSERT INTO leasehold_fence VALUES ('${name}', NULL)`],
    /token may be NULL/,
  ],
  ["a name without an index", [postgresTable("name TEXT NOT NULL, token BIGINT NOT NULL")], /no PRIMARY KEY/],
  [
    "a primary key of two columns",
    [postgresTable("name TEXT, tenant TEXT DEFAULT '', token BIGINT NOT NULL, PRIMARY KEY (name, tenant)")],
    /no PRIMARY KEY/,
  ],
  [
    "an index of some rows",
    [
      postgresTable("name TEXT NOT NULL, token BIGINT NOT NULL"),
      "CREATE UNIQUE INDEX part ON leasehold_fence (name) WHERE token > 5",
    ],
    /no PRIMARY KEY/,
  ],
  [
    "a deferred key",
    [postgresTable("name TEXT PRIMARY KEY DEFERRABLE INITIALLY DEFERRED, token BIGINT NOT NULL")],
    /no PRIMARY KEY/,
  ],
  ...["REAL", "DOUBLE PRECISION", "TEXT", "INTEGER", "NUMERIC(20, -3)", "NUMERIC"].map(
    (type): Table => [
      `tokens as ${type}`,
      [postgresTable(`name TEXT PRIMARY KEY, token ${type} NOT NULL`)],
      new RegExp(`token must be BIGINT, not ${type.split("(")[0]}`, "i"),
    ],
  ),
  ["no token", [postgresTable("name TEXT PRIMARY KEY, seen BIGINT NOT NULL")], /no column token/],
  ["another case of the token", [postgresTable('name TEXT PRIMARY KEY, "Token" BIGINT NOT NULL')], /no column token/],
  ["short names", [postgresTable("name VARCHAR(5) PRIMARY KEY, token BIGINT NOT NULL")], /name must be TEXT, not/],
  ["padded names", [postgresTable("name CHAR(20) PRIMARY KEY, token BIGINT NOT NULL")], /name must be TEXT, not/],
  [
    "a trigger that skips every row",
    [
      postgresTable(POSTGRES_RIGHT),
      procedure("RETURN NULL;"),
      "CREATE TRIGGER skips BEFORE INSERT ON leasehold_fence FOR EACH ROW EXECUTE FUNCTION does()",
    ],
    /trigger skips/,
  ],
  [
    "a trigger that lowers the token",
    [
      postgresTable(POSTGRES_RIGHT),
      procedure("NEW.token = 1; RETURN NEW;"),
      "CREATE TRIGGER lowers BEFORE INSERT OR UPDATE ON leasehold_fence FOR EACH ROW EXECUTE FUNCTION does()",
    ],
    /trigger lowers/,
  ],
  [
    "a rule",
    [postgresTable(POSTGRES_RIGHT), "CREATE RULE nothing AS ON INSERT TO leasehold_fence DO INSTEAD NOTHING"],
    /rule nothing/,
  ],
  [
    "a view",
    [
      "CREATE TABLE t (name TEXT PRIMARY KEY, token BIGINT)",
      "CREATE VIEW leasehold_fence AS SELECT * FROM t WHERE token < 5",
    ],
    /a view/,
  ],
  ["a table that a crash empties", [`CREATE UNLOGGED TABLE leasehold_fence (${POSTGRES_RIGHT})`], /unlogged/],
];

const bin = findPostgres();
describe.skipIf(!bin)("a table of PostgreSQL that was made by hand", () => {
  let server: PostgresServer;
  let admin: pg.Client;
  let schemas = 0;
  beforeAll(async () => {
    server = await startPostgres(bin ?? "");
    admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
  });
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });

  /** A schema of its own with one connection, whose search path has further schemas if they are named. */
  async function open(...further: string[]) {
    const schema = `s${++schemas}`;
    await admin.query(`CREATE SCHEMA ${schema}`);
    const path = [schema, ...further].join(",");
    const client = new pg.Client({ connectionString: server.url, options: `-c search_path=${path}` });
    await client.connect();
    await client.query("CREATE TABLE log (at BIGSERIAL PRIMARY KEY, value TEXT)");
    const exec = async (sql: string): Promise<void> => void (await client.query(sql));
    const log = async (): Promise<unknown[]> => {
      const { rows } = await client.query("SELECT value FROM log ORDER BY at");
      return rows.map((row: { value: unknown }) => row.value);
    };
    return { schema, client, fence: postgresFence(client), exec, log };
  }

  it.each(POSTGRES)("lets no stale write in: %s (B11)", async (...table) => {
    const database = await open();
    await attack(database, table);
    await database.client.end();
  });

  it("lets no stale write in under a collation that ignores case (B11)", async () => {
    const { client, fence, exec } = await open();
    // A server that was built without ICU has no such collation.
    const { rows } = await client.query("SELECT 1 FROM pg_collation WHERE collprovider = 'i' LIMIT 1");
    expect(rows).toHaveLength(1);
    await exec("CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
    await exec(postgresTable("name TEXT COLLATE nocase PRIMARY KEY, token BIGINT NOT NULL"));
    await expect(fence.setup()).rejects.toThrow(/collation nocase/);
    await fence.claim({ name, token: 1 });
    for (const call of [
      () => fence.claim({ name: name.toUpperCase(), token: NEWER }),
      () => fence.write({ name: name.toUpperCase(), token: NEWER }, insert("other")),
    ])
      await expect(call()).rejects.toThrow(/did not keep the token/);
    await client.end();
  });

  it("is refused by setup if each connection has its own (B11)", async () => {
    const { client, fence, exec } = await open();
    await exec(`CREATE TEMP TABLE leasehold_fence (${POSTGRES_RIGHT})`);
    await expect(fence.setup()).rejects.toThrow(/temporary/);
    await client.end();
  });

  it("is found where the search path finds it, and a second one is refused (B11)", async () => {
    const shared = await open();
    await shared.fence.setup();
    const other = await open(shared.schema);
    // The other's first schema has none: its statements use the shared table, and setup must not hide it.
    await other.fence.claim({ name, token: NEWER });
    await other.fence.setup();
    await expect(other.fence.claim({ name, token: OLDER })).rejects.toMatchObject({ code: "stale_token", seen: NEWER });
    await other.exec(`CREATE TABLE ${other.schema}.leasehold_fence (${POSTGRES_RIGHT})`);
    await expect(other.fence.setup()).rejects.toThrow(new RegExp(`in several schemas.*${other.schema}`));
    await shared.client.end();
    await other.client.end();
  });

  it("says of a token that it is NULL, and of a stale one what was seen, in a failed transaction too (B11)", async () => {
    const { client, fence, exec } = await open();
    await exec(postgresTable("name TEXT PRIMARY KEY, token BIGINT"));
    await exec(`INSERT INTO leasehold_fence VALUES ('${name}', NULL), ('other', ${NEWER})`);
    const problem = /leasehold_fence has NULL as the token of "Invoice 42"/;
    await expect(fence.write({ name, token: NEWER }, insert("newer"))).rejects.toThrow(problem);
    await expect(fence.claim({ name, token: NEWER })).rejects.toThrow(problem);
    await exec("BEGIN");
    await expect(fence.write({ name: "other", token: OLDER }, insert("stale"))).rejects.toMatchObject({
      code: "stale_token",
      seen: NEWER,
    });
    await exec("ROLLBACK");
    await client.end();
  });

  it("is as good as setup's own if it is right (B11)", async () => {
    const { client, fence, exec, log } = await open();
    await exec("CREATE TABLE leasehold_fence (token BIGINT NOT NULL, at TIMESTAMPTZ DEFAULT now(), name VARCHAR)");
    await exec("CREATE UNIQUE INDEX by_name ON leasehold_fence (name)");
    await fence.setup();
    await fence.claim({ name, token: NEWER });
    await fence.write({ name, token: NEWER }, insert("newer"));
    const stale = fence.write({ name, token: OLDER }, insert("stale"));
    await expect(stale).rejects.toMatchObject({ code: "stale_token", seen: NEWER });
    expect(await log()).toEqual(["newer"]);
    await client.end();
  });

  it("refuses a stale statement that removes the tokens, itself or by a trigger (B11)", async () => {
    const { client, fence, exec, log } = await open();
    await fence.setup();
    await fence.claim({ name, token: NEWER });
    const tokens = async () => (await client.query("SELECT name, token FROM leasehold_fence")).rows;
    for (const sql of [
      "DELETE FROM leasehold_fence",
      "DELETE FROM Leasehold_Fence WHERE name = 'Invoice 42'",
      "WITH d AS (DELETE FROM leasehold_fence RETURNING name) INSERT INTO log (value) SELECT name FROM d",
      "UPDATE leasehold_fence SET token = 1",
      "UPDATE leasehold_fence SET name = name || ' before'",
    ]) {
      await expect(fence.write({ name, token: OLDER }, sql), sql).rejects.toThrow();
      expect(await tokens(), sql).toEqual([{ name, token: `${NEWER}` }]);
    }
    await expect(fence.write({ name, token: OLDER }, "DELETE FROM leasehold_fence")).rejects.toMatchObject({
      code: "stale_token",
      seen: NEWER,
    });
    await exec(procedure("DELETE FROM leasehold_fence; RETURN NEW;"));
    await exec("CREATE TRIGGER removes BEFORE INSERT ON log FOR EACH ROW EXECUTE FUNCTION does()");
    await expect(fence.write({ name, token: OLDER }, insert("stale"))).rejects.toMatchObject({ code: "stale_token" });
    expect(await tokens()).toEqual([{ name, token: `${NEWER}` }]);
    expect(await log()).toEqual([]);
    // The holder's own removal leaves its own token.
    await fence.write({ name, token: NEWER }, "DELETE FROM leasehold_fence");
    expect(await tokens()).toEqual([{ name, token: `${NEWER}` }]);
    await client.end();
  });
});
