import { createApart } from "./apart.ts";
import type { Command, Reply, ServerBackend } from "./backend.ts";
import { keepConnection, openConnection } from "./connection.ts";
import { NotSent } from "./errors.ts";
import type { ServerAddress } from "./server-url.ts";
import { asTransaction, transactionResult } from "./transaction.ts";
import { isWait } from "./wait.ts";

/**
 * One Redis server behind one connection, which all requests share but those with a WAIT: each of these runs as a whole on a
 * connection of its own, so that WAIT counts for the writes before it and keeps nobody else waiting.
 *
 * @param server where it is and how to log in
 * @param timeoutMs how long an answer may take; a connection that gives none for so long is dropped
 */
export function createRedisBackend(server: ServerAddress, timeoutMs: number): ServerBackend {
  const shared = keepConnection(server, timeoutMs);
  const apart = createApart(() => openConnection(server));

  const send = async (commands: readonly Command[], withinMs = timeoutMs): Promise<readonly Reply[]> => {
    if (!commands.some(isWait)) return shared.send(commands, withinMs);
    // Whoever cannot be reached for all is not tried once for each.
    if (!shared.isReady) throw new NotSent();
    return apart.send(commands, withinMs);
  };

  return {
    opened: shared.opened,
    get isReady() {
      return shared.isReady;
    },
    send,
    transact: async (commands) => transactionResult(await send(asTransaction(commands))),
    close() {
      shared.close();
      apart.close();
    },
  };
}
