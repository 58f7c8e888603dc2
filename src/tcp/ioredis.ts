/**
 * Uses an ioredis client as the connection.
 *
 * @module leasehold/ioredis
 */

import { answered, type RedisOverTcp, refused } from "../redis/port.ts";
import { closed, type Events, settled, single, unanswered, unsent } from "./link.ts";

/** The settings of an ioredis client that are checked. */
interface Settings {
  readonly keyPrefix?: string | undefined;
  readonly stringNumbers?: boolean | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** The settings of a cluster's nodes. */
  readonly redisOptions?: Settings | undefined;
}

/** The used part of an ioredis client (`Redis` or `Cluster`). */
export interface IoredisClient extends Events {
  readonly status: string;
  readonly options: object;
  connect(): Promise<unknown>;
  pipeline(commands: (string | number)[][]): {
    exec(): Promise<readonly (readonly [error: Error | null, value?: unknown])[] | null>;
  };
}

function refuse(why: string): never {
  throw new TypeError(why);
}

/**
 * Adapts an ioredis client for `connect` and `createLocks`: a `Redis`, with or without Sentinels, or a `Cluster`. You
 * may use the client for other work; it is never closed. Nothing is sent while it is not connected; with `lazyConnect`,
 * the first request connects it.
 *
 * @example
 * ```ts
 * import { Redis } from "ioredis";
 * import { ioredis } from "leasehold/ioredis";
 *
 * const client = new Redis(env.REDIS_URL, { socketTimeout: 2000 });
 * const redis = connect({ redis: ioredis(client) });
 * await lock(redis, "report").run({ wait: "2s" }, () => build());
 * ```
 *
 * @throws TypeError for anything else, and for a client with a `keyPrefix` or with `stringNumbers`.
 */
export function ioredis(client: IoredisClient): RedisOverTcp {
  const { status, pipeline, options } = Object(client) as IoredisClient;
  if (typeof status !== "string" || typeof pipeline !== "function" || !options)
    refuse("ioredis needs a client of ioredis: new Redis(…) or new Cluster(…)");
  const { host, port, redisOptions, keyPrefix, stringNumbers } = options as Settings;
  if (keyPrefix || redisOptions?.keyPrefix)
    refuse("the client's keyPrefix would keep its locks apart from those of other clients: use the prefix of connect");
  if (stringNumbers || redisOptions?.stringNumbers) refuse("the client must be without stringNumbers");

  /** Why it is not connected, if known. */
  let cause: unknown;
  return {
    server: host ? `${host}:${port}` : "",
    port: single(async (command, signal, behind = []) => {
      // A disconnected client gets no command: it might send a queued command later, so the outcome would be unknown.
      if (client.status === "wait") client.connect().catch(() => {});
      if (/^connect/.test(client.status)) cause = await settled(client, signal);
      if (client.status === "end" && cause === undefined) return closed();
      if (client.status !== "ready" || signal.aborted) return unsent(cause ?? new Error("the client is connecting"));
      cause = undefined;
      try {
        // A separate pipeline, even for one command, since automatic pipelining would mix it with other commands. If
        // the connection is lost, the library resends a pipeline as a whole or not at all.
        const lines = [command, ...behind].map(([name, ...args]) => [`${name}`.toLowerCase(), ...args]);
        const replies = (await client.pipeline(lines).exec()) ?? [];
        const error = replies.find(([failure]) => failure)?.[0];
        if (error) return error.name === "ReplyError" ? refused(error.message) : unanswered(error);
        return answered(replies.map(([, result]) => ({ result })));
      } catch (thrown) {
        return unanswered(thrown);
      }
    }),
  };
}
