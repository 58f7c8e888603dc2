import type { Channels } from "../redis/channels.ts";
import { toBytes, toText } from "./bytes.ts";
import type { Incoming } from "./message.ts";
import { routeOf, wordsInPath } from "./target.ts";

const SUBSCRIBE = /^subscribe$/i;
const BREAKS = /\r\n|\r|\n/g;
const encoder = new TextEncoder();

/** One server-sent event. A line break in the text begins a new line of data. */
const event = (words: readonly string[]): Uint8Array =>
  encoder.encode(`data: ${words.join(",").replaceAll(BREAKS, "\ndata: ")}\n\n`);

/** The channels of a request for `/subscribe/CHANNEL…`; undefined for another request. */
export function channelsIn({ target }: Pick<Incoming, "target">): readonly string[] | undefined {
  if (routeOf(target) !== "stream") return undefined;
  const [verb = "", ...channels] = wordsInPath(target, undefined, { ofText: toBytes, ofBytes: (bytes) => bytes });
  return SUBSCRIBE.test(verb) && channels.length > 0 ? channels : undefined;
}

/**
 * The response to a subscription: server-sent events until its reader cancels it or `signal` aborts.
 *
 * @param settled called before each message; one that its client cannot receive yet waits for it
 */
export function subscriptionTo(
  channels: Channels,
  names: readonly string[],
  signal?: AbortSignal | null,
  settled: () => Promise<void> = async () => {},
): Response {
  let leave = (): void => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const take = (words: readonly string[]): void =>
        void settled()
          .then(() => controller.enqueue(event(words.map(toText))))
          .catch(() => {});
      const end = (): void => {
        leave();
        controller.error(signal?.reason);
      };
      leave = () => {
        channels.leave(take);
        signal?.removeEventListener("abort", end);
      };
      signal?.addEventListener("abort", end);
      for (const [index, name] of names.entries()) {
        channels.subscribe("channel", name, take);
        take(["subscribe", name, String(index + 1)]);
      }
    },
    cancel: () => leave(),
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
