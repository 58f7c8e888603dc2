/** Optional peers: the oldest version of each range with the packed packages, and what npm says of others. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { releasedPackages } from "../../../tools/release/packages.ts";
import { blocksOf, textOf } from "../../documents/markdown.ts";
import { program, ROOT, run } from "../../support/command.ts";
import { serveOwnPackages } from "./fresh.ts";
import type { PackageName } from "./packed.ts";
import { emptyProject, type Project } from "./project.ts";
import type { Registry } from "./registry.ts";

let registry: Registry;
const projects: Project[] = [];
beforeAll(async () => {
  registry = await serveOwnPackages();
});
afterAll(async () => {
  await registry?.close();
  for (const project of projects) project.remove();
});

function start(): Project {
  const project = emptyProject();
  projects.push(project);
  project.write(".npmrc", `registry=${registry.url}\n`);
  return project;
}

/** Runs a program in a project over a Redis in memory, `locks`; gives what it prints. */
async function runProgram(project: Project, text: string): Promise<string> {
  const script = project.write(
    "program.mjs",
    `import { createLocks } from "leasehold";
     import { createMemoryRedis } from "leasehold-testing";
     const { url, token, fetch } = createMemoryRedis();
     const locks = createLocks({ url, token, fetch });
     ${text}`,
  );
  return (await run(program("node/bin/node"), [script], project.dir)).trim();
}

/** An oldest version, and a program that uses it. The tests of the entries run with the newest ones. */
interface Oldest {
  readonly peer: string;
  /** The package that has it as a peer. */
  readonly own: PackageName;
  readonly text: string;
  readonly printed: string;
  /** What the program needs besides. */
  readonly others?: readonly string[];
}

/** A server and a client of the Model Context Protocol that pays twice with one key; each SDK has its own modules. */
const payTwice = (from: { readonly server: string; readonly client: string; readonly transport: string }): string =>
  `const { McpServer } = await import("${from.server}");
     const { Client } = await import("${from.client}");
     const { InMemoryTransport } = await import("${from.transport}");
     const { idempotentTool } = await import("leasehold-agents/mcp");
     let runs = 0;
     const server = new McpServer({ name: "shop", version: "1.0.0" });
     server.registerTool("pay", {}, idempotentTool(locks, { name: "pay", scope: "shop" }, async () =>
       ({ content: [{ type: "text", text: String(++runs) }] })));
     const [near, far] = InMemoryTransport.createLinkedPair();
     const client = new Client({ name: "agent", version: "1.0.0" });
     await Promise.all([server.connect(near), client.connect(far)]);
     const pay = () => client.callTool({ name: "pay", arguments: {}, _meta: { idempotencyKey: "1" } });
     console.log((await pay()).content[0].text, (await pay()).content[0].text, runs);
     process.exit();`;

