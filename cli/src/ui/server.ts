import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Connection, ConnectionSource } from "../../../src/redis/connect.ts";
import { viewOf } from "../../../src/redis/group.ts";
import { targetOf } from "../../../src/redis/target.ts";
import { HEADERS, isOurs, isToken } from "./access.ts";
import { type Diagnose, makeDoctor } from "./doctor.ts";
import type { PageFiles } from "./page-files.ts";
import { makeWatcher, type Send, type Viewer } from "./watcher.ts";
import type { Hello, Look, ReleaseRequest } from "./wire.ts";

export interface UiOptions {
  readonly files: PageFiles;
  /** Default: a free one. */
  readonly port?: number | undefined;
  /** Whether the page may release names. Default false. */
  readonly allowRelease?: boolean | undefined;
  /** Examines the server. Without it there is no doctor. */
  readonly diagnose?: Diagnose | undefined;
  /** The minimum time between two requests to Redis, in ms. Default 1000. */
  readonly intervalMs?: number | undefined;
}

export interface Ui {
  /** The address, with its token. */
  readonly url: string;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 4096;
/** How long a page may leave sent data unread. */
const UNREAD_MS = 30_000;
const TYPES = { html: "text/html", css: "text/css", js: "text/javascript", svg: "image/svg+xml" } as const;

const typeOf = (name: string): string => `${TYPES[name.split(".")[1] as "js"]}; charset=utf-8`;

function answer(response: ServerResponse, status: number, type = "text/plain", body: string | object = ""): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { ...HEADERS, "content-type": type }).end(text);
}

/** Reads the JSON of a request; undefined if it is not an object or too long. */
async function bodyOf(request: IncomingMessage): Promise<object | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Read to its end even if it is too long, since an aborted request gets no answer.
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (bytes > MAX_BODY_BYTES) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString());
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a name and its optional group are valid in leasehold. */
function isName(connection: Connection, name: unknown, group: unknown): name is string {
  try {
    targetOf(viewOf(connection, group as string | undefined), "ui", [name as string]);
    return true;
  } catch {
    return false;
  }
}

/** Checks the fields of a look. */
function toLook(connection: Connection, body: object): Look | undefined {
  const { stream, name, search } = body as { readonly [K in keyof Look]: unknown };
  const target = name as Look["name"];
  if (typeof stream !== "string") return undefined;
  if (target !== undefined && !isName(connection, target?.name, target?.group)) return undefined;
  // Most typed texts are not names, and need not be.
  const exact = isName(connection, search, undefined) ? search : undefined;
  return { stream, ...(target && { name: target }), search: exact };
}

/** Checks the fields of a release. */
function toRelease(connection: Connection, body: object): ReleaseRequest | undefined {
  const { name, group, token, isOne } = body as { readonly [K in keyof ReleaseRequest]: unknown };
  if (!isName(connection, name, group) || !Number.isSafeInteger(token)) return undefined;
  return {
    name,
    token: token as number,
    isOne: isOne === true,
    ...(group !== undefined && { group: group as string }),
  };
}

/** The context of a request to the page's server. */
interface Desk {
  readonly connection: Connection;
  readonly watcher: ReturnType<typeof makeWatcher>;
  readonly doctor: ReturnType<typeof makeDoctor> | undefined;
  readonly viewers: Map<string, Viewer & { readonly send: Send }>;
  readonly files: PageFiles;
  readonly token: string;
  readonly allowRelease: boolean;
}

/** Sends events over a response. A page that does not read is disconnected, and reconnects by itself. */
function senderOver(response: ServerResponse): (event: string, message: object) => void {
  let fullSince: number | undefined;
  response.on("drain", () => {
    fullSince = undefined;
  });
  return (event, message) => {
    if (fullSince !== undefined && performance.now() - fullSince > UNREAD_MS) {
      response.destroy();
      return;
    }
    const hasRoom = response.write(`event: ${event}\ndata: ${JSON.stringify(message)}\n\n`);
    if (!hasRoom) fullSince ??= performance.now();
  };
}

/** Sends updates to a page until it disconnects. */
function stream({ connection, watcher, doctor, viewers, allowRelease }: Desk, response: ServerResponse): void {
  response.writeHead(200, { ...HEADERS, "content-type": "text/event-stream" });
  const id = randomBytes(9).toString("base64url");
  const send = senderOver(response);
  const { server, prefix } = connection;
  const hello: Hello = { stream: id, server, prefix, canRelease: allowRelease, canDiagnose: doctor !== undefined };
  send("hello", hello);
  const viewer = watcher.join(send);
  viewers.set(id, { ...viewer, send });
  const last = doctor?.last();
  if (last) send("doctor", last);
  response.on("close", () => {
    viewers.delete(id);
    viewer.leave();
  });
}

async function post(desk: Desk, path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { connection, watcher, doctor, viewers, allowRelease } = desk;
  if (path === "release" && !allowRelease) return answer(response, 403);
  if (path === "diagnose" && doctor) {
    doctor.begin();
    return answer(response, 204);
  }
  const body = await bodyOf(request);
  const look = path === "look" && body ? toLook(connection, body) : undefined;
  const wanted = path === "release" && body ? toRelease(connection, body) : undefined;
  if (look) {
    const viewer = viewers.get(look.stream);
    viewer?.look(look);
    answer(response, viewer ? 204 : 410);
  } else if (wanted) answer(response, 200, "application/json", await watcher.release(wanted));
  else answer(response, path === "look" || path === "release" ? 400 : 404);
}

async function handle(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { files, token } = desk;
  const { method = "", url = "/", headers } = request;
  if (!isOurs(method, headers)) return answer(response, 403);
  const [, candidate = "", path, ...more] = url.split("/");
  if (!isToken(candidate, token) || more.length > 0) return answer(response, 404);
  if (path === undefined) {
    // The page's addresses are relative to the address with the slash.
    response.writeHead(308, { ...HEADERS, location: `/${token}/` }).end();
    return;
  }
  if (method === "POST") return post(desk, path, request, response);
  if (method !== "GET") return answer(response, 405);
  if (path === "events") return stream(desk, response);
  const file = (path || "index.html") as keyof PageFiles;
  if (!Object.hasOwn(files, file)) return answer(response, 404);
  answer(response, 200, typeOf(file), files[file]);
}

/**
 * Serves the page on 127.0.0.1, under an address with a random token. It sends nothing to Redis while no page is open.
 */
export async function startUi(source: ConnectionSource, options: UiOptions): Promise<Ui> {
  const { files, port = 0, allowRelease = false, diagnose, intervalMs } = options;
  const watcher = makeWatcher(source, intervalMs);
  const { connection } = watcher;
  const token = randomBytes(24).toString("base64url");
  const viewers: Desk["viewers"] = new Map();
  const doctor =
    diagnose &&
    makeDoctor(diagnose, (last) => {
      for (const { send } of viewers.values()) send("doctor", last);
    });
  const desk: Desk = { connection, watcher, doctor, viewers, files, token, allowRelease };
  const server = createServer((request, response) => {
    handle(desk, request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else answer(response, 500);
    });
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${token}/`,
    async close() {
      doctor?.close();
      watcher.close();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
