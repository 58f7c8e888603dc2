/**
 * Uses an ioredis client as the connection.
 *
 * @module leasehold/ioredis
 */

import { answered, type Command, type Failed, type RedisOverTcp, refused } from "../redis/port.ts";
import { noop } from "../shared/wait-until.ts";
import { closed, type Events, settled, single, unanswered, unsent } from "./link.ts";
import { LinkedWakeUps, type OpenLink } from "./wake-ups.ts";

/** The settings of an ioredis client that are checked. */
interface Settings {
  readonly keyPrefix?: string | undefined;
  readonly stringNumbers?: boolean | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly enableAutoPipelining?: boolean | undefined;
  /** The settings of a cluster's nodes. */
  readonly redisOptions?: Settings | undefined;
}

/** The used part of an ioredis client (`Redis` or `Cluster`). */
export interface IoredisClient extends Events {
  readonly status: string;
  readonly options: object;
  connect(): Promise<unknown>;
  /** A cluster takes nodes before the settings. */
  duplicate?(...settings: never[]): unknown;
  call(name: string, ...args: (string | number)[]): Promise<unknown>;
  pipeline(commands: (string | number)[][]): {
    exec(): Promise<readonly (readonly [error: Error | null, value?: unknown])[] | null>;
  };
}

/** A command in the form in which the library looks up what it knows of it, such as where its keys are. */
const words = ([name, ...args]: Command): [name: string, ...args: (string | number)[]] => [
  `${name}`.toLowerCase(),
  ...args,
];

/** The outcome of a command that the client rejected: only a `ReplyError` is the server's answer. */
function failed(thrown: unknown): Failed {
  return thrown instanceof Error && thrown.name === "ReplyError" ? refused(thrown.message) : unanswered(thrown);
}

/** A client of ioredis that receives messages. */
interface Subscriber extends Events {
  connect(): Promise<unknown>;
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  disconnect(): void;
  on(event: "message", listener: (channel: string, text: string) => void): unknown;
  on(event: string, listener: (error?: unknown) => void): unknown;
}

/** Makes clients for messages. A lost connection is not opened again by the client, which would not report the loss. */
const linksOf =
  (client: IoredisClient, isCluster: boolean): OpenLink =>
  async (onMessage, onLost) => {
    const never = () => null;
    const duplicate = client.duplicate?.bind(client) as ((...settings: object[]) => unknown) | undefined;
    const common = { lazyConnect: true, enableAutoPipelining: false };
    const own = (
      isCluster
        ? duplicate?.([], { ...common, clusterRetryStrategy: never })
        : duplicate?.({ ...common, autoResubscribe: false, retryStrategy: never, sentinelRetryStrategy: never })
    ) as Subscriber;
    own.on("error", noop);
    own.on("message", onMessage);
    await own.connect();
    own.on("end", onLost);
    return {
      subscribe: (channel) => own.subscribe(channel),
      unsubscribe: (channel) => own.unsubscribe(channel),
      close: () => own.disconnect(),
    };
  };

/** By client, since many connections may use one client. */
const wakeUpsOf = new WeakMap<IoredisClient, LinkedWakeUps>();

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
  const { host, port, redisOptions, keyPrefix, stringNumbers, enableAutoPipelining } = options as Settings;
  if (keyPrefix || redisOptions?.keyPrefix)
    refuse("the client's keyPrefix would keep its locks apart from those of other clients: use the prefix of connect");
  if (stringNumbers || redisOptions?.stringNumbers) refuse("the client must be without stringNumbers");

  // Automatic pipelines mix the commands of all callers; a pipeline of its own keeps a command apart.
  const mixesCommands = enableAutoPipelining === true;
  if (typeof client.duplicate === "function" && !wakeUpsOf.has(client)) {
    const wakeUps = new LinkedWakeUps(linksOf(client, "nodes" in client));
    wakeUpsOf.set(client, wakeUps);
    client.on("end", () => wakeUps.close());
  }
  /** Why it is not connected, if known. */
  let cause: unknown;
  return {
    wakeUps: wakeUpsOf.get(client),
    server: host ? `${host}:${port}` : "",
    port: single(async (command, signal, behind = []) => {
      // A disconnected client gets no command: it might send a queued command later, so the outcome would be unknown.
      if (client.status === "wait") client.connect().catch(() => {});
      if (/^connect/.test(client.status)) cause = await settled(client, signal);
      if (client.status === "end" && cause === undefined) return closed();
      if (client.status !== "ready" || signal.aborted) return unsent(cause ?? new Error("the client is connecting"));
      cause = undefined;
      try {
        if (behind.length === 0 && !mixesCommands) return answered([{ result: await client.call(...words(command)) }]);
        // Several commands are one pipeline: if the connection is lost, the library resends it as a whole or not at all.
        const replies = (await client.pipeline([command, ...behind].map(words)).exec()) ?? [];
        const failure = replies.find(([error]) => error)?.[0];
        return failure ? failed(failure) : answered(replies.map(([, result]) => ({ result })));
      } catch (thrown) {
        return failed(thrown);
      }
    }),
  };
}
