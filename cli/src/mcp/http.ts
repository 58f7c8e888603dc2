import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpServer,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { isToken } from "../ui/access.ts";

export interface HttpServing {
  /** The address of the endpoint. */
  readonly url: string;
  close(): Promise<void>;
}

const PATH = "/mcp";
const MAX_BODY_BYTES = 64 * 1024;

/** The web-standard request of Node's, which is aborted when the client disconnects. */
function requestOf(incoming: IncomingMessage, response: ServerResponse): Request {
  const { method = "GET", url = "/", headers, rawHeaders } = incoming;
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const names = rawHeaders.filter((_, at) => at % 2 === 0);
  const values = rawHeaders.filter((_, at) => at % 2 === 1);
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(new URL(url, `http://${headers.host ?? "localhost"}`), {
    method,
    headers: names.map((name, at): [string, string] => [name, values[at] ?? ""]),
    signal: gone.signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: "half" }),
  } as RequestInit);
}

/** Why a request is refused before the protocol sees it; undefined if it is not. */
function refusalOf(request: Request, token: string): Response | undefined {
  const { pathname } = new URL(request.url);
  if (pathname !== PATH) return new Response(`not found: the endpoint is ${PATH}`, { status: 404 });
  // A page of another site must not reach it, nor one whose host name points here.
  const foreign =
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins());
  if (foreign) return foreign;
  const [, given = ""] = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (isToken(given, token)) return undefined;
  return new Response("send the header: Authorization: Bearer TOKEN", {
    status: 401,
    headers: { "www-authenticate": "Bearer" },
  });
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) response.end();
  else await pipeline(Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]), response);
}

/**
 * Serves streamable HTTP on 127.0.0.1.
 *
 * @throws an error of the system, with its `code`, if the port cannot be used.
 */
export async function serveHttp(make: () => McpServer, port: number, token: string): Promise<HttpServing> {
  const handler = createMcpHandler(make, { maxRequestBodySize: MAX_BODY_BYTES });
  const server = createServer((incoming, response) => {
    (async () => {
      const request = requestOf(incoming, response);
      await send(refusalOf(request, token) ?? (await handler.fetch(request)), response);
    })().catch(() => {
      if (response.headersSent || response.destroyed) response.destroy();
      else response.writeHead(400).end();
    });
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    async close() {
      await handler.close();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
