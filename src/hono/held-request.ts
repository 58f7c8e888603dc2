import type { Context } from "hono";
import { type HeldRequest, heldRequest } from "../dedupe/held-request.ts";

/** Wraps Hono's request, so that Hono's own reading methods also find the body unread. */
export async function heldRequestOf({ req }: Context): Promise<HeldRequest> {
  const onRestore = (request: Request): void => {
    req.raw = request;
    // Hono's cache would convert bytes to text and back, and some of its versions lose the content type.
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
      // Hono makes different bytes from a parsed form, and its older versions keep only the parsed JSON.
      const whenLost = "the body was parsed already, and its bytes are lost: mount dedupe before what parses it";
      return heldRequest(req.raw, { whenLost, onRestore });
    }
    default: {
      const body = new Uint8Array(await req.arrayBuffer());
      return heldRequest(req.raw, { whenLost: "", buffered: body, onRestore });
    }
  }
}
