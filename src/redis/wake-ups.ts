import { until } from "../shared/timers.ts";
import type { Clock } from "./clock.ts";
import type { HeldPlaces } from "./long-poll.ts";

/** What a waiter hears about a channel. */
export type News =
  /** From now on, messages arrive. */
  | { readonly type: "ready" }
  | { readonly type: "message"; readonly text: string }
  /** Messages may have been lost, and none arrives before the next `ready`. */
  | { readonly type: "lost" }
  /** There will be no messages, since the server does not allow it. */
  | { readonly type: "refused"; readonly why: string };

/** A waiter's subscription to a channel. */
export interface Subscription {
  /** Whether messages arrive. If not, and it is worth a try, it subscribes again. */
  isReady(): boolean;
  stop(): void;
}

/** For how long a subscription may last, and what it may use. */
export interface Terms {
  /** How long the waiter will listen at most, in ms. */
  readonly leftMs: number;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  /** The places of the connection for requests that wait for an answer. */
  readonly places: HeldPlaces;
}

/**
 * Messages that wake waiters. They promise nothing: a message may be lost, late or doubled, so that whoever hears it
 * asks the server, and whoever hears nothing asks it now and then.
 */
export interface WakeUps {
  /** A wait is not worth a subscription unless this much of it is left, in ms. */
  readonly minWaitMs: number;
  /** Whether messages of a channel arrive already, so that it costs nothing to listen. */
  isOpen(channel: string): boolean;
  /** Listens to a channel. Undefined if there is no place for another subscription. */
  listen(channel: string, hear: (news: News) => void, terms: Terms): Subscription | undefined;
}

/** The part of an ID by which a message names its waiter: its last twelve characters, as in the scripts. */
const TAIL_START = 24;
const ID_LENGTH = 36;
const EVERYBODY = "*";
/** After messages may have been lost, waiters poll within this time, in ms. */
const LOST_SPREAD_MS = 1000;

/** A waiter that listens to the channels of the names that it waits for, under one ID. */
export class Listener {
  readonly #tail: string;
  readonly #group: string | undefined;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #subscriptions: readonly Subscription[];
  readonly #onRefused: (why: string) => void;
  /** Ends the present sleep, after `delayMs`. */
  #stir: ((delayMs: number) => void) | undefined;
  /** Whether a message has arrived since the last poll was sent. */
  #isWoken = false;

  /**
   * @param id of the waiter
   * @param group of waiters that a message may name as a whole
   */
  constructor(
    wakeUps: WakeUps,
    channels: readonly string[],
    id: string,
    group: string | undefined,
    terms: Terms & { readonly random: () => number; readonly onRefused: (why: string) => void },
  ) {
    this.#tail = id.slice(TAIL_START, ID_LENGTH);
    this.#group = group;
    this.#clock = terms.clock;
    this.#random = terms.random;
    this.#onRefused = terms.onRefused;
    const hear = (news: News): void => this.#hear(news);
    this.#subscriptions = channels.flatMap((channel) => wakeUps.listen(channel, hear, terms) ?? []);
  }

  /** Called before each poll: it answers all earlier messages. Returns whether messages arrive. */
  polls(): boolean {
    this.#isWoken = false;
    return this.#subscriptions.length > 0 && this.#subscriptions.every((each) => each.isReady());
  }

  /** Sleeps until a message wakes the waiter, for at most `delayMs`, or until the signal aborts. */
  async sleep(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
    let endMs = delayMs;
    while (!this.#isWoken && !signal?.aborted) {
      const stirred = new Promise<number>((resolve) => {
        this.#stir = resolve;
      });
      const sleepMs = endMs;
      const laterMs = await until(stirred, sleepMs, signal, this.#clock);
      if (laterMs === undefined) break;
      endMs = Math.min(laterMs, sleepMs);
    }
    this.#stir = undefined;
    signal?.throwIfAborted();
  }

  stop(): void {
    for (const each of this.#subscriptions) each.stop();
  }

  #hear(news: News): void {
    switch (news.type) {
      case "message":
        if (news.text !== this.#tail && news.text !== this.#group && news.text !== EVERYBODY) return;
        this.#isWoken = true;
        this.#stir?.(0);
        return;
      case "ready":
        // The name may have been released before messages arrived, and the server must learn that the waiter listens.
        this.#isWoken = true;
        this.#stir?.(0);
        return;
      case "lost":
        this.#stir?.(LOST_SPREAD_MS * this.#random());
        return;
      case "refused":
        this.#onRefused(news.why);
    }
  }
}
