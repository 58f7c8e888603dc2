import type { Duplex } from "node:stream";
import { NotSent } from "../shared/error-answers.ts";
import { passOn, received } from "../shared/receiver.ts";
import { readInTurns } from "../shared/turns.ts";
import { type AnswerOrder, createAnswerOrder } from "./answer-order.ts";
import type { Command, Connection, Reply, ServerBackend, Wanted } from "./backend.ts";
import { isWait } from "./commands.ts";
import { createExchange, createSilence, type Exchange } from "./exchange.ts";
import { greeting, isWelcome, refusalOf } from "./login.ts";
import { createOwnConnections } from "./own-connections.ts";
import { createReplyReader } from "./reply-reader.ts";
import { Dropped, keepSocket, NOWHERE } from "./socket.ts";
import { asTransaction, transactionResult } from "./transaction.ts";
import type { OnTrouble, ServerAddress } from "./url.ts";

const MAX_RECONNECT_MS = 200;
const GREET_MS = 2_000;
const ALONE_MS = 10_000;
const NEVER = Number.POSITIVE_INFINITY;

/** The most writes that are held back. With half or twice as many, fewer commands a second got through. */
const MAX_HELD = 32;

/** The commands that wait to be written to a connection. */
interface Outbox {
  write(bytes: string | Buffer): void;
  /** Forgets what waits: the connection is gone. */
  clear(): void;
}

/**
 * Holds back writes to a socket until all requests that have arrived by now are read, so that they go out together: one
 * system call each would be most of the work under high load. It holds back only so many, so that Redis begins with the
 * first ones meanwhile.
 */
function createOutbox(socket: () => Duplex): Outbox {
  let text = "";
  let held = 0;
  let isDue = false;
  function flush(): void {
    if (text === "") return;
    const bytes = text;
    text = "";
    held = 0;
    const to = socket();
    // A connection that was ended meanwhile takes no more; those who wait hear of it when it is closed.
    if (!to.writable) return;
    // A text with one byte for each character can be written without encoding it.
    to.write(bytes, Buffer.byteLength(bytes) === bytes.length ? "latin1" : "utf8");
  }
  return {
    write(bytes) {
      if (typeof bytes !== "string") {
        flush();
        if (socket().writable) socket().write(bytes);
        return;
      }
      text += bytes;
      if (++held > MAX_HELD) flush();
      if (isDue) return;
      isDue = true;
      setImmediate(() => {
        isDue = false;
        flush();
      });
    },
    clear() {
      text = "";
      held = 0;
    },
  };
}

interface Keeping {
  /** The pause before the next attempt, in ms, after a number of failures in a row; `null` means no further attempt. */
  readonly delayAfter: (failures: number) => number | null;
  /** The longest silence while an answer is due; unlimited by default. */
  readonly silenceMs?: number;
  /** How often the order of answers is verified although no requests overlap; never by default. */
  readonly aloneMs?: number;
  readonly onTrouble?: OnTrouble | undefined;
}

/** Passes on each reason once in a row. */
function onceInARow(onTrouble: OnTrouble | undefined): (reason: string | undefined) => void {
  let last: string | undefined;
  return (reason) => {
    if (reason !== undefined && reason !== last) onTrouble?.(reason);
    last = reason;
  };
}

/** Has the exchange take the replies that arrive on a new socket. */
function readReplies(stream: Duplex, exchange: Exchange, order: AnswerOrder): void {
  const read = createReplyReader({
    begin: exchange.begin,
    room: exchange.room,
    take: exchange.take,
    broken(reason) {
      exchange.lose(`Redis sent no valid reply (${reason}): what was sent may have run`);
      stream.destroy(new Dropped("no valid reply"));
    },
  });
  readInTurns(stream, (chunk) => {
    // Nobody has asked for it, and the next command must not get it.
    if (exchange.isIdle) order.lose();
    else read(chunk);
  });
  order.begin();
}

/** A promise, and the function that resolves it. */
function createEvent(): { readonly event: Promise<void>; readonly happen: () => void } {
  let happen = (): void => {};
  const event = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { event, happen };
}

