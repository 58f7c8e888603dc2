/** A Durable Object that commits to its own storage: each request is one commit of an attempt that runs elsewhere. */
import type { DurableObjectNamespace, DurableObjectState } from "@cloudflare/workers-types";
import { durableObjectOnce } from "../../../src/fence/index.ts";
import type { Committing } from "../../../src/shared/commit.ts";

interface Env {
  readonly SQLITE: DurableObjectNamespace;
  readonly KV: DurableObjectNamespace;
}
export interface Asked {
  readonly on: "SQLITE" | "KV";
  readonly run: string;
  readonly id: string;
  readonly what: "commit" | "bare" | "throw" | "effects" | "total" | "forget" | "keys";
  readonly attempt?: Committing;
  /** The step after which the object is restarted: 0, before the work; 1 or 2, a statement; 3, the transaction. */
  readonly dieAfter?: number;
}

class Shop {
  readonly ctx: DurableObjectState;
  constructor(ctx: DurableObjectState) {
    this.ctx = ctx;
  }
  async fetch(request: Request): Promise<Response> {
    const { id, what, attempt, dieAfter } = (await request.json()) as Asked;
    const { storage } = this.ctx;
    const step = async (number: number): Promise<void> => {
      if (number !== dieAfter) return;
      // What was written before is stored before it restarts.
      if (number === 3) await storage.sync();
      this.ctx.abort("killed");
    };
    type Part = Pick<DurableObjectState["storage"], "get" | "put">;
    const effect = async (txn: Part): Promise<string> => {
      await step(0);
      const effects = (await txn.get<string[]>("effects")) ?? [];
      await txn.put("effects", [...effects, id]);
      await step(1);
      await txn.put("total", ((await txn.get<number>("total")) ?? 0) + 1);
      await step(2);
      if (what === "throw") throw new RangeError("no stock");
      return id;
    };
    const once = durableObjectOnce(storage);
    try {
      switch (what) {
        case "commit":
        case "throw": {
          if (!attempt) throw new TypeError("attempt");
          const value = await once.commit(attempt, effect);
          await step(3);
          return Response.json({ value });
        }
        case "bare": {
          const value = await storage.transaction(effect);
          await step(3);
          return Response.json({ value });
        }
        case "forget":
          await once.forget();
          return Response.json({});
        case "keys":
          return Response.json({ value: [...(await storage.list()).keys()] });
        default:
          return Response.json({ value: (await storage.get(what)) ?? (what === "total" ? 0 : []) });
      }
    } catch (error) {
      const { name, message, code, seen } = error as Record<string, unknown>;
      return Response.json({ error: { name, message, code, seen } });
    }
  }
}
export class Sqlite extends Shop {}
export class Kv extends Shop {}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const asked = (await request.json()) as Asked;
    // One object for some deliveries, so that its value stays small.
    const object = `${asked.run} ${Number(asked.id) % 100}`;
    const stub = env[asked.on].get(env[asked.on].idFromName(object));
    const passed = await stub
      .fetch("http://object/", { method: "POST", body: JSON.stringify(asked) })
      .catch((error: Error) => Response.json({ error: { message: error.message } }));
    return passed as unknown as Response;
  },
};
