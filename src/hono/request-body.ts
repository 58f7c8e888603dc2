import type { Context } from "hono";
import type { RequestBody } from "../dedupe/exchange.ts";
import type { Bytes } from "../shared/bytes.ts";

const EMPTY = new Uint8Array(new ArrayBuffer(0));

/** Wraps the body of the current request. */
export function requestBody({ req }: Context): RequestBody {
  const { raw } = req;
  let read: Bytes | undefined;
  let ours = false;

  const isRead = (): boolean => Object.keys(req.bodyCache).length > 0;

  async function bytes(): Promise<Bytes> {
    if (read) return read;
    // Code that read the body through Hono left it in Hono's cache, for us and for the handler. But Hono makes other
    // bytes from a parsed form than came in, and its older versions also keep JSON only as parsed.
    if (/^(formData|json)$/.test(Object.keys(req.bodyCache)[0] ?? ""))
      throw new TypeError("the body was parsed already, and its bytes are lost: mount dedupe before what parses it");
    if (isRead()) read = new Uint8Array(await req.arrayBuffer());
    else if (!raw.body) read = EMPTY;
    else if (raw.bodyUsed)
      throw new TypeError("the body was read from c.req.raw already: mount dedupe before what reads it");
    else {
      ours = true;
      read = new Uint8Array(await raw.arrayBuffer());
      restore();
    }
    return read;
  }

  function restore(): void {
    if (!ours || !read || (!req.raw.bodyUsed && !isRead())) return;
    // Hono's cache is not used: it would turn bytes into text and back, and some of its versions lose the content type.
    req.raw = new Request(raw, { body: read });
    req.bodyCache = {};
  }

  return { bytes, restore };
}
