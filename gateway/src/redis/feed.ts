import type { Duplex } from "node:stream";
import { NoAnswer, NotSent } from "../shared/error-answers.ts";
import { within } from "../shared/time-limit.ts";
import { readInTurns } from "../shared/turns.ts";
import type { Command, Connection, Feed, FeedLimits, Listener, Reply } from "./backend.ts";
import { encodeCommands } from "./command-encoding.ts";
import { createReplyReader } from "./reply-reader.ts";

const PING: Command = ["PING"];
/** The memory of a message besides its bytes. */
const HEAD_BYTES = 1_024;

/** A feed on its own connection, which has logged in; its replies are read here. */
class ConnectionFeed implements Feed {
  readonly #connection: Connection;
  readonly #command: Command;
  /** The first reply, once it has arrived. */
  #first: Reply | undefined;
  /** Whether anything has arrived since this was last set to false. */
  #isHeard = false;

  constructor(connection: Connection, command: Command) {
    this.#connection = connection;
    this.#command = command;
  }

  async open(listener: Listener, { withinMs, maxPending }: FeedLimits): Promise<Error | undefined> {
    const connection = this.#connection;
    await within(withinMs, connection.opened);
    if (!connection.isReady) {
      connection.close();
      throw new NotSent();
    }
    const settled = this.#listen(connection.socket, listener, maxPending);
    this.#send(this.#command);
    await within(withinMs, settled);
    const first = this.#first;
    if (first === undefined || first instanceof Error) connection.close();
    if (first === undefined) throw new NoAnswer();
    return first instanceof Error ? first : undefined;
  }

  ping(): void {
    this.#send(PING);
  }

  isAlive(): boolean {
    const isHeard = this.#isHeard;
    this.#isHeard = false;
    return isHeard;
  }

  close(): void {
    this.#connection.close();
  }

  #send(command: Command): void {
    const { socket } = this.#connection;
    if (socket.writable) socket.write(encodeCommands([command]));
  }

  /** Takes over what arrives. Resolves with the first reply, or with the end of the connection. */
  #listen(socket: Duplex, listener: Listener, maxPending: number): Promise<void> {
    /** The memory of the current reply so far. */
    let pending = 0;
    let isTooLarge = false;
    return new Promise((settle) => {
      const read = createReplyReader({
        begin() {
          pending = 0;
          return "value";
        },
        room(bytes) {
          pending += bytes;
          isTooLarge ||= pending > maxPending + HEAD_BYTES;
          return !isTooLarge;
        },
        take: (reply) => {
          if (reply === undefined) return;
          this.#first ??= reply;
          if (!(reply instanceof Error)) listener.onReply(reply);
          settle();
        },
        broken: () => socket.destroy(),
      });
      socket.removeAllListeners("data");
      readInTurns(socket, (chunk) => {
        this.#isHeard = true;
        read(chunk);
        if (!isTooLarge) return;
        socket.removeAllListeners("data");
        listener.onTooLarge();
      });
      socket.once("close", () => {
        settle();
        listener.onEnd();
      });
    });
  }
}

export const createFeed = (connection: Connection, command: Command): Feed => new ConnectionFeed(connection, command);
