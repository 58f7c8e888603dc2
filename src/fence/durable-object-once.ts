import type { Committing } from "../shared/commit.ts";
import type { StoredResult } from "../shared/json.ts";
import { shown } from "../shared/misuse.ts";
import { rowsOf, standingOf, toCommitting, toText } from "./done-row.ts";
import { type GuardStorage, type GuardTransaction, guardKeyOf } from "./durable-object.ts";
import { type ManagedOnceDatabase, toCutoff } from "./once-database.ts";

/** The used part of a `DurableObjectStorage`. */
export interface OnceStorage<Txn extends GuardTransaction> extends GuardStorage<Txn> {
  list<T = unknown>(options: { prefix: string; startAfter?: string; limit: number }): Promise<Map<string, T>>;
  delete(keys: string[]): Promise<number>;
}

/** What the storage keeps about a key. */
interface Kept {
  readonly token: number;
  readonly result: string;
  readonly done_at: number;
}

const DONE = "leasehold-done:";
/** How many keys one call of the storage deletes at most. */
const PAGE = 128;

/**
 * The storage of a Durable Object, which does the work of an attempt once: see `commit` of an attempt. The work gets the
 * storage's transaction; `storage.sql` is a part of it. It needs no table.
 *
 * @example
 * ```ts no-run
 * import type { DurableObjectState } from "@cloudflare/workers-types";
 * import type { Commit } from "leasehold";
 * const pay = (ctx: DurableObjectState, commit: Commit) =>
 *   commit(durableObjectOnce(ctx.storage), async (txn) => {
 *     await txn.put("paid", true);
 *     return { paid: true };
 *   });
 * ```
 *
 * @throws TypeError for a value that is not the storage of a Durable Object.
 */
export function durableObjectOnce<Txn extends GuardTransaction>(storage: OnceStorage<Txn>): ManagedOnceDatabase<Txn> {
  if (typeof storage?.transaction !== "function")
    throw new TypeError(`durableObjectOnce: storage must be a Durable Object's, not ${shown(storage)}`);

  return {
    async commit<T>(committing: Committing, work: (txn: Txn) => Promise<T> | T): Promise<StoredResult<T>> {
      const attempt = toCommitting(committing);
      return storage.transaction(async (txn) => {
        const names = rowsOf(attempt, "").map(({ name }) => name);
        const stored = await Promise.all(
          names.map(async (name) => {
            const done = name === attempt.key ? await txn.get<Kept>(DONE + name) : undefined;
            const token = (await txn.get<number>(guardKeyOf(name))) ?? 0;
            return { name, token, result: done?.result, done_at: done?.done_at };
          }),
        );
        const standing = standingOf<T>(attempt, stored);
        if (standing.status === "done") return standing.result;
        if (standing.status === "stale") throw standing.error;
        const text = toText(await work(txn));
        for (const { name, token, text: result, doneAt } of rowsOf(attempt, text)) {
          await txn.put(guardKeyOf(name), token);
          if (result !== null) await txn.put(DONE + name, { token, result, done_at: doneAt });
        }
        return JSON.parse(text);
      });
    },
    async setup() {},
    async forget(options) {
      const { doneBefore, tokenBefore } = toCutoff(options);
      const old = (name: string, value: unknown): boolean =>
        typeof value === "number" ? value < tokenBefore : name.startsWith(DONE) && (value as Kept).done_at < doneBefore;
      for (const prefix of [DONE, guardKeyOf("")]) {
        let startAfter: string | undefined;
        for (;;) {
          const page = await storage.list({ prefix, limit: PAGE, ...(startAfter !== undefined && { startAfter }) });
          startAfter = [...page.keys()].at(-1);
          if (startAfter === undefined) break;
          await storage.delete([...page].filter(([name, value]) => old(name, value)).map(([name]) => name));
        }
      }
    },
  };
}
