import type { Context } from "hono";
import type { RequestBody } from "../dedupe/exchange.ts";
import { heldRequest } from "../dedupe/held-request.ts";
import type { Bytes } from "../shared/bytes.ts";

/** Wraps the body of the current request. */
export function requestBody({ req }: Context): RequestBody {
  // Code that read the body through Hono left it in Hono's cache, for us and for the handler.
  const [before] = Object.keys(req.bodyCache);
  const held =
    before === undefined
      ? heldRequest(req.raw, "the body was read from c.req.raw already: mount dedupe before what reads it")
      : undefined;
  let cached: Bytes | undefined;

  async function bytes(): Promise<Bytes> {
    if (held) {
      const all = await held.bytes();
      restore();
      return all;
    }
    // But Hono makes other bytes from a parsed form than came in, and its older versions also keep JSON only as parsed.
    if (/^(formData|json)$/.test(before ?? ""))
      throw new TypeError("the body was parsed already, and its bytes are lost: mount dedupe before what parses it");
    cached ??= new Uint8Array(await req.arrayBuffer());
    return cached;
  }

  function restore(): void {
    if (!held?.isRead) return;
    held.restore();
    // Hono's cache is not used: it would turn bytes into text and back, and some of its versions lose the content type.
    req.raw = held.request;
    req.bodyCache = {};
  }

  return { bytes, restore, release: () => held?.release() };
}
