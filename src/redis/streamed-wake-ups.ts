import { onAbort } from "../shared/abort.ts";
import { below, type Fetch, noStore } from "./fetch.ts";
import type { News, Subscription, Terms, WakeUps } from "./wake-ups.ts";

/** A shorter wait polls: a subscription costs a request, and one of a Worker's six connections. */
const MIN_WAIT_MS = 300;
/** Statuses of a server that has no subscriptions, or does not allow them. */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 501]);

/** Reads the lines of server-sent events until the stream ends. */
async function readLines(body: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\r|\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  }
}

/** What a line of the stream says: `data: subscribe,CHANNEL,1`, then `data: message,CHANNEL,TEXT`. */
function newsOf(line: string): News | undefined {
  const [, type, text = ""] = /^data: ?(subscribe|message),.*?([^,]*)$/.exec(line) ?? [];
  if (type === "subscribe") return { type: "ready" };
  return type === "message" ? { type: "message", text } : undefined;
}

/**
 * Wake-ups over HTTP: a stream of server-sent events of the Upstash protocol, `POST /subscribe/CHANNEL`. Each belongs to
 * one wait, since a platform may tie it to the invocation that opened it; a name has one at most, and its other waiters
 * poll.
 */
export class StreamedWakeUps implements WakeUps {
  readonly minWaitMs: number = MIN_WAIT_MS;
  readonly #url: string;
  readonly #token: string;
  readonly #fetch: Fetch;
  /** When the stream of a channel ends at the latest: an invocation that was killed does not end its own. */
  readonly #ends = new Map<string, number>();
  /** Whether the server has no streams: then no other is asked for. */
  #isRefused = false;

  constructor(url: string, token: string, fetch: Fetch) {
    this.#url = url;
    this.#token = token;
    this.#fetch = fetch;
  }

  /** A stream serves its own wait only. */
  isOpen(): boolean {
    return false;
  }

  listen(
    channel: string,
    hear: (news: News) => void,
    { leftMs, signal, clock, places }: Terms,
  ): Subscription | undefined {
    const nowMs = clock.monotonic();
    const endMs = nowMs + leftMs;
    if (this.#isRefused) return undefined;
    if ((this.#ends.get(channel) ?? 0) > nowMs || !places.take(nowMs, endMs)) return undefined;
    this.#ends.set(channel, endMs);
    const controller = new AbortController();
    let isReady = false;
    let isOver = false;
    const stop = (): void => {
      if (isOver) return;
      isOver = true;
      isReady = false;
      controller.abort();
      forget?.();
      places.giveBack(endMs);
      if (this.#ends.get(channel) === endMs) this.#ends.delete(channel);
    };
    const forget = signal && onAbort(signal, stop);
    const receive = (news: News): void => {
      isReady = news.type === "ready" || (isReady && news.type === "message");
      hear(news);
    };
    // A stream that has ended leaves its place to another.
    this.#stream(channel, controller.signal, receive)
      .catch(() => {
        if (!controller.signal.aborted) receive({ type: "lost" });
      })
      .finally(stop);
    return { isReady: () => isReady, stop };
  }

  async #stream(channel: string, signal: AbortSignal, receive: (news: News) => void): Promise<void> {
    const response = await this.#fetch(below(this.#url, `subscribe/${encodeURIComponent(channel)}`), {
      method: "POST",
      headers: { authorization: `Bearer ${this.#token}`, accept: "text/event-stream" },
      body: "",
      signal,
      ...noStore(),
    });
    const { status, body, headers } = response;
    const isStream = status === 200 && /^text\/event-stream\b/.test(headers.get("content-type") ?? "");
    if (!isStream || !body) {
      await body?.cancel();
      this.#isRefused = REFUSED.has(status) || status === 200;
      if (this.#isRefused) receive({ type: "refused", why: `no stream of messages: HTTP ${status}` });
      else receive({ type: "lost" });
      return;
    }
    await readLines(body, (line) => {
      const news = newsOf(line);
      if (news) receive(news);
    });
    receive({ type: "lost" });
  }
}
