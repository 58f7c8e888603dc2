import { Command as IoCommand, Redis, type RedisOptions } from "ioredis";
import type { Backend, Command, Reply } from "./backend.ts";
import { NoAnswer, NotSent } from "./errors.ts";
import { encodeCommands } from "./resp.ts";
import type { ServerAddress } from "./server-url.ts";

const MAX_RECONNECT_MS = 200;
const CONNECT_MS = 2_000;
const DISCONNECT_MS = 200;

/**
 * A command that ioredis carries without looking into it. ioredis acts on names (it rewrites the arguments of `mset` and the
 * reply of `hgetall`, and takes `constructor` for a subscription, since it looks names up in plain objects), and it puts
 * names and arguments into errors and debug output. So it gets an opaque name and the bytes.
 */
class OpaqueCommand extends IoCommand {
  readonly #bytes: string | Buffer;

  constructor(bytes: string | Buffer) {
    super("opaque");
    this.#bytes = bytes;
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
  retryStrategy: (times: number) => Math.min(times * 20, MAX_RECONNECT_MS),
  connectTimeout: CONNECT_MS,
  disconnectTimeout: DISCONNECT_MS,
  // A server that accepts connections and does not answer (stopped, loading) is not there yet.
  enableReadyCheck: true,
  maxLoadingRetryTime: MAX_RECONNECT_MS,
} satisfies RedisOptions;

function asReply(error: unknown): Error {
  if (error instanceof Error && error.name === "ReplyError") return error;
  throw new NoAnswer();
}

/**
 * One Redis server behind one connection. While that is gone, a new one is tried at least five times a second.
 *
 * @param server where it is and how to log in
 * @param timeoutMs how long an answer may take; a connection that gives none for so long is dropped
 */
export function createRedisBackend(server: ServerAddress, timeoutMs: number): Backend {
  const redis = new Redis({ ...server, ...SAFE, socketTimeout: timeoutMs });
  // Without a listener ioredis prints the error; every caller is told by a status already.
  redis.on("error", () => {});

  // The bytes of a batch go out with its first command; the others only take their place in the queue of answers.
  const silent = { isPipeline: true as const, destination: { redis }, write: () => true };

  const send = async (commands: readonly Command[]): Promise<readonly Reply[]> => {
    if (redis.status !== "ready" || !redis.stream.writable) throw new NotSent();
    gather(redis.stream);
    const answers = commands.map((_, at) => {
      const command = new OpaqueCommand(at === 0 ? encodeCommands(commands) : "");
      if (at === 0) redis.sendCommand(command);
      else redis.sendCommand(command, silent);
      return (command.promise as Promise<Reply>).catch(asReply);
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new NoAnswer()), timeoutMs);
    });
    try {
      return await Promise.race([answers.length === 1 ? one(answers) : Promise.all(answers), late]);
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    opened: new Promise((resolve) => {
      redis.once("ready", resolve);
      redis.once("close", resolve);
    }),
    send,
    async transact(commands) {
      const replies = await send([["MULTI"], ...commands, ["EXEC"]]);
      const last = replies.at(-1) ?? null;
      if (Array.isArray(last)) return last;
      if (last instanceof Error && last.message.startsWith("EXECABORT")) return last;
      // EXEC found no transaction (a user who may not call MULTI): the commands ran one by one, which must not look discarded.
      throw new NoAnswer();
    },
    close: () => redis.disconnect(),
  };
}

/**
 * Holds back what is written to a socket until all requests that have arrived by now are read, so that they go out together:
 * a write for each would be most of the work at high load.
 */
function gather(socket: Redis["stream"]): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  setImmediate(() => socket.uncork());
}

async function one(answers: readonly Promise<Reply>[]): Promise<readonly Reply[]> {
  return [(await answers[0]) ?? null];
}
