/** Servers and clients of `@modelcontextprotocol/sdk`, with its own types. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTaskStore } from "@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolResultSchema,
  ElicitRequestSchema,
  type ServerNotification,
  type ServerRequest,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { createLocks } from "../../../src/index.ts";
import { idempotentTool } from "../../src/mcp/index.ts";
import { ANSWER, answerOf, authOf, listen, QUESTION, runCounter, type Sdk, type ToolsOptions, text } from "./sdk.ts";

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Makes servers of the tools; all of them count the same runs. */
function toolsOfV1({ url, token, name, scope }: ToolsOptions): () => McpServer {
  const locks = createLocks({ url, token });
  const count = runCounter();
  const about = (tool: string) => ({ name: `${name} ${tool}`, scope: scope === undefined ? undefined : () => scope });
  return () => {
    const taskStore = new InMemoryTaskStore();
    const server = new McpServer(
      { name: "tools", version: "1.0.0" },
      { capabilities: { tasks: { requests: { tools: { call: {} } } } }, taskStore },
    );
    server.registerTool(
      "charge",
      { inputSchema: { cents: z.number() } },
      idempotentTool(locks, about("charge"), async ({ cents }: { cents: number }, _extra: Extra, { attempt }) =>
        text(`${count("charge")}: ${cents} cents, attempt ${attempt}`),
      ),
    );
    server.registerTool(
      "refund",
      { inputSchema: { order: z.union([z.number(), z.string()]) } },
      idempotentTool(
        locks,
        { ...about("refund"), key: { argument: "order" } },
        async (_args: { order: number | string }, _extra: Extra, { key }) => text(`${count("refund")} of ${key}`),
      ),
    );
    server.registerTool(
      "ping",
      { description: "Has no arguments." },
      idempotentTool(locks, about("ping"), async (args: undefined, { requestId }: Extra) =>
        text(`${count("ping")} with ${args}, ${typeof requestId}`),
      ),
    );
    server.registerTool(
      "report",
      { inputSchema: {}, outputSchema: { total: z.number() } },
      idempotentTool(locks, about("report"), async (_args: object, _extra: Extra) => ({
        ...text(count("report")),
        structuredContent: { total: 7 },
      })),
    );
    server.registerTool(
      "slow",
      { inputSchema: {} },
      idempotentTool(locks, about("slow"), async (_args: object, { _meta, sendNotification }: Extra) => {
        const said = count("slow");
        const progressToken = _meta?.progressToken;
        if (progressToken !== undefined)
          await sendNotification({ method: "notifications/progress", params: { progressToken, progress: 1 } });
        return text(said);
      }),
    );
    server.registerTool(
      "hang",
      { inputSchema: {} },
      idempotentTool(locks, about("hang"), async (_args: object, { signal, _meta, sendNotification }: Extra) => {
        const said = count("hang");
        const progressToken = _meta?.progressToken;
        if (progressToken !== undefined)
          await sendNotification({ method: "notifications/progress", params: { progressToken, progress: 1 } });
        if (said.endsWith("run 1")) await new Promise((_, reject) => signal.addEventListener("abort", reject));
        return text(said);
      }),
    );
    server.registerTool(
      "confirm",
      { inputSchema: {} },
      idempotentTool(locks, about("confirm"), async (_args: object, { requestId }: Extra) => {
        const said = count("confirm");
        const { content } = await server.server.elicitInput(
          { message: QUESTION, requestedSchema: ANSWER },
          { relatedRequestId: requestId },
        );
        return text(`${said}: ${content?.["yes"]}`);
      }),
    );
    server.experimental.tasks.registerToolTask(
      "build",
      { inputSchema: {}, execution: { taskSupport: "optional" } },
      {
        createTask: idempotentTool(locks, about("build"), async (_args: object, extra: Extra) => {
          count("build");
          return { task: await taskStore.createTask({ ttl: 1000 }, extra.requestId, { method: "tools/call" }) };
        }) as never,
        getTask: async (_args, { taskId }) => (await taskStore.getTask(taskId)) as never,
        getTaskResult: async (_args, { taskId }) => (await taskStore.getTaskResult(taskId)) as never,
      },
    );
    return server;
  };
}

/** Serves the tools over the stdio of this process. */
export const serveStdioOfV1 = (options: ToolsOptions): Promise<void> =>
  toolsOfV1(options)().connect(new StdioServerTransport());

async function connected(transport: Transport) {
  const client = new Client({ name: "agent", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: "accept", content: { yes: true } }));
  await client.connect(transport);
  return {
    async call(name: string, args = {}, { key, ...options }: import("./sdk.ts").CallOptions = {}) {
      const _meta = key === undefined ? {} : { idempotencyKey: key };
      return answerOf(await client.callTool({ name, arguments: args, _meta }, CallToolResultSchema, options));
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

export const v1: Sdk = {
  title: "@modelcontextprotocol/sdk 1",
  async serve(options) {
    const makeServer = toolsOfV1(options);
    // With sessions, since a server's question and its answer are two requests.
    const sessions = new Map<string, StreamableHTTPServerTransport>();
    return listen(async (request, response) => {
      let transport = sessions.get(`${request.headers["mcp-session-id"]}`);
      if (!transport) {
        const made = new StreamableHTTPServerTransport({
          sessionIdGenerator: randomUUID,
          onsessioninitialized: (id) => void sessions.set(id, made),
        });
        await makeServer().connect(made as Transport);
        transport = made;
      }
      const auth = authOf(request.headers["x-client"] as string | undefined);
      await transport.handleRequest(Object.assign(request, auth && { auth }) as IncomingMessage, response);
    });
  },
  connect: (url, clientId) =>
    connected(
      new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: clientId === undefined ? {} : { "X-Client": clientId } },
      }) as Transport,
    ),
  start: (args) => connected(new StdioClientTransport({ command: process.execPath, args: [...args] })),
};
