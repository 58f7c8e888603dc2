import { NoAnswer, NotSent } from "../shared/errors.ts";
import { within } from "../shared/time-limit.ts";
import { readInTurns } from "../shared/turns.ts";
import type { Command, Connection } from "./backend.ts";
import { encodeCommands } from "./command-encoding.ts";
import { createReplyReader } from "./reply-reader.ts";

/** The receiver of a feed. */
interface Listener {
  /** Called with each whole reply that is no error, as bytes. */
  onReply(reply: Buffer): void;
  /** Called once, when more than `maxPending` bytes of an incomplete reply have arrived; no reply follows. */
  onTooLarge(): void;
  /** Called when the connection is gone, whoever ended it. */
  onEnd(): void;
}

/** A connection on which Redis goes on sending after one command. */
export interface Feed {
  /** Sends a command that Redis takes meanwhile; the answer goes to the listener. */
  send(command: Command): void;
  /** Whether anything has arrived since the last call. */
  isAlive(): boolean;
  close(): void;
}

/**
 * Sends a command that makes a connection receive without asking, and hands all replies to the listener, those to the
 * command included. The connection has logged in; from then on its replies are read here.
 *
 * @returns the feed once its first reply is there, or the error with which Redis refused the command
 * @throws {NotSent} when the connection does not open
 * @throws {NoAnswer} when the command was sent and no answer came
 */
export async function openFeed(
  connection: Connection,
  command: Command,
  listener: Listener,
  limits: { readonly withinMs: number; readonly maxPending: number },
): Promise<Feed | Error> {
  await within(limits.withinMs, connection.opened);
  if (!connection.isReady) {
    connection.close();
    throw new NotSent();
  }
  const { socket } = connection;
  /** The bytes of the present reply so far. */
  let pending = 0;
  let first: Buffer | Error | undefined;
  let hasHeard = false;
  let settle = (): void => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });

  const read = createReplyReader({
    begin() {
      pending = 0;
      return "bytes";
    },
    room(bytes) {
      pending += bytes;
      return true;
    },
    take(reply) {
      pending = 0;
      if (!Buffer.isBuffer(reply) && !(reply instanceof Error)) return;
      first ??= reply;
      if (Buffer.isBuffer(reply)) listener.onReply(reply);
      settle();
    },
    broken: () => socket.destroy(),
  });

  socket.removeAllListeners("data");
  readInTurns(socket, (chunk) => {
    hasHeard = true;
    read(chunk);
    if (pending <= limits.maxPending) return;
    socket.removeAllListeners("data");
    listener.onTooLarge();
  });
  socket.once("close", () => {
    settle();
    listener.onEnd();
  });
  socket.write(encodeCommands([command]));
  await within(limits.withinMs, settled);

  if (!Buffer.isBuffer(first)) connection.close();
  if (first === undefined) throw new NoAnswer();
  if (first instanceof Error) return first;
  return {
    send(next) {
      if (socket.writable) socket.write(encodeCommands([next]));
    },
    isAlive() {
      const answer = hasHeard;
      hasHeard = false;
      return answer;
    },
    close: () => connection.close(),
  };
}
