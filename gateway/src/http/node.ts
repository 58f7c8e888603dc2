import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Hold } from "../shared/budget.ts";
import { BodyMissing, BodyTooLarge } from "../shared/errors.ts";
import { createCollector } from "./body-collector.ts";
import { type HttpRequest, type HttpResponse, isBodiless } from "./message.ts";

const NO_BODY = Buffer.alloc(0);
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i;

/** A client that waits for `100 Continue`. Unless `meet` tells it to go on, the connection ends with its answer. */
interface Expectation {
  meet(): void;
}

function expectationOf(incoming: IncomingMessage, outgoing: ServerResponse): Expectation | undefined {
  // Node answers all other expectations, and those in HTTP/1.0 are to be ignored.
  if (incoming.headers.expect === undefined || incoming.httpVersion === "1.0") return undefined;
  const { shouldKeepAlive } = outgoing;
  // The client may send the body all the same; it would be taken for the next request.
  outgoing.shouldKeepAlive = false;
  return {
    meet() {
      outgoing.shouldKeepAlive = shouldKeepAlive;
      outgoing.writeContinue();
    },
  };
}

function bodyOf(
  incoming: IncomingMessage,
  limit: number,
  room: Hold,
  expectation: Expectation | undefined,
): Promise<Buffer> {
  // Node reads and drops a body that is not read here, so that the client can read its answer.
  if (Number(incoming.headers["content-length"]) > limit) return Promise.reject(new BodyTooLarge(limit));
  if (isBodiless(incoming.method ?? "")) return Promise.resolve(NO_BODY);
  expectation?.meet();
  return new Promise((resolve, reject) => {
    const collector = createCollector(limit, room);
    let isWhole = false;
    incoming.on("data", (chunk: Buffer) => {
      try {
        collector.add(chunk);
      } catch (error) {
        reject(error);
      }
    });
    incoming.on("end", () => {
      isWhole = true;
      resolve(collector.whole());
    });
    // An incomplete body is the client's doing, not an error of the gateway.
    incoming.on("close", () => {
      if (!isWhole) reject(new BodyMissing());
    });
  });
}

/** A request of Node's HTTP server. A client that waits for `100 Continue` gets it when the body is asked for. */
export function fromNode(incoming: IncomingMessage, outgoing: ServerResponse): HttpRequest {
  const expectation = expectationOf(incoming, outgoing);
  const { method = "", url = "" } = incoming;
  return {
    method,
    // Clients send whole URLs to proxies, and may send them here.
    target: url.startsWith("/") ? url : url.replace(ORIGIN, "") || "/",
    header(name) {
      const value = incoming.headers[name];
      return typeof value === "string" ? value : undefined;
    },
    body: (limit, room) => bodyOf(incoming, limit, room, expectation),
  };
}

/** Writes a response with the id of its request. It never throws: a client that is gone needs no answer. */
export function respondTo(outgoing: ServerResponse, { status, headers, body, gone }: HttpResponse, id: string): void {
  const { socket } = outgoing.req;
  // Not every version of Node ends an answer that waits for earlier ones when the client goes.
  if (outgoing.destroyed || socket.destroyed) {
    gone?.();
    if (body instanceof ReadableStream) body.cancel().catch(() => {});
    return;
  }
  // A flat list is what Node writes fastest.
  const list = ["x-request-id", id];
  for (const name in headers) list.push(name, headers[name] ?? "");
  if (body === null) {
    outgoing.writeHead(status, list).end();
    return;
  }
  if (body instanceof ReadableStream) {
    outgoing.writeHead(status, list).flushHeaders();
    // A broken stream breaks the connection off, and a client that goes ends the stream.
    const events = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
    const leave = (): void => void events.destroy();
    socket.once("close", leave);
    pipeline(events, outgoing)
      .catch(() => {})
      .finally(() => socket.off("close", leave));
    return;
  }
  if (gone !== undefined) {
    socket.once("close", gone);
    outgoing.once("close", () => {
      socket.off("close", gone);
      gone();
    });
  }
  const length = Buffer.byteLength(body);
  list.push("content-length", String(length));
  outgoing.writeHead(status, list);
  // A text with one byte for each character can be written without encoding it.
  outgoing.end(body, length === body.length ? "latin1" : "utf8");
}
