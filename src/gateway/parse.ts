import { isUtf8 } from "node:buffer";
import type { Command } from "./backend.ts";
import { BadRequest, PipelineTooLong } from "./errors.ts";

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

// TypeScript's library does not know the third parameter yet, which holds a number as it was written.
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown;

/**
 * Numbers that are no whole ones, or larger than 2^53 (2^53 + 1, 1e400, 1.10), are kept in the caller's own spelling. The others are
 * written as JavaScript writes them: 1.0 and 1e3 become 1 and 1000.
 */
const keepNumbers: Reviver = (_key, value, { source }) =>
  typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined ? source : value;

const isExact = (value: unknown): boolean => typeof value !== "number" || Number.isSafeInteger(value);

/** What a body is, in errors. */
export type What = "command" | "pipeline request" | "transaction";

export const NOT_SCALAR = "command arguments must be strings, numbers, booleans or null";

/** Some editors begin a file with this mark. */
const BOM = "\ufeff";

export function json(body: Buffer, what: What): unknown {
  if (!isUtf8(body)) throw new BadRequest(`failed to parse ${what}: the body is not valid UTF-8`);
  const whole = body.toString();
  const text = whole.startsWith(BOM) ? whole.slice(BOM.length) : whole;
  try {
    const value: unknown = JSON.parse(text);
    const exact =
      Array.isArray(value) && value.every((item) => (Array.isArray(item) ? item.every(isExact) : isExact(item)));
    return exact ? value : parseWithSource(text, keepNumbers);
  } catch {
    throw new BadRequest(`failed to parse ${what}: the body is not valid JSON`);
  }
}

/** A lone surrogate would go out as U+FFFD, and two keys become one. */
function wellFormed(text: string): string {
  // TypeScript's library knows it from ES2024 on, Node 20 has it.
  if ((text as string & { isWellFormed(): boolean }).isWellFormed()) return text;
  throw new BadRequest("command arguments must be well-formed text: a surrogate has to be one of a pair");
}

export function argument(value: unknown): string {
  if (typeof value === "string") return wellFormed(value);
  // `null` is what @upstash/redis writes for it as well.
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

/** The body of `POST /`: a JSON array that is one command. */
export function parseCommand(body: Buffer): Command {
  return command(json(body, "command"), "command");
}

/**
 * The body of `POST /pipeline` and `POST /multi-exec`: a JSON array of commands. All are checked before any is sent.
 *
 * @throws {PipelineTooLong} for more than `most` of them, those that would be refused included
 */
export function parseCommands(body: Buffer, what: What, most: number): Command[] {
  const list = json(body, what);
  if (!Array.isArray(list)) throw new BadRequest(`failed to parse ${what}: the body is not a JSON array of commands`);
  if (list.length === 0) throw new BadRequest(`empty ${what}`);
  if (list.length > most) throw new PipelineTooLong(most);
  return list.map((item) => command(item, what));
}
