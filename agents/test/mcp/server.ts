/** A server of the Model Context Protocol over HTTP, by the real SDK: one tool, which writes a charge into SQLite. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";
import { createLocks } from "../../../src/index.ts";
import { idempotentTool, type ToolExtra } from "../../src/mcp/index.ts";

export interface Charge {
  readonly cents: number;
  readonly order?: string | undefined;
}

export interface ToolServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface ToolServerOptions {
  readonly url: string;
  readonly token: string;
  /** The database of the charges. */
  readonly file: string;
  readonly name: string;
  /** Called after the write, before the answer. */
  readonly afterWrite?: (charge: Charge) => Promise<void> | void;
  readonly wait?: number;
  readonly lease?: number;
}

const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });

/** The charges that were written, oldest first. */
export function openCharges(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 5000 });
  db.exec("CREATE TABLE IF NOT EXISTS charges (key TEXT, cents INTEGER, token INTEGER)");
  return db;
}

export async function startToolServer(options: ToolServerOptions): Promise<ToolServer> {
  const { url, token, file, name, afterWrite, wait, lease } = options;
  const locks = createLocks({ url, token });
  const db = openCharges(file);
  const charge = idempotentTool(
    locks,
    {
      name,
      scope: "shop",
      key: (args: Charge, extra: ToolExtra) => args.order ?? (extra._meta?.["idempotencyKey"] as string),
      wait,
      lease,
    },
    async (args, _extra, call) => {
      if (args.cents === 13) return { ...text("the card was declined"), isError: true };
      // An earlier attempt may have died after its write.
      const written = call.attempt > 1 && db.prepare("SELECT token FROM charges WHERE key = ?").get(call.key ?? "");
      if (written) return text(`charged before, under ${written["token"]}`);
      db.prepare("INSERT INTO charges VALUES (?, ?, ?)").run(call.key ?? null, args.cents, call.token ?? null);
      await afterWrite?.(args);
      return text(`charged ${args.cents} under ${call.token}`);
    },
  );
  const http = createServer(async (request, response) => {
    const server = new McpServer({ name: "shop", version: "1.0.0" });
    const inputSchema = { cents: z.number(), order: z.string().optional() };
    server.registerTool("charge", { description: "Charges a card.", inputSchema }, charge);
    const transport = new StreamableHTTPServerTransport({});
    response.on("close", () => void server.close());
    await server.connect(transport as never);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => {
          db.close();
          resolve();
        });
      }),
  };
}
