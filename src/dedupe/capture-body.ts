import type { Bytes } from "../shared/bytes.ts";
import { sleep } from "../shared/timers.ts";
import { noop } from "../shared/wait-until.ts";
import type { Context } from "./exchange.ts";
import { replace } from "./response.ts";

/** Why the body of an answer was not stored. */
export type Lack = "streamed" | "too large" | "encoded" | "upgrade";

/** How long the rest of a body may take after the handler has answered; a slower one counts as a stream. */
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
      // Some platforms accept text and other values as chunks, which are useless as bytes.
      if (!(read.value instanceof Uint8Array)) return "streamed";
      chunks.push(read.value);
      size += read.value.length;
      if (size > maxBytes) return "too large";
    }
  } finally {
    stop.abort();
    // Not awaited: it settles only when the other branch is done too.
    reader.cancel().catch(noop);
  }
}

/**
 * Reads the body of the handler's response, or returns why it cannot be stored. Either way the client gets the body
 * unchanged; a stream continues without being stored.
 *
 * @throws the error that the body's stream fails with.
 */
export async function captureBody(c: Context, maxBytes: number): Promise<Bytes | Lack> {
  const { res } = c;
  const { body, headers, status } = res;
  if (status === 101) return "upgrade";
  if (!body) return new Uint8Array();
  if (headers.has("transfer-encoding") || /^text\/event-stream\b/i.test(headers.get("content-type") ?? ""))
    return "streamed";
  // Platforms encode and decode such bodies themselves.
  if (headers.has("content-encoding")) return "encoded";
  if (Number(headers.get("content-length")) > maxBytes) return "too large";
  const [ours, theirs] = body.tee();
  replace(c, new Response(theirs, res));
  const found = await readAll(ours, maxBytes).catch((error: unknown) => {
    // Else the error's response would inherit these headers, a wrong length among them.
    c.res = undefined;
    throw error;
  });
  if (typeof found !== "string") {
    theirs.cancel().catch(noop);
    replace(c, new Response(found, res));
  }
  return found;
}
