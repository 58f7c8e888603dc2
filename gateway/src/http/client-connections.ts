import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";

const SWEEP_MS = 20;
/** The time after the start of the drain in which requests under way may still arrive on connections that look idle. */
const LINGER_MS = 500;
/** The search for new connections ends after so many turns of the event loop without one, or after so many in all. */
const QUIET_TURNS = 3;
const MAX_TURNS = 200;

/** The connections of a server, which can be ended without losing a request. */
export interface Connections {
  /**
   * Counts a request. False when an earlier answer was announced as the connection's last: such a request must not be
   * run.
   */
  admit(incoming: IncomingMessage, outgoing: ServerResponse): boolean;
  /** Makes the next answer on each connection its last, which says so. */
  drain(): void;
  /**
   * Takes no more connections. Connections without an outstanding answer are ended a moment after
   * {@link Connections.drain}, others with their last answer, and all when `withinMs` are over.
   */
  close(withinMs: number): Promise<void>;
}

/** The state of one connection. */
interface Line {
  /** The number of outstanding answers. */
  due: number;
  /** The answer to the newest request. */
  newest: ServerResponse | undefined;
  /** The bytes that had arrived when the last answer went out: if there are more, a request has begun to arrive. */
  read: number;
}

/** Announces the newest answer as the last one. An answer whose head is out ends as that head said. */
function makeLast({ newest }: Line): void {
  if (newest !== undefined && !newest.headersSent) newest.shouldKeepAlive = false;
}

export function watchConnections(server: Server): Connections {
  const lines = new Map<Socket, Line>();
  let drainedAt: number | undefined;
  let taken = 0;

  server.on("connection", (socket: Socket) => {
    taken++;
    lines.set(socket, { due: 0, newest: undefined, read: 0 });
    socket.once("close", () => lines.delete(socket));
  });

  function drain(): void {
    if (drainedAt !== undefined) return;
    drainedAt = performance.now();
    for (const line of lines.values()) makeLast(line);
  }

  function closeIdle(): void {
    if (performance.now() - (drainedAt ?? 0) < LINGER_MS) return;
    for (const [socket, { due, read }] of lines) if (due === 0 && socket.bytesRead === read) socket.destroy();
  }

  /** Takes the connections that the system has made already, and would reset once nobody listens. */
  async function takeWaiting(): Promise<void> {
    for (let turns = 0, quiet = 0; turns < MAX_TURNS && quiet < QUIET_TURNS; turns++) {
      const before = taken;
      await turn();
      quiet = taken === before ? quiet + 1 : 0;
    }
  }

  return {
    admit({ socket }, outgoing) {
      const line = lines.get(socket);
      if (line === undefined) return false;
      const { newest } = line;
      if (newest?.shouldKeepAlive === false) {
        if (newest.headersSent) return false;
        // This request comes behind it, so it is not the last.
        newest.shouldKeepAlive = true;
      }
      line.due++;
      line.newest = outgoing;
      if (drainedAt !== undefined) makeLast(line);
      outgoing.once("close", () => {
        line.due--;
        line.read = socket.bytesRead;
        if (outgoing.shouldKeepAlive && line.newest === outgoing) line.newest = undefined;
      });
      return true;
    },
    drain,
    async close(withinMs) {
      drain();
      await takeWaiting();
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), withinMs);
        const sweep = setInterval(closeIdle, SWEEP_MS);
        // The close method of HTTP servers would end connections that look idle at once.
        NetServer.prototype.close.call(server, () => {
          clearTimeout(timer);
          clearInterval(sweep);
          // The HTTP server releases its own timers.
          server.close();
          resolve();
        });
      });
    },
  };
}
