import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { scripts } from "../../../test/support/scripts.ts";
import type { Stack } from "../../../test/support/stack.ts";
import { createMemoryRedis, type MemoryRedis } from "../../src/index.ts";

/** Answers HTTP requests by a function such as `fetch`. */
async function answer(memory: MemoryRedis, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = new Headers(incoming.headers as Record<string, string>);
  const { method = "GET", url = "/" } = incoming;
  const body = method === "GET" || method === "HEAD" ? null : Buffer.concat(chunks).toString();
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const answered = await memory.fetch(memory.url + url, { method, headers, body, signal: gone.signal });
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.end(await answered.text());
}

/**
 * A Redis in memory behind a port, as the tests of the SDK have a real one behind the gateway. It knows every script.
 */
export function useMemoryStack(): Stack {
  const memory = createMemoryRedis();
  for (const { lua } of Object.values(scripts)) memory.command("SCRIPT", "LOAD", lua);
  const server = createServer((incoming, response) => {
    answer(memory, incoming, response).catch(() => response.destroy());
  });
  let url = "";
  beforeAll(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  const stop = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
  };
  afterAll(stop);
  const missing = (): never => {
    throw new Error("only a real server counts commands");
  };
  return {
    get url() {
      return url;
    },
    token: memory.token,
    fetch: (input, init) => memory.fetch(String(input).replace(url, memory.url), init),
    redis: {
      command: async (name: string, ...args: string[]) => String(memory.command(name, ...args)),
    } as Stack["redis"],
    commandsOf: missing,
    commandCalls: missing,
    stop,
  };
}
