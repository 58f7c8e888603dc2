import type { Duplex } from "node:stream";
import type { Hold } from "../shared/budget.ts";
import { type Receiver, received } from "../shared/receiver.ts";
import { LongList } from "./long-list.ts";

/** One Redis command: its name, then its arguments. Strings are sent as UTF-8, buffers unchanged. */
export type Command = readonly [name: string | Buffer, ...args: (string | Buffer)[]];

/**
 * One reply of Redis in its RESP2 shape: a string is a `Buffer`, an integer is its decimal text (a JavaScript number
 * would corrupt those beyond 2^53), an error is an `Error` with Redis's own text as its message.
 */
export type Reply = Buffer | string | null | Error | readonly Reply[] | LongList<Reply>;

/** Whether a reply is an array of any length. */
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
 * Whether a reply says that Redis does not know a script by its SHA-1. Clients then send the text, so this is not a
 * failure.
 */
export const isScriptMiss = (reply: Reply): boolean => reply instanceof Error && reply.message.startsWith("NOSCRIPT");

/** How a caller wants the replies to its commands. */
export interface Wanted {
  /** Counts the bytes of the replies as they arrive. */
  readonly room?: Hold | undefined;
  /**
   * Values by default, or the bytes that Redis sends, since a value no longer distinguishes a status from a string, or
   * the two nulls. An error is an `Error` in both cases.
   */
  readonly form?: "values" | "bytes";
  /** Ends the wait for the replies: then it fails with {@link NoAnswer}, or with {@link NotSent} before it is sent. */
  readonly signal?: AbortSignal | undefined;
}

/** One connection to one server. Commands are sent immediately and together, or not at all. */
export interface Connection {
  /** Resolves when the first attempt to open it has ended, successfully or not. */
  readonly opened: Promise<void>;
  /** True while commands can be sent. */
  readonly isReady: boolean;
  /**
   * Sends commands and returns their replies in the same order. It fails with {@link NotSent} if the connection is not
   * ready, with {@link NoAnswer} if it was lost before all replies had arrived or `withinMs` has passed, and with
   * {@link ReplyTooLarge} without room for the replies.
   *
   * @param withinMs how long the replies may take, in ms
   */
  send(commands: readonly Command[], to: Receiver<readonly Reply[]>, withinMs: number, wanted?: Wanted): void;
  /** The socket, for a caller with exclusive use of the connection. */
  readonly socket: Duplex;
  /** Ends it immediately; commands in flight fail with {@link NoAnswer}. */
  close(): void;
}

/** The receiver of a feed. */
export interface Listener {
  /** Called with each complete reply that is not an error. */
  onReply(reply: Reply): void;
  /** Called once, when a reply has more than `maxPending` bytes; no reply follows. */
  onTooLarge(): void;
  /** Called when the connection has ended, whichever side ended it. */
  onEnd(): void;
}

export interface FeedLimits {
  /** How long Redis may take to open the connection, and then to reply to the command, in ms. */
  readonly withinMs: number;
  /** The maximum bytes of one reply. */
  readonly maxPending: number;
}

/** A command after which Redis keeps sending, for one caller. */
export interface Feed {
  /**
   * Sends the command, and passes all replies to the listener, including those to the command. Must be called once.
   *
   * @returns the error with which Redis refused the command, or `undefined` once its first reply has arrived
   * @throws {NotSent} if the connection does not open
   * @throws {NoAnswer} if the command was sent and there was no reply
   */
  open(listener: Listener, limits: FeedLimits): Promise<Error | undefined>;
  /** Sends a PING, to which Redis replies in this state unless the command is MONITOR. */
  ping(): void;
  /** Whether anything has arrived since the last call. */
  isAlive(): boolean;
  close(): void;
}

/** The Redis client that the protocol needs. Commands are sent at most once: never queued, never retried. */
export interface Backend {
  /** Resolves when the first attempt to reach Redis has ended, successfully or not. */
  readonly opened: Promise<void>;
  /** True while commands can be sent; for a cluster, to every slot. */
  readonly isReady: boolean;
  /**
   * Runs commands one by one and returns their replies in the same order; the reply to a failed command is an `Error`.
   * It fails with {@link NotSent} if none of them was sent, with {@link NoAnswer} if they were sent and a reply is
   * missing, so that they may have run, and with {@link ReplyTooLarge} without room for the replies. On several servers,
   * the reply to a command that was not sent or not answered is such an `Error` if others have a reply.
   */
  send(commands: readonly Command[], to: Receiver<readonly Reply[]>, wanted?: Wanted): void;
  /**
   * Runs commands as one transaction; returns their replies as values, or the `Error` with which Redis discarded it.
   * Fails as `send` does.
   */
  transact(commands: readonly Command[], room?: Hold): Promise<readonly Reply[] | Error>;
  /**
   * Makes a feed for one caller, who must close it: for a command after which Redis keeps sending. A caller who may not
   * run the command gets an `Error`.
   *
   * @throws {NotSent} if Redis is unreachable
   */
  feed(command: Command): Feed | Error;
  /** The error that `feed` would return to this caller without permission; absent if everybody may have a feed. */
  readonly feedRefusal?: (command: Command) => Error;
  /**
   * The backend of the server that has a key, or would have it; `undefined` while unknown, and if the server cannot be
   * dialed. It ends when its server leaves this backend.
   */
  at(key: string): ServerBackend | undefined;
  /** Ends the connection immediately; commands in flight fail with {@link NoAnswer}. */
  close(): void;
}

/** A backend of one server. */
export interface ServerBackend extends Backend {
  /**
   * Opens a new connection for one caller, who must close it. A lost connection stays lost.
   *
   * @throws {NotSent} if Redis is unreachable
   */
  dial(): Connection;
  /** Runs commands like {@link Backend.send}, with its own time limit in ms. */
  send(commands: readonly Command[], to: Receiver<readonly Reply[]>, wanted?: Wanted, withinMs?: number): void;
}

/** A promise of the replies to commands. @throws like {@link ServerBackend.send} */
export const repliesOf = (
  backend: Pick<ServerBackend, "send">,
  commands: readonly Command[],
  wanted?: Wanted,
  withinMs?: number,
): Promise<readonly Reply[]> => received((to) => backend.send(commands, to, wanted, withinMs));

/**
 * Sends the commands without a reply, and inserts the known replies of the others.
 *
 * @param known the reply to each unsent command, such as the error of a refused one; `undefined` for the others
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

/** An observer of the outcomes of a backend's requests. */
export interface Outcomes {
  /** Whether the next reply matters, since Redis was unavailable. */
  readonly isMissing: boolean;
  /** Called for a reply while it {@link Outcomes.isMissing}. */
  answered(): void;
  failed(error: unknown): void;
}

/** Overrides some methods of a backend; everything else, including getters, is forwarded. */
export function overridden<B extends Backend>(
  backend: B,
  methods: Partial<Pick<Backend, "send" | "transact" | "feed" | "feedRefusal">>,
): B {
  return Object.assign(Object.create(backend) as B, methods);
}
