import type { Duplex } from "node:stream";
import type { Hold } from "../shared/budget.ts";
import type { Command, Reply } from "./backend.ts";
import { cut } from "./resp.ts";

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

/** A recording of the bytes that arrive on a connection. */
export interface Recording {
  /** Whether it was ended because there was no room. */
  readonly isOver: boolean;
  stop(): Buffer;
}

/**
 * Records the bytes that arrive on a connection until `stop`, which returns them. Nobody else may use the connection
 * meanwhile. When `room` is full, the connection is ended.
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

/** The replies, with the recorded bytes in place of those to marked commands. */
export function withRaw(commands: readonly Command[], replies: readonly Reply[], bytes: Buffer): readonly Reply[] {
  const parts = cut(bytes).replies;
  return replies.map((reply, at) => {
    const command = commands[at];
    const isWanted = command !== undefined && isRaw(command) && !(reply instanceof Error);
    return isWanted ? (parts[at] ?? null) : reply;
  });
}
