import type { Budget } from "../budget.ts";
import { glob } from "./glob.ts";

/** Receives a message of a channel. */
type Subscriber = (message: readonly string[]) => void;

/** The channels of publish and subscribe. */
export interface Channels {
  /** Adds a subscriber to a channel, or to all whose names match a pattern. */
  subscribe(kind: "channel" | "pattern", name: string, subscriber: Subscriber): void;
  /**
   * Sends a message to all subscribers, those of the channel first; returns their number.
   *
   * @param budget counts the comparisons with patterns, and the messages
   */
  publish(channel: string, message: string, budget: Budget): number;
  /** Removes a subscriber from everything. */
  leave(subscriber: Subscriber): void;
}

interface Audience {
  readonly matches: (channel: string, budget: Budget) => boolean;
  readonly subscribers: Set<Subscriber>;
}

/** Makes the channels of a server. They need not be closed. */
export function createChannels(): Channels {
  const audiences = {
    channel: new Map<string, Audience>(),
    pattern: new Map<string, Audience>(),
  };

  return {
    subscribe(kind, name, subscriber) {
      const all = audiences[kind];
      const audience = all.get(name) ?? {
        matches: kind === "pattern" ? glob(name) : () => true,
        subscribers: new Set<Subscriber>(),
      };
      audience.subscribers.add(subscriber);
      all.set(name, audience);
    },
    publish(channel, message, budget) {
      const matching = [...audiences.pattern].filter(([, { matches }]) => matches(channel, budget));
      const direct = audiences.channel.get(channel)?.subscribers ?? new Set<Subscriber>();
      const count = matching.reduce((sum, [, { subscribers }]) => sum + subscribers.size, direct.size);
      budget.spend(count);
      budget.text(count * (channel.length + message.length));
      for (const subscriber of direct) subscriber(["message", channel, message]);
      for (const [pattern, { subscribers }] of matching)
        for (const subscriber of subscribers) subscriber(["pmessage", pattern, channel, message]);
      return count;
    },
    leave(subscriber) {
      for (const all of Object.values(audiences)) {
        for (const [name, { subscribers }] of all) {
          subscribers.delete(subscriber);
          if (subscribers.size === 0) all.delete(name);
        }
      }
    },
  };
}