const OLDEST: readonly Oldest[] = [
  {
    peer: "hono@3.12.0",
    own: "leasehold",
    text: `const { Hono } = await import("hono");
     const { dedupe, idempotencyKey } = await import("leasehold/hono");
     const app = new Hono();
     let runs = 0;
     app.post("/pay", dedupe({ locks, key: idempotencyKey(), scope: () => "a" }), (c) => c.text(String(++runs)));
     const pay = () => app.request("/pay", { method: "POST", headers: { "Idempotency-Key": "1" }, body: "{}" });
     console.log((await pay()).status, (await pay()).status, runs);`,
    printed: "200 200 1",
  },
  {
    peer: "@upstash/redis@1.34.0",
    own: "leasehold",
    text: `const { Redis } = await import("@upstash/redis");
     globalThis.fetch = fetch;
     const own = createLocks({ redis: new Redis({ url, token }) });
     const { token: first } = await own.lock("a").acquire();
     console.log(first > 0, await locks.lock("a").tryAcquire());`,
    printed: "true null",
  },
  {
    peer: "@opentelemetry/api@1.9.0",
    own: "leasehold",
    text: `const { metrics, trace } = await import("@opentelemetry/api");
     const { otel } = await import("leasehold/otel");
     const names = [];
     const span = { end() {}, setAttribute() {}, setAttributes() {}, setStatus() {}, addEvent() {}, recordException() {},
       addLink() {}, isRecording: () => true, spanContext: () => ({ traceId: "1".repeat(32), spanId: "1".repeat(16), traceFlags: 1 }) };
     const tracer = { startSpan: (name) => (names.push(name), span), startActiveSpan: (name, ...rest) => rest.at(-1)(span) };
     trace.setGlobalTracerProvider({ getTracer: () => tracer });
     const traced = createLocks({ url, token, fetch, ...otel() });
     await traced.lock("a").run(() => {});
     console.log(names.length > 0);`,
    printed: "true",
  },
  {
    peer: "chat@4.26.0",
    own: "leasehold-agents",
    text: `const { Chat, Message, parseMarkdown } = await import("chat");
     const { chatState } = await import("leasehold-agents/chat");
     const posted = [];
     let instance;
     const adapter = {
       name: "slack", userName: "helper", initialize: async (chat) => void (instance = chat),
       channelIdFromThreadId: (thread) => thread.split(":").slice(0, 2).join(":"),
       postMessage: async (threadId, message) => (posted.push(message), { id: "p", threadId, raw: {} }),
       startTyping: async () => {}, fetchMessages: async () => ({ messages: [] }), renderFormatted: () => "",
       async handleWebhook(request) {
         const text = await request.text();
         const author = { userId: "u1", userName: "ann", fullName: "Ann", isBot: false, isMe: false };
         const metadata = { dateSent: new Date(), edited: false };
         const formatted = parseMarkdown(text);
         await instance.processMessage(adapter, "slack:C1:1",
           new Message({ id: "m1", threadId: "slack:C1:1", text, formatted, raw: {}, author, metadata, attachments: [], isMention: true }));
         return new Response("ok");
       },
     };
     const bot = new Chat({ userName: "helper", adapters: { slack: adapter }, state: chatState(locks), logger: "silent" });
     bot.onNewMention((thread) => thread.post("hello"));
     const deliver = () => bot.webhooks.slack(new Request("https://bot.example/", { method: "POST", body: "hi" }));
     await deliver();
     await deliver();
     while (posted.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
     await new Promise((resolve) => setTimeout(resolve, 100));
     console.log(posted.length);
     process.exit();`,
    printed: "1",
  },
  {
    peer: "@modelcontextprotocol/sdk@1.20.0",
    own: "leasehold-agents",
    text: payTwice({
      server: "@modelcontextprotocol/sdk/server/mcp.js",
      client: "@modelcontextprotocol/sdk/client/index.js",
      transport: "@modelcontextprotocol/sdk/inMemory.js",
    }),
    printed: "1 1 1",
  },
  {
    peer: "@modelcontextprotocol/server@2.0.0",
    own: "leasehold-agents",
    text: payTwice({
      server: "@modelcontextprotocol/server",
      client: "@modelcontextprotocol/client",
      transport: "@modelcontextprotocol/server",
    }),
    printed: "1 1 1",
    others: ["@modelcontextprotocol/client@2.0.0"],
  },
  {
    peer: "@nestjs/common@11.0.0",
    own: "leasehold-nest",
    text: `await import("reflect-metadata");
     const { Injectable, Module } = await import("@nestjs/common");
     const { NestFactory } = await import("@nestjs/core");
     const { currentLease, LeaseholdModule, WithLock } = await import("leasehold-nest");
     class Service { async method(id) { return currentLease().name; } }
     const method = Object.getOwnPropertyDescriptor(Service.prototype, "method");
     WithLock("a {0}")(Service.prototype, "method", method);
     Object.defineProperty(Service.prototype, "method", method);
     Injectable()(Service);
     class App {}
     Module({ imports: [LeaseholdModule.forRoot({ url, token, fetch })], providers: [Service] })(App);
     const app = await NestFactory.createApplicationContext(App, { logger: ["error"] });
     console.log(await app.get(Service).method("7"));
     await app.close();`,
    printed: "a 7",
    others: ["@nestjs/core@11.0.0", "reflect-metadata@0.2.2", "rxjs@7.8.2"],
  },
];
/** Ranges whose oldest version is tried by hand, since it needs a server of its own; see docs/fencing.md. */
const BY_HAND = ["@aws-sdk/client-dynamodb"];

