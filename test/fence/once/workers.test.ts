import { join } from "node:path";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type D1Like, type D1OnceTransaction, d1Fence, d1Once } from "../../../src/fence/index.ts";
import { createLocks, type OnceDatabase } from "../../../src/index.ts";
import { freshName } from "../../support/names.ts";
import { useStack } from "../../support/use-stack.ts";
import { accountOf, deliverOnce, type Shop } from "./deliveries.ts";
import type { Asked } from "./object.ts";
import type { Process } from "./process.ts";

const stack = useStack();
let miniflare: Miniflare;
type D1 = D1Like & { exec(sql: string): Promise<unknown> };
let db: D1;
beforeAll(async () => {
  const bundle = await build({
    entryPoints: [join(import.meta.dirname, "object.ts")],
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  miniflare = new Miniflare({
    ...convertV4MiniflareOptions({
      modules: true,
      script: bundle.outputFiles[0]?.text ?? "",
      compatibilityDate: "2026-10-01",
      d1Databases: { DB: "db" },
      durableObjects: { SQLITE: { className: "Sqlite", useSQLite: true }, KV: { className: "Kv" } },
    }),
    cf: false,
  });
  await miniflare.ready;
  db = (await miniflare.getD1Database("DB")) as unknown as D1;
  await d1Once(db).setup();
  await d1Once(db).setup();
  await db.exec("CREATE TABLE effects (run TEXT, id TEXT NOT NULL)");
  await db.exec("CREATE TABLE accounts (name TEXT PRIMARY KEY, run TEXT, total INTEGER)");
});
afterAll(() => miniflare?.dispose());

const locks = () => createLocks({ url: stack.url, token: stack.token, fetch: stack.fetch });
const attempt = (key: string, token: number, number = 1) => ({ key, lease: { name: key, token }, attempt: number });

describe("D1", () => {
  const effect = (tx: D1OnceTransaction, run: string, id: string): string => {
    tx.run("INSERT INTO effects VALUES (?, ?)", [run, id]);
    tx.run("INSERT INTO accounts VALUES (?, ?, 1) ON CONFLICT (name) DO UPDATE SET total = total + 1", [
      accountOf(run, id),
      run,
    ]);
    return id;
  };
  const rows = async <Row>(sql: string, ...params: unknown[]): Promise<Row[]> => {
    const [found] = await db.batch([db.prepare(sql).bind(...params)]);
    return [...(found?.results ?? [])] as Row[];
  };
  const effectsOf = async (run: string) =>
    (await rows<{ id: string }>("SELECT id FROM effects WHERE run = ?", run)).map(({ id }) => id);
  const shop: Shop<D1OnceTransaction> = {
    open(process: Process) {
      const own: D1Like = {
        prepare: (sql) => db.prepare(sql),
        batch: (statements) => process.ask(() => db.batch(statements)),
      };
      return {
        database: d1Once(own),
        work: effect,
        async bare(run, id) {
          const statements: ReturnType<D1["prepare"]>[] = [];
          effect({ run: (sql, params = []) => void statements.push(db.prepare(sql).bind(...params)) }, run, id);
          await own.batch(statements);
        },
      };
    },
    effects: effectsOf,
    total: async (run) =>
      Number((await rows<{ sum: number }>("SELECT SUM(total) AS sum FROM accounts WHERE run = ?", run))[0]?.sum),
  };
  deliverOnce("d1Once", () => shop, stack);

  it("sends one batch for a first attempt, and another one for a later attempt (51.1)", async () => {
    const sizes: number[] = [];
    const payments = d1Once({
      prepare: (sql) => db.prepare(sql),
      batch(statements) {
        sizes.push(statements.length);
        return db.batch(statements);
      },
    });
    const key = freshName();
    await payments.commit(attempt(key, 1), (tx) => effect(tx, key, "a"));
    expect(sizes.splice(0)).toEqual([3]);
    expect(await payments.commit(attempt(key, 2, 2), (tx) => effect(tx, key, "b"))).toBe("a");
    expect(sizes.splice(0)).toEqual([1]);
    // After FLUSHALL: the batch fails at its first statement, and the row is read.
    expect(await payments.commit(attempt(key, 1), (tx) => effect(tx, key, "c"))).toBe("a");
    expect(sizes).toEqual([3, 1]);
    expect(await effectsOf(key)).toEqual(["a"]);
  });

  it("refuses a stale attempt, and is undone with a statement that fails (51.1)", async () => {
    const [key, payments] = [freshName(), d1Once(db)];
    const broken = payments.commit(attempt(key, 3), (tx) => {
      effect(tx, key, "half");
      tx.run("INSERT INTO effects VALUES (?, NULL)", [key]);
    });
    await expect(broken).rejects.toThrow(/NOT NULL constraint failed: effects\.id/);
    await d1Fence(db).claim({ name: key, token: 2 });
    const stale = payments.commit(attempt(key, 1), (tx) => effect(tx, key, "stale"));
    await expect(stale).rejects.toMatchObject({ code: "stale_token", lockName: key, token: 1, seen: 2 });
    await expect(payments.commit(attempt(key, 1, 2), (tx) => effect(tx, key, "stale"))).rejects.toMatchObject({
      seen: 2,
    });
    const under = { ...attempt(freshName(), 1), under: { key, lease: { name: key, token: 1 } } };
    await expect(payments.commit(under, (tx) => effect(tx, key, "stale"))).rejects.toMatchObject({ seen: 2 });
    expect(await effectsOf(key)).toEqual([]);
    for (const sql of ["SELECT 1", "DROP TABLE effects", "DELETE FROM effects; DELETE FROM accounts"])
      await expect(
        payments.commit(attempt(key, 5), (tx) => tx.run(sql)),
        sql,
      ).rejects.toThrow(/^commit: tx.run: sql must/);
    let late: D1OnceTransaction | undefined;
    await payments.commit(attempt(key, 5), (tx) => {
      late = tx;
    });
    expect(() => late?.run("DELETE FROM effects")).toThrow("would be lost");
  });

  it("completes a webhook with the stored result after a crash and FLUSHALL (51.1)", async () => {
    const [key, payments] = [freshName(), d1Once(db)];
    for (const id of ["a", "b"]) {
      const turn = await locks()
        .once(key)
        .run(({ commit }) => commit(payments, (tx) => effect(tx, key, id)));
      expect(turn).toMatchObject({ result: "a" });
      await stack.redis.command("FLUSHALL");
    }
    expect(await effectsOf(key)).toEqual(["a"]);
  });

  it("returns the result if the answer to its batch is lost, by reading the row (51.1)", async () => {
    const key = freshName();
    let lost = false;
    const payments = d1Once({
      prepare: (sql) => db.prepare(sql),
      async batch(statements) {
        const answer = await db.batch(statements);
        if (lost) return answer;
        lost = true;
        throw new Error("Network connection lost.");
      },
    });
    expect(await payments.commit(attempt(key, 1), (tx) => effect(tx, key, "a"))).toBe("a");
    expect(await effectsOf(key)).toEqual(["a"]);
  });

  it("forgets by age (51.1)", async () => {
    const [old, recent, payments] = [freshName(), freshName(), d1Once(db)];
    const ago = (days: number): number => (Date.now() - days * 86_400_000) * 1000;
    for (const [key, days] of [
      [old, 31],
      [recent, 29],
    ] as const) {
      await payments.commit(attempt(key, ago(days)), () => "done");
      await rows("UPDATE leasehold_fence SET done_at = token / 1000 WHERE name = ?", key);
    }
    await payments.forget();
    expect(await rows("SELECT name FROM leasehold_fence WHERE name IN (?, ?)", old, recent)).toEqual([
      { name: recent },
    ]);
  });
});

describe.each(["SQLITE", "KV"] as const)("a Durable Object, %s", (on) => {
  async function ask(asked: Omit<Asked, "on">): Promise<unknown> {
    const response = await miniflare.dispatchFetch("http://worker/", {
      method: "POST",
      body: JSON.stringify({ on, ...asked }),
    });
    const { value, error } = (await response.json()) as { value?: unknown; error?: object };
    if (error) throw Object.assign(new Error("failed"), error);
    return value;
  }
  const dieAfter = () => (Math.random() < 0.3 ? { dieAfter: Math.floor(Math.random() * 4) } : {});
  /** The work is in the object: what it commits is told by its ID. */
  const shop: Shop<{ run: string; id: string }> = {
    open(process) {
      const database: OnceDatabase<{ run: string; id: string }> = {
        async commit(of, work) {
          const tx = { run: "", id: "" };
          await work(tx);
          return (await process.ask(() => ask({ ...tx, what: "commit", attempt: of, ...dieAfter() }))) as never;
        },
      };
      return {
        database,
        work: (tx, run, id) => Object.assign(tx, { run, id }).id,
        bare: (run, id) => process.ask(() => ask({ run, id, what: "bare", ...dieAfter() })),
      };
    },
    effects: async (run) => (await ofEach(run, "effects")).flat() as string[],
    total: async (run) => ((await ofEach(run, "total")) as number[]).reduce((sum, each) => sum + each, 0),
  };
  /** What each object of a run has. */
  const ofEach = (run: string, what: "effects" | "total"): Promise<unknown[]> =>
    Promise.all(Array.from({ length: 100 }, (_, at) => ask({ run, id: `${at}`, what })));
  deliverOnce(`durableObjectOnce, ${on}`, () => shop, stack);

  it("refuses a stale attempt, is undone with work that throws, and forgets by age (51.1)", async () => {
    const run = freshName();
    const of = (what: Asked["what"], key: string, token: number, number = 1) =>
      ask({ run, id: "7", what, attempt: attempt(key, token, number) });
    await expect(of("throw", "a", 3)).rejects.toMatchObject({ name: "RangeError", message: "no stock" });
    expect(await of("commit", "a", 2)).toBe("7");
    expect(await of("commit", "a", 1)).toBe("7");
    expect(await ask({ run, id: "7", what: "effects" })).toEqual(["7"]);
    const under = (key: string, token: number) =>
      ask({
        run,
        id: "7",
        what: "commit",
        attempt: { ...attempt(key, 1), under: { key: "lock", lease: { name: "lock", token } } },
      });
    await under("b", 9);
    await expect(under("c", 8)).rejects.toMatchObject({ code: "stale_token", seen: 9 });
    expect(await ask({ run, id: "7", what: "total" })).toBe(2);
    const now = Date.now() * 1000;
    await of("commit", "d", now);
    await ask({ run, id: "7", what: "forget" });
    // The results are recent, and the tokens that were given long ago are gone.
    const keys = (await ask({ run, id: "7", what: "keys" })) as string[];
    expect(keys.filter((key) => key.startsWith("leasehold-fence:"))).toEqual(["leasehold-fence:d"]);
    expect(keys.filter((key) => key.startsWith("leasehold-done:"))).toHaveLength(3);
  });
});
