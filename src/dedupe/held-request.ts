import type { Bytes } from "../shared/bytes.ts";

/** A request whose body is read at most once, and still readable for the handler. */
export interface HeldRequest {
  /** The request for the next function. */
  readonly request: Request;
  /** Reads the body. Afterwards, {@link HeldRequest.restore} can restore it. */
  bytes(): Promise<Bytes>;
  /** Makes the body readable again, by every method of the platform, after other code may have read it. */
  restore(): void;
  /** Passes the request to the handler, or back to the server: an unread body is no longer kept, and may be streamed. */
  release(): void;
}

/** How a framework represents its requests. */
export interface HeldRequestOptions {
  /** The error message for a lost body, which other code has read. */
  readonly whenLost: string;
  /** The body, if other code read it and kept it. */
  readonly buffered?: Bytes | undefined;
  /** Called with the request whenever its body is readable again. */
  readonly onRestore?: ((request: Request) => void) | undefined;
}

const EMPTY = new Uint8Array(new ArrayBuffer(0));

/** Whether another request can replace this one: frameworks extend the class, or add properties to its instances. */
const isPlain = (request: Request): boolean =>
  Object.getPrototypeOf(request) === Request.prototype && Object.getOwnPropertyNames(request).length === 0;

/** Everything of a request that reads its body, or says whether it was read. */
const READERS = ["arrayBuffer", "blob", "body", "bodyUsed", "bytes", "clone", "formData", "json", "text"] as const;

/** A request while it is lent to the caller's functions. */
interface Lent {
  /** Calls one of the request's own members: some frameworks implement it by another one. */
  natively<T>(call: () => T): T;
  /** Lends the request to the next function, which finds its body unread. */
  next(): void;
  /** Gives back the request's own members. Its body is still unread. */
  end(): void;
}

/**
 * Lends a request: every member that reads the body is that of a copy, so that each function may read it, and the
 * request itself stays unread. `body` is its body if other code has read it.
 */
function lend(request: Request, body: Bytes | undefined): Lent {
  const { url, method, headers } = request;
  const clone = request.clone.bind(request);
  const names = READERS.filter((name) => name in request);
  let lent: Request | undefined;

  function natively<T>(call: () => T): T {
    end();
    try {
      return call();
    } finally {
      begin();
    }
  }
  function read(name: (typeof READERS)[number]): unknown {
    if (name === "bodyUsed") return lent?.bodyUsed === true;
    lent ??= body ? new Request(url, { method, headers, body }) : natively(clone);
    const member: unknown = Reflect.get(lent, name, lent);
    return typeof member === "function" ? member.bind(lent) : member;
  }
  function begin(): void {
    for (const name of names) Reflect.defineProperty(request, name, { get: () => read(name), configurable: true });
  }
  function end(): void {
    for (const name of names) Reflect.deleteProperty(request, name);
  }
  begin();
  return {
    natively,
    end,
    next() {
      lent = undefined;
    },
  };
}

/** Wraps a request and its body. */
export function heldRequest(original: Request, { whenLost, buffered, onRestore }: HeldRequestOptions): HeldRequest {
  const plain = isPlain(original);
  const hasBody = original.body !== null;
  const isLost = original.bodyUsed && buffered === undefined;
  const [readOnce, clone] = [original.arrayBuffer.bind(original), original.clone.bind(original)];
  const lent = hasBody && !isLost ? lend(original, buffered) : undefined;
  let request = original;
  let read = hasBody ? buffered : undefined;
  let reading: Promise<ArrayBuffer> | undefined;

  async function bytes(): Promise<Bytes> {
    if (read) return read;
    if (isLost) throw new TypeError(whenLost);
    if (!lent) return EMPTY;
    // A framework's own request stays unread for the handler, which may pass it on. A plain one is replaced below, since
    // Workers warn about an unread copy.
    reading ??= lent.natively(() => (plain ? readOnce() : clone().arrayBuffer()));
    read = new Uint8Array(await reading);
    return read;
  }

  function restore(): void {
    lent?.next();
    if (!read) return;
    if (plain && (request === original || request.bodyUsed)) request = new Request(original, { body: read });
    onRestore?.(request);
  }

  restore();
  return {
    get request() {
      return request;
    },
    async bytes() {
      const all = await bytes();
      restore();
      return all;
    },
    restore,
    release() {
      if (!buffered) lent?.end();
    },
  };
}
