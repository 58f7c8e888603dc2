import { DatabaseSync } from "node:sqlite";
import { d1Fence, sqliteFence } from "../../../src/fence/index.ts";
import type { Worker } from "../worker.ts";
import { within } from "../world.ts";
import { OURS, SLACK_MS } from "./lock.ts";

const EXPECTED = new RegExp(`StaleTokenError|outcome_unknown|unreachable|the answer was lost|${OURS.source}`);
const LOST: Error = new Error("the answer was lost");

interface Statement {
  readonly sql: string;
  readonly params: readonly unknown[];
}
type Result = { readonly results: readonly unknown[] };

interface Database {
  readonly db: DatabaseSync;
  /** The largest token of a write to the table that no fence protects. */
  unfenced: number;
}
/** Records each entry whose token is below that of an earlier one. The index keeps it fast over a day. */
const RECORD_FALLS = `
  CREATE TRIGGER record_falls BEFORE INSERT ON entries
  WHEN EXISTS (SELECT 1 FROM entries WHERE name = NEW.name AND token > NEW.token)
  BEGIN INSERT INTO falls VALUES (NEW.name, NEW.token); END`;
const databases = new WeakMap<object, Database>();
function databaseOf({ world }: Worker): Database {
  const known = databases.get(world);
  if (known) return known;
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE leasehold_fence (name TEXT PRIMARY KEY NOT NULL, token INTEGER NOT NULL)");
  db.exec("CREATE TABLE entries (number INTEGER PRIMARY KEY, name TEXT, token INTEGER)");
  db.exec("CREATE INDEX entries_by_token ON entries (name, token)");
  db.exec("CREATE TABLE falls (name TEXT, token INTEGER)");
  db.exec(RECORD_FALLS);
  const made: Database = { db, unfenced: 0 };
  databases.set(world, made);
  return made;
}

/** A database behind its own network, on which statements are lost, late, or executed without a response. */
function remote(worker: Worker, db: DatabaseSync) {
  const { world, random, host, plan } = worker;
  function send<T>(code: () => T): Promise<T> {
    const [goes, comes] = [random.between(0.3, 6), random.between(0.3, 6)];
    const isFaulty = random.chance(plan.networkFaults);
    const fate = random.pick(["lost", "unheard", "late"]);
    const lateMs = isFaulty && fate === "late" ? random.pick([300, 3000, 12_000]) : 0;
    return new Promise((resolve, reject) => {
      const answer = (end: () => void): void =>
        void world.after(comes, () => host.deliver(() => within({ host, op: undefined }, end)));
      world.after(goes + lateMs, () => {
        if (isFaulty && fate === "lost") return answer(() => reject(LOST));
        try {
          const value = code();
          answer(() => (isFaulty && fate === "unheard" ? reject(LOST) : resolve(value)));
        } catch (error) {
          answer(() => reject(error));
        }
      });
    });
  }
  const execute = ({ sql, params }: Statement): Result => ({ results: db.prepare(sql).all(...(params as number[])) });
  const prepare = (sql: string, params: readonly unknown[] = []) => ({
    sql,
    params,
    bind: (...values: unknown[]) => prepare(sql, values),
    first: () => send(() => (db.prepare(sql).get(...(params as number[])) as Record<string, unknown>) ?? null),
  });
  type Prepared = ReturnType<typeof prepare>;
  const batch = (statements: Prepared[]): Promise<Result[]> =>
    send(() => {
      db.exec("BEGIN");
      try {
        const results = statements.map(execute);
        db.exec("COMMIT");
        return results;
      } catch (error) {
        db.exec("ROLLBACK");
        throw error;
      }
    });
  return { prepare, batch };
}

const INSERT = "INSERT INTO entries (name, token) VALUES (?, ?)";

/** Writes under a lock with the fences for SQLite and D1, and one write without a fence. */
export async function sqlFenceRound(worker: Worker): Promise<void> {
  const { random, plan, locks, history } = worker;
  const mostMs = plan.requestTimeoutMs + SLACK_MS;
  const database = databaseOf(worker);
  const { db } = database;
  const name = `n${random.below(plan.names)}`;
  const fence = random.chance(0.5) ? sqliteFence(db) : d1Fence(remote(worker, db) as never);
  const wait = random.pick([0, 2000]);
  const lease = random.pick([300, 2000]);
  const lock = locks.lock(name);
  const about = { expected: EXPECTED };
  const { value, op } = await worker.call(
    `acquires ${name}`,
    wait + mostMs,
    () => lock.acquire({ wait, lease }),
    about,
  );
  if (!value) return worker.sleep(random.pick([10, 500]));
  worker.believe(op, value, [worker.keyOf(name)]);
  for (let writes = 1 + random.below(3); writes > 0; writes--) {
    await worker.sleep(random.pick([0, 10, 400, 3000]));
    const write = () => fence.write(value, INSERT, [name, value.token]);
    await worker.call("writes", 30_000, write, { ...about, of: op });
    if (plan.names > 1) continue;
    if (value.token < database.unfenced)
      history.report("fence", `${op.id} writes where nothing checks`, "A frozen holder is not stopped");
    database.unfenced = Math.max(database.unfenced, value.token);
  }
  if (db.prepare("SELECT 1 FROM falls").get()) history.report("fence", "a table has a token after a larger one");
  history.disbelieve(op);
  await worker.call("releases", mostMs, () => value.release());
  worker.finish(op);
  await worker.sleep(random.pick([0, 10, 500]));
}
