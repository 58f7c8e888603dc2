import { checkOptions, toText as toName } from "../shared/checks.ts";
import type { Committing } from "../shared/commit.ts";
import type { StoredResult } from "../shared/json.ts";
import { inCall, shown } from "../shared/misuse.ts";
import { namesOf, type RowRead, type RowToWrite, rowsOf, standingOf, toCommitting, toText } from "./done-row.ts";
import {
  type DynamodbClient,
  dynamodbClaim,
  dynamodbForget,
  dynamodbRead,
  dynamodbSetup,
  dynamodbWrite,
} from "./dynamodb-table.ts";
import { type ManagedOnceDatabase, toCutoff } from "./once-database.ts";
import { isSerialization, retried } from "./retried.ts";
import { type Fenced, StaleTokenError, toFenced } from "./rule.ts";
import { unreadable } from "./token-table.ts";

/** One write of a transaction, as the client takes it: a `Put`, `Update`, `Delete` or `ConditionCheck`. */
export type DynamodbItem<Client extends DynamodbClient> = NonNullable<
  Parameters<Client["transactWriteItems"]>[0]["TransactItems"]
>[number];

/** Options of {@link dynamodbFence} and {@link dynamodbOnce}. */
export interface DynamodbOptions {
  /** The table that keeps the tokens and the results. Its key is `name`, a string. Default `leasehold_fence`. */
  readonly table?: string | undefined;
}

/**
 * DynamoDB as the protected resource. The highest token of each name is an item of a table of its own.
 *
 * Any error other than {@link StaleTokenError} is DynamoDB's own. The write may have happened before it, as with any
 * request. Repeating the write with the same token is accepted.
 */
export interface DynamodbFence<Item> {
  /**
   * Creates the table unless it exists, waits until it is active, and checks its key.
   *
   * @throws TypeError for a table that cannot be used.
   */
  setup(): Promise<void>;
  /** Raises the token of `lease.name` and writes nothing else. @throws StaleTokenError if a higher one was seen. */
  claim(lease: Fenced): Promise<void>;
  /** Raises the token and does one write, atomically. @throws StaleTokenError if a higher token was seen. */
  write(lease: Fenced, item: Item): Promise<void>;
  /** Raises the token and does up to 99 writes, atomically. @throws StaleTokenError if a higher token was seen. */
  batch(lease: Fenced, items: readonly Item[]): Promise<void>;
}

/** The transaction of a commit to DynamoDB: a list of writes, which are sent together when the work has returned. */
export interface DynamodbOnceTransaction<Item> {
  /**
   * Adds one write: a `Put`, `Update`, `Delete` or `ConditionCheck`. At most 99, or 98 under a lock. It has no result:
   * give it a `ConditionExpression`, which undoes everything if it fails.
   *
   * @throws TypeError for a value that is no object, and after the work has returned.
   */
  write(item: Item): void;
}

function toTable(client: DynamodbClient, options: DynamodbOptions, call: string): string {
  if (typeof client?.transactWriteItems !== "function")
    throw new TypeError(`${call}: client must be a DynamoDB of @aws-sdk/client-dynamodb, not ${shown(client)}`);
  return inCall(call, () => {
    checkOptions(options, "table");
    return toName(options?.table ?? "leasehold_fence", "table");
  });
}

/** @throws TypeError for a value that is no write. */
function checkItem(item: unknown, call: string): void {
  if (typeof item !== "object" || item === null)
    throw new TypeError(`${call}: item must be a Put, Update, Delete or ConditionCheck, not ${shown(item)}`);
}

/** Writes the rows and the items in one transaction. */
const transact = (client: DynamodbClient, table: string, rows: readonly RowToWrite[], items: readonly unknown[]) =>
  client.transactWriteItems({
    // The client's own type of items, which the caller's have.
    TransactItems: [...rows.map((row) => ({ Update: dynamodbWrite(table, row) })), ...items] as never[],
  });

/**
 * Fences writes to DynamoDB. Each call is one `TransactWriteItems`, and `claim` one `UpdateItem`. After a conflict with
 * another transaction, the call is repeated.
 *
 * @example
 * ```ts no-run
 * import { DynamoDB } from "@aws-sdk/client-dynamodb";
 * const fence = dynamodbFence(new DynamoDB());
 * await fence.setup(); // or a table with the key `name`, a string
 * await locks.lock("invoice 42").run(async (lease) => {
 *   await fence.write(lease, { Put: { TableName: "invoices", Item: { id: { N: "42" }, paid: { BOOL: true } } } });
 * });
 * ```
 *
 * @throws TypeError or RangeError for a value that is not such a client, and for an invalid option.
 */
