import type { Bytes } from "../shared/bytes.ts";

/** A request whose body is read at most once, and still readable for the handler. */
export interface HeldRequest {
  /** The request for the next function. */
  readonly request: Request;
  /** Reads the body. Afterwards, {@link HeldRequest.restore} can restore it. */
  bytes(): Promise<Bytes>;
  /** Makes the body readable again, by every method of the platform, after other code may have read it. */
  restore(): void;
  /** Passes the request to the handler: an unread body is no longer kept, and may be streamed. */
  release(): void;
}

/** How a framework represents its requests. */
export interface HeldRequestOptions {
  /** The error message for a lost body, which other code has read. */
  readonly whenLost: string;
  /** The body, if other code read it and kept it. */
  readonly kept?: Bytes | undefined;
  /** Called with the request whenever its body is readable again. */
  readonly onRestore?: ((request: Request) => void) | undefined;
}

const EMPTY = new Uint8Array(new ArrayBuffer(0));

/** Whether another request can replace this one: frameworks extend the class, or add properties to its instances. */
const isPlain = (given: Request): boolean =>
  Object.getPrototypeOf(given) === Request.prototype && Object.getOwnPropertyNames(given).length === 0;

/** The body of a request for the caller's functions: each of them finds it unread. */
interface Lent {
  /** Makes the body unread again. */
  reset(): void;
  /** Calls one of the request's own methods: some frameworks implement it by another one, such as `body`. */
  natively<T>(call: () => T): T;
  /** Restores the request's own reading methods. */
  end(): void;
}

/** Makes a stream that has no bytes until it is read; the first read calls `begin`. */
const streamOf = (bytes: () => Promise<Bytes>, begin: () => void): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      async pull(controller) {
        begin();
        const all = await bytes();
        if (all.length > 0) controller.enqueue(all.slice());
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );

/** The reading methods that a response also has. */
const READERS = ["arrayBuffer", "blob", "formData", "json", "text"] as const;

/** Makes all reading methods of a request read from `bytes`, which keeps the body. */
function lend(given: Request, bytes: () => Promise<Bytes>): Lent {
  const clone = given.clone.bind(given);
  const type = given.headers.get("content-type");
  let used = false;
  let stream: ReadableStream<Uint8Array> | undefined;

  const isUsed = (): boolean => used || stream?.locked === true;
  function refuseUsed(): void {
    if (isUsed()) throw new TypeError("the body was read already");
  }
  async function take(): Promise<Response> {
    refuseUsed();
    used = true;
    return new Response(await bytes(), { headers: type === null ? {} : { "content-type": type } });
  }
  const ways: Record<string, PropertyDescriptor> = {
    bytes: { value: async () => new Uint8Array(await (await take()).arrayBuffer()) },
    clone: {
      value: () => {
        refuseUsed();
        return natively(clone);
      },
    },
    bodyUsed: { get: isUsed },
    body: {
      get: () => {
        stream ??= streamOf(bytes, () => {
          used = true;
        });
        return stream;
      },
    },
  };
  for (const reader of READERS) ways[reader] = { value: async () => (await take())[reader]() };
  const names = Object.keys(ways).filter((name) => name in given);
  function begin(): void {
    for (const name of names) Reflect.defineProperty(given, name, { ...ways[name], configurable: true });
  }
  function end(): void {
    for (const name of names) Reflect.deleteProperty(given, name);
  }
  function natively<T>(call: () => T): T {
    end();
    try {
      return call();
    } finally {
      begin();
    }
  }
  begin();
  return {
    natively,
    end,
    reset() {
      used = false;
      stream = undefined;
    },
  };
}

/** Wraps a request and its body. */
export function heldRequest(given: Request, { whenLost, kept, onRestore }: HeldRequestOptions): HeldRequest {
  const plain = isPlain(given);
  const hasBody = given.body !== null;
  const isLost = given.bodyUsed && kept === undefined;
  const readOnce = given.arrayBuffer.bind(given);
  const clone = given.clone.bind(given);
  const start = (): Promise<ArrayBuffer> => (plain ? readOnce() : clone().arrayBuffer());
  let request = given;
  let read = hasBody ? kept : undefined;
  let reading: Promise<ArrayBuffer> | undefined;
  const lent = hasBody && !isLost ? lend(given, bytes) : undefined;

  async function bytes(): Promise<Bytes> {
    if (read) return read;
    if (isLost) throw new TypeError(whenLost);
    if (!hasBody) return EMPTY;
    // The handler needs a framework's own request, such as a NextRequest, and may pass it on, so its body stays unread.
    // Others are recreated, since Workers warn about an unread copy.
    reading ??= lent ? lent.natively(start) : start();
    read = new Uint8Array(await reading);
    return read;
  }

  function restore(): void {
    if (!read) return;
    if (!plain) lent?.reset();
    else if (request === given || request.bodyUsed) request = new Request(given, { body: read });
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
      if (!read) lent?.end();
    },
  };
}
