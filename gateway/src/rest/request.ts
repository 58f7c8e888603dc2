import { decode, type HttpRequest, pathOf, queryPairs } from "../http/message.ts";
import type { Command } from "../redis/backend.ts";
import { factsOf } from "../redis/commands.ts";
import { BadRequest } from "../shared/error-answers.ts";

/** The shape of a request: one command in the body, several, a transaction, one in the path, or a stream. */
export type Route = "command" | "pipeline" | "transaction" | "stream" | "path";

/** The routes of paths with one segment; a slash at the end changes nothing. */
const ALONE: ReadonlyMap<string, Route> = new Map([
  ["", "command"],
  ["pipeline", "pipeline"],
  ["multi-exec", "transaction"],
]);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The route of a request, by its path. */
export function routeOf(target: string): Route {
  const path = pathOf(target);
  const slash = path.indexOf("/", 1);
  const first = slash === -1 ? path.slice(1) : path.slice(1, slash);
  const name = first.includes("%") ? decoded(first) : first;
  const isAlone = slash === -1 || slash === path.length - 1;
  return (isAlone && ALONE.get(name)) || (factsOf([name]).stream === undefined ? "path" : "stream");
}

/** The format of replies: JSON with strings as text or as base64, or the bytes that Redis sent. */
export type Format = "text" | "base64" | "resp2";

/**
 * The format that a request asks for by `Upstash-Response-Format` (json or resp2) and `Upstash-Encoding` (base64;
 * anything else is text).
 *
 * @throws {BadRequest} for another format, and for resp2 in base64
 */
export function formatOf(request: HttpRequest): Format {
  const isBase64 = request.header("upstash-encoding")?.toLowerCase() === "base64";
  const format = request.header("upstash-response-format")?.toLowerCase() ?? "json";
  if (format === "json") return isBase64 ? "base64" : "text";
  if (format !== "resp2") throw new BadRequest("the response format must be json or resp2");
  if (isBase64) throw new BadRequest("a response in resp2 cannot be in base64");
  return format;
}

/**
 * The format of a transaction, which is answered in JSON only; otherwise as {@link formatOf}.
 *
 * @throws {BadRequest}
 */
export function formatOfTransaction(request: HttpRequest): Format {
  const format = formatOf(request);
  if (format === "resp2") throw new BadRequest("a transaction is not answered in resp2");
  return format;
}

/**
 * The command of the path form: path segments, then the body if there is one, then the query parameters except
 * `_token`.
 */
export function parseTarget(target: string, body: Buffer): Command {
  const [, name = "", ...args] = pathOf(target).split("/").map(decode);
  const pairs = queryPairs(target).filter(([key]) => key !== "_token");
  return [name, ...args, ...(body.length > 0 ? [body] : []), ...pairs.flat()];
}
