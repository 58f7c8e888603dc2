import type { Command } from "./backend.ts";

const head = (command: Command): string => `*${command.length}\r\n`;

function asText(command: Command): string {
  let text = head(command);
  for (const part of command) text += `$${Buffer.byteLength(part)}\r\n${part}\r\n`;
  return text;
}

function asBytes(command: Command): Buffer {
  const parts = command.flatMap((part) => [Buffer.from(`$${Buffer.byteLength(part)}\r\n`), Buffer.from(part), CRLF]);
  return Buffer.concat([Buffer.from(head(command)), ...parts]);
}

const CRLF = Buffer.from("\r\n");
const isText = (command: Command): boolean => command.every((part) => typeof part === "string");

/** Commands in Redis's wire format, as one piece: a string where all parts are strings, which is cheaper to write. */
export function encodeCommands(commands: readonly Command[]): string | Buffer {
  if (commands.every(isText)) return commands.map(asText).join("");
  return Buffer.concat(commands.map(asBytes));
}
