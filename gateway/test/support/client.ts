import { connect } from "node:net";

export const TOKEN = "a-token-of-the-tests";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; `undefined` when it is empty. */
  readonly body: unknown;
}

/** One request with the good token; a string or a buffer is sent as it is, anything else as JSON. */
export async function call(url: string, body?: unknown, init: RequestInit = {}): Promise<Answer> {
  const raw = typeof body === "string" || body instanceof Uint8Array ? (body as BodyInit) : undefined;
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    ...(body === undefined ? {} : { body: raw ?? JSON.stringify(body) }),
    ...init,
    headers: { authorization: `Bearer ${TOKEN}`, ...Object.fromEntries(new Headers(init.headers)) },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === "" ? undefined : JSON.parse(text) };
}

/** How long a busy machine may take to begin an answer, in ms. */
const FIRST_MS = 3000;

/**
 * Returns what a gateway answers to bytes that no client would send, until it closes the connection, or sends nothing for
 * `forMs` after its answer began, or for `firstMs` before that.
 */
export function exchange(
  port: number,
  sent: string | Buffer,
  forMs = 300,
  firstMs = Math.max(FIRST_MS, forMs),
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
      socket.setTimeout(forMs);
    });
    socket.on("error", () => {});
    socket.setTimeout(firstMs);
    socket.on("timeout", () => socket.destroy());
    socket.once("close", () => resolve(text));
    socket.write(sent);
  });
}

export const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString("base64");

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks until the answer is as wanted; fails after 30 s. */
export async function until<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean): Promise<T> {
  const end = performance.now() + 30_000;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (performance.now() > end) throw new Error(`still not as wanted: ${JSON.stringify(answer)}`);
    await pause(10);
  }
}
