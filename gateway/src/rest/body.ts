import { isUtf8 } from "node:buffer";
import type { Command } from "../redis/backend.ts";
import { BadRequest, PipelineTooLong } from "../shared/error-answers.ts";
import { keepNumbers } from "./json-numbers.ts";

const isNumber = (value: unknown): boolean => typeof value === "number";

/** Whether a body has numbers where a command or a list of commands may have them. */
const hasNumbers = (value: unknown): boolean =>
  Array.isArray(value) && value.some((item) => (Array.isArray(item) ? item.some(isNumber) : isNumber(item)));

/** The word for a body in errors. */
export type What = "command" | "pipeline request" | "transaction";

export const NOT_SCALAR = "command arguments must be strings, numbers, booleans or null";

const LARGE_BYTES = 64 * 1024;

/** Whether a body is so large that parsing it would keep others waiting. */
export const isLarge = (body: Buffer): boolean => body.length > LARGE_BYTES;

/** The character in place of bytes that are not UTF-8. */
const REPLACED = "\ufffd";
/** Some editors begin a file with this mark. */
const BOM = "\ufeff";

/** Parses a body as JSON. A number that JavaScript would change becomes a string, as it was written. */
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

/** Refuses a lone surrogate, which would go out as U+FFFD, so that two keys became one. */
function wellFormed(text: string): string {
  // TypeScript's library declares it from ES2024 on; Node 20 has it.
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
 * @throws {PipelineTooLong} for more than `most` commands, refused ones included
 */
export function parseCommands(body: Buffer, what: What, most: number): Command[] {
  const list = json(body, what);
  if (!Array.isArray(list)) throw new BadRequest(`failed to parse ${what}: the body is not a JSON array of commands`);
  if (list.length === 0) throw new BadRequest(`empty ${what}`);
  if (list.length > most) throw new PipelineTooLong(most);
  return list.map((item) => command(item, what));
}
