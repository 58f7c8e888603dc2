import type { News, Subscription, WakeUps } from "../redis/wake-ups.ts";
import { noop } from "../shared/wait-until.ts";

/** A connection of its own, on which the messages of channels arrive. */
export interface MessageLink {
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  close(): void;
}

/** Opens such a connection, with the settings of the user's client. */
export type OpenLink = (onMessage: (channel: string, text: string) => void, onLost: () => void) => Promise<MessageLink>;

/** How long a channel without waiters stays subscribed, and the connection open, in ms. */
const IDLE_MS = 5000;
/** The pause after a failure, in ms. */
const RETRY_MS = 1000;
/** Redis's answers to a user who must not subscribe, and to a command that a server does not have. */
const FORBIDDEN = /^(NOPERM|ERR unknown command)/;

/** A channel, and the waiters that listen to it. */
interface Channel {
  readonly listeners: Set<(news: News) => void>;
  /** Whether the server has confirmed the subscription. */
  isReady: boolean;
  isStarting: boolean;
  idle: ReturnType<typeof setTimeout> | undefined;
}

/**
 * The wake-ups of one client: a second connection, made when the first waiter waits, which all waiters of the client
 * share. It is closed some seconds after the last waiter has gone.
 */
export class LinkedWakeUps implements WakeUps {
  readonly minWaitMs = 0;
  readonly #open: OpenLink;
  readonly #channels = new Map<string, Channel>();
  #link: Promise<MessageLink> | undefined;
  #failedAtMs = Number.NEGATIVE_INFINITY;
  /** Why there are no messages for this user. */
  #refusal: string | undefined;

  constructor(open: OpenLink) {
    this.#open = open;
  }

  isOpen(name: string): boolean {
    return this.#channels.get(name)?.isReady === true;
  }

  listen(name: string, hear: (news: News) => void): Subscription {
    const channel = this.#channels.get(name) ?? {
      listeners: new Set(),
      isReady: false,
      isStarting: false,
      idle: undefined,
    };
    this.#channels.set(name, channel);
    clearTimeout(channel.idle);
    channel.listeners.add(hear);
    const isReady = (): boolean => {
      if (!channel.isReady) void this.#start(name, channel);
      return channel.isReady;
    };
    isReady();
    return {
      isReady,
      stop: () => {
        channel.listeners.delete(hear);
        if (channel.listeners.size === 0) this.#rest(name, channel);
      },
    };
  }

  /** Closes the connection, and forgets the channels without waiters. */
  close(): void {
    for (const [name, { idle, listeners }] of this.#channels) {
      clearTimeout(idle);
      if (listeners.size === 0) this.#channels.delete(name);
    }
    this.#link?.then((link) => link.close(), noop);
    this.#lose();
  }

  async #start(name: string, channel: Channel): Promise<void> {
    if (this.#refusal !== undefined) publish(channel, { type: "refused", why: this.#refusal });
    if (this.#refusal !== undefined || channel.isStarting || performance.now() - this.#failedAtMs < RETRY_MS) return;
    channel.isStarting = true;
    this.#link ??= this.#open(
      (named, text) => publish(this.#channels.get(named), { type: "message", text }),
      () => this.#lose(),
    );
    const opening = this.#link;
    try {
      const link = await opening;
      await link.subscribe(name);
      if (this.#link !== opening) return;
      channel.isReady = true;
      publish(channel, { type: "ready" });
    } catch (thrown) {
      this.#fail(thrown, opening);
    } finally {
      channel.isStarting = false;
    }
  }

  #fail(thrown: unknown, opening: Promise<MessageLink>): void {
    const { message } = Object(thrown) as { readonly message?: string };
    this.#failedAtMs = performance.now();
    if (FORBIDDEN.test(`${message}`)) {
      this.#refusal = `${message}`;
      for (const channel of this.#channels.values()) publish(channel, { type: "refused", why: this.#refusal });
    }
    if (this.#link === opening) this.close();
  }

  /** Nobody listens to a channel: it ends after a while, and with the last one the connection. */
  #rest(name: string, channel: Channel): void {
    channel.idle = setTimeout(() => {
      this.#channels.delete(name);
      if (this.#channels.size === 0) this.close();
      else if (channel.isReady) this.#link?.then((link) => link.unsubscribe(name)).catch(noop);
    }, IDLE_MS);
    // In Node and Bun, a timer is an object. It must not keep the process alive.
    (channel.idle as { unref?(): void }).unref?.();
  }

  /** The connection is gone. */
  #lose(): void {
    this.#link = undefined;
    for (const channel of this.#channels.values()) {
      if (!channel.isReady) continue;
      channel.isReady = false;
      publish(channel, { type: "lost" });
    }
  }
}

function publish(channel: Channel | undefined, news: News): void {
  for (const hear of [...(channel?.listeners ?? [])]) hear(news);
}
