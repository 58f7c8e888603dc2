import type { RedisServer } from "../../../tools/redis.ts";
import { TOKEN, until } from "./client.ts";

/** A stream of server-sent events, read as the specification of the format says. */
export interface Heard {
  readonly response: Response;
  /** The data of each event so far. */
  readonly events: readonly string[];
  /** How many comments there were. */
  readonly comments: number;
  /** How it ended: `done` for well, `broken` for broken off; `undefined` while it goes on. */
  readonly end: "done" | "broken" | undefined;
  /** The first so many events, once they are there. */
  first(count: number): Promise<string[]>;
  ended(): Promise<"done" | "broken" | undefined>;
  leave(): void;
}

export async function listen(url: string, init: RequestInit = {}): Promise<Heard> {
  const controller = new AbortController();
  const headers = { authorization: `Bearer ${TOKEN}`, accept: "text/event-stream" };
  const response = await fetch(url, { method: "POST", headers, signal: controller.signal, ...init });
  const events: string[] = [];
  let comments = 0;
  let end: "done" | "broken" | undefined;

  function take(block: string): void {
    const lines = block.split(/\r\n|\r|\n/);
    comments += lines.filter((line) => line.startsWith(":")).length;
    const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.replace(/^data: ?/, ""));
    if (data.length > 0) events.push(data.join("\n"));
  }

  async function read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      const blocks = (text + decoder.decode(chunk, { stream: true })).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) take(block);
    }
  }

  if (response.body !== null && response.status === 200) {
    read(response.body).then(
      () => (end = "done"),
      () => (end = "broken"),
    );
  }
  return {
    response,
    events,
    get comments() {
      return comments;
    },
    get end() {
      return end;
    },
    first: async (count) => {
      await until(
        async () => events.length,
        (length) => length >= count,
      );
      return events.slice(0, count);
    },
    ended: () =>
      until(
        async () => end,
        (how) => how !== undefined,
      ),
    leave: () => controller.abort(),
  };
}

/** How many connections Redis has, by what they are: `N` is a plain one, `P` a subscriber, `O` a monitor. */
export async function connections(redis: RedisServer, flag: string): Promise<number> {
  const list = await redis.command("CLIENT", "LIST");
  return list.split("\n").filter((line) => line.includes(` flags=${flag} `)).length;
}

/** Waits until there is none of them. */
export const gone = (redis: RedisServer, flag: string): Promise<number> =>
  until(
    () => connections(redis, flag),
    (count) => count === 0,
  );
