import type { Duplex } from "node:stream";

/** The most writes that are held back. With half or twice as many, fewer commands a second got through. */
const MAX_HELD = 32;

/** The commands that wait to be written to a connection. */
export interface Outbox {
  write(bytes: string | Buffer): void;
  /** Forgets what waits: the connection is gone. */
  clear(): void;
}

/**
 * Holds back writes to a socket until all requests that have arrived by now are read, so that they go out together: one
 * system call each would be most of the work under high load. It holds back only so many, so that Redis begins with the
 * first ones meanwhile.
 */
export function createOutbox(socket: () => Duplex): Outbox {
  let text = "";
  let held = 0;
  let isDue = false;
  function flush(): void {
    if (text === "") return;
    const bytes = text;
    text = "";
    held = 0;
    const to = socket();
    // A connection that was ended meanwhile takes no more; those who wait hear of it when it is closed.
    if (!to.writable) return;
    // A text with one byte for each character can be written without encoding it.
    to.write(bytes, Buffer.byteLength(bytes) === bytes.length ? "latin1" : "utf8");
  }
  return {
    write(bytes) {
      if (typeof bytes !== "string") {
        flush();
        if (socket().writable) socket().write(bytes);
        return;
      }
      text += bytes;
      if (++held > MAX_HELD) flush();
      if (isDue) return;
      isDue = true;
      setImmediate(() => {
        isDue = false;
        flush();
      });
    },
    clear() {
      text = "";
      held = 0;
    },
  };
}
