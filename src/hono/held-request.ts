import type { Context } from "hono";
import { type HeldRequest, heldRequest } from "../dedupe/held-request.ts";

/** Wraps Hono's request, so that Hono's own ways to read the body find it unread, too. */
export async function heldRequestOf({ req }: Context): Promise<HeldRequest> {
  const onRestore = (request: Request): void => {
    req.raw = request;
    // Hono's cache would turn bytes into text and back, and some of its versions lose the content type.
    req.bodyCache = {};
  };
  const [before] = Object.keys(req.bodyCache);
  switch (before) {
    case undefined: {
      const whenLost = "the body was read from c.req.raw already: mount dedupe before what reads it";
      return heldRequest(req.raw, { whenLost, onRestore });
    }
    case "formData":
    case "json": {
      // Hono makes other bytes from a parsed form than came in, and its older versions keep JSON only as parsed.
      const whenLost = "the body was parsed already, and its bytes are lost: mount dedupe before what parses it";
      return heldRequest(req.raw, { whenLost, onRestore });
    }
    default: {
      const kept = new Uint8Array(await req.arrayBuffer());
      return heldRequest(req.raw, { whenLost: "", kept, onRestore });
    }
  }
}
