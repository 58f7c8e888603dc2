import type { Command } from "./backend.ts";

const marked = new WeakSet<Command>();

/**
 * Marks a command whose reply is wanted as the bytes that Redis sends: a parsed reply no longer tells a status from a
 * string, nor one null from the other. An error stays an `Error`.
 */
export function asRaw(command: Command): Command {
  marked.add(command);
  return command;
}

export const isRaw = (command: Command): boolean => marked.has(command);
