import type { Socket } from "node:net";

/** The number of checks for movement within the limit. */
const LOOKS = 4;

/** The findings of a check. */
interface Look {
  readonly isDue: () => boolean;
  readonly at: number;
  readonly moved: number;
  readonly looks: number;
}

/** A limit for the time without traffic on a connection. */
export interface IdleLimit {
  /**
   * Closes a connection without traffic for that long, while written bytes are unsent.
   *
   * @param isDue whether more is to be written
   */
  watch(socket: Socket, isDue: () => boolean): void;
}

/**
 * Limits the time without traffic on connections whose clients do not read their answers. Node's own time-out would
 * take up to twice as long: its first check of a partly sent answer only notes how much was sent. So checks are more
 * frequent, and several in a row must find no traffic.
 */
export function createIdleLimit(idleMs: number): IdleLimit {
  const lookMs = Math.ceil(idleMs / LOOKS);
  const watched = new WeakMap<Socket, Look>();

  function look(socket: Socket): void {
    const before = watched.get(socket);
    if (before === undefined) return;
    if (socket.writableLength === 0 && !before.isDue()) {
      watched.delete(socket);
      socket.setTimeout(0);
      return;
    }
    const at = performance.now();
    const moved = socket.bytesRead + socket.bytesWritten;
    // Bytes that the client reads from the send buffer do not show in the count; but Node skips a check for them.
    const isInRow = before.moved === moved && at - before.at < 1.5 * lookMs;
    const looks = isInRow ? before.looks + 1 : 1;
    if (looks === LOOKS) {
      socket.destroy();
      return;
    }
    watched.set(socket, { isDue: before.isDue, at, moved, looks });
    socket.setTimeout(lookMs);
  }

  return {
    watch(socket, isDue) {
      if (watched.has(socket)) return;
      watched.set(socket, { isDue, at: 0, moved: -1, looks: 0 });
      if (socket.listenerCount("timeout") === 0) socket.on("timeout", () => look(socket));
      // Node restarts the time-out with each byte that is read, written or received by the client.
      socket.setTimeout(lookMs);
    },
  };
}
