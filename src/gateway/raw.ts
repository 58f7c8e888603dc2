import type { Duplex } from "node:stream";
import type { Command, Reply } from "./backend.ts";
import { cut } from "./frames.ts";

const marked = new WeakSet<Command>();

/**
 * Marks a command whose reply is wanted as the bytes that Redis sends: what a client library makes of them no longer tells a status
 * from a string, nor one null from the other. An error stays an `Error`.
 */
export function asRaw(command: Command): Command {
  marked.add(command);
  return command;
}

export const isRaw = (command: Command): boolean => marked.has(command);

/** Takes down what arrives on a connection from now on; `stop` gives it. Nobody else may use the connection meanwhile. */
export function record(socket: Duplex): { stop(): Buffer } {
  const chunks: Buffer[] = [];
  const take = (chunk: Buffer): void => void chunks.push(chunk);
  socket.on("data", take);
  return {
    stop() {
      socket.off("data", take);
      return Buffer.concat(chunks);
    },
  };
}

/** The replies, those to marked commands as their part of the bytes. */
export function withRaw(commands: readonly Command[], replies: readonly Reply[], bytes: Buffer): readonly Reply[] {
  const parts = cut(bytes).replies;
  return replies.map((reply, at) => {
    const command = commands[at];
    const isWanted = command !== undefined && isRaw(command) && !(reply instanceof Error);
    return isWanted ? (parts[at] ?? null) : reply;
  });
}
