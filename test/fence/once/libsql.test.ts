import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Client, createClient } from "@libsql/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LibsqlTransaction, libsqlFence, libsqlOnce } from "../../../src/fence/index.ts";
import { freshName } from "../../support/names.ts";
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
    const tx = await client.transaction("write");
    process.onDeath(() => tx.close());
    return {
      execute: (statement) => process.ask(() => tx.execute(statement)),
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
        batch: (statements, mode) => client.batch(statements, mode),
        transaction: () => begin(process),
      }),
      work: effect,
      async bare(run, id) {
        const tx = await begin(process);
        try {
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
  // Another transaction would block the thread of the one that is open, so it is refused and tried again.
  deliverOnce("libsqlOnce", () => shop, stack, { inParallel: 6, deliveries: 500 });

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
});
