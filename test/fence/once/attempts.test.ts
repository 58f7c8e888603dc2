import "reflect-metadata";
import { DatabaseSync } from "node:sqlite";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { Cron } from "@nestjs/schedule";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { turn } from "../../../agents/src/index.ts";
import { idempotentTool, type ToolContext } from "../../../agents/src/mcp/index.ts";
import { currentAttempt, currentRun, LeaseholdModule, RunCron, RunOnce } from "../../../nest/src/index.ts";
import { runCron } from "../../../src/cron/index.ts";
import { sqliteOnce } from "../../../src/fence/index.ts";
import { dedupe as honoDedupe } from "../../../src/hono/index.ts";
import { dedupe } from "../../../src/http/index.ts";
import { type Commit, createLocks, singleFlight } from "../../../src/index.ts";
import { takeOver } from "../../../src/queue/index.ts";
import { freshName, pause } from "../../support/names.ts";
import { useStack } from "../../support/use-stack.ts";

const stack = useStack();

describe("the same commit, wherever an attempt is", () => {
  const db = new DatabaseSync(":memory:");
  const orders = sqliteOnce(db);
  beforeAll(async () => {
    db.exec("CREATE TABLE orders (id TEXT)");
    await orders.setup();
  });
  afterAll(() => db.close());
  const locks = () => createLocks({ url: stack.url, token: stack.token, fetch: stack.fetch });
  /** Does the work, and dies before the answer the first time; Redis forgets everything before the third. */
  async function thrice(id: string, deliver: (work: (commit: Commit) => Promise<string>) => Promise<unknown>) {
    const answers: unknown[] = [];
    for (const time of ["first", "second", "third"]) {
      const answer = await deliver(async (commit) => {
        const result = await commit(orders, (tx) => {
          tx.prepare("INSERT INTO orders VALUES (?)").run(id);
          return `by the ${time}`;
        });
        if (time === "first") throw new Error("crashed");
        return result;
      }).catch((error: Error) => error.message);
      answers.push(answer);
      if (time === "second") await stack.redis.command("FLUSHALL");
    }
    expect(answers).toEqual(["crashed", "by the first", "by the first"]);
    expect(db.prepare("SELECT COUNT(*) AS count FROM orders WHERE id = ?").get(id)).toEqual({ count: 1 });
  }

  it("of once.run (51.1)", async () => {
    const id = freshName();
    await thrice(id, async (work) => {
      const turn = await locks()
        .once(id)
        .run(({ commit }) => work(commit));
      return turn.status === "done" ? turn.result : turn.status;
    });
  });

  it("of singleFlight (51.1)", async () => {
    const id = freshName();
    await thrice(id, (work) => singleFlight(locks(), id, { ttl: "1h" }, (_, { commit }) => work(commit)));
  });

  it.each(["http", "hono"])("of a webhook's delivery, by leasehold/%s (51.1)", async (entry) => {
    const id = freshName();
    const post = () => ({ method: "POST", headers: { "webhook-id": id }, body: "{}" });
    const key = ({ headers }: Request) => headers.get("webhook-id");
    await thrice(id, async (work) => {
      const options = { locks: locks(), key, replay: true };
      const request = new Request("http://shop/hook", post());
      if (entry === "http")
        return (await dedupe(options, async (_, { commit }) => new Response(await work(commit)))(request)).text();
      const app = new Hono();
      app.onError((error) => {
        throw error;
      });
      app.post("/hook", honoDedupe(options), async (c) => c.text(await work(c.var.commit)));
      return (await app.fetch(request)).text();
    });
  });

  it("of an idempotent tool's call (51.1)", async () => {
    const id = freshName();
    await thrice(id, async (work) => {
      const options = { name: "order", scope: "shop" };
      const tool = idempotentTool(locks(), options, async (_args: object, _extra: ToolContext, { commit }) => {
        if (!commit) throw new Error("the call has no key");
        return { content: [{ type: "text" as const, text: await work(commit) }] };
      });
      const { signal } = new AbortController();
      const { content } = await tool({}, { mcpReq: { id: 1, signal, _meta: { idempotencyKey: id } } });
      return content[0]?.text;
    });
  });

  it("of a cron's run (51.1)", async () => {
    const name = freshName();
    await thrice(name, async (work) => {
      let answer: unknown;
      await runCron({ locks: locks(), name, slot: "2026-11-29" }, async ({ commit }) => {
        answer = await work(commit);
      });
      return answer;
    });
  });

  it.each(["@RunOnce", "@RunCron"])("of a method with Nest's %s (51.1)", async (decorator) => {
    const id = freshName();
    await thrice(id, async (work) => {
      let answer: unknown;
      class Service {
        async method(): Promise<unknown> {
          const { commit } = decorator === "@RunOnce" ? currentAttempt() : currentRun();
          answer = await work(commit);
          return answer;
        }
      }
      // As the compiler does with `experimentalDecorators`.
      const decorators = decorator === "@RunOnce" ? [RunOnce(id)] : [RunCron(id), Cron("0 3 * * *")];
      const method = Object.getOwnPropertyDescriptor(Service.prototype, "method") as PropertyDescriptor;
      const decorated = Reflect.decorate(decorators as MethodDecorator[], Service.prototype, "method", method);
      Object.defineProperty(Service.prototype, "method", decorated as PropertyDescriptor);
      class AppModule {}
      const connection = { url: stack.url, token: stack.token, fetch: stack.fetch };
      Module({ imports: [LeaseholdModule.forRoot(connection)], providers: [Service] })(AppModule);
      const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
      try {
        await app.get(Service).method();
        return answer;
      } finally {
        await app.close();
      }
    });
  });

  it("of a queue's message, under the lease of its ticket (51.1)", async () => {
    const name = freshName();
    await thrice(name, async (work) => {
      const lock = locks().lock(name);
      const lease = await lock.acquire({ wait: 0 });
      const job = await takeOver(lock, lease.ticket(), { key: `message of ${name}` }, (_, { commit }) => work(commit));
      return job.status === "done" ? job.result : job.status;
    });
  });

  it("of a step of a turn (51.1)", async () => {
    const name = freshName();
    await thrice(name, (work) =>
      turn(locks(), name, { id: "1", onBusy: "queue" }, ({ step }) => step("order", ({ commit }) => work(commit))),
    );
  });

  it("refuses the late commit of a cron's slot that a later slot has overtaken (51.1)", async () => {
    const name = freshName();
    const insert = (id: string) => (tx: DatabaseSync) => {
      tx.prepare("INSERT INTO orders VALUES (?)").run(id);
      return id;
    };
    const run = (slot: string, work: (commit: Commit) => Promise<unknown>) =>
      runCron({ locks: locks(), name, slot, lease: "1s", maxHold: "1s" }, ({ commit }) => work(commit));
    let woken = Promise.resolve<unknown>(undefined);
    const frozen = run("1", async (commit) => {
      await pause(1_200);
      await run("2", (newer) => newer(orders, insert(`${name} 2`)));
      woken = commit(orders, insert(`${name} 1`));
      await woken;
    });
    await expect(frozen).rejects.toThrow();
    await expect(woken).rejects.toMatchObject({ code: "stale_token", lockName: `cron:${name}` });
    expect(db.prepare("SELECT id FROM orders WHERE id LIKE ?").all(`${name}%`)).toEqual([{ id: `${name} 2` }]);
  });

  it("of two messages that hold permits of one semaphore, whose tokens do not exclude each other (51.1)", async () => {
    const semaphore = locks().semaphore(freshName(), { permits: 2 });
    const [one, two] = [await semaphore.acquire(), await semaphore.acquire()];
    for (const [lease, id] of [
      [two, freshName()],
      [one, freshName()],
    ] as const) {
      const job = await takeOver(semaphore, lease.ticket(), (_, { commit }) => commit(orders, () => id));
      expect(job).toMatchObject({ status: "done", result: id });
    }
  });
});
