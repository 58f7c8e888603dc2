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

/** A limit to the time in which nothing moves on a connection. */
export interface IdleLimit {
  /**
   * Closes a connection on which nothing has moved for that long, until all that was written has gone out.
   *
   * @param isDue whether more is to be written
   */
  watch(socket: Socket, isDue: () => boolean): void;
}

/**
 * Limits how long nothing may move on connections whose clients do not take their answers. Node's own time-out would
 * take up to twice as long: its first check of an answer that is partly out only notes how much is. So the checks are
 * more frequent, and a number of them in a row must find no movement.
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
    // Bytes that the client takes from the send buffer do not show in the count; but Node skips a check for them.
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
      // Node starts the time-out again with each byte that is read, written or taken by the client.
      socket.setTimeout(lookMs);
    },
  };
}
