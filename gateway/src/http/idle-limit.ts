import type { Server } from "node:http";
import type { Socket } from "node:net";

/** The number of checks for movement within the limit. */
const LOOKS = 4;

/**
 * Closes connections on which nothing has moved for `idleMs` milliseconds in the middle of a request. Node's own
 * time-out would take up to twice as long: its first check of an answer that is partly out only notes how much is. So
 * the checks are more frequent, and a number of them in a row must find no movement.
 */
export function closeIdle(server: Server, idleMs: number): void {
  // A fraction tells this time-out from the one that Node sets between requests.
  const lookMs = Math.ceil(idleMs / LOOKS) + 0.5;
  const still = new WeakMap<Socket, { readonly at: number; readonly moved: number; readonly looks: number }>();
  // Node starts the time-out again with each byte that is read, written or taken by the client.
  server.timeout = lookMs;
  server.on("timeout", (socket: Socket) => {
    const at = performance.now();
    const moved = socket.bytesRead + socket.bytesWritten;
    const before = still.get(socket);
    // Bytes that the client takes from the send buffer do not show in the count; but Node skips a check for them.
    const isInRow = before?.moved === moved && at - before.at < 1.5 * lookMs;
    const looks = isInRow ? before.looks + 1 : 1;
    if (looks === LOOKS || socket.timeout !== lookMs) {
      socket.destroy();
      return;
    }
    still.set(socket, { at, moved, looks });
    socket.setTimeout(lookMs);
  });
}
