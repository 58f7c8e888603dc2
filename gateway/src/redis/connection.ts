import { Duplex } from "node:stream";
import { AbstractConnector, Redis, type RedisOptions } from "ioredis";
import { NotSent } from "../shared/errors.ts";
import { received } from "../shared/receiver.ts";
import { readInTurns } from "../shared/turns.ts";
import { createAnswerOrder } from "./answer-order.ts";
import type { Connection, Reply } from "./backend.ts";
import { createExchange } from "./exchange.ts";
import { greeting, isWelcome, refusalOf } from "./login.ts";
import { createOutbox } from "./outbox.ts";
import { createReplyReader } from "./reply-reader.ts";
import { Dropped, endAfterSilence } from "./silence-limit.ts";
import { tlsFor } from "./tls.ts";
import type { OnTrouble, ServerAddress } from "./url.ts";

const MAX_RECONNECT_MS = 200;
const CONNECT_MS = 2_000;
const GREET_MS = 2_000;
const DISCONNECT_MS = 200;
const ALONE_MS = 10_000;
const NEVER = Number.POSITIVE_INFINITY;

/**
 * The options that hold whatever the URL says: nothing is queued or sent twice, integers and strings arrive unaltered.
 */
const SAFE = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  // 0 rejects what is in flight as soon as the connection closes; with null it would wait for ever.
  maxRetriesPerRequest: 0,
  // RESP2 has the shapes of the REST protocol. To set a client name on connect would need a right that a user may lack.
  protocol: 2,
  stringNumbers: true,
  disableClientInfo: true,
  connectTimeout: CONNECT_MS,
  disconnectTimeout: DISCONNECT_MS,
  // The greeting is ours: ioredis would go on in another database after a refused SELECT, and print the answer to AUTH.
  enableReadyCheck: false,
} satisfies RedisOptions;

/** Lets ioredis use connections within this process. */
function localConnector(open: () => Promise<Duplex>): NonNullable<RedisOptions["Connector"]> {
  return class extends AbstractConnector {
    constructor() {
      super(DISCONNECT_MS);
    }

    async connect(): ReturnType<AbstractConnector["connect"]> {
      const stream = await open().catch((error: Error) => {
        this.firstError = error;
        return new Duplex().destroy();
      });
      // These are for sockets of the network.
      const settings = { setNoDelay: () => {}, setKeepAlive: () => {} };
      this.stream = Object.assign(stream, settings) as unknown as typeof this.stream;
      return this.stream;
    }
  };
}

/** The address of a server as ioredis takes it, without the login. */
function routeOf(server: ServerAddress): Pick<RedisOptions, "host" | "port" | "path" | "tls" | "Connector"> {
  if ("open" in server) return { Connector: localConnector(server.open) };
  if ("path" in server) return { path: server.path };
  const { host, port, tls } = server;
  return { host, port, ...(tls === undefined ? {} : { tls: tlsFor(tls, host) }) };
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

function connect(server: ServerAddress, { delayAfter, silenceMs, aloneMs = NEVER, onTrouble }: Keeping): Connection {
  let isWelcomed = false;
  let failures = 0;
  const redis = new Redis({
    ...routeOf(server),
    ...SAFE,
    retryStrategy: () => delayAfter(++failures),
  });
  let trouble: string | undefined;
  function tell(reason: string | undefined): void {
    if (reason !== undefined && reason !== trouble) onTrouble?.(reason);
    trouble = reason;
  }
  const order = createAnswerOrder(() => redis.stream.destroy(new Dropped("answers out of step")), aloneMs);
  // Without a listener ioredis prints the error, with what it was about.
  redis.on("error", (error: NodeJS.ErrnoException) => {
    tell(error.code ?? "connection failed");
  });
  const outbox = createOutbox(() => redis.stream);
  redis.on("connect", () => {
    const { stream } = redis;
    // The parser of ioredis listens by now, and nothing has arrived.
    stream.removeAllListeners("data");
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
      // Nobody has asked for it, and whoever asks next must not get it.
      if (exchange.isIdle) order.lose();
      else read(chunk);
    });
    stream.once("close", () => {
      outbox.clear();
      exchange.lose();
    });
    order.begin();
  });
  const exchange = createExchange(
    outbox.write,
    order,
    silenceMs === undefined ? undefined : endAfterSilence(redis, silenceMs),
  );

  /** Logs in and selects the database. No command of a request goes out before that. */
  async function greet(): Promise<boolean> {
    const { stream } = redis;
    const answered = received<readonly Reply[]>((to) => exchange.send(greeting(server), to, GREET_MS));
    const replies = await answered.catch(() => []);
    if (redis.stream !== stream || redis.status !== "ready") return false;
    isWelcomed = isWelcome(server, replies);
    tell(refusalOf(server, replies));
    if (isWelcomed) failures = 0;
    else redis.disconnect(true);
    return isWelcomed;
  }

  const opened = new Promise<void>((resolve) => {
    redis.on("ready", async () => {
      if (await greet()) resolve();
    });
    redis.on("close", () => {
      isWelcomed = false;
      resolve();
    });
  });

  const isReady = (): boolean => isWelcomed && redis.status === "ready" && redis.stream.writable;

  return {
    opened,
    get isReady() {
      return isReady();
    },
    get socket() {
      return redis.stream;
    },
    send(commands, to, withinMs, room) {
      if (isReady()) exchange.send(commands, to, withinMs, room);
      else to.fail(new NotSent());
    },
    close: () => redis.disconnect(),
  };
}

/**
 * Keeps a connection for good. While it is gone, a new one is tried at least five times a second; a connection that
 * gives no answer for `silenceMs` is dropped.
 */
export function keepConnection(server: ServerAddress, silenceMs: number): Connection {
  const { onTrouble } = server;
  const delayAfter = (failures: number): number => Math.min(failures * 20, MAX_RECONNECT_MS);
  return connect(server, { silenceMs, aloneMs: ALONE_MS, onTrouble, delayAfter });
}

/**
 * Opens a connection once, for one request at a time, whose answer is all that arrives. A lost connection stays lost.
 */
export function openConnection(server: ServerAddress): Connection {
  return connect(server, { delayAfter: () => null });
}
