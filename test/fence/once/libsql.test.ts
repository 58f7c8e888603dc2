import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Client, createClient } from "@libsql/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LibsqlTransaction, libsqlFence, libsqlOnce } from "../../../src/fence/index.ts";
import { freshName, pause } from "../../support/names.ts";
import { useStack } from "../../support/use-stack.ts";
import { attacks } from "../attacks.ts";
import type { Resource } from "../deed.ts";
import { accountOf, deliverOnce, type Shop } from "./deliveries.ts";
import type { Process } from "./process.ts";

const stack = useStack();

describe("libSQL, a file", () => {
  const dir = mkdtempSync(join(tmpdir(), "leasehold-libsql-"));
  let client: Client;
  beforeAll(async () => {
    client = createClient({ url: pathToFileURL(join(dir, "shop.db")).href, timeout: 1 });
    await client.execute("PRAGMA journal_mode = WAL");
    await libsqlOnce(client).setup();
    await libsqlFence(client).setup();
    await client.batch([
      "CREATE TABLE effects (run TEXT, id TEXT NOT NULL)",
      "CREATE TABLE accounts (name TEXT PRIMARY KEY, run TEXT, total INTEGER)",
      "CREATE TABLE log (at INTEGER PRIMARY KEY, run TEXT, value TEXT NOT NULL)",
    ]);
  });
  afterAll(() => {
    client.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const rows = async (sql: string, args: string[]) => (await client.execute({ sql, args })).rows;

  attacks("libsqlFence (51.2)", async (): Promise<Resource> => {
    const [run, fence] = [freshName(), libsqlFence(client)];
    return {
      claim: (lease) => fence.claim(lease),
      write: (lease, value) => fence.write(lease, "INSERT INTO log (run, value) VALUES (?, ?)", [run, value]),
      values: async () =>
        (await rows("SELECT value FROM log WHERE run = ? ORDER BY at", [run])).map((row) => `${row["value"]}`),
    };
  });

  /** A transaction of one process; when it dies, the database ends it. */
  async function begin(process: Process): Promise<LibsqlTransaction> {
    const tx = await client.transaction("deferred");
    process.onDeath(() => tx.close());
    return {
      execute: (statement) => process.ask(() => tx.execute(statement)),
      executeMultiple: (sql) => process.ask(() => tx.executeMultiple(sql)),
      commit: () => process.ask(() => tx.commit()),
      rollback: () => process.ask(() => tx.rollback()),
      close: () => tx.close(),
    };
  }
  async function effect(tx: LibsqlTransaction, run: string, id: string): Promise<string> {
    const execute = (sql: string, ...args: string[]) => tx.execute({ sql, args: args as never[] });
    await execute("INSERT INTO effects VALUES (?, ?)", run, id);
    const add = "INSERT INTO accounts VALUES (?, ?, 1) ON CONFLICT (name) DO UPDATE SET total = total + 1";
    await execute(add, accountOf(run, id), run);
    return id;
  }
  const shop: Shop<LibsqlTransaction> = {
    open: (process) => ({
      database: libsqlOnce({
        protocol: client.protocol,
        batch: (statements, mode) => client.batch(statements, mode),
        transaction: () => begin(process),
      }),
      work: effect,
      async bare(run, id) {
        const tx = await begin(process);
        try {
          await tx.executeMultiple("COMMIT; BEGIN IMMEDIATE");
          await effect(tx, run, id);
          await tx.commit();
        } finally {
          tx.close();
        }
      },
    }),
    effects: async (run) => (await rows("SELECT id FROM effects WHERE run = ?", [run])).map((row) => `${row["id"]}`),
    total: async (run) =>
      Number((await rows("SELECT SUM(total) AS sum FROM accounts WHERE run = ?", [run]))[0]?.["sum"]),
  };
  deliverOnce("libsqlOnce", () => shop, stack, { inParallel: 6 });

  it("finds the row, refuses a stale attempt, and is undone with work that throws (51.2)", async () => {
    const [key, payments] = [freshName(), libsqlOnce(client)];
    const attempt = (token: number, number = 1) => ({ key, lease: { name: key, token }, attempt: number });
    const insert = (id: string) => async (tx: Pick<LibsqlTransaction, "execute">) => {
      await tx.execute({ sql: "INSERT INTO effects VALUES (?, ?)", args: [key, id] as never[] });
      return id;
    };
    const failed = payments.commit(attempt(3), async (tx) => {
      await insert("half")(tx);
      throw new RangeError("no stock");
    });
    await expect(failed).rejects.toThrow("no stock");
    await libsqlFence(client).claim({ name: key, token: 2 });
    for (const number of [1, 2])
      await expect(payments.commit(attempt(1, number), insert("stale"))).rejects.toMatchObject({ seen: 2 });
    for (const number of [1, 1, 2]) expect(await payments.commit(attempt(3, number), insert(`a${number}`))).toBe("a1");
    expect(await shop.effects(key)).toEqual(["a1"]);
  });

  // Before, a statement that the busy file had refused stayed open, and the connection could not commit any more.
  it.each(["WAL", "DELETE"])(
    "commits after another process has blocked the file, with journal_mode = %s (51.2)",
    async (mode) => {
      const url = pathToFileURL(join(dir, `${mode}.db`)).href;
      const [one, other] = [createClient({ url, timeout: 1 }), createClient({ url, timeout: 1 })];
      try {
        await one.execute(`PRAGMA journal_mode = ${mode}`);
        const [payments, fence] = [libsqlOnce(one), libsqlFence(one)];
        await payments.setup();
        await one.execute("CREATE TABLE effects (id TEXT NOT NULL)");
        const attempt = { key: "a", lease: { name: "a", token: 1 }, attempt: 1 };
        const commit = () =>
          payments.commit(attempt, async (tx) => {
            await tx.execute("INSERT INTO effects VALUES ('a')");
            return "done";
          });
        const write = () => fence.write({ name: "b", token: 1 }, "INSERT INTO effects VALUES ('b')");
        for (const lock of ["write", "read"] as const) {
          const blocking = await other.transaction(lock);
          await blocking.execute("SELECT * FROM effects");
          // A reader blocks the COMMIT of a file without WAL.
          const isBlocked = lock === "write" || mode === "DELETE";
          if (isBlocked) {
            await expect(commit()).rejects.toMatchObject({ code: "SQLITE_BUSY" });
            await expect(write()).rejects.toMatchObject({ code: "SQLITE_BUSY" });
          }
          await blocking.commit();
        }
        expect(await commit()).toBe("done");
        expect(await write()).toBe(1);
        expect((await one.execute("SELECT id FROM effects ORDER BY id")).rows.map(({ id }) => id)).toEqual(["a", "b"]);
      } finally {
        one.close();
        other.close();
      }
    },
  );

  it("runs the transactions of one client in turn, so that none waits for a busy file (51.2)", async () => {
    const own = createClient({ url: pathToFileURL(join(dir, "turn.db")).href, timeout: 5000 });
    try {
      const [payments, fence] = [libsqlOnce(own), libsqlFence(own)];
      await payments.setup();
      await own.execute("CREATE TABLE effects (id INTEGER NOT NULL)");
      const started = performance.now();
      const all = Array.from({ length: 20 }, async (_, at) => {
        const lease = { name: `${at}`, token: 1 };
        await libsqlOnce(own).commit({ key: `${at}`, lease, attempt: 1 }, async (tx) => {
          await tx.execute({ sql: "INSERT INTO effects VALUES (?)", args: [at] });
          await pause(10);
          if (at === 3) throw new RangeError("no stock");
        });
        await fence.write(lease, "INSERT INTO effects VALUES (?)", [at]);
      });
      const ended = await Promise.allSettled(all);
      expect(ended.filter(({ status }) => status === "rejected")).toMatchObject([{ reason: { message: "no stock" } }]);
      expect(performance.now() - started).toBeLessThan(4000);
      expect((await own.execute("SELECT COUNT(*) AS count FROM effects")).rows[0]?.["count"]).toBe(38);
    } finally {
      own.close();
    }
  });

  it("forgets by age (51.2)", async () => {
    const [old, recent, payments] = [freshName(), freshName(), libsqlOnce(client)];
    const attempt = (key: string, token: number) => ({ key, lease: { name: key, token }, attempt: 1 });
    const ago = (days: number): number => (Date.now() - days * 86_400_000) * 1000;
    for (const [key, days] of [
      [old, 31],
      [recent, 29],
    ] as const) {
      await payments.commit(attempt(key, ago(days)), async () => "done");
      await rows("UPDATE leasehold_fence SET done_at = token / 1000 WHERE name = ?", [key]);
    }
    await payments.forget();
    expect(await payments.commit(attempt(recent, 1), async () => "again")).toBe("done");
    expect(await payments.commit(attempt(old, 1), async () => "again")).toBe("again");
  });
});
