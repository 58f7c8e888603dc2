import type { Bytes } from "../shared/bytes.ts";
import { sleep } from "../shared/timers.ts";
import { noop } from "../shared/wait-until.ts";

/** Why the body of an answer is not stored. */
export type Lack = "streamed" | "too large" | "encoded" | "upgrade";

/** How long the rest of a body may take after the handler has answered; a slower body counts as a stream. */
const PATIENCE_MS = 1000;

function join(chunks: readonly Uint8Array[], size: number): Bytes {
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** Reads a body to its end, unless it is too slow or too large. */
async function readAll(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Bytes | Lack> {
  const reader = body.getReader();
  const stop = new AbortController();
  const late = sleep(PATIENCE_MS, stop.signal).catch(noop);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const read = await Promise.race([reader.read(), late]);
      if (!read) return "streamed";
      if (read.done) return join(chunks, size);
      // Some platforms accept text and other values as chunks, which cannot be stored as bytes.
      if (!(read.value instanceof Uint8Array)) return "streamed";
      chunks.push(read.value);
      size += read.value.length;
      if (size > maxBytes) return "too large";
    }
  } finally {
    stop.abort();
    // Not awaited: it settles only when the other branch is done as well.
    reader.cancel().catch(noop);
  }
}

/** The handler's response for the client, and its body or why the body cannot be stored. */
export interface Captured {
  readonly response: Response;
  readonly body: Bytes | Lack;
}

/** Returns why the body of a response cannot be stored; undefined if it may be possible. */
function lackOf({ body, headers, status }: Response, maxBytes: number): Lack | undefined {
  if (status === 101) return "upgrade";
  if (!body) return undefined;
  const isStream = /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");
  if (isStream || headers.has("transfer-encoding")) return "streamed";
  // Platforms encode and decode such bodies themselves.
  if (headers.has("content-encoding")) return "encoded";
  return Number(headers.get("content-length")) > maxBytes ? "too large" : undefined;
}

/**
 * Reads the body of the handler's response. The client always gets the body unchanged; a stream continues without being
 * stored.
 *
 * @throws the error of the body's stream.
 */
export async function captureBody(response: Response, maxBytes: number): Promise<Captured> {
  const lack = lackOf(response, maxBytes);
  if (lack !== undefined) return { response, body: lack };
  if (!response.body) return { response, body: new Uint8Array() };
  const [captured, forwarded] = response.body.tee();
  const found = await readAll(captured, maxBytes);
  if (typeof found === "string") return { response: new Response(forwarded, response), body: found };
  forwarded.cancel().catch(noop);
  return { response: new Response(found, response), body: found };
}
