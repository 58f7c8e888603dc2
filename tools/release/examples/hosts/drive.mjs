// A turn of leasehold-agents, and a method of leasehold-nest, over one connection.
import "reflect-metadata";
import { Injectable, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { createLocks, fromEnv } from "leasehold";
import { turn } from "leasehold-agents";
import { chatState } from "leasehold-agents/chat";
import { idempotentTool } from "leasehold-agents/mcp";
import { currentLease, LeaseholdModule, WithLock } from "leasehold-nest";

class Invoices {
  async charge() {
    return currentLease().name;
  }
}
// As a compiler writes decorators.
const method = Object.getOwnPropertyDescriptor(Invoices.prototype, "charge");
WithLock("invoice:{0}")(Invoices.prototype, "charge", method);
Object.defineProperty(Invoices.prototype, "charge", method);
Injectable()(Invoices);
class AppModule {}
Module({ imports: [LeaseholdModule.forRoot(fromEnv())], providers: [Invoices] })(AppModule);

const app = await NestFactory.createApplicationContext(AppModule, { logger: ["error"] });
const charged = await app.get(Invoices).charge("7");
await app.close();

const locks = createLocks(fromEnv());
let runs = 0;
const tool = idempotentTool(locks, { name: "book", scope: "shop", key: () => "1" }, async () => {
  runs += 1;
  return { content: [] };
});
await turn(locks, "conversation", { onBusy: "queue" }, async ({ step }) => {
  for (const call of ["first", "again"])
    await step(call, async () => void (await tool({}, { mcpReq: { signal: AbortSignal.timeout(60_000) } })));
});
const state = chatState(locks);
await state.connect();
const lock = await state.acquireLock("thread", 10_000);
if (charged !== "invoice:7" || runs !== 1 || lock === null)
  throw new Error(`charged ${charged}, ran ${runs} times, ${lock}`);
