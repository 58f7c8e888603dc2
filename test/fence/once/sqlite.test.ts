import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SqliteOnceDatabase, sqliteFence, sqliteOnce } from "../../../src/fence/index.ts";
import { freshName } from "../../support/names.ts";
import { useStack } from "../../support/use-stack.ts";
import { openSqlite } from "../sqlite-resource.ts";
import { accountOf, deliverOnce, type Shop } from "./deliveries.ts";
import type { Process } from "./process.ts";

const stack = useStack();

describe("SQLite", () => {
  const dir = mkdtempSync(join(tmpdir(), "leasehold-once-"));
  const file = join(dir, "shop.db");
  let own: DatabaseSync;
  beforeAll(async () => {
    own = openSqlite(file);
    own.exec("CREATE TABLE effects (run TEXT, id TEXT)");
    own.exec("CREATE TABLE accounts (name TEXT PRIMARY KEY, run TEXT, total INTEGER)");
    await sqliteOnce(own).setup();
  });
  afterAll(() => {
    own.close();
    rmSync(dir, { recursive: true, force: true });
  });

  /** The file as a process has it open: each statement is one that it may die after. */
  function open(process: Process): SqliteOnceDatabase {
    const db = openSqlite(file);
    let isOpen = true;
    const close = (): void => {
      if (isOpen) db.close();
      isOpen = false;
    };
    process.onDeath(close);
    return {
      exec: (sql) => process.sync(() => db.exec(sql)),
      prepare: (sql) => {
        const statement = db.prepare(sql);
        const given = (params: unknown[]) => params as SQLInputValue[];
        return {
          run: (...params) => process.sync(() => statement.run(...given(params))),
          get: (...params) => process.sync(() => statement.get(...given(params))),
          all: (...params) => process.sync(() => statement.all(...given(params))),
        };
      },
      get isTransaction() {
        return db.isTransaction;
      },
    };
  }
  function effect(db: SqliteOnceDatabase, run: string, id: string): string {
    db.prepare("INSERT INTO effects VALUES (?, ?)").run(run, id);
    db.prepare("INSERT INTO accounts VALUES (?, ?, 1) ON CONFLICT (name) DO UPDATE SET total = total + 1").run(
      accountOf(run, id),
      run,
    );
    return id;
  }
  const shop: Shop<SqliteOnceDatabase> = {
    open(process) {
      const db = open(process);
      return {
        database: sqliteOnce(db),
        work: effect,
        async bare(run, id) {
          db.exec("BEGIN IMMEDIATE");
          effect(db, run, id);
          db.exec("COMMIT");
        },
      };
    },
    effects: async (run) =>
      own
        .prepare("SELECT id FROM effects WHERE run = ?")
        .all(run)
        .map(({ id }) => `${id}`),
    total: async (run) => Number(own.prepare("SELECT SUM(total) AS sum FROM accounts WHERE run = ?").get(run)?.["sum"]),
  };
  deliverOnce("sqliteOnce", () => shop, stack);

  const attempt = (key: string, token: number, number = 1) => ({ key, lease: { name: key, token }, attempt: number });
  const insert = (run: string, id: string) => (db: SqliteOnceDatabase) => {
    db.prepare("INSERT INTO effects VALUES (?, ?)").run(run, id);
    return id;
  };

  it("finds the row before the work, refuses a stale attempt, and is undone with work that throws (51.1)", async () => {
    const [key, name, payments] = [freshName(), freshName(), sqliteOnce(own)];
    const failed = payments.commit(attempt(key, 3), (db) => {
      insert(key, "half")(db);
      throw new RangeError("no stock");
    });
    await expect(failed).rejects.toThrow("no stock");
    await sqliteFence(own).claim({ name: key, token: 2 });
    const stale = payments.commit(attempt(key, 1), insert(key, "stale"));
    await expect(stale).rejects.toMatchObject({ code: "stale_token", lockName: key, seen: 2 });
    expect(await payments.commit(attempt(key, 3), insert(key, "a"))).toBe("a");
    for (const token of [1, 3, 4]) expect(await payments.commit(attempt(key, token), () => "b")).toBe("a");
    expect(await shop.effects(key)).toEqual(["a"]);
    // The lock under which an attempt runs.
    const under = (token: number) => ({ ...attempt(freshName(), 1), under: { key: name, lease: { name, token } } });
    await payments.commit(under(8), insert(name, "two"));
    await expect(payments.commit(under(7), insert(name, "one"))).rejects.toMatchObject({ lockName: name, seen: 8 });
    expect(await shop.effects(name)).toEqual(["two"]);
  });

  it("refuses work that is asynchronous, and a transaction that is open, and writes nothing (51.1)", async () => {
    const [key, payments] = [freshName(), sqliteOnce(own)];
    const late = payments.commit(attempt(key, 1), async (db) => insert(key, "late")(db));
    await expect(late).rejects.toThrow("must be synchronous, not an async function");
    const promised = payments.commit(attempt(key, 1), (db) => Promise.resolve(insert(key, "promised")(db)));
    await expect(promised).rejects.toThrow("returned a Promise: it was rolled back");
    own.exec("BEGIN");
    await expect(payments.commit(attempt(key, 1), insert(key, "within"))).rejects.toThrow("a transaction is open");
    own.exec("ROLLBACK");
    expect(await shop.effects(key)).toEqual([]);
    expect(await payments.commit(attempt(key, 1), insert(key, "a"))).toBe("a");
  });

  it("forgets by age (51.1)", async () => {
    const [old, recent, payments] = [freshName(), freshName(), sqliteOnce(own)];
    const ago = (days: number): number => (Date.now() - days * 86_400_000) * 1000;
    for (const [key, days] of [
      [old, 31],
      [recent, 29],
    ] as const) {
      await payments.commit(attempt(key, ago(days)), () => "done");
      own.prepare("UPDATE leasehold_fence SET done_at = token / 1000 WHERE name = ?").run(key);
    }
    await payments.forget();
    const rows = own.prepare("SELECT name FROM leasehold_fence WHERE name IN (?, ?)").all(old, recent);
    expect(rows).toEqual([{ name: recent }]);
  });
});
