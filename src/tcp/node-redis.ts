/**
 * Uses a node-redis client as the connection.
 *
 * @module leasehold/node-redis
 */

import { answered, type RedisOverTcp, refused } from "../redis/port.ts";
import { noop } from "../shared/wait-until.ts";
import { closed, type Events, settled, single, unanswered, unsent } from "./link.ts";
import { LinkedWakeUps, type OpenLink } from "./wake-ups.ts";

/** Commands sent together, on one connection. */
interface Pipeline {
  addCommand(...command: never[]): unknown;
  execAsPipeline(): Promise<unknown>;
}

/** The used part of a node-redis client: of `createClient`, `createCluster`, `createSentinel` or `createClientPool`. */
export interface NodeRedisClient extends Events {
  readonly isOpen: boolean;
  listenerCount(event: string): number;
  sendCommand(...command: never[]): Promise<unknown>;
  withTypeMapping(typeMapping: object): { multi(): Pipeline };
}

/** Members by which the types of clients differ. */
interface Shape {
  /** A pool lacks it. */
  readonly isReady?: boolean;
  /** Only a cluster has it. */
  readonly slots?: unknown;
  /** Only a client of Sentinels has it. */
  readonly getMasterNode?: unknown;
  readonly options?: { readonly socket?: Socket };
}

interface Socket {
  readonly host?: string;
  readonly port?: number;
  readonly socketTimeout?: number;
  readonly reconnectStrategy?: unknown;
}

/** A client of node-redis that receives messages. A pool is none. */
interface Subscriber extends Events {
  duplicate(settings?: object): Subscriber;
  connect(): Promise<unknown>;
  subscribe(channel: string, listener: (text: string, channel: string) => void): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  destroy(): unknown;
}

/** Makes clients for messages. */
const linksOf =
  (client: Subscriber & Shape): OpenLink =>
  async (onMessage, onLost) => {
    const { socket } = client.options ?? {};
    // A lost connection is not opened again by the client, which would not report the loss.
    const own = client.duplicate(socket && { socket: { ...socket, reconnectStrategy: false } });
    own.on("error", onLost);
    own.on("end", onLost);
    await own.connect();
    return {
      subscribe: (channel) => own.subscribe(channel, (text, from) => onMessage(from, text)),
      unsubscribe: (channel) => own.unsubscribe(channel),
      close: () => {
        Promise.resolve(own.destroy()).catch(noop);
      },
    };
  };

/** By client, since many connections may use one client. */
const wakeUpsOf = new WeakMap<NodeRedisClient, LinkedWakeUps>();

function refuse(why: string): never {
  throw new TypeError(why);
}

/** Why a client pauses before it reconnects, if it does. Only its events report it. */
const pauses = new WeakMap<Events, unknown>();

function watch(client: NodeRedisClient & Shape): void {
  if (pauses.has(client)) return;
  pauses.set(client, undefined);
  client.on("error", (error) => {
    if (!client.isReady) pauses.set(client, error);
  });
  for (const event of ["reconnecting", "ready"]) client.on(event, () => void pauses.set(client, undefined));
}

/** Redis's own errors begin with a word in capitals; those of the library and the system do not. */
const isReply = ({ message, code }: { readonly message?: string; readonly code?: string }): boolean =>
  !code && /^[A-Z]{2,} /.test(`${message}`);

/**
 * Adapts a node-redis client for `connect` and `createLocks`: one of `createClient`, `createClientPool`,
 * `createSentinel` or `createCluster`. You connect it, and may use it for other work; it is never closed. Nothing is
 * sent while it is not connected.
 *
 * @example
 * ```ts
 * import { createClient } from "redis";
 * import { nodeRedis } from "leasehold/node-redis";
 *
 * const client = createClient({ url: env.REDIS_URL });
 * client.on("error", (error) => console.warn(error));
 * await client.connect();
 * const redis = connect({ redis: nodeRedis(client) });
 * await lock(redis, "report").run({ wait: "2s" }, () => build());
 * ```
 *
 * @throws TypeError for anything else; for a client without a listener for `error`, which would end the process when
 * its connection is lost; and for a client with a `socketTimeout` and no `reconnectStrategy`, which would never
 * reconnect.
 */
export function nodeRedis(client: NodeRedisClient): RedisOverTcp {
  const shape = Object(client) as NodeRedisClient & Shape;
  if (typeof shape.sendCommand !== "function" || typeof shape.withTypeMapping !== "function")
    refuse("nodeRedis needs a client of node-redis 5 or later: createClient(…)");
  if (client.listenerCount("error") === 0)
    refuse('listen to the client first, else a lost connection ends the process: client.on("error", …)');
  const { host = "localhost", port = 6379, socketTimeout, reconnectStrategy } = shape.options?.socket ?? {};
  if (socketTimeout && reconnectStrategy === undefined)
    refuse(
      "a client with a socketTimeout needs a reconnectStrategy: by default it is closed for good when it was silent",
    );
  watch(shape);
  const subscriber = shape as unknown as Subscriber & Shape;
  if (typeof subscriber.subscribe === "function" && !wakeUpsOf.has(client)) {
    const wakeUps = new LinkedWakeUps(linksOf(subscriber));
    wakeUpsOf.set(client, wakeUps);
    client.on("end", () => wakeUps.close());
  }

  return {
    wakeUps: wakeUpsOf.get(client),
    server: shape.slots || shape.getMasterNode || !shape.options ? "" : `${host}:${port}`,
    port: single(async (command, abortSignal, behind) => {
      // A disconnected client gets no command: it might send a queued command later, so the outcome would be unknown.
      if (!client.isOpen) return closed();
      const cause = pauses.get(client) ?? (shape.isReady === false && (await settled(client, abortSignal)));
      if (shape.isReady === false || abortSignal.aborted) return unsent(cause || new Error("the client is connecting"));
      // A cluster gets the first key; a cluster and a sentinel client must not use a replica.
      const where = shape.slots ? [`${command[3]}`, false] : shape.getMasterNode ? [false] : [];
      const line = (each: typeof command): never[] => [...where, each.map(String)] as never[];
      try {
        if (!behind) {
          // The signal removes an unwritten command from the queue. Replies keep Redis's types.
          const sent = client.sendCommand(...line(command), { abortSignal, typeMapping: {} } as never);
          return answered([{ result: await sent }]);
        }
        // Both are sent on one connection or not at all.
        const pipeline = client.withTypeMapping({}).multi();
        for (const each of [command, ...behind]) pipeline.addCommand(...line(each));
        const replies = (await pipeline.execAsPipeline()) as unknown[];
        return answered(replies.map((result) => ({ result })));
      } catch (thrown) {
        return isReply(Object(thrown)) ? refused((thrown as Error).message) : unanswered(thrown);
      }
    }),
  };
}
