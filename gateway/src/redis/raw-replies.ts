import type { Duplex } from "node:stream";
import type { Hold } from "../shared/budget.ts";
import type { Command, Reply } from "./backend.ts";
import { cut } from "./resp.ts";

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

/** What arrives on a connection. */
export interface Recording {
  /** Whether it was ended, since there was no room. */
  readonly isOver: boolean;
  stop(): Buffer;
}

/**
 * Takes down what arrives on a connection from now on; `stop` gives it. Nobody else may use the connection meanwhile. When `room` has
 * none for it, the connection is ended.
 */
export function record(socket: Duplex, room: Hold | undefined): Recording {
  const chunks: Buffer[] = [];
  let isOver = false;
  const take = (chunk: Buffer): void => {
    if (isOver) return;
    if (room?.take(chunk.length) !== false) {
      chunks.push(chunk);
      return;
    }
    isOver = true;
    chunks.length = 0;
    socket.destroy();
  };
  socket.on("data", take);
  return {
    get isOver() {
      return isOver;
    },
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
