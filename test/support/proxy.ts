import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Server as TcpServer } from "node:net";
import { type Arrived, createBook, type FaultProxy, forwardTo } from "./book.ts";
import { pause } from "./names.ts";
import { parseRequest } from "./wire.ts";

export {
  type Answer,
  type Arrived,
  createBook,
  type Exchange,
  type Fault,
  type FaultProxy,
  type Seen,
} from "./book.ts";

const POLL_MS = 5;

/** Headers that belong to one connection, or that `fetch` writes itself. */
const OWN_HEADERS = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "keep-alive",
  "accept-encoding",
]);

async function readRequest(request: IncomingMessage): Promise<Arrived> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === "string" && !OWN_HEADERS.has(name)) headers[name] = value;
  }
  return { path: request.url ?? "/", headers, body, answers: [], ...parseRequest(body) };
}

export async function listen(server: Server | TcpServer, port: number): Promise<number> {
  for (;;) {
    server.listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
      return (server.address() as AddressInfo).port;
    } catch (error) {
      // Somebody's outgoing connection may sit on our port for a moment while we are away.
      if (port === 0) throw error;
      await pause(POLL_MS);
    }
  }
}

/** An HTTP proxy between SDK and gateway. */
export async function startProxy(target: string): Promise<FaultProxy> {
  const { meet, told } = createBook((copy) => forwardTo(target, copy));

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    await meet(request, {
      forward: (headers) => forwardTo(target, request, headers),
      answer: ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      answerHalf({ status, headers, body }) {
        response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
        response.write(body.slice(0, body.length / 2), () => response.destroy());
      },
      cut: () => response.destroy(),
      async away(ms) {
        server.close();
        server.closeAllConnections();
        await pause(ms);
        if (!closed) await listen(server, port);
      },
    });
  }

  let closed = false;
  // A caller who is gone, or a gateway that is: what an exchange ends with is for the test to judge.
  const server = createServer((incoming, response) => {
    response.on("error", () => {});
    handle(incoming, response).catch(() => response.destroy());
  });
  const port = await listen(server, 0);

  const proxy: FaultProxy = {
    ...told,
    url: `http://127.0.0.1:${port}`,
    async close() {
      closed = true;
      server.close();
      server.closeAllConnections();
    },
    [Symbol.asyncDispose]: () => proxy.close(),
  };
  return proxy;
}