/** Nothing is queued or sent twice: what was sent on a socket fails with it, and the next one begins empty. */
function connect(server: ServerAddress, { delayAfter, silenceMs, aloneMs = NEVER, onTrouble }: Keeping): Connection {
  let isWelcomed = false;
  const { event: opened, happen: settle } = createEvent();
  const tell = onceInARow(onTrouble);
  /** The present stream, or the last one. */
  let stream = NOWHERE;
  const drop = (reason: string): void => void stream.destroy(new Dropped(reason));
  const order = createAnswerOrder(() => drop("answers out of step"), aloneMs);
  const outbox = createOutbox(() => stream);
  const silence = silenceMs === undefined ? undefined : createSilence(() => drop("no answer in time"), silenceMs);
  const exchange = createExchange(outbox.write, order, silence);

  /** Logs in and selects the database. No command of a request goes out before that. */
  async function greet(): Promise<void> {
    const greeted = stream;
    const answered = received<readonly Reply[]>((to) => exchange.send(greeting(server), to, GREET_MS));
    const replies = await answered.catch(() => []);
    if (stream !== greeted || greeted.destroyed) return;
    isWelcomed = isWelcome(server, replies);
    tell(refusalOf(server, replies));
    if (isWelcomed) {
      socket.succeed();
      settle();
    } else socket.end();
  }

  const socket = keepSocket(server, {
    delayAfter,
    failed: tell,
    opened(next) {
      stream = next;
      if (silence !== undefined) stream.on("data", silence.heard);
      readReplies(stream, exchange, order);
      void greet();
    },
    gone() {
      isWelcomed = false;
      outbox.clear();
      exchange.lose();
      settle();
    },
  });
  const isReady = (): boolean => isWelcomed && stream.writable;

  return {
    opened,
    get isReady() {
      return isReady();
    },
    get socket() {
      return stream;
    },
    send(commands, to, withinMs, wanted) {
      if (isReady()) exchange.send(commands, to, withinMs, wanted);
      else to.fail(new NotSent());
    },
    close: socket.close,
  };
}

/**
 * Keeps a connection for good. While it is gone, a new one is tried at least five times a second; a connection without
 * an answer for `silenceMs` is dropped.
 */
function keepConnection(server: ServerAddress, silenceMs: number): Connection {
  const { onTrouble } = server;
  const delayAfter = (failures: number): number => Math.min(failures * 20, MAX_RECONNECT_MS);
  return connect(server, { silenceMs, aloneMs: ALONE_MS, onTrouble, delayAfter });
}

/**
 * Opens a connection once, for one request at a time, whose answer is all that arrives. A lost connection stays lost.
 */
function openConnection(server: ServerAddress): Connection {
  return connect(server, { delayAfter: () => null });
}

/** Whether commands cannot go with those of others. */
const needOwn = (commands: readonly Command[], wanted: Wanted | undefined): boolean =>
  wanted?.form === "bytes" || commands.some(isWait);

/**
 * A backend of one Redis server behind one connection, which all requests share but those with a WAIT and those in
 * resp2. Each of these runs as a whole on its own connection: WAIT then counts the writes before it and keeps nobody
 * else waiting, and the bytes that arrive are the answer.
 *
 * @param server the address and the login
 * @param timeoutMs how long an answer may take; a connection that is silent for longer is dropped
 */
export function createRedisBackend(server: ServerAddress, timeoutMs: number): ServerBackend {
  const shared = keepConnection(server, timeoutMs);
  const own = createOwnConnections(() => openConnection(server));
  const dialed = new Set<Connection>();

  /**
   * Remembers a connection while it is open. It ends with the backend, since another server may be the primary by then.
   */
  function remember(connection: Connection): Connection {
    dialed.add(connection);
    void connection.opened.then(() => {
      if (connection.isReady) connection.socket.once("close", () => dialed.delete(connection));
      else dialed.delete(connection);
    });
    return connection;
  }

  const send: ServerBackend["send"] = (commands, to, wanted, withinMs = timeoutMs) => {
    if (!needOwn(commands, wanted)) shared.send(commands, to, withinMs, wanted);
    // While the shared connection is down, requests do not try to open others.
    else if (shared.isReady) passOn(own.send(commands, withinMs, wanted), to);
    else to.fail(new NotSent());
  };

  const backend: ServerBackend = {
    opened: shared.opened,
    get isReady() {
      return shared.isReady;
    },
    send,
    transact: async (commands, room) =>
      transactionResult(await received((to) => send(asTransaction(commands), to, { room }))),
    dial() {
      if (!shared.isReady) throw new NotSent();
      return remember(openConnection(server));
    },
    at: () => backend,
    close() {
      shared.close();
      own.close();
      for (const connection of dialed) connection.close();
    },
  };
  return backend;
}
