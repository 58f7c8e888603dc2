import { isUtf8 } from "node:buffer";
import { decode, type HttpRequest, pathOf, queryPairs } from "../http/message.ts";
import type { Command } from "../redis/backend.ts";
import { factsOf } from "../redis/commands.ts";
import { BadRequest, PipelineTooLong } from "../shared/error-answers.ts";
import { keepNumbers } from "./json-numbers.ts";

/** The shape of a request: one command in the body, several, a transaction, one in the path, or a stream. */
export type Route = "command" | "pipeline" | "transaction" | "stream" | "path";

/** The routes of paths with one segment; a trailing slash changes nothing. */
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
 * The format that a request selects by `Upstash-Response-Format` (json or resp2) and `Upstash-Encoding` (base64;
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
 * The format of a transaction, which is answered in JSON only; otherwise like {@link formatOf}.
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

const isNumber = (value: unknown): boolean => typeof value === "number";

/** Whether a body has numbers where a command or a list of commands may have them. */
const hasNumbers = (value: unknown): boolean =>
  Array.isArray(value) && value.some((item) => (Array.isArray(item) ? item.some(isNumber) : isNumber(item)));

/** The word for a body in errors. */
export type What = "command" | "pipeline request" | "transaction";

export const NOT_SCALAR = "command arguments must be strings, numbers, booleans or null";

const LARGE_BYTES = 64 * 1024;

/** Whether a body is so large that parsing it would delay other requests. */
export const isLarge = (body: Buffer): boolean => body.length > LARGE_BYTES;

/** The character that replaces bytes that are not UTF-8. */
const REPLACED = "\ufffd";
/** Some editors begin a file with this mark. */
const BOM = "\ufeff";

/** Parses a body as JSON. A number that JavaScript would change becomes a string, unchanged. */
export function json(body: Buffer, what: What): unknown {
  const whole = body.toString();
  if (whole.includes(REPLACED) && !isUtf8(body))
    throw new BadRequest(`failed to parse ${what}: the body is not valid UTF-8`);
  const text = whole.startsWith(BOM) ? whole.slice(BOM.length) : whole;
  try {
    const value: unknown = JSON.parse(text);
    if (!hasNumbers(value)) return value;
    const kept = keepNumbers(text);
    return kept === text ? value : JSON.parse(kept);
  } catch {
    throw new BadRequest(`failed to parse ${what}: the body is not valid JSON`);
  }
}

/** Rejects a lone surrogate, which would be sent as U+FFFD, so that two keys would become one. */
function wellFormed(text: string): string {
  // TypeScript's library declares it only from ES2024; Node 20 has it.
  if ((text as string & { isWellFormed(): boolean }).isWellFormed()) return text;
  throw new BadRequest("command arguments must be well-formed text: a surrogate has to be one of a pair");
}

export function argument(value: unknown): string {
  if (typeof value === "string") return wellFormed(value);
  // @upstash/redis writes null in the same way.
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  throw new BadRequest(NOT_SCALAR);
}

export const isCommand = (parts: readonly string[]): parts is [string, ...string[]] => parts.length > 0;

function command(value: unknown, what: What): Command {
  if (!Array.isArray(value)) throw new BadRequest(`failed to parse ${what}: a command is a JSON array`);
  const parts: string[] = value.map(argument);
  if (!isCommand(parts)) throw new BadRequest("empty command");
  return parts;
}

/** Parses the body of `POST /`: a JSON array that is one command. */
export function parseCommand(body: Buffer): Command {
  return command(json(body, "command"), "command");
}

/**
 * Parses the body of `POST /pipeline` and `POST /multi-exec`: a JSON array of commands. All are checked before any is
 * sent.
 *
 * @throws {PipelineTooLong} for more than `most` commands, including refused ones
 */
export function parseCommands(body: Buffer, what: What, most: number): Command[] {
  const list = json(body, what);
  if (!Array.isArray(list)) throw new BadRequest(`failed to parse ${what}: the body is not a JSON array of commands`);
  if (list.length === 0) throw new BadRequest(`empty ${what}`);
  if (list.length > most) throw new PipelineTooLong(most);
  return list.map((item) => command(item, what));
}
