import type { Channels, Engine, Reply as EngineReply } from "leasehold-engine";
import type { Feed, FeedLimits, Listener } from "../redis/backend.ts";
import { NoAnswer } from "../shared/error-answers.ts";
import type { Monitors } from "./monitors.ts";
import { replyOf } from "./replies.ts";

/** The parts that all feeds of a server share. */
export interface SharedParts {
  readonly engine: Engine;
  readonly channels: Channels;
  readonly monitors: Monitors;
  /** The feeds that are open, to be closed with the server. */
  readonly feeds: Set<Feed>;
}

const lengthOf = (message: EngineReply): number =>
  Array.isArray(message) ? message.reduce((sum: number, part) => sum + lengthOf(part), 0) : String(message).length;

/** A subscriber or a monitor in this process. */
export class MemoryFeed implements Feed {
  readonly #parts: SharedParts;
  readonly #words: readonly string[];
  #listener: Listener | undefined;
  #maxPending = 0;

  /** @param words the words of SUBSCRIBE, PSUBSCRIBE or MONITOR, one character for each byte */
  constructor(parts: SharedParts, words: readonly string[]) {
    this.#parts = parts;
    this.#words = words;
  }

  async open(listener: Listener, { maxPending }: FeedLimits): Promise<Error | undefined> {
    const { engine, feeds } = this.#parts;
    const refused = engine.refusal(this.#words);
    if (refused !== undefined) return replyOf(refused) as Error;
    feeds.add(this);
    this.#listener = listener;
    this.#maxPending = maxPending;
    this.#begin();
    if (this.#listener === undefined) throw new NoAnswer();
    return undefined;
  }

  /** It cannot be cut off without being closed. */
  ping(): void {}

  isAlive(): boolean {
    return true;
  }

  close(): void {
    const { channels, monitors, feeds } = this.#parts;
    const listener = this.#listener;
    this.#listener = undefined;
    feeds.delete(this);
    channels.leave(this.#take);
    monitors.remove(this.#take);
    listener?.onEnd();
  }

  #begin(): void {
    const { channels, monitors } = this.#parts;
    const [command = "", ...wanted] = this.#words;
    const name = command.toLowerCase();
    if (name === "monitor") {
      monitors.add(this.#take);
      this.#take("OK");
      return;
    }
    monitors.tell(this.#words);
    const kind = name === "subscribe" ? "channel" : "pattern";
    for (const [at, each] of wanted.entries()) {
      // The listener may close the feed at any reply.
      if (this.#listener === undefined) return;
      channels.subscribe(kind, each, this.#take);
      this.#take([name, each, new Set(wanted.slice(0, at + 1)).size]);
    }
  }

  readonly #take = (message: EngineReply): void => {
    const listener = this.#listener;
    if (listener === undefined) return;
    if (lengthOf(message) > this.#maxPending) listener.onTooLarge();
    else listener.onReply(replyOf(message));
  };
}
