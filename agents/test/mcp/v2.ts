/** Servers and clients of `@modelcontextprotocol/server` and `/client`, with their own types. */

import { getRequestListener } from "@hono/node-server";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import {
  acceptedContent,
  createMcpHandler,
  inputRequired,
  McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { createLocks } from "../../../src/index.ts";
import { idempotentTool } from "../../src/mcp/index.ts";
import {
  ANSWER,
  answerOf,
  authOf,
  type CallOptions,
  listen,
  QUESTION,
  runCounter,
  type Sdk,
  type ToolsOptions,
  text,
} from "./sdk.ts";

/** Makes servers of the tools; all of them count the same runs. */
function toolsOfV2({ url, token, name, scope }: ToolsOptions): () => McpServer {
  const locks = createLocks({ url, token });
  const count = runCounter();
  const about = (tool: string) => ({ name: `${name} ${tool}`, scope: scope === undefined ? undefined : () => scope });
  return () => {
    const server = new McpServer({ name: "tools", version: "1.0.0" }, { capabilities: { tools: {} } });
    server.registerTool(
      "charge",
      { inputSchema: z.object({ cents: z.number() }) },
      idempotentTool(locks, about("charge"), async ({ cents }: { cents: number }, _ctx: ServerContext, { attempt }) =>
        text(`${count("charge")}: ${cents} cents, attempt ${attempt}`),
      ),
    );
    server.registerTool(
      "refund",
      { inputSchema: z.object({ order: z.union([z.number(), z.string()]) }) },
      idempotentTool(
        locks,
        { ...about("refund"), key: { argument: "order" } },
        async (_args: { order: number | string }, _ctx: ServerContext, { key }) => text(`${count("refund")} of ${key}`),
      ),
    );
    server.registerTool(
      "ping",
      { description: "Has no arguments." },
      idempotentTool(locks, about("ping"), async (args: undefined, { mcpReq }: ServerContext) =>
        text(`${count("ping")} with ${args}, ${typeof mcpReq.id}`),
      ),
    );
    server.registerTool(
      "report",
      { inputSchema: z.object({}), outputSchema: z.object({ total: z.number() }) },
      idempotentTool(locks, about("report"), async (_args: object, _ctx: ServerContext) => ({
        ...text(count("report")),
        structuredContent: { total: 7 },
      })),
    );
    server.registerTool(
      "slow",
      { inputSchema: z.object({}) },
      idempotentTool(locks, about("slow"), async (_args: object, { mcpReq }: ServerContext) => {
        const said = count("slow");
        const progressToken = mcpReq._meta?.progressToken;
        if (progressToken !== undefined)
          await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1 } });
        return text(said);
      }),
    );
    server.registerTool(
      "hang",
      { inputSchema: z.object({}) },
      idempotentTool(locks, about("hang"), async (_args: object, { mcpReq }: ServerContext) => {
        const said = count("hang");
        const progressToken = mcpReq._meta?.progressToken;
        if (progressToken !== undefined)
          await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1 } });
        if (said.endsWith("run 1")) await new Promise((_, reject) => mcpReq.signal.addEventListener("abort", reject));
        return text(said);
      }),
    );
    server.registerTool(
      "confirm",
      { inputSchema: z.object({}) },
      idempotentTool(locks, about("confirm"), async (_args: object, { mcpReq }: ServerContext) => {
        const answer = acceptedContent(mcpReq.inputResponses, "answer");
        if (answer) return text(`${count("confirm")}: ${answer["yes"]}`);
        const question = inputRequired.elicit({ message: QUESTION, requestedSchema: ANSWER });
        return inputRequired({ inputRequests: { answer: question } });
      }),
    );
    server.registerTool(
      "build",
      { inputSchema: z.object({}) },
      idempotentTool(locks, about("build"), async (_args: object, _ctx: ServerContext) => {
        count("build");
        return { ...text("working"), resultType: "task", taskId: "1", status: "working" };
      }),
    );
    return server;
  };
}

/** Serves the tools over the stdio of this process. */
export const serveStdioOfV2 = (options: ToolsOptions): void => void serveStdio(toolsOfV2(options));

async function connected(transport: Transport) {
  const client = new Client(
    { name: "agent", version: "1.0.0" },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: "auto" } },
  );
  client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { yes: true } }));
  await client.connect(transport);
  return {
    async call(name: string, args = {}, { key, ...options }: CallOptions = {}) {
      const _meta = key === undefined ? {} : { idempotencyKey: key };
      return answerOf(await client.callTool({ name, arguments: args, _meta }, options));
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

export const v2: Sdk = {
  title: "@modelcontextprotocol/server 2",
  async serve(options) {
    const handler = createMcpHandler(toolsOfV2(options));
    return listen(
      getRequestListener(
        (request) => {
          const authInfo = authOf(request.headers.get("X-Client"));
          return handler.fetch(request, authInfo && { authInfo });
        },
        { overrideGlobalObjects: false },
      ),
    );
  },
  connect: (url, clientId) =>
    connected(
      new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: clientId === undefined ? {} : { "X-Client": clientId } },
      }),
    ),
  start: (args) => connected(new StdioClientTransport({ command: process.execPath, args: [...args] })),
};
