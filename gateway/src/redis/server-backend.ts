import type { Duplex } from "node:stream";
import { NotSent } from "../shared/error-answers.ts";
import { passOn, received } from "../shared/receiver.ts";
import { readInTurns } from "../shared/turns.ts";
import { type AnswerOrder, createAnswerOrder, ECHO_PROBE } from "./answer-order.ts";
import type { Command, Connection, Reply, ServerBackend, Wanted } from "./backend.ts";
import { isWait } from "./commands.ts";
import { createExchange, createSilence, type Exchange } from "./exchange.ts";
import { createFeed } from "./feed.ts";
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

/** The maximum number of batched writes. With half or twice as many, throughput was lower. */
const MAX_HELD = 32;

/** The commands that wait to be written to a connection. */
interface Outbox {
  write(bytes: string | Buffer): void;
  /** Drops the waiting commands, since the connection has ended. */
  clear(): void;
}

/**
 * Delays writes to a socket until all requests that have arrived are read, and sends them together: one system call for
 * each would be most of the work under high load. The number is limited, so that Redis can begin with the first ones.
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
    // A connection that was ended meanwhile accepts no more; waiting commands fail when it is closed.
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
  /** Whether requests share it, so that marks verify whose reply is whose. */
  readonly isShared: boolean;
  /** The longest silence while an answer is due; unlimited by default. */
  readonly silenceMs?: number;
  /** How often the order of replies is verified although no requests overlap; never by default. */
  readonly aloneMs?: number;
  readonly onTrouble?: OnTrouble | undefined;
  readonly onReady?: (() => void) | undefined;
}

/** Reports each reason only once in a row. */
function onceInARow(onTrouble: OnTrouble | undefined): (reason: string | undefined) => void {
  let last: string | undefined;
  return (reason) => {
    if (reason !== undefined && reason !== last) onTrouble?.(reason);
    last = reason;
  };
}

/** Makes the exchange read the replies of a new socket. */
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
  readInTurns(stream, read);
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

/** Nothing is queued or sent twice: commands sent on a socket fail with it, and the next socket begins empty. */
function connect(
  server: ServerAddress,
  { delayAfter, isShared, silenceMs, aloneMs = NEVER, onTrouble, onReady }: Keeping,
): Connection {
  let isWelcomed = false;
  const { event: opened, happen: settle } = createEvent();
  const tell = onceInARow(onTrouble);
  /** The current stream, or the last one. */
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
      if (isShared)
        exchange.send([ECHO_PROBE], { receive: ([reply]) => order.probed(reply ?? null), fail: () => {} }, GREET_MS);
      socket.succeed();
      settle();
      onReady?.();
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
 * Keeps a connection open permanently. After a loss, a new connection is tried at least five times a second. A
 * connection without a reply for `silenceMs` is dropped.
 */
function keepConnection(server: ServerAddress, silenceMs: number): Connection {
  const { onTrouble, onReady } = server;
  const delayAfter = (failures: number): number => Math.min(failures * 20, MAX_RECONNECT_MS);
  return connect(server, { isShared: true, silenceMs, aloneMs: ALONE_MS, onTrouble, onReady, delayAfter });
}

/**
 * Opens a connection once, for one request at a time, which receives only that request's replies. A lost connection
 * stays lost.
 */
function openConnection(server: ServerAddress): Connection {
  return connect(server, { isShared: false, delayAfter: () => null });
}

/** Whether commands cannot share a connection. */
const needOwn = (commands: readonly Command[], wanted: Wanted | undefined): boolean =>
  wanted?.form === "bytes" || commands.some(isWait);

/**
 * A backend of one Redis server with one connection, which all requests share except those with a WAIT and those in
 * resp2. Each of these runs as a whole on its own connection: WAIT then counts the writes before it and delays no other
 * request, and the bytes that arrive are the reply.
 *
 * @param server the address and the login
 * @param timeoutMs how long a reply may take; a connection that is silent for longer is dropped
 */
export function createRedisBackend(server: ServerAddress, timeoutMs: number): ServerBackend {
  const shared = keepConnection(server, timeoutMs);
  const own = createOwnConnections(() => openConnection(server));
  const dialed = new Set<Connection>();

  /**
   * Tracks a connection while it is open. It ends with the backend, since another server may be the primary by then.
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
    feed: (command) => createFeed(backend.dial(), command),
    at: () => backend,
    close() {
      shared.close();
      own.close();
      for (const connection of dialed) connection.close();
    },
  };
  return backend;
}
