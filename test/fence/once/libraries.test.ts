import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { pgTable, text } from "drizzle-orm/pg-core";
import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import postgres, { type TransactionSql } from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ManagedOnceDatabase, postgresFence, sqlOnce } from "../../../src/fence/index.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../../../tools/postgres.ts";
import { freshName } from "../../support/names.ts";
import { type PrismaTransaction, prismaClient } from "./prisma-client.ts";

interface Shop {
  effects: { run: string; id: string };
}
const effects = pgTable("effects", { run: text(), id: text() });
const bin = findPostgres();

describe.skipIf(!bin)("libraries over PostgreSQL", () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await startPostgres(bin ?? "");
    pool = new pg.Pool({ connectionString: server.url, max: 10 });
    await pool.query("CREATE TABLE effects (run TEXT, id TEXT)");
  });
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });

  async function holds<Tx>(
    payments: ManagedOnceDatabase<Tx>,
    insert: (tx: Tx, row: Shop["effects"]) => Promise<unknown>,
  ): Promise<void> {
    await payments.setup();
    await payments.setup();
    const key = freshName();
    const commit = (token: number, number: number, id: string) =>
      payments.commit({ key, lease: { name: key, token }, attempt: number }, async (tx) => {
        await insert(tx, { run: key, id });
        if (id === "failed") throw new RangeError("no stock");
        return { id };
      });
    await expect(commit(2, 1, "failed")).rejects.toThrow("no stock");
    // Eight at once, some of them as later attempts.
    const each = await Promise.all(Array.from({ length: 8 }, (_, at) => commit(2, 1 + (at % 2), `${at}`)));
    for (const result of each) expect(result).toEqual(each[0]);
    await expect(commit(1, 2, "stale")).resolves.toEqual(each[0]);
    const { rows } = await pool.query("SELECT id FROM effects WHERE run = $1", [key]);
    expect(rows).toEqual([each[0]]);
    await payments.forget();
  }

  it("Kysely's transaction commits the row with the work (51.2)", async () => {
    const db = new Kysely<Shop>({ dialect: new PostgresDialect({ pool }) });
    const payments = sqlOnce<Transaction<Shop>>({
      dialect: "postgres",
      transaction: (work) => db.transaction().execute(work),
      query: async (tx, text, params) => (await tx.executeQuery(CompiledQuery.raw(text, params))).rows,
    });
    await holds(payments, (tx, row) => tx.insertInto("effects").values(row).execute());
  });

  it("a statement of Kysely passes the fence over its pool (51.2)", async () => {
    const db = new Kysely<Shop>({ dialect: new PostgresDialect({ pool }) });
    const [name, fence] = [freshName(), postgresFence(pool)];
    await fence.setup();
    const write = (token: number, id: string): Promise<number> => {
      const { sql: text, parameters } = db.insertInto("effects").values({ run: name, id }).compile();
      return fence.write({ name, token }, text, parameters);
    };
    expect(await write(2, "a")).toBe(1);
    await expect(write(1, "stale")).rejects.toMatchObject({ code: "stale_token", seen: 2 });
    expect((await pool.query("SELECT id FROM effects WHERE run = $1", [name])).rows).toEqual([{ id: "a" }]);
  });

  it("Postgres.js's transaction commits the row with the work (51.2)", async () => {
    const db = postgres(server.url, { max: 10, onnotice: () => {} });
    const payments = sqlOnce<TransactionSql>({
      dialect: "postgres",
      transaction: async (work) => (await db.begin(work)) as Awaited<ReturnType<typeof work>>,
      query: (tx, text, params) => tx.unsafe(text, params as never[]),
    });
    await holds(payments, (tx, { run, id }) => tx`INSERT INTO effects VALUES (${run}, ${id})`);
    await db.end();
  });

  it("Prisma's interactive transaction commits the row with the work (51.2)", async () => {
    const prisma = prismaClient(server.url);
    const payments = sqlOnce<PrismaTransaction>({
      dialect: "postgres",
      transaction: (work) => prisma.$transaction(work),
      query: async (tx, text, params) => (await tx.$queryRawUnsafe(text, ...params)) as unknown[],
    });
    await holds(payments, (tx, { run, id }) => tx.$executeRawUnsafe("INSERT INTO effects VALUES ($1, $2)", run, id));
    await prisma.$disconnect();
  });

  it("Drizzle's transaction commits the row with the work (51.2)", async () => {
    const db = drizzle(pool);
    type Tx = Parameters<Parameters<typeof db.transaction>[0]>[0];
    const payments = sqlOnce<Tx>({
      dialect: "postgres",
      transaction: (work) => db.transaction(work),
      async query(tx, text, params) {
        // The parts of the text between its parameters, and these in the order of the text.
        const parts = text.split(/(\$\d+)/);
        const chunks = parts.map((part) =>
          /^\$\d+$/.test(part) ? sql`${params[Number(part.slice(1)) - 1]}` : sql.raw(part),
        );
        return (await tx.execute(sql.join(chunks))).rows;
      },
    });
    await holds(payments, (tx, row) => tx.insert(effects).values(row));
  });
});
