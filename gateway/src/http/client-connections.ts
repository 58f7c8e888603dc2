import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";

const SWEEP_MS = 20;
/** For so long after the end has begun, requests that are on their way may arrive on connections that look idle. */
const LINGER_MS = 500;
/** Turns of the event loop in which new connections are looked for: so many that bring none, or so many in all. */
const QUIET_TURNS = 3;
const MAX_TURNS = 200;

/** The connections of a server, which can be ended without a request being lost on them. */
export interface Connections {
  /** Takes note of a request; false for one behind an answer that was said to be the connection's last: it is not to be run. */
  admit(incoming: IncomingMessage, outgoing: ServerResponse): boolean;
  /** From now on, each connection's next answer is its last, and says so. */
  drain(): void;
  /**
   * Takes no more connections. Those that have no answer to come are ended a moment after {@link Connections.drain}, the others with
   * their last answer, and all when `withinMs` are over.
   */
  close(withinMs: number): Promise<void>;
}

/** What is known of one connection. */
interface Line {
  /** Answers to come. */
  due: number;
  /** The answer to the newest request. */
  newest: ServerResponse | undefined;
  /** Bytes that had arrived when it last had no answer to come: with more than that, a request has begun to arrive. */
  read: number;
}

/** The client is told with the answer. What has its head already ends as that said. */
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

  /** Those that the system has connected already, and that it would reset when nobody listens any more. */
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
        // This one comes behind it, so it is not the last.
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
        // That of HTTP servers ends connections that look idle, at once.
        NetServer.prototype.close.call(server, () => {
          clearTimeout(timer);
          clearInterval(sweep);
          // And it lets go of what it has for itself.
          server.close();
          resolve();
        });
      });
    },
  };
}
