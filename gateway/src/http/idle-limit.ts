import type { Server } from "node:http";
import type { Socket } from "node:net";

/** How often it is looked whether anything has moved, in the time that nothing may. */
const LOOKS = 4;

/**
 * Closes connections on which nothing has moved for so long in the middle of a request. Node's own time-out would take up to twice as
 * long: its first look at an answer that has partly gone out only notes how much has. So it looks more often, and what counts is how
 * often in a row nothing has moved.
 */
export function closeIdle(server: Server, idleMs: number): void {
  // Not a whole number, which tells it from the time that Node sets between requests.
  const lookMs = Math.ceil(idleMs / LOOKS) + 0.5;
  const still = new WeakMap<Socket, { readonly at: number; readonly moved: number; readonly looks: number }>();
  // Node begins anew with each byte that is read, written or taken by the client.
  server.timeout = lookMs;
  server.on("timeout", (socket: Socket) => {
    const at = performance.now();
    const moved = socket.bytesRead + socket.bytesWritten;
    const before = still.get(socket);
    // What the client takes of what was written before is not in the bytes: Node has left out a look for it.
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
