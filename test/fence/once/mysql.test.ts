import { createPool, type Pool, type PoolConnection, type ResultSetHeader, type RowDataPacket } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MysqlConnection, type MysqlOnceOptions, mysqlFence, mysqlOnce } from "../../../src/fence/index.ts";
import { mysqlWrite } from "../../../src/fence/mysql-table.ts";
import { findMariadb, type MariadbServer, startMariadb } from "../../../tools/mariadb.ts";
import { freshName, pause } from "../../support/names.ts";
import { useStack } from "../../support/use-stack.ts";
import { attacks } from "../attacks.ts";
import type { Resource } from "../deed.ts";
import { accountOf, deliverOnce, FEWER_DELIVERIES, type Shop } from "./deliveries.ts";
import type { Process } from "./process.ts";

const stack = useStack();

describe.skipIf(!findMariadb())("MariaDB, through mysql2", () => {
  let server: MariadbServer;
  let pool: Pool;
  beforeAll(async () => {
    server = await startMariadb();
    const own = createPool(server.url);
    await own.query("CREATE DATABASE shop");
    await own.end();
    pool = createPool({ uri: server.url.replace(/mysql$/, "shop"), connectionLimit: 40 });
    await mysqlOnce(pool).setup();
    await mysqlFence(pool).setup();
    await pool.query("CREATE TABLE effects (run VARCHAR(64), id VARCHAR(64) NOT NULL, KEY (run))");
    await pool.query("CREATE TABLE accounts (name VARCHAR(100) PRIMARY KEY, run VARCHAR(64), total INT)");
    await pool.query(
      "CREATE TABLE log (at BIGINT AUTO_INCREMENT PRIMARY KEY, run VARCHAR(64), value VARCHAR(64) NOT NULL)",
    );
    await pool.query("CREATE TABLE rows_ (id VARCHAR(100) PRIMARY KEY, value VARCHAR(64))");
  });
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });

  const rows = async (sql: string, params: unknown[]): Promise<Record<string, unknown>[]> => {
    const [found] = await pool.query<RowDataPacket[]>(sql, params);
    return found;
  };

  describe("mysqlFence", () => {
    async function open(): Promise<Resource> {
      const run = freshName();
      const fence = mysqlFence(pool);
      return {
        claim: (lease) => fence.claim(lease),
        write: (lease, value) => fence.write(lease, "INSERT INTO log (run, value) VALUES (?, ?)", [run, value]),
        values: async () =>
          (await rows("SELECT value FROM log WHERE run = ? ORDER BY at", [run])).map(({ value }) => `${value}`),
      };
    }
    attacks("mysqlFence (51.2)", open);

    it("takes statements of all shapes, and is undone with one that fails (51.2)", async () => {
      const [name, fence] = [freshName(), mysqlFence(pool)];
      const lease = { name, token: 3 };
      const write = (sql: string, params: unknown[] = []) => fence.write(lease, sql, params);
      await expect(write("INSERT INTO log (run, value) VALUES (?, NULL)", [name])).rejects.toMatchObject({
        errno: 1048,
      });
      await fence.claim({ name, token: 2 });
      expect(await write("INSERT INTO log (run, value) VALUES (?, 'a'), (?, 'b')", [name, name])).toBe(2);
      expect(
        await write("# why; \n UPDATE log SET value = 'it\\'s; b' WHERE run = ? AND value = \"b\" -- ;", [name]),
      ).toBe(1);
      expect(await write("DELETE FROM log WHERE run = ? AND value = 'a'", [name])).toBe(1);
      for (const sql of ["SELECT 1", "DROP TABLE log", "DELETE FROM log; DROP TABLE log", "COMMIT", ""])
        await expect(write(sql), sql).rejects.toThrow(TypeError);
      const batch = fence.batch(lease, [
        { sql: "INSERT INTO log (run, value) VALUES (?, 'c')", params: [name] },
        { sql: "INSERT INTO log (run, value) VALUES (?, NULL)", params: [name] },
      ]);
      await expect(batch).rejects.toMatchObject({ errno: 1048 });
      expect(await rows("SELECT value FROM log WHERE run = ?", [name])).toEqual([{ value: "it's; b" }]);
    });

    it("keeps names apart that a collation or padding makes equal (51.2)", async () => {
      const [name, fence] = [freshName("Ärger 🔒"), mysqlFence(pool)];
      await fence.claim({ name, token: 5 });
      for (const other of [name.toLowerCase(), `${name} `, name.replace("Ä", "A")]) {
        await fence.claim({ name: other, token: 1 });
      }
      await expect(fence.claim({ name, token: 4 })).rejects.toMatchObject({ code: "stale_token", seen: 5 });
    });

    it("setup says what is wrong with a table that was made by hand (51.2)", async () => {
      for (const [schema, definition, says] of [
        [
          "engine",
          "name VARBINARY(600) PRIMARY KEY, token BIGINT NOT NULL) ENGINE=MyISAM",
          /engine without transactions/,
        ],
        ["collated", "name VARCHAR(100) PRIMARY KEY, token BIGINT NOT NULL)", /name must be VARBINARY/],
        ["keyless", "name VARBINARY(600), token BIGINT NOT NULL)", /no PRIMARY KEY/],
        ["nullable", "name VARBINARY(600) PRIMARY KEY, token BIGINT)", /token may be NULL/],
      ] as const) {
        await pool.query(`CREATE DATABASE ${schema}`);
        const other = createPool({ uri: server.url.replace(/mysql$/, schema), connectionLimit: 1 });
        await other.query(`CREATE TABLE leasehold_fence (${definition}`);
        await expect(mysqlFence(other).setup(), schema).rejects.toThrow(says);
        await other.end();
      }
    });

    // Both meet the same moment: the older holder's transaction has its snapshot when the newer one's write commits.
    it.each([
      ["a SELECT of the token, which reads the snapshot, would let a stale write in", "naive", "stale"],
      ["the fence's write reads the newest row, and does not", "fenced", "newer"],
    ] as const)("under REPEATABLE READ %s (51.2)", async (_, how, left) => {
      const [name, fence] = [freshName(), mysqlFence(pool)];
      const update = "UPDATE rows_ SET value = ? WHERE id = ?";
      await fence.write({ name, token: 1 }, "INSERT INTO rows_ VALUES (?, 'first')", [name]);
      const older = await pool.getConnection();
      try {
        await older.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
        await older.query("START TRANSACTION");
        await older.query("SELECT * FROM rows_ WHERE id = ?", [name]);
        await fence.claim({ name, token: 2 });
        await fence.write({ name, token: 2 }, update, ["newer", name]);
        if (how === "naive") {
          const check = "SELECT token FROM leasehold_fence WHERE name = ? AND token <= 1";
          const [seen] = await older.query<RowDataPacket[]>(check, [Buffer.from(name)]);
          expect(seen).toEqual([{ token: 1 }]);
          await older.query(update, ["stale", name]);
        } else {
          const guard = mysqlWrite([{ name, token: 1, text: null, doneAt: null }]);
          await expect(older.query(guard.sql, [...guard.params])).rejects.toMatchObject({ errno: 1690 });
        }
        await older.query("COMMIT");
      } finally {
        older.release();
      }
      expect(await rows("SELECT value FROM rows_ WHERE id = ?", [name])).toEqual([{ value: left }]);
    });
  });

  /** A connection of one process: it may die after each statement, and then the server sees its connection end. */
  async function connect(process: Process): Promise<MysqlConnection> {
    const connection = await pool.getConnection();
    let isUsed = true;
    function end(how: "release" | "destroy"): void {
      if (isUsed) connection[how]();
      isUsed = false;
    }
    process.onDeath(() => end("destroy"));
    return {
      query: (sql, values) => process.ask(() => connection.query(sql, values)),
      release: () => end("release"),
      destroy: () => end("destroy"),
    };
  }
  async function effect(tx: MysqlConnection, run: string, id: string): Promise<string> {
    await tx.query("INSERT INTO effects VALUES (?, ?)", [run, id]);
    await tx.query("INSERT INTO accounts VALUES (?, ?, 1) ON DUPLICATE KEY UPDATE total = total + 1", [
      accountOf(run, id),
      run,
    ]);
    return id;
  }
  const shop = (options: MysqlOnceOptions = {}): Shop<MysqlConnection> => ({
    open: (process) => ({
      database: mysqlOnce({ getConnection: () => connect(process) }, options),
      work: effect,
      async bare(run, id) {
        const connection = await connect(process);
        try {
          await connection.query("START TRANSACTION", []);
          await effect(connection, run, id);
          await connection.query("COMMIT", []);
          connection.release();
        } catch (error) {
          connection.destroy();
          throw error;
        }
      },
    }),
    effects: async (run) => (await rows("SELECT id FROM effects WHERE run = ?", [run])).map(({ id }) => `${id}`),
    total: async (run) =>
      Number((await rows("SELECT SUM(total) AS sum FROM accounts WHERE run = ?", [run]))[0]?.["sum"]),
  });
  deliverOnce("mysqlOnce", shop, stack);
  deliverOnce("mysqlOnce, READ COMMITTED", () => shop({ isolation: "read committed" }), stack, {
    deliveries: FEWER_DELIVERIES,
  });
  deliverOnce("mysqlOnce, SERIALIZABLE", () => shop({ isolation: "serializable" }), stack, {
    deliveries: FEWER_DELIVERIES,
  });

  const attempt = (key: string, token: number, number = 1) => ({ key, lease: { name: key, token }, attempt: number });
  const insert = (run: string, id: string) => async (tx: PoolConnection) => {
    const [{ affectedRows }] = await tx.query<ResultSetHeader>("INSERT INTO effects VALUES (?, ?)", [run, id]);
    return `${id} ${affectedRows}`;
  };
  const effectsOf = (run: string) => shop().effects(run);

  it("finds the row, refuses a stale attempt and a stale lock, and is undone with work that throws (51.2)", async () => {
    const [key, name, payments] = [freshName(), freshName(), mysqlOnce(pool)];
    const failed = payments.commit(attempt(key, 3), async (tx) => {
      await insert(key, "half")(tx);
      throw new RangeError("no stock");
    });
    await expect(failed).rejects.toThrow("no stock");
    await mysqlFence(pool).claim({ name: key, token: 2 });
    for (const number of [1, 2]) {
      const stale = payments.commit(attempt(key, 1, number), insert(key, "stale"));
      await expect(stale).rejects.toMatchObject({ code: "stale_token", lockName: key, seen: 2 });
    }
    expect(await payments.commit(attempt(key, 3), insert(key, "a"))).toBe("a 1");
    for (const [token, number] of [
      [1, 1],
      [3, 1],
      [4, 2],
    ] as const)
      expect(await payments.commit(attempt(key, token, number), insert(key, "b"))).toBe("a 1");
    expect(await effectsOf(key)).toEqual(["a"]);
    const under = (token: number) => ({ ...attempt(freshName(), 1), under: { key: name, lease: { name, token } } });
    await payments.commit(under(8), insert(name, "two"));
    await expect(payments.commit(under(7), insert(name, "one"))).rejects.toMatchObject({ lockName: name, seen: 8 });
    expect(await effectsOf(name)).toEqual(["two"]);
  });

  it("lets the commit of an older attempt wait for a newer one, and find its row (51.2)", async () => {
    const [key, payments] = [freshName(), mysqlOnce(pool)];
    let older: Promise<unknown> | undefined;
    const newer = payments.commit(attempt(key, 2, 2), async (tx) => {
      older = payments.commit(attempt(key, 1), insert(key, "older"));
      older.catch(() => {});
      await pause(100);
      return insert(key, "newer")(tx);
    });
    expect(await newer).toBe("newer 1");
    expect(await older).toBe("newer 1");
    expect(await effectsOf(key)).toEqual(["newer"]);
  });

  it("refuses a key that the column would cut off, and writes nothing (51.2)", async () => {
    const [run, payments] = [freshName(), mysqlOnce(pool)];
    const commit = payments.commit({ ...attempt(run, 1), key: "{".padEnd(2049, "k") }, insert(run, "a"));
    await expect(commit).rejects.toThrow("at most 2048 are stored");
    expect(await effectsOf(run)).toEqual([]);
  });

  it("forgets by age (51.2)", async () => {
    const [old, recent, payments] = [freshName(), freshName(), mysqlOnce(pool)];
    const ago = (days: number): number => (Date.now() - days * 86_400_000) * 1000;
    for (const [key, days] of [
      [old, 31],
      [recent, 29],
    ] as const) {
      await payments.commit(attempt(key, ago(days)), () => "dönè 🔒");
      await pool.query("UPDATE leasehold_fence SET done_at = token DIV 1000 WHERE name = ?", [Buffer.from(key)]);
    }
    await payments.forget();
    expect(await payments.commit(attempt(recent, 1), () => "again")).toBe("dönè 🔒");
    expect(await payments.commit(attempt(old, 1), () => "again")).toBe("again");
  });
});
