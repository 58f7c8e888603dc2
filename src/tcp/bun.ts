/**
 * Uses Bun's Redis client as the connection.
 *
 * @module leasehold/bun
 */

import { answered, type Command, type RedisOverTcp, refused } from "../redis/port.ts";
import { alarm } from "../shared/timers.ts";
import { closed, single, unanswered, unsent } from "./link.ts";
import { LinkedWakeUps, type OpenLink } from "./wake-ups.ts";

/** The used part of Bun's `RedisClient`. */
export interface BunRedisClient {
  readonly connected: boolean;
  connect(): Promise<unknown>;
  close(): void;
  send(command: string, args: string[]): Promise<unknown>;
  /** Versions before 1.2.23 of Bun cannot subscribe. */
  duplicate?(): Promise<unknown>;
}

/** A client of Bun that receives messages. */
interface Subscriber extends BunRedisClient {
  onclose: unknown;
  subscribe(channel: string, listener: (text: string, channel: string) => void): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
}

/** Makes clients for messages. */
const linksOf =
  (client: BunRedisClient): OpenLink =>
  async (onMessage, onLost) => {
    const own = (await client.duplicate?.()) as Subscriber;
    await own.connect();
    own.onclose = onLost;
    return {
      subscribe: (channel) => own.subscribe(channel, (text, from) => onMessage(from, text)),
      unsubscribe: (channel) => own.unsubscribe(channel),
      close: () => own.close(),
    };
  };

/** By client, since many connections may use one client. */
const wakeUpsOf = new WeakMap<BunRedisClient, LinkedWakeUps>();

/** The clients that their owner has closed. One that is open again is removed. */
const closedClients = new WeakSet<BunRedisClient>();
const watchedClients = new WeakSet<BunRedisClient>();

/**
 * Notes when the owner closes a client. Bun reports that like a lost connection, so without this, a request would open
 * the client again.
 */
function watchClose(client: BunRedisClient): void {
  if (watchedClients.has(client) || typeof client.close !== "function") return;
  watchedClients.add(client);
  const close = client.close.bind(client);
  client.close = () => {
    closedClients.add(client);
    wakeUpsOf.get(client)?.close();
    close();
  };
}

/**
 * How long a request waits for a connection. Bun retries for half a minute and reports no progress; later requests fail
 * immediately, since there is no connection.
 */
const CONNECT_MS = 1000;

/**
 * Adapts Bun's own client for `connect` and `createLocks`. You may use the client for other work; it is
 * never closed, and not opened again after you have closed it. The first request connects it.
 *
 * @example
 * ```ts no-run
 * import { RedisClient } from "bun";
 * import { bunRedis } from "leasehold/bun";
 *
 * const client = new RedisClient(env.REDIS_URL, { idleTimeout: 10_000 });
 * const redis = connect({ redis: bunRedis(client) });
 * await lock(redis, "report").run({ wait: "2s" }, () => build());
 * ```
 *
 * @throws TypeError for anything else.
 */
export function bunRedis(client: BunRedisClient): RedisOverTcp {
  const { connected: isConnected, send } = Object(client) as BunRedisClient;
  if (typeof isConnected !== "boolean" || typeof send !== "function")
    throw new TypeError("bunRedis needs a client of Bun: new RedisClient(…)");
  watchClose(client);
  if (typeof client.duplicate === "function" && !wakeUpsOf.has(client))
    wakeUpsOf.set(client, new LinkedWakeUps(linksOf(client)));
  const run = ([name, ...args]: Command): Promise<unknown> => client.send(`${name}`, args.map(String));
  /** Why it is not connected, after a request has waited for it. */
  let failure: unknown;

  /** Waits until the client is connected or has failed, or the time is up. */
  const settled = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const end = (why: unknown): void => {
        stop();
        failure = why;
        resolve();
      };
      const stop = alarm(CONNECT_MS, signal, () => end(new Error("the client is connecting")));
      client.connect().then(() => end(undefined), end);
      if (failure) resolve();
    });

  return {
    wakeUps: wakeUpsOf.get(client),
    server: "",
    port: single(async (command, signal, behind) => {
      // A disconnected client gets no command: it might send a queued command later, so the outcome would be unknown.
      if (client.connected) closedClients.delete(client);
      else if (closedClients.has(client)) return closed();
      else await settled(signal);
      if (!client.connected || signal.aborted) return failure === undefined ? closed() : unsent(failure);
      try {
        if (!behind) return answered([{ result: await run(command) }]);
        // On another connection, WAIT would count replicas although nothing was written there.
        const id = ["CLIENT", "ID"];
        const [before, ...replies] = await Promise.all([id, command, ...behind, id].map(run));
        if (before !== replies.pop()) throw new Error("the connection was lost");
        return answered(replies.map((result) => ({ result })));
      } catch (thrown) {
        const { code, message } = Object(thrown) as { readonly code?: string; readonly message?: string };
        return code === "ERR_REDIS_SERVER_ERROR" ? refused(`${message}`) : unanswered(thrown);
      }
    }),
  };
}
