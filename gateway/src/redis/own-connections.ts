import { NoRoom, NotSent } from "../shared/error-answers.ts";
import { received } from "../shared/receiver.ts";
import { within } from "../shared/time-limit.ts";
import type { Command, Connection, Reply, Wanted } from "./backend.ts";

const MAX_CONNECTIONS = 64;
const MAX_IDLE = 8;
const IDLE_MS = 1_000;
/**
 * Extra time for the reply to a WAIT with the longest time-out of a request. An idle Redis checks for expired WAITs ten
 * times a second, so the reply may be 100 ms late.
 */
const SLACK_MS = 250;

/** Connections that each serve one request at a time, for requests that cannot use the shared connection. */
export interface OwnConnections {
  /**
   * Runs commands on a connection with exclusive use: an idle one, or a new one.
   *
   * @throws {NotSent} if too many connections are in use, or none can be opened
   * @throws {NoAnswer} like a connection; the connection is then closed, since replies may still arrive on it
   */
  send(commands: readonly Command[], withinMs: number, wanted?: Wanted): Promise<readonly Reply[]>;
  /** Ends all connections immediately. */
  close(): void;
}

/** Idle connections, each kept for a second. */
interface Idle {
  /** An idle connection that is still usable. */
  take(): Connection | undefined;
  /** Keeps a connection for the next request; false if there are enough. */
  keep(connection: Connection): boolean;
  close(): void;
}

function createIdle(drop: (connection: Connection) => void): Idle {
  const idle: { readonly connection: Connection; readonly timer: NodeJS.Timeout }[] = [];
  return {
    take() {
      for (let last = idle.pop(); last !== undefined; last = idle.pop()) {
        clearTimeout(last.timer);
        if (last.connection.isReady) return last.connection;
        drop(last.connection);
      }
      return undefined;
    },
    keep(connection) {
      if (idle.length >= MAX_IDLE) return false;
      const timer = setTimeout(() => {
        const at = idle.findIndex((entry) => entry.connection === connection);
        idle.splice(at, 1);
        drop(connection);
      }, IDLE_MS);
      idle.push({ connection, timer });
      return true;
    },
    close() {
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
    },
  };
}

export function createOwnConnections(open: () => Connection): OwnConnections {
  const all = new Set<Connection>();
  let closed = false;

  function drop(connection: Connection): void {
    all.delete(connection);
    connection.close();
  }

  const idle = createIdle(drop);

  async function take(withinMs: number): Promise<Connection> {
    const free = idle.take();
    if (free !== undefined) return free;
    if (closed) throw new NotSent();
    if (all.size >= MAX_CONNECTIONS)
      throw new NoRoom(`more than ${MAX_CONNECTIONS} requests at once with WAIT or in resp2`);
    const connection = open();
    all.add(connection);
    // Sending on a connection that did not open fails, and drops it.
    await within(withinMs, connection.opened);
    return connection;
  }

  return {
    async send(commands, withinMs, wanted) {
      const connection = await take(withinMs);
      try {
        const replies = await received<readonly Reply[]>((to) =>
          connection.send(commands, to, withinMs + SLACK_MS, wanted),
        );
        if (closed || !idle.keep(connection)) drop(connection);
        return replies;
      } catch (error) {
        drop(connection);
        throw error;
      }
    },
    close() {
      closed = true;
      idle.close();
      for (const connection of all) drop(connection);
    },
  };
}
