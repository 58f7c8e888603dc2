import type { RequestBody } from "../dedupe/exchange.ts";
import type { Bytes } from "../shared/bytes.ts";

/** A request whose body is read and restored. */
export interface HeldRequest extends RequestBody {
  /** The request as the next function gets it. */
  readonly request: Request;
}

const EMPTY = new Uint8Array(new ArrayBuffer(0));

/** Wraps the body of a request. */
export function heldRequest(given: Request): HeldRequest {
  let request = given;
  let read: Bytes | undefined;

  function restore(): void {
    if (read && request.bodyUsed) request = new Request(given, { body: read });
  }

  return {
    get request() {
      return request;
    },
    restore,
    async bytes() {
      if (read) return read;
      if (given.bodyUsed) throw new TypeError("the body was read already: call what dedupe returned before that");
      if (!given.body) return EMPTY;
      // A framework's own class of requests can do more, such as a NextRequest, and the handler wants that one. Others
      // are made anew, since Workers complain of a copy that nobody reads.
      const plain = Object.getPrototypeOf(given) === Request.prototype;
      read = new Uint8Array(await (plain ? given : given.clone()).arrayBuffer());
      restore();
      return read;
    },
  };
}
