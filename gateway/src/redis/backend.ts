import type { Duplex } from "node:stream";
import type { Hold } from "../shared/budget.ts";
import { type Receiver, received } from "../shared/receiver.ts";
import { LongList } from "./long-list.ts";

/** One Redis command: its name, then its arguments. Strings go out as UTF-8, buffers as they are. */
export type Command = readonly [name: string | Buffer, ...args: (string | Buffer)[]];

/**
 * One reply of Redis in its RESP2 shape: a string is a `Buffer`, an integer is its decimal text (a JavaScript number
 * would corrupt those beyond 2^53), an error is an `Error` with Redis's own text as its message.
 */
export type Reply = Buffer | string | null | Error | readonly Reply[] | LongList<Reply>;

/** Whether a reply is an array, of whatever length. */
export const isArray = (reply: Reply | undefined): reply is readonly Reply[] | LongList<Reply> =>
  Array.isArray(reply) || reply instanceof LongList;

/** The items of a reply that is an array; none for any other. */
export function elementsOf(reply: Reply | undefined): readonly Reply[] {
  if (reply instanceof LongList) return [...reply];
  return Array.isArray(reply) ? reply : [];
}

/** The text of a reply that is a string; empty for any other. */
export const textOf = (reply: Reply | undefined): string => (Buffer.isBuffer(reply) ? reply.toString() : "");

/**
 * Whether a reply says that Redis does not know a script by its SHA-1. Clients ask by it first, and send the text then;
 * so this is no failure.
 */
export const isScriptMiss = (reply: Reply): boolean => reply instanceof Error && reply.message.startsWith("NOSCRIPT");

/** What a caller wants of the replies to its commands. */
export interface Wanted {
  /** Counts the bytes of the replies as they arrive. */
  readonly room?: Hold | undefined;
  /**
   * Values by default. Or the bytes that Redis sends, since a value no longer tells a status from a string, nor one null
   * from the other; an error is an `Error` all the same.
   */
  readonly form?: "values" | "bytes";
}

/** One connection to one server. Commands go out at once, in one piece, or not at all. */
export interface Connection {
  /** Resolves when the first attempt to open it has ended, well or not. */
  readonly opened: Promise<void>;
  /** True while commands can be sent. */
  readonly isReady: boolean;
  /**
   * Sends commands and returns their replies in the same order. It fails with {@link NotSent} when the connection is
   * not ready, with {@link NoAnswer} when it was lost before all answers had arrived or `withinMs` has passed, and with
   * {@link ReplyTooLarge} when there is no room for the replies.
   *
   * @param withinMs how long the answers may take, in ms
   */
  send(commands: readonly Command[], to: Receiver<readonly Reply[]>, withinMs: number, wanted?: Wanted): void;
  /** The socket, for a caller who has the connection alone. */
  readonly socket: Duplex;
  /** Ends it at once; commands in flight fail with {@link NoAnswer}. */
  close(): void;
}

/** The Redis client that the protocol needs. Commands are sent once or not at all: never queued, never retried. */
export interface Backend {
  /** Resolves when the first attempt to reach Redis has ended, well or not. */
  readonly opened: Promise<void>;
  /** True while commands can be sent; for a cluster, to every slot. */
  readonly isReady: boolean;
  /**
   * Runs commands one after the other and returns their replies in the same order; a failed command has an `Error` in
   * its place. It fails with {@link NotSent} when none of them was sent, with {@link NoAnswer} when they were sent and
   * an answer is missing, so that they may have run, and with {@link ReplyTooLarge} when there is no room for the
   * replies.
   */
  send(commands: readonly Command[], to: Receiver<readonly Reply[]>, wanted?: Wanted): void;
  /**
   * Runs commands as one transaction; returns their replies as values, or the `Error` with which Redis discarded it.
   * Fails as `send` does.
   */
  transact(commands: readonly Command[], room?: Hold): Promise<readonly Reply[] | Error>;
  /**
   * Opens a new connection for one caller alone, who must close it: for a command that makes a connection receive
   * without asking. A lost connection stays lost. An `Error` is the answer to a caller who may not run the command.
   *
   * @throws {NotSent} when Redis is not reachable
   */
  dial(command: Command): Connection | Error;
  /**
   * The backend of the one server that has a key, or would have it; `undefined` while that is not known. It ends with
   * its server's part in this.
   */
  at(key: string): Backend | undefined;
  /** The error that `dial` would return to this caller for want of permission; absent where everybody may dial. */
  readonly dialRefusal?: (command: Command) => Error;
  /** Ends the connection at once; commands in flight fail with {@link NoAnswer}. */
  close(): void;
}

/** A backend of one server. */
export interface ServerBackend extends Backend {
  /** Runs commands as {@link Backend.send} does, with its own time limit in ms. */
  send(commands: readonly Command[], to: Receiver<readonly Reply[]>, wanted?: Wanted, withinMs?: number): void;
}

/** A promise of the replies to commands. @throws as {@link ServerBackend.send} fails */
export const repliesOf = (
  backend: Pick<ServerBackend, "send">,
  commands: readonly Command[],
  wanted?: Wanted,
  withinMs?: number,
): Promise<readonly Reply[]> => received((to) => backend.send(commands, to, wanted, withinMs));

/**
 * Sends the commands that have no reply yet, and puts the replies of the others in their places.
 *
 * @param known the reply to each command that is not sent, such as the error of a refused one; `undefined` for the others
 */
export function sendOthers(
  commands: readonly Command[],
  known: readonly (Reply | undefined)[],
  send: (others: readonly Command[]) => Promise<readonly Reply[]>,
): Promise<readonly Reply[]> {
  // Most requests are sent whole. The backend's own promise is enough for them.
  if (known.every((reply) => reply === undefined)) return send(commands);
  const others = commands.filter((_, at) => known[at] === undefined);
  const sent = others.length === 0 ? Promise.resolve([]) : send(others);
  return sent.then((replies) => {
    const rest = replies.values();
    return known.map((reply): Reply => (reply === undefined ? (rest.next().value ?? null) : reply));
  });
}

/** An observer of how requests to a backend end. */
export interface Outcomes {
  /** Whether the next answer is news, since Redis was not there. */
  readonly isMissing: boolean;
  /** Called for an answer while it {@link Outcomes.isMissing}. */
  answered(): void;
  failed(error: unknown): void;
}

/** Overrides some methods of a backend; everything else, getters included, is forwarded. */
export function overridden<B extends Backend>(
  backend: B,
  methods: Partial<Pick<Backend, "send" | "transact" | "dial" | "dialRefusal">>,
): B {
  return Object.assign(Object.create(backend) as B, methods);
}