export function dynamodbFence<Client extends DynamodbClient>(
  client: Client,
  options: DynamodbOptions = {},
): DynamodbFence<DynamodbItem<Client>> {
  const table = toTable(client, options, "dynamodbFence");

  /** Repeats the write after a conflict, and reads the token if it failed otherwise. */
  function guarded(lease: Fenced, write: () => Promise<unknown>): Promise<void> {
    const once = async (): Promise<void> => {
      try {
        await write();
      } catch (error) {
        if (isSerialization(error)) throw error;
        const row = await dynamodbRead(client, table, lease.name).catch(() => undefined);
        const seen = Number(row?.token ?? 0);
        if (Number.isNaN(seen)) throw unreadable(lease, `${row?.token}`);
        throw seen > lease.token ? new StaleTokenError(lease, seen) : error;
      }
    };
    return retried(once, isSerialization);
  }
  const rowOf = ({ name, token }: Fenced): RowToWrite => ({ name, token, text: null, doneAt: null });

  async function batch(fenced: Fenced, items: readonly DynamodbItem<Client>[]): Promise<void> {
    const lease = toFenced(fenced);
    for (const item of items) checkItem(item, "fence.batch");
    await guarded(lease, () => transact(client, table, [rowOf(lease)], items));
  }

  return {
    setup: () => dynamodbSetup(client, table),
    async claim(fenced) {
      const lease = toFenced(fenced);
      await guarded(lease, () => client.updateItem(dynamodbWrite(table, rowOf(lease))));
    },
    write: (lease, item) => batch(lease, [item]),
    batch,
  };
}

/**
 * A DynamoDB that does the work of an attempt once: see `commit` of an attempt. DynamoDB has no transaction that waits
 * for your code, so the work adds writes, which one `TransactWriteItems` does together with the row of the attempt. After
 * a conflict with another transaction, the work runs again.
 *
 * @example
 * ```ts no-run
 * import { DynamoDB } from "@aws-sdk/client-dynamodb";
 * const payments = dynamodbOnce(new DynamoDB());
 * await payments.setup(); // or a table with the key `name`, a string
 * await locks.once("invoice 42").run(({ commit }) =>
 *   commit(payments, (tx) => {
 *     tx.write({ Put: { TableName: "invoices", Item: { id: { N: "42" }, paid: { BOOL: true } } } });
 *     return { paid: 42 };
 *   }),
 * );
 * ```
 *
 * @throws TypeError or RangeError for a value that is not such a client, and for an invalid option.
 */
export function dynamodbOnce<Client extends DynamodbClient>(
  client: Client,
  options: DynamodbOptions = {},
): ManagedOnceDatabase<DynamodbOnceTransaction<DynamodbItem<Client>>> {
  const table = toTable(client, options, "dynamodbOnce");
  type Tx = DynamodbOnceTransaction<DynamodbItem<Client>>;

  const look = async (attempt: Committing): Promise<readonly RowRead[]> => {
    const rows = await Promise.all(namesOf(attempt).map((name) => dynamodbRead(client, table, name)));
    return rows.filter((row) => row !== undefined);
  };

  async function once<T>(attempt: Committing, work: (tx: Tx) => Promise<T> | T): Promise<StoredResult<T>> {
    const [row] = rowsOf({ ...attempt, under: undefined }, "");
    if (row && attempt.attempt > 1) await client.updateItem(dynamodbClaim(table, row));
    const added: DynamodbItem<Client>[] = [];
    let isOpen = true;
    const result = await work({
      write(item) {
        if (!isOpen) throw new TypeError("commit: the work has returned, so this write would be lost");
        checkItem(item, "commit: tx.write");
        added.push(item);
      },
    });
    isOpen = false;
    const text = toText(result);
    await transact(client, table, rowsOf(attempt, text), added);
    return JSON.parse(text);
  }

  return {
    async commit<T>(committing: Committing, work: (tx: Tx) => Promise<T> | T): Promise<StoredResult<T>> {
      const attempt = toCommitting(committing);
      const committed = async (): Promise<StoredResult<T>> => {
        try {
          return await once(attempt, work);
        } catch (error) {
          // Whatever went wrong, the row says whether the work is done: by another attempt, or by this one if the answer
          // was lost.
          const rows = await look(attempt).catch(() => undefined);
          const standing = rows && standingOf<T>(attempt, rows);
          if (standing?.status === "done") return standing.result;
          throw standing?.status === "stale" ? standing.error : error;
        }
      };
      return retried(committed, isSerialization);
    },
    setup: () => dynamodbSetup(client, table),
    async forget(options) {
      await dynamodbForget(client, table, toCutoff(options));
    },
  };
}
