import type { Dialect } from "leasehold-engine";
import { createChannels, createEngine, ErrorReply, type Reply, Status } from "leasehold-engine";
import {
  admit,
  channelsIn,
  createService,
  incomingOf,
  responseOf,
  subscriptionTo,
  toBytes,
  tokenOf,
  toText,
} from "leasehold-engine/rest";
import { scriptsOfServer } from "./compiled-scripts.ts";
import { checkOptions } from "./known-options.ts";

/** A reply of Redis. */
export type RedisReply = string | number | bigint | null | readonly RedisReply[];

export interface MemoryRedisOptions {
  /** The token of requests. Default `"memory-redis-token"`. */
  readonly token?: string;
  /** Whether scripts may begin with `#!lua flags=allow-key-locking`, as Upstash allows. Default `"upstash"`. */
  readonly dialect?: Dialect;
  /** The server's clock, in ms since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Uniform in [0, 1), for commands that pick a member. Default `Math.random`. */
  readonly random?: () => number;
}

/** A Redis in memory with the Upstash REST protocol. */
export interface MemoryRedis {
  /** An address that only the `fetch` below knows. */
  readonly url: string;
  readonly token: string;
  /** Answers requests like an endpoint of the REST protocol; the global `fetch` is not used. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /**
   * Runs one command immediately.
   *
   * @throws Error with Redis's message
   */
  command(name: string, ...args: readonly (string | number)[]): RedisReply;
  /** Refuses commands that may use more memory, like Redis at `maxmemory`. */
  setFull(isFull: boolean): void;
  /** Refuses writing commands, like a replica. */
  setReadOnly(isReadOnly: boolean): void;
}

function plain(reply: Reply): RedisReply {
  if (reply instanceof Status) return reply.text;
  if (reply instanceof ErrorReply) return reply.message;
  if (typeof reply === "string") return toText(reply);
  return typeof reply === "object" && reply !== null ? reply.map(plain) : reply;
}

/**
 * Makes a Redis in memory. It is empty and independent of others, and need not be closed.
 *
 * @example
 * ```ts
 * const { url, token, fetch } = createMemoryRedis();
 * const locks = createLocks({ url, token, fetch });
 * ```
 *
 * @throws TypeError for an unknown option
 */
export function createMemoryRedis(options: MemoryRedisOptions = {}): MemoryRedis {
  checkOptions(options, "createMemoryRedis", {
    token: "string",
    dialect: ["upstash", "redis"],
    now: "function",
    random: "function",
  });
  const { token = "memory-redis-token", dialect = "upstash", now = Date.now, random = Math.random } = options;
  const channels = createChannels();
  const scripts = scriptsOfServer(dialect);
  const engine = createEngine({ dialect, now: () => now(), random, publish: channels.publish, scripts });
  const service = createService(engine, {
    now: () => performance.now(),
    after(ms, callback) {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  });
  return {
    url: "https://memory.invalid",
    token,
    async fetch(input, init) {
      init?.signal?.throwIfAborted();
      const incoming = await incomingOf(input, init);
      const subscribed = tokenOf(incoming) === token ? channelsIn(incoming) : undefined;
      if (subscribed) return subscriptionTo(channels, subscribed, init?.signal);
      const request = admit(incoming, token);
      const answer = "status" in request ? request : await service.perform(request, incoming, init?.signal);
      return responseOf(answer, incoming.method);
    },
    command(...words) {
      const command = words.map((word) => toBytes(String(word)));
      const reply = engine.run(command);
      service.ran(command);
      if (reply instanceof ErrorReply) throw new Error(reply.message);
      return plain(reply);
    },
    setFull(isFull) {
      engine.isFull = isFull;
    },
    setReadOnly(isReadOnly) {
      engine.isReadOnly = isReadOnly;
    },
  };
}
