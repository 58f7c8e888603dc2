import { request } from "node:http";
import { createLocks, type Locks } from "../../../src/index.ts";
import { freshName } from "../../../test/support/names.ts";
import { type Front, type Stack, startStack } from "../../../test/support/stack.ts";
import { startUi, type Ui, type UiOptions } from "../../src/ui/server.ts";
import type { Messages } from "../../src/ui/watcher.ts";
import type { Hello, Look } from "../../src/ui/wire.ts";

/** Pages are files; what is in them is for the tests of the page. */
const FILES = { "index.html": "<p>page</p>", "style.css": "", "page.js": "", "icon.svg": "" };

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Sends a request with headers that `fetch` would not let through. */
export function send(
  url: string,
  {
    method = "GET",
    headers = {},
    body = "",
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      const end = (): void => {
        const { statusCode = 0, headers: received } = response;
        resolve({ status: statusCode, headers: received, body: Buffer.concat(chunks).toString() });
      };
      response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", end);
    });
    sent.on("error", reject).end(body);
  });
}

/** Sends what the page would send. */
export const post = (url: string, path: string, body: object | string): Promise<Answered> =>
  send(`${url}${path}`, {
    method: "POST",
    headers: { origin: new URL(url).origin },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

type Events = Messages & { readonly hello: Hello };

/** A page's stream of messages. */
export interface Stream {
  /** Waits for a message that fits, also one that has come before. */
  until<Event extends keyof Events>(event: Event, fits?: (message: Events[Event]) => boolean): Promise<Events[Event]>;
  look(wanted: Omit<Look, "stream">): Promise<Answered>;
  close(): void;
}

export async function openStream(url: string): Promise<Stream> {
  const caller = new AbortController();
  const response = await fetch(`${url}events`, { signal: caller.signal });
  const heard: { readonly event: string; readonly data: never }[] = [];
  let wake = (): void => {};
  async function read(): Promise<void> {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      const messages = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
      rest = messages.pop() ?? "";
      for (const message of messages) {
        const [, event = "", data = ""] = /^event: (\w+)\ndata: (.*)$/s.exec(message) ?? [];
        heard.push({ event, data: JSON.parse(data) as never });
      }
      wake();
    }
  }
  read().catch(() => {});
  const until: Stream["until"] = async (event, fits = () => true) => {
    for (let at = 0; ; ) {
      for (; at < heard.length; at++) {
        const message = heard[at];
        if (message?.event === event && fits(message.data)) return message.data;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    until,
    async look(wanted) {
      const { stream } = await until("hello");
      return post(url, "look", { ...wanted, stream });
    },
    close: () => caller.abort(),
  };
}

/** A page's server over names of its own. */
export interface Setting extends AsyncDisposable {
  readonly ui: Ui;
  readonly locks: Locks;
  readonly prefix: string;
  /** When each request to Redis was sent. */
  readonly sentAt: readonly number[];
}

export async function setUp(front: Front, options: Partial<UiOptions> = {}): Promise<Setting> {
  const prefix = `${freshName("ui")}:`;
  const sentAt: number[] = [];
  const counted: typeof fetch = (...args) => {
    sentAt.push(performance.now());
    return fetch(...args);
  };
  const { url, token } = front;
  const watched = createLocks({ url, token, prefix, fetch: counted });
  const ui = await startUi(watched, { files: FILES, intervalMs: 40, ...options });
  return {
    ui,
    locks: createLocks({ url, token, prefix }),
    prefix,
    sentAt,
    [Symbol.asyncDispose]: () => ui.close(),
  };
}

/** A server that nobody else uses, and the commands that it has counted so far. */
export async function useOwnStack(): Promise<{ readonly stack: Stack; commands(): Promise<number> } & AsyncDisposable> {
  const stack = await startStack();
  const others = /^(info|ping|config|client|hello|command|select|auth)\b/;
  return {
    stack,
    async commands() {
      const text = await stack.redis.command("INFO", "commandstats");
      const counts = [...text.matchAll(/cmdstat_(\S+?):calls=(\d+)/g)].filter(([, name]) => !others.test(`${name}`));
      return counts.reduce((sum, [, , calls]) => sum + Number(calls), 0);
    },
    [Symbol.asyncDispose]: () => stack.stop(),
  };
}
