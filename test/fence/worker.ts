/** The Worker of the tests: each request is one operation on what only workerd has. */
import type {
  D1Database,
  DurableObjectNamespace,
  DurableObjectState,
  DurableObjectTransaction,
  R2Bucket,
} from "@cloudflare/workers-types";
import { d1Fence, type Fenced, guard, type R2Like, r2Fence } from "../../src/fence/index.ts";
import { s3 } from "./s3-endpoint.ts";

interface Env {
  readonly DB: D1Database;
  /** Its tables are made by hand. */
  readonly HAND: D1Database;
  readonly BUCKET: R2Bucket;
  readonly SQLITE: DurableObjectNamespace;
  readonly KV: DurableObjectNamespace;
}
export interface Asked {
  readonly on: "d1" | "hand" | "r2" | "SQLITE" | "KV";
  /** The name of the object, the key or the run, which only one test uses. */
  readonly at: string;
  readonly what: string;
  readonly lease: Fenced;
  readonly value: string;
}

const answer = async (work: () => Promise<unknown>): Promise<Response> => {
  try {
    return Response.json({ value: (await work()) ?? null });
  } catch (error) {
    const { name, message, code, seen, token, lockName } = error as Record<string, unknown>;
    return Response.json({ error: { name, message, code, seen, token, lockName } });
  }
};

async function d1({ DB }: Env, { at, what, lease, value }: Asked): Promise<unknown> {
  const fence = d1Fence(DB);
  switch (what) {
    case "setup":
      await fence.setup();
      await DB.batch([
        DB.prepare("CREATE TABLE log (at INTEGER PRIMARY KEY, run TEXT, value TEXT NOT NULL)"),
        DB.prepare("CREATE TABLE rows (id TEXT PRIMARY KEY, value TEXT, token INTEGER)"),
      ]);
      return;
    case "claim":
      return fence.claim(lease);
    case "write":
      return fence.write(lease, "INSERT INTO log (run, value) VALUES (?1, ?2)", [at, value]);
    case "fail":
      return fence.write(lease, "INSERT INTO log (run) VALUES (?)", [at]);
    case "batch":
    case "failing batch":
      return fence.batch(lease, [
        { sql: "INSERT INTO log (run, value) VALUES (?1, ?2), (?1, ?3)", params: [at, `${value} 1`, `${value} 2`] },
        { sql: "DELETE FROM log WHERE run = ? AND value = 'nothing'", params: [at] },
        { sql: "INSERT INTO log (run, value) VALUES (?, ?)", params: [at, what === "batch" ? `${value} 3` : null] },
      ]);
    case "session":
      return d1Fence(DB.withSession()).write(lease, "INSERT INTO log (run, value) VALUES (?, ?)", [at, value]);
    case "update":
    case "upsert":
      return fence[what](lease, { table: "rows", key: { id: at }, set: { value } });
    case "row":
      return DB.prepare("SELECT * FROM rows WHERE id = ?").bind(at).first();
    default: {
      const { results } = await DB.prepare("SELECT value FROM log WHERE run = ? ORDER BY at").bind(at).all();
      return results.map((row) => row["value"]);
    }
  }
}

async function hand({ HAND }: Env, { what, lease, value }: Asked): Promise<unknown> {
  const fence = d1Fence(HAND);
  switch (what) {
    case "setup":
      return fence.setup();
    case "claim":
      return fence.claim(lease);
    case "write":
      return fence.write(lease, value);
    case "batch":
      return fence.batch(
        lease,
        value.split(";").map((sql) => ({ sql, params: [] })),
      );
    case "update":
    case "upsert":
      return fence[what](lease, { table: "rows", key: { id: 1 }, set: { value } });
    case "exec":
      await HAND.prepare(value).run();
      return;
    default: {
      const { results } = await HAND.prepare("SELECT value FROM log ORDER BY at").all();
      return results.map((row) => row["value"]);
    }
  }
}

