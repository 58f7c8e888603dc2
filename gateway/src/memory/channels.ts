/** Receives a message of a channel. */
type Subscriber = (message: readonly string[]) => void;

/** The channels of publish and subscribe. */
export interface Channels {
  /** Adds a subscriber to a channel, or to all whose names match a pattern. */
  subscribe(kind: "channel" | "pattern", name: string, subscriber: Subscriber): void;
  /** Sends a message to all subscribers, those of the channel first; returns their number. */
  publish(channel: string, message: string): number;
  /** Removes a subscriber from everything. */
  leave(subscriber: Subscriber): void;
}

interface Audience {
  readonly matches: (channel: string) => boolean;
  readonly subscribers: Set<Subscriber>;
}

/** @param glob makes a test for names from a pattern of Redis */
export function createChannels(glob: (pattern: string) => (name: string) => boolean): Channels {
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
    publish(channel, message) {
      let count = 0;
      for (const subscriber of audiences.channel.get(channel)?.subscribers ?? []) {
        subscriber(["message", channel, message]);
        count++;
      }
      for (const [pattern, { matches, subscribers }] of audiences.pattern) {
        if (!matches(channel)) continue;
        for (const subscriber of subscribers) {
          subscriber(["pmessage", pattern, channel, message]);
          count++;
        }
      }
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