test("the range of every peer begins with a version that is tried here, and has an end", () => {
  const manifests = releasedPackages(ROOT).map(({ manifest }) => manifest);
  const own = new Set(manifests.map(({ name }) => name));
  const ranges = manifests.flatMap(({ name, peerDependencies = {} }) =>
    Object.entries(peerDependencies).map(([peer, range]) => ({ name, peer, range })),
  );
  const hosts = ranges.filter(({ peer }) => !own.has(peer));
  for (const { range } of ranges) expect(range).toMatch(/^(\^\d+\.\d+\.\d+( \|\| )?)+$|^>=\d+\.\d+\.\d+ <\d+$/);
  const begin = hosts
    .filter(({ peer }) => !BY_HAND.includes(peer))
    .map(({ name, peer, range }) => `${name}: ${peer}@${/\d+\.\d+\.\d+/.exec(range)}`);
  expect(begin.sort()).toEqual(OLDEST.map(({ peer, own }) => `${own}: ${peer}`).sort());
});

describe.concurrent("npm installs, without a flag,", () => {
  test.each(OLDEST)("$peer beside $own, which works with it", async ({ peer, own, text, printed, others = [] }) => {
    const project = start();
    await project.npm(peer, ...others);
    await project.npm("leasehold", own, "leasehold-testing");
    expect(await runProgram(project, text)).toBe(printed);
  });
});

test("npm refuses a host outside of a range, in the words of docs/limits.md, whose override installs it", async () => {
  const blocks = blocksOf(textOf("docs/limits.md"));
  const said =
    blocks
      .find(({ text }) => text.includes("ERESOLVE"))
      ?.text.trim()
      .split("\n") ?? [];
  const overrides = blocks.find(({ text }) => text.includes('"overrides"'))?.text ?? "";
  const project = start();
  await project.npm("hono@2.7.1");
  const refused = await project.npm("leasehold").catch(String);
  expect(said.length).toBeGreaterThan(2);
  for (const line of said) expect(refused).toContain(line);
  const manifest = JSON.parse(project.read("package.json")) as object;
  project.write("package.json", { ...manifest, ...(JSON.parse(overrides) as object) });
  await project.npm("leasehold", "leasehold-testing");
  expect(JSON.parse(project.read("node_modules/hono/package.json"))).toMatchObject({ version: "2.7.1" });
  // Without that entry, a user has everything else (E24).
  expect(await runProgram(project, `console.log((await locks.lock("a").acquire()).token > 0);`)).toBe("true");
});

test("npm refuses a Nest outside of the range of leasehold-nest", async () => {
  const project = start();
  await project.npm("@nestjs/common@10.4.22", "reflect-metadata@0.2.2", "rxjs@7.8.2");
  await expect(project.npm("leasehold", "leasehold-nest")).rejects.toThrow(
    /ERESOLVE[\s\S]*peer @nestjs\/common@"\^11\.0\.0 \|\| \^12\.0\.0" from leasehold-nest/,
  );
});

test("npm refuses a leasehold of another minor release beside leasehold-agents", async () => {
  const project = start();
  const manifest = JSON.parse(project.read("package.json")) as object;
  // Another version under its name, without a registry that has one.
  mkdirSync(join(project.dir, "other"));
  project.write("other/package.json", { name: "leasehold", version: "99.0.0" });
  project.write("package.json", { ...manifest, dependencies: { leasehold: "file:other" } });
  await expect(project.npm("leasehold-agents")).rejects.toThrow(
    /ERESOLVE[\s\S]*peer leasehold@"\^[\d.]+" from leasehold-agents/,
  );
});
