import type { News, Subscription, WakeUps } from "../../src/redis/wake-ups.ts";
import type { Host } from "./host.ts";
import type { Random } from "./random.ts";
import { type World, within } from "./world.ts";

/** The faults of messages that wake waiters. Each is a chance. */
export interface MessageTroubles {
  readonly losses: number;
  readonly doubles: number;
  /** That a message is late, by up to 10 s. */
  readonly delays: number;
  /** That a message of another sender comes after one: it names nobody, everybody, or the same waiter. */
  readonly forgeries: number;
  /** That a subscription breaks when a message should arrive. */
  readonly breaks: number;
}

const LONGEST_DELAY_MS = 10_000;
const FORGED: readonly string[] = ["*", "read", "", "nobody at all"];

interface Subscriber {
  readonly host: Host;
  readonly channel: string;
  readonly hear: (news: News) => void;
  isReady: boolean;
}

/** The messages of a server. */
export interface Messages {
  /** Sends a message to everybody who listens to the channel; returns their number. */
  publish(channel: string, text: string): number;
  /** The wake-ups of a client on a host. */
  wakeUpsOf(host: Host): WakeUps;
}

export function createMessages(world: World, random: Random, troubles: MessageTroubles): Messages {
  const subscribers = new Set<Subscriber>();

  function tell(subscriber: Subscriber, news: News, afterMs: number): void {
    const { host, hear } = subscriber;
    world.after(afterMs, () =>
      host.deliver(() => {
        if (!subscribers.has(subscriber)) return;
        if (news.type !== "message") subscriber.isReady = news.type === "ready";
        within({ host, op: undefined }, () => hear(news));
      }),
    );
  }

  function start(subscriber: Subscriber): void {
    if (!random.chance(troubles.losses)) tell(subscriber, { type: "ready" }, random.between(1, 100));
  }

  function send(subscriber: Subscriber, text: string): void {
    if (random.chance(troubles.breaks)) {
      subscriber.isReady = false;
      world.note({ type: "message", channel: subscriber.channel, text, fate: "lost: the subscription broke" });
      tell(subscriber, { type: "lost" }, random.between(1, 500));
      return;
    }
    const copies = random.chance(troubles.losses) ? 0 : random.chance(troubles.doubles) ? 2 : 1;
    if (copies === 0) world.note({ type: "message", channel: subscriber.channel, text, fate: "lost" });
    for (let copy = 0; copy < copies; copy++) {
      const lateMs = random.chance(troubles.delays) ? random.between(0, LONGEST_DELAY_MS) : random.between(1, 30);
      const fate = copy > 0 ? "a second time" : lateMs > 30 ? `late by ${lateMs.toFixed(0)} ms` : "arrives";
      world.note({ type: "message", channel: subscriber.channel, text, fate });
      tell(subscriber, { type: "message", text }, lateMs);
    }
    if (random.chance(troubles.forgeries))
      tell(subscriber, { type: "message", text: random.pick([...FORGED, text]) }, 50);
  }

  return {
    publish(channel, text) {
      const all = [...subscribers].filter((each) => each.channel === channel && each.isReady);
      for (const each of all) send(each, text);
      return all.length;
    },
    wakeUpsOf: (host) => ({
      minWaitMs: 0,
      isOpen: () => false,
      listen(channel, hear): Subscription {
        const subscriber: Subscriber = { host, channel, hear, isReady: false };
        subscribers.add(subscriber);
        start(subscriber);
        return {
          isReady: () => subscriber.isReady,
          stop: () => void subscribers.delete(subscriber),
        };
      },
    }),
  };
}
