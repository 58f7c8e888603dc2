import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { postgresOnce, sqliteOnce } from "../../../src/fence/index.ts";
import { findPostgres, startPostgres } from "../../../tools/postgres.ts";
import { freshName } from "../../support/names.ts";
import { useStack } from "../../support/use-stack.ts";
import { openSqlite } from "../sqlite-resource.ts";

const stack = useStack();
const DELIVERIES = 300;
const ROOT = join(import.meta.dirname, "../../..");
const PROGRAM = [
  "--disable-warning=ExperimentalWarning",
  "--import",
  pathToFileURL(join(ROOT, "tools/sources.ts")).href,
  join(import.meta.dirname, "worker-process.ts"),
];

/** Keeps two processes at work, kills one after another, and flushes Redis, until one has seen that all is done. */
async function killUntilDone(database: string, run: string, doneSoFar: () => Promise<number>): Promise<number> {
  let kills = 0;
  let isDone = false;
  /** Resolves with whether the process has said that all is done. */
  async function live(): Promise<void> {
    const args = [...PROGRAM, stack.url, stack.token, database, run, `${DELIVERIES}`];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    // It is killed while it works: after some effects of whichever process.
    const until = (await doneSoFar()) + 5 + Math.floor(Math.random() * 25);
    const watch = setInterval(async () => {
      if (kills >= 16 || isDone || (await doneSoFar()) < until) return;
      clearInterval(watch);
      if (child.kill("SIGKILL")) kills++;
    }, 5);
    await ended;
    clearInterval(watch);
    if (output.includes("done")) isDone = true;
    if (kills % 4 === 3) await stack.redis.command("FLUSHALL");
  }
  const keepAlive = async (): Promise<void> => {
    while (!isDone) await live();
  };
  await Promise.all([keepAlive(), keepAlive()]);
  return kills;
}

describe("processes that are killed", () => {
  it.skipIf(!findPostgres())(
    `PostgreSQL has each of ${DELIVERIES} effects once (51.1)`,
    async () => {
      const server = await startPostgres(findPostgres() ?? "");
      const pool = new pg.Pool({ connectionString: server.url, max: 4 });
      try {
        const run = freshName();
        await postgresOnce(pool).setup();
        await pool.query("CREATE TABLE effects (run TEXT, id TEXT)");
        await pool.query("CREATE TABLE totals (run TEXT, total INTEGER)");
        await pool.query("INSERT INTO totals VALUES ($1, 0)", [run]);
        const effects = async () =>
          (await pool.query<{ id: string }>("SELECT id FROM effects")).rows.map(({ id }) => id);
        const kills = await killUntilDone(server.url, run, async () => (await effects()).length);
        expect(kills).toBeGreaterThan(4);
        expect((await effects()).length).toBe(DELIVERIES);
        expect(new Set(await effects()).size).toBe(DELIVERIES);
        expect((await pool.query("SELECT total FROM totals")).rows).toEqual([{ total: DELIVERIES }]);
      } finally {
        await pool.end();
        await server.stop();
      }
    },
    120_000,
  );

  it(`SQLite has each of ${DELIVERIES} effects once (51.1)`, async () => {
    const dir = mkdtempSync(join(tmpdir(), "leasehold-killed-"));
    const db = openSqlite(join(dir, "shop.db"));
    try {
      const run = freshName();
      await sqliteOnce(db).setup();
      db.exec("CREATE TABLE effects (run TEXT, id TEXT); CREATE TABLE totals (run TEXT, total INTEGER)");
      db.prepare("INSERT INTO totals VALUES (?, 0)").run(run);
      const effects = () =>
        db
          .prepare("SELECT id FROM effects")
          .all()
          .map(({ id }) => `${id}`);
      const kills = await killUntilDone(join(dir, "shop.db"), run, async () => effects().length);
      expect(kills).toBeGreaterThan(4);
      expect(effects().length).toBe(DELIVERIES);
      expect(new Set(effects()).size).toBe(DELIVERIES);
      expect(db.prepare("SELECT total FROM totals").all()).toEqual([{ total: DELIVERIES }]);
    } finally {
      db.close();
      rmSync(dir, { recursive: true, force: true });
    }
  }, 120_000);
});
