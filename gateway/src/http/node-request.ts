import type { IncomingMessage, ServerResponse } from "node:http";
import { isBodiless } from "leasehold-engine/rest";
import type { Hold } from "../shared/budget.ts";
import { BodyMissing, BodyTooLarge } from "../shared/error-answers.ts";
import type { Arrivals } from "./arrivals.ts";
import { createCollector } from "./body-collector.ts";
import type { HttpRequest } from "./message.ts";

const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i;

/** The path and the query of a target. Clients send whole URLs to proxies, and may do so here. */
const pathIn = (target: string): string => (target.startsWith("/") ? target : target.replace(ORIGIN, "") || "/");

/** Reads a body to its end, or until it is too large; the rest is left to Node, which drops it. */
function bodyOf(request: IncomingMessage, response: ServerResponse, limit: number, room: Hold): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const collector = createCollector(limit, room);
    function take(chunk: Buffer): void {
      try {
        collector.add(chunk);
      } catch (error) {
        stop();
        request.resume();
        reject(error);
      }
    }
    function end(): void {
      stop();
      resolve(collector.whole());
    }
    // A body is cut off by the end of its connection, or by an answer that says so.
    function cut(): void {
      stop();
      reject(new BodyMissing());
    }
    function stop(): void {
      request.off("data", take).off("end", end).off("close", cut);
      response.off("close", cut);
    }
    request.on("data", take).on("end", end).on("close", cut);
    // An error of a request is the end of its connection.
    request.on("error", () => {});
    response.on("close", cut);
  });
}

/**
 * A request of Node's server.
 *
 * @param arrivals the requests of its connection
 * @param wanted called when the body is requested, so that a client that waits for `100 Continue` sends it
 */
export function requestOf(
  request: IncomingMessage,
  response: ServerResponse,
  arrivals: Arrivals,
  wanted: () => void,
): HttpRequest {
  const number = arrivals.next();
  const { method = "", headers } = request;
  return {
    method,
    target: pathIn(request.url ?? ""),
    header(name) {
      const value = headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    async body(limit, room) {
      if (Number(headers["content-length"]) > limit) throw new BodyTooLarge(limit);
      if (isBodiless(method)) return Buffer.alloc(0);
      wanted();
      return bodyOf(request, response, limit, room);
    },
    whenUnwanted: (listener) => arrivals.whenUnwanted(number, listener),
  };
}
