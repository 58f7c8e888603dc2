/**
 * One of several processes that do deliveries and are killed: node worker-process.ts URL TOKEN DATABASE RUN COUNT. Does
 * each delivery of the run that is not done, in a random order, and prints a line when all are done.
 */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { postgresOnce, sqliteOnce } from "../../../src/fence/index.ts";
import { type Commit, createLocks } from "../../../src/index.ts";
import { openSqlite } from "../sqlite-resource.ts";

const [url = "", token = "", database = "", run = "", count = ""] = process.argv.slice(2);
const locks = createLocks({ url, token });

/** The effect of a delivery in this database. */
function effectIn(): (commit: Commit, id: string) => Promise<string> {
  if (database.startsWith("postgres:")) {
    const shop = postgresOnce(new pg.Pool({ connectionString: database, max: 4 }));
    return (commit, id) =>
      commit(shop, async (tx) => {
        await tx.query("INSERT INTO effects VALUES ($1, $2)", [run, id]);
        await tx.query("UPDATE totals SET total = total + 1 WHERE run = $1", [run]);
        return id;
      });
  }
  const shop = sqliteOnce(openSqlite(database));
  return (commit, id) =>
    commit(shop, (tx) => {
      tx.prepare("INSERT INTO effects VALUES (?, ?)").run(run, id);
      tx.prepare("UPDATE totals SET total = total + 1 WHERE run = ?").run(run);
      return id;
    });
}

const effect = effectIn();
const open = new Set(Array.from({ length: Number(count) }, (_, at) => `${at}`));
/** One delivery at a time, of those that are not known to be done. */
async function work(): Promise<void> {
  while (open.size > 0) {
    const ids = [...open];
    const id = ids[Math.floor(Math.random() * ids.length)] as string;
    const turn = await locks
      .once(`${run} ${id}`, { lease: "300ms", ttl: "1h" })
      .run(({ commit }) => effect(commit, id))
      .catch(() => undefined);
    if (turn?.status === "done") open.delete(id);
    else await pause(20);
  }
}
await Promise.all([work(), work(), work()]);
process.stdout.write("done\n");
process.exit(0);
