import { Readable } from "node:stream";

/** A stream of Node's own, or one of a plugin that decodes it. */
type Source = Readable & {
  /** Whether a request has arrived as a whole. */
  readonly complete?: boolean;
  /** How many bytes a plugin has decoded. Fastify compares it with `Content-Length`. */
  readonly receivedEncodedLength?: number;
};

/** A body that was read, and a stream that contains it once more. */
export interface PutBack {
  readonly bytes: Uint8Array;
  readonly stream: Readable;
}

/**
 * How far other code is with a stream: it has not begun; it has begun, and its first byte is still to come; or bytes may
 * be gone.
 */
export function progressOf(stream: Readable): "unread" | "begun" | "read" {
  if (stream.readableDidRead || stream.destroyed) return "read";
  const listeners = stream.listenerCount("data") + stream.listenerCount("readable");
  return stream.readableFlowing === true || listeners > 0 ? "begun" : "unread";
}

/** Copies a body while other code reads it. `whole` is called at its end, unless it is longer than `maxBytes`. */
export function copyAlong(stream: Readable, maxBytes: number, whole: (bytes: Uint8Array) => void): void {
  const chunks: Uint8Array[] = [];
  let size = 0;
  function copy(chunk: Uint8Array): void {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else stream.off("data", copy).off("end", end);
  }
  const end = (): void => whole(Buffer.concat(chunks));
  stream.on("data", copy).on("end", end);
}

/**
 * Reads a body and puts it back, so that other code finds it unread. Node's own request becomes unread itself, for
 * plugins that read it directly; any other stream is replaced by a copy.
 *
 * @returns undefined if the body is longer than `maxBytes`.
 * @throws the stream's error, or an error if its connection closes before its end.
 */
export function putBack(source: Source, maxBytes: number): Promise<PutBack | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    function settle(end: () => void): void {
      source.off("readable", take).off("end", copy).off("error", fail).off("close", abort);
      end();
    }
    function take(): void {
      for (let chunk = source.read() as Uint8Array | null; chunk !== null; chunk = source.read()) {
        chunks.push(chunk);
        size += chunk.length;
      }
      if (Math.max(size, source.receivedEncodedLength ?? 0) > maxBytes) settle(() => resolve(undefined));
      // Before its `end`, which no code would hear a second time.
      else if (source.complete === true && size > 0) settle(unshift);
    }
    function unshift(): void {
      const bytes = Buffer.concat(chunks);
      source.unshift(bytes);
      resolve({ bytes, stream: source });
    }
    function copy(): void {
      const bytes = Buffer.concat(chunks);
      const stream = Readable.from(size > 0 ? [bytes] : []);
      const { receivedEncodedLength } = source;
      if (receivedEncodedLength !== undefined) Object.assign(stream, { receivedEncodedLength });
      settle(() => resolve({ bytes, stream }));
    }
    function fail(error: unknown): void {
      settle(() => reject(error));
    }
    const abort = (): void => fail(new Error("the connection closed before the end of the body"));
    source.on("readable", take).on("end", copy).on("error", fail).on("close", abort);
  });
}