async function r2({ BUCKET }: Env, { at, what, lease, value }: Asked): Promise<unknown> {
  const fence = r2Fence(BUCKET);
  switch (what) {
    case "claim":
      return fence.claim(lease, at);
    case "write":
      return fence.put(lease, at, value);
    case "raw":
      await BUCKET.put(at, value);
      return;
    case "overtaken": {
      // Between its read and its put somebody newer comes.
      const newer = { name: lease.name, token: lease.token + 1 };
      let first = true;
      const slow: R2Like = {
        get: (key, options) => BUCKET.get(key, options),
        async put(key, bytes, options) {
          if (first) await fence.claim(newer, at);
          first = false;
          return BUCKET.put(key, bytes, options);
        },
      };
      return r2Fence(slow).put(lease, at, value);
    }
    case "lost": {
      // Its put is there, and its answer is not, when somebody newer comes.
      const newer = { name: lease.name, token: lease.token + 1 };
      const lossy: R2Like = {
        get: (key, options) => BUCKET.get(key, options),
        async put(key, bytes, options) {
          await BUCKET.put(key, bytes, options);
          await fence.claim(newer, at);
          throw new Error("the network was lost");
        },
      };
      return r2Fence(lossy).put(lease, at, value);
    }
    case "reads": {
      const lengths: (number | null)[] = [];
      const watched: R2Like = {
        get(key, options) {
          lengths.push(options?.range?.length ?? null);
          return BUCKET.get(key, options);
        },
        put: (key, bytes, options) => BUCKET.put(key, bytes, options),
      };
      await r2Fence(watched).put(lease, at, value);
      await r2Fence(watched).get(at);
      return lengths;
    }
    case "etags": {
      // An ETag is made of the content, and not of the metadata beside it.
      const one = await BUCKET.put(at, value, { customMetadata: { token: "1" } });
      const two = await BUCKET.put(at, value, { customMetadata: { token: "2" } });
      return [one.etag, two.etag];
    }
    default: {
      const found = await fence.get(at);
      return found && { token: found.token, body: found.body && new TextDecoder().decode(found.body) };
    }
  }
}

class Guarded {
  readonly ctx: DurableObjectState;
  constructor(ctx: DurableObjectState) {
    this.ctx = ctx;
  }
  async fetch(request: Request): Promise<Response> {
    const { what, lease, value } = (await request.json()) as Asked;
    const { storage } = this.ctx;
    const guarded = guard(storage);
    return answer(async () => {
      switch (what) {
        case "claim":
          return guarded.claim(lease);
        case "write":
        case "fail":
          return guarded.write(lease, async (txn) => {
            const log = (await txn.get<string[]>("log")) ?? [];
            // Room for others to come in between.
            await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
            await txn.put("log", [...log, value]);
            if (what === "fail") throw new RangeError("failed");
            return log.length + 1;
          });
        case "rollback":
          return guarded.write(lease, async (txn) => {
            await txn.put("log", [value]);
            (txn as DurableObjectTransaction).rollback();
          });
        case "sql":
        case "sqlFail":
          return guarded.write(lease, () => {
            storage.sql.exec("CREATE TABLE IF NOT EXISTS t (v TEXT)");
            storage.sql.exec("INSERT INTO t VALUES (?)", value);
            if (what === "sqlFail") throw new RangeError("failed");
          });
        case "rows":
          return storage.sql.exec("SELECT v FROM t").toArray();
        case "evict":
          this.ctx.abort("evicted");
          return;
        default:
          return (await storage.get("log")) ?? [];
      }
    });
  }
}
export class Sqlite extends Guarded {}
export class Kv extends Guarded {}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (new URL(request.url).pathname.startsWith("/s3/")) return s3(request, env.BUCKET);
    const asked = (await request.json()) as Asked;
    if (asked.on === "d1") return answer(() => d1(env, asked));
    if (asked.on === "hand") return answer(() => hand(env, asked));
    if (asked.on === "r2") return answer(() => r2(env, asked));
    const namespace = env[asked.on];
    const stub = namespace.get(namespace.idFromName(asked.at));
    const passed = await stub
      .fetch("http://object/", { method: "POST", body: JSON.stringify(asked) })
      .catch((error: Error) => Response.json({ error: { message: error.message } }));
    return passed as unknown as Response;
  },
};
