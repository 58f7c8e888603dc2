import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresFence } from "../../src/fence/index.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../../tools/postgres.ts";
import { freshName, pause } from "../support/names.ts";
import { attacks } from "./attacks.ts";
import type { Resource } from "./deed.ts";

const bin = findPostgres();

describe.skipIf(!bin)("PostgreSQL", () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await startPostgres(bin ?? "");
    pool = new pg.Pool({ connectionString: server.url, max: 10 });
    await postgresFence(pool).setup();
    await postgresFence(pool).setup();
    await pool.query("CREATE TABLE log (at BIGSERIAL PRIMARY KEY, run TEXT, value TEXT NOT NULL)");
    await pool.query("CREATE TABLE rows (id TEXT PRIMARY KEY, value TEXT, token BIGINT)");
  });
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });

  const fence = () => postgresFence(pool);
  async function open(): Promise<Resource> {
    const run = freshName();
    return {
      claim: (lease) => fence().claim(lease),
      // One row, so that writers wait for each other, and a log of it.
      write: (lease, value) =>
        fence().write(
          lease,
          `WITH row AS (INSERT INTO rows (id, value) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET value = excluded.value RETURNING value)
           INSERT INTO log (run, value) SELECT $1, value FROM row`,
          [run, value],
        ),
      values: async () => {
        const { rows } = await pool.query("SELECT value FROM log WHERE run = $1 ORDER BY at", [run]);
        return rows.map((row: { value: string }) => row.value);
      },
    };
  }
  attacks("postgresFence", open);

  async function session(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    const client = await pool.connect();
    try {
      await work(client);
    } finally {
      await client.query("ROLLBACK").catch(() => {});
      client.release();
    }
  }
  /** Until a statement of somebody waits for a lock. */
  async function waiting(sql: string): Promise<void> {
    const query = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1";
    while ((await pool.query(query, [`%${sql}%`])).rowCount === 0) await pause(5);
  }

  // Both meet the same moment: the older holder's statement has begun, and waits for the row, when the newer one's
  // write commits.
  it.each([
    ["a condition of its own would let a stale write in", "naive", 1],
    ["an error of the fence does not", "fenced", 0],
  ] as const)("under READ COMMITTED %s", async (_, how, let_in) => {
    const name = freshName();
    const id = `${name} ${how}`;
    await fence().write({ name, token: 1 }, "INSERT INTO rows (id, value) VALUES ($1, 'first')", [id]);
    const naive = `UPDATE rows SET value = 'stale' WHERE id = $1
       AND EXISTS (SELECT 1 FROM leasehold_fence WHERE name = $2 AND token <= $3)`;
    await session(async (newer) => {
      await newer.query("BEGIN");
      const theirs = postgresFence(newer);
      await theirs.claim({ name, token: 2 });
      await theirs.write({ name, token: 2 }, "UPDATE rows SET value = 'newer' WHERE id = $1", [id]);
      const older =
        how === "naive"
          ? pool.query(naive, [id, name, 1]).then(({ rowCount }) => rowCount)
          : fence()
              .write({ name, token: 1 }, "UPDATE rows SET value = 'stale' WHERE id = $1", [id])
              .catch((error) => {
                expect(error).toMatchObject({ code: "stale_token", seen: 2 });
                return 0;
              });
      await waiting(how === "naive" ? "AND EXISTS" : "WITH leasehold AS");
      await newer.query("COMMIT");
      expect(await older).toBe(let_in);
    });
    const { rows } = await pool.query("SELECT value FROM rows WHERE id = $1", [id]);
    expect(rows).toEqual([{ value: let_in ? "stale" : "newer" }]);
  });

  it("a newer claim waits for an older write that is under way, and both are in order", async () => {
    const name = freshName();
    await session(async (older) => {
      await older.query("BEGIN");
      await postgresFence(older).write({ name, token: 1 }, "INSERT INTO rows (id, value) VALUES ($1, 'old')", [name]);
      let claimed = false;
      const claim = fence()
        .claim({ name, token: 2 })
        .then(() => (claimed = true));
      await waiting("INSERT INTO leasehold_fence");
      expect(claimed).toBe(false);
      await older.query("COMMIT");
      await claim;
    });
    const late = fence().write({ name, token: 1 }, "UPDATE rows SET value = 'late' WHERE id = $1", [name]);
    await expect(late).rejects.toMatchObject({ seen: 2 });
  });

  it("under SERIALIZABLE takes no stale write either", async () => {
    const name = freshName();
    await session(async (client) => {
      await client.query("BEGIN ISOLATION LEVEL SERIALIZABLE");
      await client.query("SELECT 1");
      await fence().claim({ name, token: 2 });
      const stale = postgresFence(client).write({ name, token: 1 }, "INSERT INTO log (value) VALUES ($1)", [name]);
      await expect(stale).rejects.toMatchObject({ code: expect.stringMatching(/^(40001|stale_token)$/) });
    });
    expect((await pool.query("SELECT 1 FROM log WHERE value = $1", [name])).rowCount).toBe(0);
  });

  it("takes statements of all shapes, and is undone with one that fails", async () => {
    const name = freshName();
    const lease = { name, token: 3 };
    const write = (sql: string, params: unknown[] = []) => fence().write(lease, sql, params);
    await expect(write("INSERT INTO log (run) VALUES ($1)", [name])).rejects.toMatchObject({
      code: "23502",
      table: "log",
    });
    await fence().claim({ name, token: 2 });
    expect(await write("INSERT INTO log (run, value) VALUES ($1, 'a'), ($1, 'b') RETURNING at", [name])).toBe(2);
    expect(
      await write(
        "-- why\n WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x WHERE n < 2) UPDATE log SET value = value || 'returning' FROM x WHERE n = 2 AND run = $1;",
        [name],
      ),
    ).toBe(2);
    expect(await write("DELETE FROM log WHERE run = $1 AND value = $2", [name, "areturning"])).toBe(1);
    expect(await write("UPDATE log SET value = 'none' WHERE run = 'nobody'")).toBe(0);
    await expect(write("DELETE FROM log WHERE run = 'x'; DELETE FROM log")).rejects.toThrow("one statement");
    await expect(write("SELECT 1")).rejects.toThrow(TypeError);
    const { rows } = await pool.query("SELECT value FROM log WHERE run = $1", [name]);
    expect(rows).toEqual([{ value: "breturning" }]);
  });

  it("refuses a statement whose parameters are too few, since the guard's own would stand in for them", async () => {
    const name = freshName();
    const write = (sql: string, params: unknown[] = []) => fence().write({ name, token: 1 }, sql, params);
    await pool.query("INSERT INTO rows (id, value) VALUES ($1, 'kept')", [name]);
    for (const [sql, params] of [
      ["DELETE FROM rows WHERE id <> $1", []],
      ["UPDATE rows SET value = $1 WHERE id <> $2", ["x"]],
      ["DELETE FROM rows WHERE id <> ALL(ARRAY[$1,$2])", ["x"]],
      ["DELETE FROM rows WHERE value <> 'it''s' AND id <>$1", []],
      ["DELETE FROM rows WHERE value <> $$it's$$ AND id <> $1 -- '", []],
      ["DELETE FROM rows WHERE value <> E'\\'' AND id <> $1 AND value <> 'x'", []],
      ["DELETE FROM rows WHERE CASE WHEN true THEN/**/$1 <> id END", []],
    ] as const) {
      await expect(write(sql, [...params]), sql).rejects.toThrow(TypeError);
    }
    // Texts that only look like one.
    await write("UPDATE rows SET value = '$1 ' || $$'$2$$ || $q$ $3 $q$ || E' \\'$4' /* $5 */ WHERE id = $1 -- $6", [
      name,
    ]);
    const { rows } = await pool.query("SELECT value FROM rows WHERE id = $1", [name]);
    expect(rows).toEqual([{ value: "$1 '$2 $3  '$4" }]);
  });

  it("is set up by eight at once", async () => {
    const eight = Array.from({ length: 8 });
    await pool.query("CREATE SCHEMA other");
    const others = new pg.Pool({ connectionString: server.url, max: 8, options: "-c search_path=other" });
    try {
      // All connected before they race.
      await Promise.all(eight.map(() => others.query("SELECT pg_sleep(0.1)")));
      for (let round = 0; round < 10; round++) {
        await Promise.all(eight.map(() => postgresFence(others).setup()));
        await others.query("DROP TABLE leasehold_fence");
      }
    } finally {
      await others.end();
    }
  });

  it("passes on the error of a driver, whatever its cause, and takes none that does not count rows", async () => {
    const lease = { name: freshName(), token: 1 };
    const wraps = postgresFence({
      query: (text, values) =>
        pool.query(text, values).catch((error: Error) => {
          throw Object.assign(error, { cause: error });
        }),
    });
    await expect(wraps.write(lease, "UPDATE rows SET nothing = 1")).rejects.toMatchObject({ code: "42703" });
    const silent = {
      query: async (text: string, values: unknown[]) => ({ rows: (await pool.query(text, values)).rows }),
    };
    const uncounted = postgresFence(silent as never);
    await expect(uncounted.claim(lease)).rejects.toThrow(TypeError);
    await expect(uncounted.write(lease, "DELETE FROM rows WHERE id = 'nobody'")).rejects.toThrow(TypeError);
  });

  it("keeps the token in the row itself, where it is wanted, also when two race", async () => {
    const id = freshName();
    const row = (value: string) => ({ table: "public.rows", key: { id }, set: { value } });
    const lease = (token: number) => ({ name: "n", token });
    expect(await fence().update(lease(1), row("missing"))).toBe(0);
    await fence().upsert(lease(5), row("a"));
    await fence().upsert(lease(5), row("b"));
    await expect(fence().upsert(lease(4), row("stale"))).rejects.toMatchObject({ code: "stale_token", seen: 5 });
    await expect(fence().update(lease(4), row("stale"))).rejects.toMatchObject({ code: "stale_token", seen: 5 });
    await session(async (newer) => {
      await newer.query("BEGIN");
      await postgresFence(newer).update(lease(7), row("newer"));
      const older = fence().update(lease(6), row("older"));
      const refused = expect(older).rejects.toMatchObject({ code: "stale_token", seen: 7 });
      await waiting('UPDATE "public"."rows"');
      await newer.query("COMMIT");
      await refused;
    });
    expect((await pool.query("SELECT * FROM rows WHERE id = $1", [id])).rows).toEqual([
      { id, value: "newer", token: "7" },
    ]);
  });
});
