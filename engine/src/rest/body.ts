import { keepNumbers } from "./json-numbers.ts";
import { BadRequest, PipelineTooLong } from "./rest-error.ts";

/** The word for a body in errors. */
export type What = "command" | "pipeline request" | "transaction";

export const NOT_SCALAR = "command arguments must be strings, numbers, booleans or null";

const isNumber = (value: unknown): boolean => typeof value === "number";

/** Whether a body has numbers where a command or a list of commands may have them. */
const hasNumbers = (value: unknown): boolean =>
  Array.isArray(value) && value.some((item) => (Array.isArray(item) ? item.some(isNumber) : isNumber(item)));

/** It removes the mark with which some editors begin a file. The types of Workers require its default. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

function textIn(body: Uint8Array, what: What): string {
  try {
    return decoder.decode(body);
  } catch {
    throw new BadRequest(`failed to parse ${what}: the body is not valid UTF-8`);
  }
}

/**
 * Parses a body as JSON. A number that JavaScript would change becomes a string, unchanged.
 *
 * @throws {BadRequest}
 */
export function json(body: string | Uint8Array, what: What): unknown {
  const text = typeof body === "string" ? body : textIn(body, what);
  try {
    const value: unknown = JSON.parse(text);
    if (!hasNumbers(value)) return value;
    const precise = keepNumbers(text);
    return precise === text ? value : JSON.parse(precise);
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

/** A word of a command from its value in JSON. @throws {BadRequest} */
export function wordOf(value: unknown): string {
  if (typeof value === "string") return wellFormed(value);
  // @upstash/redis writes null in the same way.
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  throw new BadRequest(NOT_SCALAR);
}

/** A command: its name, then its arguments. */
export type TextCommand = [name: string, ...args: string[]];

export const isCommand = (words: string[]): words is TextCommand => words.length > 0;

function command(value: unknown, what: What): TextCommand {
  if (!Array.isArray(value)) throw new BadRequest(`failed to parse ${what}: a command is a JSON array`);
  const words: string[] = value.map(wordOf);
  if (!isCommand(words)) throw new BadRequest("empty command");
  return words;
}

/** Parses the body of `POST /`: a JSON array that is one command. @throws {BadRequest} */
export const parseCommand = (body: string | Uint8Array): TextCommand => command(json(body, "command"), "command");

/**
 * Parses the body of `POST /pipeline` and `POST /multi-exec`: a JSON array of commands. All are checked before any is
 * run.
 *
 * @throws {BadRequest}
 * @throws {PipelineTooLong} for more than `max` commands, including refused ones
 */
export function parseCommands(body: string | Uint8Array, what: What, max: number): TextCommand[] {
  const list = json(body, what);
  if (!Array.isArray(list)) throw new BadRequest(`failed to parse ${what}: the body is not a JSON array of commands`);
  if (list.length === 0) throw new BadRequest(`empty ${what}`);
  if (list.length > max) throw new PipelineTooLong(max);
  return list.map((item) => command(item, what));
}
