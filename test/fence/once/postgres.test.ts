import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type PostgresClient,
  type PostgresOnceOptions,
  postgresFence,
  postgresOnce,
} from "../../../src/fence/index.ts";
import { createLocks } from "../../../src/index.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../../../tools/postgres.ts";
import { freshName, pause } from "../../support/names.ts";
import { useStack } from "../../support/use-stack.ts";
import { accountOf, deliverOnce, FEWER_DELIVERIES, type Shop } from "./deliveries.ts";
import type { Process } from "./process.ts";

/** Any client. */
interface Querying {
  query(text: string, values: unknown[]): Promise<unknown>;
}

const bin = findPostgres();
const stack = useStack();

describe.skipIf(!bin)("PostgreSQL", () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await startPostgres(bin ?? "");
    pool = new pg.Pool({ connectionString: server.url, max: 30 });
    // A killed process's connection.
    pool.on("error", () => {});
    await postgresOnce(pool).setup();
    await postgresOnce(pool).setup();
    await pool.query("CREATE TABLE effects (run TEXT, id TEXT)");
    await pool.query("CREATE TABLE accounts (name TEXT PRIMARY KEY, run TEXT, total INTEGER)");
  });
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });

  /** A client of one process: it may die after each statement, and then the server sees its connection end. */
  async function connect(process: Process): Promise<PostgresClient> {
    const client = await pool.connect();
    let isUsed = true;
    const broken = (): void => {};
    client.on("error", broken);
    // The system closes its socket, and nobody releases the client to the pool.
    process.onDeath(() => {
      if (isUsed) (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      release(true);
    });
    function release(error?: boolean): void {
      if (!isUsed) return;
      isUsed = false;
      client.off("error", broken);
      client.release(error);
    }
    return { query: (text, values) => process.ask(() => client.query(text, values)), release };
  }
  async function effect(tx: PostgresClient, run: string, id: string): Promise<string> {
    await tx.query("INSERT INTO effects VALUES ($1, $2)", [run, id]);
    await tx.query(
      "INSERT INTO accounts AS a VALUES ($1, $2, 1) ON CONFLICT (name) DO UPDATE SET total = a.total + 1",
      [accountOf(run, id), run],
    );
    return id;
  }
  const shop = (options: PostgresOnceOptions = {}): Shop<PostgresClient> => ({
    open: (process) => ({
      database: postgresOnce({ connect: () => connect(process) }, options),
      work: effect,
      async bare(run, id) {
        const client = await connect(process);
        try {
          await client.query("BEGIN", []);
          await effect(client, run, id);
          await client.query("COMMIT", []);
          client.release();
        } catch (error) {
          client.release(true);
          throw error;
        }
      },
    }),
    async effects(run) {
      const { rows } = await pool.query<{ id: string }>("SELECT id FROM effects WHERE run = $1", [run]);
      return rows.map(({ id }) => id);
    },
    async total(run) {
      const { rows } = await pool.query("SELECT SUM(total) AS sum FROM accounts WHERE run = $1", [run]);
      return Number(rows[0].sum);
    },
  });
  deliverOnce("postgresOnce", shop, stack);
  deliverOnce("postgresOnce, REPEATABLE READ", () => shop({ isolation: "repeatable read" }), stack, {
    deliveries: FEWER_DELIVERIES,
  });
  deliverOnce("postgresOnce, SERIALIZABLE", () => shop({ isolation: "serializable" }), stack, {
    deliveries: FEWER_DELIVERIES,
  });

  const locks = () => createLocks({ url: stack.url, token: stack.token, fetch: stack.fetch });
  const attempt = (key: string, token: number, number = 1) => ({ key, lease: { name: key, token }, attempt: number });
  const insert = (run: string, id: string) => async (tx: Querying) => {
    await tx.query("INSERT INTO effects VALUES ($1, $2)", [run, id]);
    return id;
  };
  const effectsOf = (run: string) => shop().effects(run);

  it("costs a first attempt one statement besides the transaction, and a later one another (51.1)", async () => {
    const sent: string[] = [];
    const counted = {
      async connect() {
        const client = await pool.connect();
        const query = (text: string, values: unknown[]) => {
          sent.push(text.split(" ", 2).join(" "));
          return client.query(text, values);
        };
        return { query, release: (error?: boolean) => client.release(error) };
      },
    };
    const payments = postgresOnce(counted);
    await payments.commit(attempt(freshName(), 1), () => "done");
    expect(sent.splice(0)).toEqual(["BEGIN", "INSERT INTO", "COMMIT"]);
    await payments.commit(attempt(freshName(), 1, 2), () => "done");
    expect(sent).toEqual(["BEGIN", "INSERT INTO", "INSERT INTO", "COMMIT"]);
  });

  it("does not run the work of a later attempt, and returns the stored result (51.1)", async () => {
    const [key, payments] = [freshName(), postgresOnce(pool)];
    await payments.commit(attempt(key, 1), insert(key, "a"));
    let ran = false;
    const later = await payments.commit(attempt(key, 2, 2), () => {
      ran = true;
      return "b";
    });
    expect([later, ran]).toEqual(["a", false]);
    // After Redis lost everything, an attempt is the first one again, and its token may even be lower.
    expect(await payments.commit(attempt(key, 1), insert(key, "c"))).toBe("a");
    // Its work fails because the effect is there.
    const failing = () => Promise.reject(new Error("paid already"));
    expect(await payments.commit(attempt(key, 3), failing)).toBe("a");
    expect(await effectsOf(key)).toEqual(["a"]);
  });

  it("completes with the stored result after a crash between COMMIT and complete, and after FLUSHALL (51.1)", async () => {
    const [key, payments] = [freshName(), postgresOnce(pool)];
    const crash = new Error("crashed");
    const delivery = locks().once(key);
    const crashed = delivery.run(async ({ commit }) => {
      await commit(payments, insert(key, "a"));
      throw crash;
    });
    await expect(crashed).rejects.toBe(crash);
    for (const between of ["a crash", "FLUSHALL"]) {
      if (between === "FLUSHALL") await stack.redis.command("FLUSHALL");
      const turn = await locks()
        .once(key)
        .run(({ commit }) => commit(payments, insert(key, between)));
      expect(turn).toMatchObject({ status: "done", result: "a", fresh: true });
      await locks().once(key).forceRelease();
    }
    expect(await effectsOf(key)).toEqual(["a"]);
  });

  it("refuses the late commit of an attempt while a newer one commits, and after the newer one's fence claimed (51.1)", async () => {
    const [key, payments] = [freshName(), postgresOnce(pool)];
    let older: Promise<unknown> | undefined;
    const newer = payments.commit(attempt(key, 2, 2), async (tx) => {
      older = payments.commit(attempt(key, 1), insert(key, "older"));
      older.catch(() => {});
      await pause(100);
      return insert(key, "newer")(tx);
    });
    expect(await newer).toBe("newer");
    expect(await older).toBe("newer");
    expect(await effectsOf(key)).toEqual(["newer"]);

    const other = freshName();
    await postgresFence(pool).claim({ name: other, token: 2 });
    const stale = payments.commit(attempt(other, 1), insert(other, "stale"));
    await expect(stale).rejects.toMatchObject({ code: "stale_token", lockName: other, token: 1, seen: 2 });
    await expect(payments.commit(attempt(other, 1, 2), insert(other, "stale"))).rejects.toMatchObject({ seen: 2 });
    expect(await effectsOf(other)).toEqual([]);
    // And a fence refuses by the row of a commit.
    await payments.commit(attempt(other, 5), insert(other, "done"));
    await expect(postgresFence(pool).claim({ name: other, token: 4 })).rejects.toMatchObject({ seen: 5 });
  });

  it("compares the token of the lock under which an attempt runs, in the same statement (51.1)", async () => {
    const [one, two, name, payments] = [freshName(), freshName(), freshName(), postgresOnce(pool)];
    const under = (key: string, token: number) => ({
      ...attempt(key, 1),
      under: { key: name, lease: { name, token } },
    });
    await payments.commit(under(two, 8), insert(name, "two"));
    const stale = payments.commit(under(one, 7), insert(name, "one"));
    await expect(stale).rejects.toMatchObject({ code: "stale_token", lockName: name, token: 7, seen: 8 });
    await expect(postgresFence(pool).claim({ name, token: 7 })).rejects.toMatchObject({ seen: 8 });
    expect(await payments.commit(under(one, 9), insert(name, "one"))).toBe("one");
    expect(await effectsOf(name)).toEqual(["two", "one"]);
  });

  it("is undone with work that throws, and with a result that cannot be stored (51.1)", async () => {
    const [key, payments] = [freshName(), postgresOnce(pool)];
    const failed = payments.commit(attempt(key, 1), async (tx) => {
      await insert(key, "half")(tx);
      throw new RangeError("no stock");
    });
    await expect(failed).rejects.toThrow("no stock");
    const unfit = payments.commit(attempt(key, 1), async (tx) => {
      await insert(key, "half")(tx);
      return new Map() as never;
    });
    await expect(unfit).rejects.toThrow("the result is not JSON");
    expect(await effectsOf(key)).toEqual([]);
    // A failed statement whose error the work hides fails the transaction all the same.
    const hidden = payments.commit(attempt(key, 1), async (tx) => {
      await insert(key, "half")(tx);
      await tx.query("SELECT nothing", []).catch(() => {});
      return "hidden";
    });
    await expect(hidden).rejects.toMatchObject({ code: "25P02" });
    expect(await payments.commit(attempt(key, 1), insert(key, "whole"))).toBe("whole");
    expect(await effectsOf(key)).toEqual(["whole"]);
    const { rows } = await pool.query("SELECT * FROM leasehold_fence WHERE name = $1", [key]);
    expect(rows).toMatchObject([{ name: key, token: "1", result: '"whole"' }]);
  });

  it.each([
    ["after the COMMIT, reads the row and returns the result", true],
    ["before the COMMIT, rejects, and may be repeated", false],
  ] as const)("whose connection breaks %s (51.1)", async (_, isCommitted) => {
    const key = freshName();
    const breaks = {
      async connect() {
        const client = await pool.connect();
        const broken = () => {
          client.off("error", broken);
        };
        client.on("error", broken);
        return {
          async query(text: string, values: unknown[]) {
            if (text !== "COMMIT" || breaks.isBroken) return client.query(text, values);
            breaks.isBroken = true;
            if (isCommitted) await client.query(text, values);
            (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
            throw new Error("Connection terminated unexpectedly");
          },
          release: (error?: boolean) => client.release(error),
        };
      },
      isBroken: false,
    };
    const turn = await locks().once(key).begin();
    if (turn.status !== "started") throw new Error(turn.status);
    const first = turn.commit(postgresOnce(breaks), insert(key, "a"));
    if (isCommitted) expect(await first).toBe("a");
    else {
      await expect(first).rejects.toThrow("terminated unexpectedly");
      expect(await turn.commit(postgresOnce(breaks), insert(key, "b"))).toBe("b");
    }
    expect(await effectsOf(key)).toEqual([isCommitted ? "a" : "b"]);
  });

  it("commits once in an attempt: a second commit would get the first one's result (51.1)", async () => {
    const [key, payments] = [freshName(), postgresOnce(pool)];
    const turn = await locks().once(key).begin();
    if (turn.status !== "started") throw new Error(turn.status);
    await expect(turn.commit(payments, () => Promise.reject(new Error("first try")))).rejects.toThrow("first try");
    expect(await turn.commit(payments, insert(key, "a"))).toBe("a");
    await expect(turn.commit(payments, insert(key, "b"))).rejects.toThrow("has committed, and commits once");
    await expect(turn.commit(pool as never, insert(key, "b") as never)).rejects.toThrow("must be a database");
    await expect(turn.commit(payments, "work" as never)).rejects.toThrow("work must be a function");
    expect(await effectsOf(key)).toEqual(["a"]);
  });

  it("keeps keys of groups and prefixes apart, since they are other names (51.1)", async () => {
    const [key, payments] = [freshName(), postgresOnce(pool)];
    const settings = { url: stack.url, token: stack.token, fetch: stack.fetch };
    const [plain, other] = [createLocks(settings), createLocks({ ...settings, prefix: "shop:" })];
    for (const each of [plain.once(key), plain.group("g").once(key), other.once(key), plain.once(`{g}/${key}`)]) {
      await each.run(({ commit }) => commit(payments, insert(key, "x")));
    }
    expect(await effectsOf(key)).toHaveLength(4);
  });

  it("forgets by age, and keeps what is younger (51.1)", async () => {
    const [old, recent, payments] = [freshName(), freshName(), postgresOnce(pool)];
    const ago = (days: number): number => (Date.now() - days * 86_400_000) * 1000;
    for (const [key, days] of [
      [old, 31],
      [recent, 29],
    ] as const) {
      await payments.commit(attempt(key, ago(days)), () => "done");
      await pool.query("UPDATE leasehold_fence SET done_at = token / 1000 WHERE name = $1", [key]);
    }
    await payments.forget();
    const { rows } = await pool.query("SELECT name FROM leasehold_fence WHERE name IN ($1, $2)", [old, recent]);
    expect(rows).toEqual([{ name: recent }]);
    await expect(payments.forget({ olderThan: "30m" })).rejects.toThrow(RangeError);
    await expect(payments.forget({ age: "30d" } as never)).rejects.toThrow(/no option "age"/);
  });

  it("setup says what a table of an earlier release lacks (51.1)", async () => {
    const old = new pg.Pool({ connectionString: server.url, max: 1, options: "-c search_path=old" });
    try {
      await old.query("CREATE SCHEMA old");
      await old.query("CREATE TABLE leasehold_fence (name TEXT PRIMARY KEY, token BIGINT NOT NULL)");
      await expect(postgresOnce(old).setup()).rejects.toThrow(/lacks the columns result and done_at/);
      await postgresFence(old).setup();
      await old.query("ALTER TABLE leasehold_fence ADD COLUMN result TEXT, ADD COLUMN done_at BIGINT");
      await postgresOnce(old).setup();
    } finally {
      await old.end();
    }
  });
});
