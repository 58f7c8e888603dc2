import { NotSent } from "../shared/error-answers.ts";
import { passOn, received } from "../shared/receiver.ts";
import type { Command, Connection, ServerBackend } from "./backend.ts";
import { isRaw } from "./command-encoding.ts";
import { isWait } from "./commands.ts";
import { keepConnection, openConnection } from "./connection.ts";
import { createOwnConnections } from "./own-connections.ts";
import { asTransaction, transactionResult } from "./transaction.ts";
import type { ServerAddress } from "./url.ts";

const needsOwn = (command: Command): boolean => isWait(command) || isRaw(command);

/**
 * A backend of one Redis server behind one connection, which all requests share but those with a WAIT and those in
 * resp2. Each of these runs as a whole on its own connection: WAIT then counts the writes before it and keeps nobody
 * else waiting, and the bytes that arrive are the answer.
 *
 * @param server the address and the login
 * @param timeoutMs how long an answer may take; a connection that is silent for longer is dropped
 */
export function createRedisBackend(server: ServerAddress, timeoutMs: number): ServerBackend {
  const shared = keepConnection(server, timeoutMs);
  const own = createOwnConnections(() => openConnection(server));
  const dialed = new Set<Connection>();

  /**
   * Remembers a connection while it is open. It ends with the backend, since another server may be the primary by then.
   */
  function remember(connection: Connection): Connection {
    dialed.add(connection);
    void connection.opened.then(() => {
      if (connection.isReady) connection.socket.once("close", () => dialed.delete(connection));
      else dialed.delete(connection);
    });
    return connection;
  }

  const send: ServerBackend["send"] = (commands, to, room, withinMs = timeoutMs) => {
    if (!commands.some(needsOwn)) shared.send(commands, to, withinMs, room);
    // While the shared connection is down, requests do not try to open others.
    else if (shared.isReady) passOn(own.send(commands, withinMs, room), to);
    else to.fail(new NotSent());
  };

  const backend: ServerBackend = {
    opened: shared.opened,
    get isReady() {
      return shared.isReady;
    },
    send,
    transact: async (commands, room) =>
      transactionResult(await received((to) => send(asTransaction(commands), to, room))),
    dial() {
      if (!shared.isReady) throw new NotSent();
      return remember(openConnection(server));
    },
    at: () => backend,
    close() {
      shared.close();
      own.close();
      for (const connection of dialed) connection.close();
    },
  };
  return backend;
}
