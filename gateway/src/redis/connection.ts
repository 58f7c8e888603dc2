import { Command as IoCommand, Redis, type RedisOptions } from "ioredis";
import type { Hold } from "../shared/budget.ts";
import { NoAnswer, NotSent, ReplyTooLarge } from "../shared/errors.ts";
import { createStep } from "./answer-order.ts";
import type { Command, Connection, Reply } from "./backend.ts";
import { encodeCommands } from "./command-encoding.ts";
import { limitDepth } from "./depth-limit.ts";
import { greeting, isWelcome, refusalOf } from "./login.ts";
import { sizeOf } from "./reply-size.ts";
import { Dropped, endAfterSilence } from "./silence-limit.ts";
import { tlsFor } from "./tls.ts";
import type { OnTrouble, ServerAddress } from "./url.ts";

const MAX_RECONNECT_MS = 200;
const CONNECT_MS = 2_000;
const GREET_MS = 2_000;
const DISCONNECT_MS = 200;
const MAX_HELD = 16;
const ALONE_MS = 10_000;
const NEVER = Number.POSITIVE_INFINITY;

/**
 * A command that ioredis carries without looking into it. ioredis acts on names (it rewrites the arguments of `mset` and the
 * reply of `hgetall`, and takes `constructor` for a subscription, since it looks names up in plain objects), and it puts
 * names and arguments into errors and debug output. So it gets an opaque name and the bytes.
 *
 * What comes for it is told at once, and not by its promise: so the answers of a chunk are looked at in their order, and at high load
 * promises between a reply and its request would be most of what they cost.
 */
class OpaqueCommand extends IoCommand {
  readonly #bytes: string | Buffer;

  constructor(bytes: string | Buffer, onReply: (reply: Reply) => void, onFailure: (error: Error) => void) {
    super("opaque");
    this.#bytes = bytes;
    this.resolve = onReply;
    this.reject = onFailure;
  }

  override toWritable(): string | Buffer {
    return this.#bytes;
  }
}

/** What must hold whatever the URL says: nothing is queued, nothing is sent twice, integers and strings arrive unaltered. */
const SAFE = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  // 0 rejects what is in flight as soon as the connection closes; with null it would wait for ever.
  maxRetriesPerRequest: 0,
  // RESP2 has the shapes of the REST protocol; a name that is set on connect would need a right that a user may lack.
  protocol: 2,
  stringNumbers: true,
  disableClientInfo: true,
  connectTimeout: CONNECT_MS,
  disconnectTimeout: DISCONNECT_MS,
  // The greeting is ours: ioredis would go on where SELECT is refused, in another database, and print what Redis says to AUTH.
  enableReadyCheck: false,
} satisfies RedisOptions;

/** The way to a server, as ioredis takes it; the login is not in it. */
function routeOf(server: ServerAddress): Pick<RedisOptions, "host" | "port" | "path" | "tls"> {
  if ("path" in server) return { path: server.path };
  const { host, port, tls } = server;
  return { host, port, ...(tls === undefined ? {} : { tls: tlsFor(tls, host) }) };
}

interface Keeping {
  /** How long to wait after so many attempts that failed in a row; `null` is for ever. */
  readonly delayAfter: (failures: number) => number | null;
  /** The longest silence that is borne while an answer is due. */
  readonly silenceMs?: number;
  /** How often it is made sure that answers are in step where no requests overlap; never by default. */
  readonly aloneMs?: number;
  readonly onTrouble?: OnTrouble | undefined;
}

