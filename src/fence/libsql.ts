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
  executeMultiple(sql: string): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  close(): void;
}

/** The used part of a client of `@libsql/client`. */
export interface LibsqlClient<Tx extends LibsqlTransaction = LibsqlTransaction> {
  /** `file` for a file, a database in memory, and an embedded replica. */
  readonly protocol?: string;
  batch(statements: LibsqlStatement[], mode: "write"): Promise<readonly LibsqlResult[]>;
  transaction(mode: "write" | "deferred"): Promise<Tx>;
}

function checkClient(client: LibsqlClient, call: string): void {
  if (typeof client?.batch !== "function" || typeof client.transaction !== "function")
    throw new TypeError(`${call}: client must be a client of @libsql/client, not ${shown(client)}`);
}

/** Runs the work in a transaction that holds the write lock from its beginning. */
async function transaction<Tx extends LibsqlTransaction, T>(
  client: LibsqlClient<Tx>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const isFile = client.protocol === "file";
  const tx = await client.transaction(isFile ? "deferred" : "write");
  try {
    // A statement of a file's client that fails with SQLITE_BUSY stays open in its connection, which can commit nothing
    // until the statement is garbage: tursodatabase/libsql-client-ts#352. Only `executeMultiple` closes its statements.
    if (isFile) await tx.executeMultiple("COMMIT; BEGIN IMMEDIATE");
    const result = await work(tx);
    await (isFile ? tx.executeMultiple("COMMIT") : tx.commit());
    return result;
  } catch (error) {
    await tx.rollback().catch(() => undefined);
    throw error;
  } finally {
    tx.close();
  }
}

/** The last transaction of each client of a file. */
const last = new WeakMap<object, Promise<unknown>>();

/**
 * Runs the transactions of one client of a file one after another. All run on one thread, so one that waited for the
 * lock of another would block it.
 */
function inTurn<T>(client: LibsqlClient, run: () => Promise<T>): Promise<T> {
  if (client.protocol !== "file") return run();
  const turn = (last.get(client) ?? Promise.resolve()).then(run);
  last.set(
    client,
    turn.catch(() => undefined),
  );
  return turn;
}

async function oneByOne(tx: LibsqlTransaction, statements: readonly LibsqlStatement[]): Promise<LibsqlResult[]> {
  const results: LibsqlResult[] = [];
  for (const statement of statements) results.push(await tx.execute(statement));
  return results;
}

/** A statement as D1 has it. */
interface Prepared extends D1Statement {
  readonly statement: LibsqlStatement;
}

/**
 * Fences writes to libSQL or Turso. Each call is one `batch`, which is a transaction; in a file, the transactions of one
 * client run one after another.
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
    const plain = statements.map(({ statement }) => statement);
    const results =
      client.protocol === "file"
        ? await inTurn(client, () => transaction(client, (tx) => oneByOne(tx, plain)))
        : await client.batch(plain, "write");
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
 * interactive transaction of the client, which Turso ends after some seconds. In a file, the transactions of one client
 * run one after another, so the work must not wait for another commit.
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
    transaction: (work) => inTurn(client, () => transaction(client, work)),
    query: async (tx, sql, args) => (await tx.execute({ sql, args: args as never[] })).rows,
  });
}
