import type { History, Op } from "./history/index.ts";
import type { NotedHold } from "./notes.ts";
import type { Execution } from "./scripts.ts";
import type { Server } from "./server.ts";
import type { World } from "./world.ts";

/** Notes who holds each name, whenever that changes. */
export interface Holders {
  /** After a script. */
  executed(execution: Execution<Op>): void;
  /** After a fault of a server, which may have lost or revived holds. */
  met(server: Server, fault: string): void;
}

/** Keys beside a record: crowds, inboxes and fences have no holders. */
const isRecord = (key: string): boolean => !/%(crowd|inbox|fence)$/.test(key);

export function createHolders(world: World, history: History, servers: readonly Server[]): Holders {
  /** The holders last noted, as text, by name. */
  const noted = new Map<string, string>();

  function look(name: string, server: Server, by: string): void {
    const holds: NotedHold[] = history.holdersOf(name).map(({ id, op, token, until }) => ({
      ...{ id, call: op?.id, token },
      endsAt: world.elapsed() + until / 1000 - server.clock(),
    }));
    // A lease that is extended ends later.
    const text = holds.map(({ id, token, endsAt }) => `${id} ${token} ${endsAt.toFixed(0)}`).join();
    if ((noted.get(name) ?? "") === text) return;
    noted.set(name, text);
    world.note({ type: "held", name, by, holds });
  }

  return {
    executed({ server: at, keys, script }) {
      const server = servers.find(({ name }) => name === at);
      for (const key of keys.filter(isRecord)) if (server) look(`${at}/${key}`, server, script);
    },
    met(server, fault) {
      for (const name of noted.keys()) if (name.startsWith(`${server.name}/`)) look(name, server, fault);
    },
  };
}