function connect(server: ServerAddress, { delayAfter, silenceMs, aloneMs = NEVER, onTrouble }: Keeping): Connection {
  const gather = createGather();
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
  const step = createStep(() => redis.stream.destroy(new Dropped("answers out of step")), aloneMs);
  // Without a listener ioredis prints the error, with what it was about.
  redis.on("error", (error: NodeJS.ErrnoException) => {
    tell(error.code ?? "answers out of step");
    // Those with a code are the system's and ours. Without one they are about an answer that nobody has asked for.
    if (error.code === undefined) step.lose();
  });
  redis.on("connect", () => {
    // The parser listens by now, and nothing has arrived.
    limitDepth(redis.stream);
    step.begin();
  });

  const silence = silenceMs === undefined ? undefined : endAfterSilence(redis, silenceMs);

  // The bytes of a batch go out with its first command; the others only take their place in the queue of answers.
  const silent = { isPipeline: true as const, destination: { redis }, write: () => true };

  function exchange(commands: readonly Command[], withinMs: number, room?: Hold): Promise<readonly Reply[]> {
    return new Promise((resolve, reject) => {
      const replies: Reply[] = new Array(commands.length).fill(null);
      let missing = commands.length;
      let failed = false;
      const fail = (error: NoAnswer): void => {
        if (failed) return;
        failed = true;
        // Those that still arrive are not waited for by anybody, and not kept.
        replies.length = 0;
        clearTimeout(timer);
        reject(error);
      };
      // After a standstill of this process, what has arrived meanwhile is read first.
      const timer = setTimeout(() => setImmediate(() => fail(new NoAnswer())), withinMs);
      const mark = step.mark();
      const sent = mark === undefined ? commands : [mark, ...commands];
      const first = sent.length - commands.length;
      silence?.asked(sent.length);
      step.asked(sent.length);
      const take = (at: number, reply: Reply): void => {
        silence?.answered();
        const isRight = at < first ? step.isMark(reply) : step.isAnswer(reply);
        if (!isRight) fail(new NoAnswer());
        if (failed || at < first) return;
        if (room?.take(sizeOf(reply)) === false) {
          fail(new ReplyTooLarge());
          return;
        }
        replies[at - first] = reply;
        if (--missing > 0) return;
        clearTimeout(timer);
        resolve(replies);
      };
      const miss = (): void => {
        silence?.answered();
        step.missed();
        fail(new NoAnswer());
      };
      for (const at of sent.keys()) {
        const bytes = at === 0 ? encodeCommands(sent) : "";
        const onReply = (reply: Reply): void => take(at, reply);
        const onFailure = (error: Error): void => (error.name === "ReplyError" ? onReply(error) : miss());
        const command = new OpaqueCommand(bytes, onReply, onFailure);
        if (at === 0) redis.sendCommand(command);
        else redis.sendCommand(command, silent);
      }
    });
  }

  /** Nobody's commands go out before Redis has let us in, to the right database. */
  async function greet(): Promise<boolean> {
    const { stream } = redis;
    const replies = await exchange(greeting(server), GREET_MS).catch(() => []);
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
    send(commands, withinMs, room) {
      if (!isReady()) return Promise.reject(new NotSent());
      gather(redis.stream);
      return exchange(commands, withinMs, room);
    },
    close: () => redis.disconnect(),
  };
}

/**
 * A connection for good. While it is gone, a new one is tried at least five times a second; one that gives no answer for
 * `silenceMs` is dropped.
 */
export function keepConnection(server: ServerAddress, silenceMs: number): Connection {
  const { onTrouble } = server;
  const delayAfter = (failures: number): number => Math.min(failures * 20, MAX_RECONNECT_MS);
  return connect(server, { silenceMs, aloneMs: ALONE_MS, onTrouble, delayAfter });
}

/** A connection that is opened once: when it is lost it stays so. It is for one request at a time, whose answer is all that arrives. */
export function openConnection(server: ServerAddress): Connection {
  return connect(server, { delayAfter: () => null });
}

/**
 * Holds back what is written to a socket until all requests that have arrived by now are read, so that they go out together: a write
 * for each would be most of the work at high load. But only so many, so that Redis begins with the first ones meanwhile.
 */
function createGather(): (socket: Redis["stream"]) => void {
  let held = 0;
  return (socket) => {
    held++;
    if (socket.writableCorked === 0) {
      held = 1;
      socket.cork();
      setImmediate(() => socket.uncork());
    } else if (held > MAX_HELD) {
      held = 1;
      socket.uncork();
      socket.cork();
    }
  };
}
