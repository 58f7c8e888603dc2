import { Duplex } from "node:stream";

/** One end of a wire. */
interface End {
  readonly stream: Duplex;
  /** Called when the stream accepts more. */
  onRoom: () => void;
}

const nothing = (): void => {};

/** @param far returns the other end */
function createEnd(far: () => End): End {
  /** Delivers in a later turn, like a socket, so that a writer gets no answer while it is still writing. */
  function deliver(chunk: Buffer | null, done: () => void): void {
    process.nextTick(() => {
      const { stream } = far();
      if (stream.destroyed || stream.push(chunk)) done();
      else far().onRoom = done;
    });
  }

  const end: End = {
    onRoom: nothing,
    stream: new Duplex({
      allowHalfOpen: false,
      read() {
        const { onRoom } = end;
        end.onRoom = nothing;
        onRoom();
      },
      write: (chunk: Buffer, _, done) => deliver(chunk, done),
      writev: (chunks, done) => deliver(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)), done),
      final(done) {
        deliver(null, nothing);
        done();
      },
      destroy(error, done) {
        process.nextTick(() => far().stream.destroy());
        done(error);
      },
    }),
  };
  return end;
}

/** Makes a connection within this process, and returns both ends: bytes that go into one come out of the other. */
export function createWire(): readonly [Duplex, Duplex] {
  const one: End = createEnd(() => other);
  const other: End = createEnd(() => one);
  return [one.stream, other.stream];
}
