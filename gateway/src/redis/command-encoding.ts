import { createTurns } from "../shared/turns.ts";
import type { Command } from "./backend.ts";

const head = (command: Command): string => `*${command.length}\r\n`;

/** The lines for short lengths, which are slow to format. */
const LENGTHS: readonly string[] = Array.from({ length: 256 }, (_, length) => `$${length}\r\n`);
const lengthLine = (length: number): string => LENGTHS[length] ?? `$${length}\r\n`;

function asText(parts: readonly (string | Buffer)[]): string {
  let text = "";
  for (const part of parts) text += `${lengthLine(Buffer.byteLength(part)) + part}\r\n`;
  return text;
}

function asBytes(command: Command): Buffer {
  const parts = command.flatMap((part) => [Buffer.from(`$${Buffer.byteLength(part)}\r\n`), Buffer.from(part), CRLF]);
  return Buffer.concat([Buffer.from(head(command)), ...parts]);
}

const CRLF = Buffer.from("\r\n");
const isText = (command: Command): boolean => command.every((part) => typeof part === "string");

const ahead = new WeakMap<Command, Buffer>();
const MANY = 1_000;

/**
 * Encodes large commands of strings before they are sent, in slices, so that other requests need not wait for all of
 * it.
 */
export async function writeAhead(commands: readonly Command[]): Promise<void> {
  const turn = createTurns();
  for (const command of commands) {
    const bits = [Buffer.from(head(command))];
    for (let at = 0; at < command.length; at += MANY) {
      bits.push(Buffer.from(asText(command.slice(at, at + MANY))));
      await turn();
    }
    ahead.set(command, Buffer.concat(bits));
  }
}

/** Texts in the wire format if all of them are ASCII; otherwise `undefined`, since lengths count bytes. */
function asAscii(commands: readonly Command[]): string | undefined {
  let text = "";
  for (const command of commands) {
    text += head(command);
    for (const part of command) {
      if (typeof part !== "string") return undefined;
      text += `${lengthLine(part.length) + part}\r\n`;
    }
  }
  // Tested once for all of them: testing each text would take longer than joining them.
  return Buffer.byteLength(text) === text.length ? text : undefined;
}

const isAhead = (command: Command | undefined): boolean => command !== undefined && ahead.has(command);

/**
 * Encodes commands in Redis's wire format as one piece; as a string if all parts are strings, since that is cheaper to
 * write.
 */
export function encodeCommands(commands: readonly Command[]): string | Buffer {
  // The commands of one body are all encoded ahead, or none is; at most MULTI and ASKING come before them.
  if (isAhead(commands[0]) || isAhead(commands[1]) || isAhead(commands[2]))
    return Buffer.concat(commands.map((command) => ahead.get(command) ?? asBytes(command)));
  const ascii = asAscii(commands);
  if (ascii !== undefined) return ascii;
  if (commands.every(isText)) return commands.map((command) => head(command) + asText(command)).join("");
  return Buffer.concat(commands.map(asBytes));
}
