import { shown } from "../shared/misuse.ts";
import { type D1Statement, d1Fence } from "./d1.ts";
import type { ManagedOnceDatabase } from "./once-database.ts";
import type { SqlBatchFence } from "./sql-fence.ts";
import { sqlOnce } from "./sql-once.ts";

/** A statement of `@libsql/client`. */
interface LibsqlStatement {
  sql: string;
  /** Values of the client's own type. */
  args: never[];
}
interface LibsqlResult {
  readonly rows: readonly unknown[];
}

/** The used part of a transaction of `@libsql/client`. */
export interface LibsqlTransaction {
  execute(statement: LibsqlStatement): Promise<LibsqlResult>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  close(): void;
}

/** The used part of a client of `@libsql/client`. */
export interface LibsqlClient<Tx extends LibsqlTransaction = LibsqlTransaction> {
  batch(statements: LibsqlStatement[], mode: "write"): Promise<readonly LibsqlResult[]>;
  transaction(mode: "write"): Promise<Tx>;
}

function checkClient(client: LibsqlClient, call: string): void {
  if (typeof client?.batch !== "function" || typeof client.transaction !== "function")
    throw new TypeError(`${call}: client must be a client of @libsql/client, not ${shown(client)}`);
}

/** A statement as D1 has it. */
interface Prepared extends D1Statement {
  readonly statement: LibsqlStatement;
}

/**
 * Fences writes to libSQL or Turso. Each call is one `batch`, which is a transaction.
 *
 * @example
 * ```ts no-run
 * import { createClient } from "@libsql/client";
 * const fence = libsqlFence(createClient({ url: "file:shop.db" }));
 * await fence.setup(); // or SQLITE_FENCE_TABLE in a migration
 * await locks.lock("invoice 42").run(async (lease) => {
 *   await fence.write(lease, "UPDATE invoices SET paid = 1 WHERE id = ?", [42]);
 * });
 * ```
 *
 * @throws TypeError for a value that is not a client.
 */
export function libsqlFence(client: LibsqlClient): SqlBatchFence {
  checkClient(client, "libsqlFence");
  async function batch(statements: Prepared[]): Promise<readonly { readonly results: readonly unknown[] }[]> {
    const results = await client.batch(
      statements.map(({ statement }) => statement),
      "write",
    );
    return results.map(({ rows }) => ({ results: rows }));
  }
  const prepared = (statement: LibsqlStatement): Prepared => ({
    statement,
    bind: (...args) => prepared({ ...statement, args: args as never[] }),
    async first() {
      const [result] = await batch([prepared(statement)]);
      return (result?.results[0] ?? null) as Record<string, unknown> | null;
    },
  });
  return d1Fence<Prepared>({ prepare: (sql) => prepared({ sql, args: [] }), batch });
}

/**
 * A libSQL or Turso database that does the work of an attempt once: see `commit` of an attempt. The work gets an
 * interactive transaction of the client, which Turso ends after some seconds.
 *
 * @example
 * ```ts no-run
 * import { createClient } from "@libsql/client";
 * const payments = libsqlOnce(createClient({ url: "file:shop.db" }));
 * await payments.setup(); // or SQLITE_FENCE_TABLE in a migration
 * await locks.once("invoice 42").run(({ commit }) =>
 *   commit(payments, async (tx) => {
 *     await tx.execute({ sql: "UPDATE invoices SET paid = 1 WHERE id = ?", args: [42] });
 *     return { paid: 42 };
 *   }),
 * );
 * ```
 *
 * @throws TypeError for a value that is not a client.
 */
export function libsqlOnce<Tx extends LibsqlTransaction>(client: LibsqlClient<Tx>): ManagedOnceDatabase<Tx> {
  checkClient(client, "libsqlOnce");
  return sqlOnce<Tx>({
    dialect: "sqlite",
    async transaction(work) {
      const tx = await client.transaction("write");
      try {
        const result = await work(tx);
        await tx.commit();
        return result;
      } catch (error) {
        await tx.rollback().catch(() => undefined);
        throw error;
      } finally {
        tx.close();
      }
    },
    query: async (tx, sql, args) => (await tx.execute({ sql, args: args as never[] })).rows,
  });
}
