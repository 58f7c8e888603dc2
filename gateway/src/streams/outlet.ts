/** The body of a stream, and how to write to it. */
export interface Outlet {
  readonly body: ReadableStream<Uint8Array>;
  /** Writes a text; aborts the stream if the buffer has no room for it. Does nothing after the end. */
  write(text: string): void;
  /** Ends the stream; everything written arrives. */
  finish(): void;
  /** Aborts the stream; the client sees that data is missing. */
  abort(): void;
}

/** The error of an aborted stream. Servers print it, so it has no stack, which would be useless. */
class TooSlow extends Error {
  override readonly name = "TooSlow";

  constructor() {
    super("a stream was broken off: its client reads too slowly, or a message is too large");
    this.stack = `${this.name}: ${this.message}`;
  }
}

/**
 * Creates the body of a response that is written in parts.
 *
 * @param bufferBytes how many bytes may wait here unread
 * @param onGone called once, when the stream has ended or the client has disconnected
 */
export function createOutlet(bufferBytes: number, onGone: () => void): Outlet {
  let isOpen = true;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: bufferBytes });
  const leave = (how: (it: ReadableStreamDefaultController<Uint8Array>) => void): void => {
    if (!isOpen || controller === undefined) return;
    isOpen = false;
    how(controller);
    onGone();
  };
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(it) {
      controller = it;
    },
    cancel() {
      isOpen = false;
      onGone();
    },
  };
  const abort = (): void => leave((it) => it.error(new TooSlow()));
  return {
    body: new ReadableStream(source, strategy),
    write(text) {
      if (!isOpen || controller === undefined) return;
      const bytes = Buffer.from(text);
      if ((controller.desiredSize ?? 0) < bytes.length) abort();
      else controller.enqueue(bytes);
    },
    finish: () => leave((it) => it.close()),
    abort,
  };
}
