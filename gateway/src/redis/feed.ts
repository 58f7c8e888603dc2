import type { Duplex } from "node:stream";
import { NoAnswer, NotSent } from "../shared/error-answers.ts";
import { within } from "../shared/time-limit.ts";
import { readInTurns } from "../shared/turns.ts";
import type { Command, Connection } from "./backend.ts";
import { encodeCommands } from "./command-encoding.ts";
import { createReplyReader } from "./reply-reader.ts";

/** The receiver of a feed. */
export interface Listener {
  /** Called with each complete reply that is not an error, as bytes. */
  onReply(reply: Buffer): void;
  /** Called once, when more than `maxPending` bytes of an incomplete reply have arrived; no reply follows. */
  onTooLarge(): void;
  /** Called when the connection has ended, whichever side ended it. */
  onEnd(): void;
}

/** A connection on which Redis keeps sending after one command. */
export interface Feed {
  /** Sends a command that Redis accepts in this state; the listener receives the reply. */
  send(command: Command): void;
  /** Whether anything has arrived since the last call. */
  isAlive(): boolean;
  close(): void;
}

/** What has arrived on a feed. */
interface Heard {
  /** The first reply, once it has arrived. */
  first: Buffer | Error | undefined;
  /** Resolves with the first reply, or with the end of the connection. */
  readonly settled: Promise<void>;
  /** Whether anything has arrived since this was last set to false. */
  isAny: boolean;
}

/** Takes over what arrives on a connection. */
function listenTo(socket: Duplex, listener: Listener, maxPending: number): Heard {
  /** The bytes of the current reply so far. */
  let pending = 0;
  let settle = (): void => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const heard: Heard = { first: undefined, settled, isAny: false };
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
      heard.first ??= reply;
      if (Buffer.isBuffer(reply)) listener.onReply(reply);
      settle();
    },
    broken: () => socket.destroy(),
  });
  socket.removeAllListeners("data");
  readInTurns(socket, (chunk) => {
    heard.isAny = true;
    read(chunk);
    if (pending <= maxPending) return;
    socket.removeAllListeners("data");
    listener.onTooLarge();
  });
  socket.once("close", () => {
    settle();
    listener.onEnd();
  });
  return heard;
}

/**
 * Sends a command after which a connection receives unsolicited data, and passes all replies to the listener, including
 * those to the command. The connection has logged in; its replies are read here from then on.
 *
 * @returns the feed once its first reply has arrived, or the error with which Redis refused the command
 * @throws {NotSent} if the connection does not open
 * @throws {NoAnswer} if the command was sent and there was no reply
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
  const heard = listenTo(socket, listener, limits.maxPending);
  socket.write(encodeCommands([command]));
  await within(limits.withinMs, heard.settled);
  const { first } = heard;
  if (!Buffer.isBuffer(first)) connection.close();
  if (first === undefined) throw new NoAnswer();
  if (first instanceof Error) return first;
  return {
    send(next) {
      if (socket.writable) socket.write(encodeCommands([next]));
    },
    isAlive() {
      const answer = heard.isAny;
      heard.isAny = false;
      return answer;
    },
    close: () => connection.close(),
  };
}
