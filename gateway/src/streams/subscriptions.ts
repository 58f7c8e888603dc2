import type { HttpResponse } from "../http/message.ts";
import type { Backend, Command, Feed, Listener } from "../redis/backend.ts";
import type { Gate } from "../shared/token-shares.ts";
import { createOutlet, type Outlet } from "./outlet.ts";
import { COMMENT, eventOf, isMonitor, type Reader } from "./sse.ts";

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  // Prevents proxies from buffering an endless answer.
  "x-accel-buffering": "no",
};

export interface SubscriptionLimits {
  /** How long Redis may take to reply to the command, in ms. */
  readonly timeoutMs: number;
  /** How many bytes a client may leave unread before its stream is ended. */
  readonly streamBufferBytes: number;
  /** How often a stream gets a comment as a heartbeat, in ms. */
  readonly streamKeepAliveMs: number;
}

/** The subscriptions and monitors of one database, as responses of server-sent events. */
export interface Subscriptions {
  /**
   * Runs SUBSCRIBE, PSUBSCRIBE or MONITOR on its own connection, and counts in `streams`. The response lasts until the
   * client or Redis disconnects. The stream of a client that reads too slowly is ended.
   *
   * A caller who may not run the command gets an `Error`.
   *
   * @throws {NotSent} if there are too many streams, or Redis is unreachable
   * @throws {NoAnswer} if Redis does not reply
   */
  open(command: Command, reader: Reader, streams: Gate): Promise<HttpResponse | Error>;
}

/** The answer to HEAD, which has no endless body. */
export const headOfStream = (): HttpResponse => ({ status: 200, headers: HEADERS, body: null });

/** Makes a feed. A stream that does not begin does not count. */
function feedOf(backend: Backend, command: Command, streams: Gate): Feed | Error {
  let feed: Feed | Error | undefined;
  try {
    feed = backend.feed(command);
    return feed;
  } finally {
    if (feed === undefined || feed instanceof Error) streams.leave();
  }
}

/** Passes the events of a feed to its client. */
const listenerFor = (outlet: Outlet, reader: Reader): Listener => ({
  onReply(reply) {
    const text = eventOf(reply, reader);
    if (text !== undefined) outlet.write(text);
  },
  onTooLarge: outlet.abort,
  onEnd: outlet.finish,
});

export function createSubscriptions(backend: Backend, limits: SubscriptionLimits): Subscriptions {
  const bounds = { withinMs: limits.timeoutMs, maxPending: limits.streamBufferBytes };

  /**
   * Sends heartbeats, and expects one from Redis, since a frozen or disconnected Redis closes no connection. A
   * connection with MONITOR accepts no PING.
   */
  function keepAlive(command: Command, outlet: Outlet, feed: Feed): NodeJS.Timeout {
    const isAsked = !isMonitor(command);
    return setInterval(() => {
      if (isAsked && !feed.isAlive()) return outlet.finish();
      outlet.write(COMMENT);
      if (isAsked) feed.ping();
    }, limits.streamKeepAliveMs);
  }

  return {
    async open(command, reader, streams) {
      streams.enter();
      const feed = feedOf(backend, command, streams);
      if (feed instanceof Error) return feed;
      let timer: NodeJS.Timeout | undefined;
      let isOpen = true;
      const outlet = createOutlet(limits.streamBufferBytes, () => {
        isOpen = false;
        clearInterval(timer);
        streams.leave();
        feed.close();
      });
      try {
        const refused = await feed.open(listenerFor(outlet, reader), bounds);
        if (refused !== undefined) {
          outlet.finish();
          return refused;
        }
        if (isOpen) timer = keepAlive(command, outlet, feed);
        return { status: 200, headers: HEADERS, body: outlet.body };
      } catch (error) {
        outlet.finish();
        throw error;
      }
    },
  };
}
