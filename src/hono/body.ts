import type { Context } from "hono";
import type { Bytes } from "../shared/crypto.ts";

/** The body of a request, read at most once and left readable for whoever comes next. */
export interface RequestBody {
  /** Reads it. From then on {@link RequestBody.restore} can give it back. */
  bytes(): Promise<Bytes>;
  /** As the signature covers it: every byte of it, a byte order mark included. */
  text(): Promise<string>;
  /** SHA-256 of the bytes, in hexadecimal. */
  digest(): Promise<string>;
  /** Makes it readable again, in every way that Hono and the platform have, after somebody else may have read it. */
  restore(): void;
}

const EMPTY = new Uint8Array(new ArrayBuffer(0));

export function requestBody({ req }: Context): RequestBody {
  const { raw } = req;
  let read: Bytes | undefined;
  let ours = false;

  const isRead = (): boolean => Object.keys(req.bodyCache).length > 0;

  async function bytes(): Promise<Bytes> {
    if (read) return read;
    // Whoever read it before us through Hono has left it in Hono's cache, for us and for the handler; but of what was
    // parsed Hono makes other bytes than came, and that its older versions keep of JSON too.
    if (/^(formData|json)$/.test(Object.keys(req.bodyCache)[0] ?? ""))
      throw new TypeError("the body was parsed already, and its bytes are gone: mount dedupe before what does so");
    if (isRead()) read = new Uint8Array(await req.arrayBuffer());
    else if (!raw.body) read = EMPTY;
    else if (raw.bodyUsed)
      throw new TypeError("the body was read from c.req.raw already: mount dedupe before what does so");
    else {
      ours = true;
      read = new Uint8Array(await raw.arrayBuffer());
      restore();
    }
    return read;
  }

  function restore(): void {
    if (!ours || !read || (!req.raw.bodyUsed && !isRead())) return;
    // Not from Hono's cache: it would turn bytes into text and back, and some of its versions lose the content type.
    req.raw = new Request(raw, { body: read });
    req.bodyCache = {};
  }

  return {
    bytes,
    restore,
    text: async () => new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(await bytes()),
    async digest() {
      const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await bytes()));
      return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
    },
  };
}
