import type { Backend, Reply } from "../redis/backend.ts";
import { NotSent } from "../shared/error-answers.ts";
import type { MemoryServer } from "./server.ts";

/**
 * A backend over a Redis in memory, which begins empty. The engine is loaded with the first one, so that a gateway for
 * servers never loads it.
 */
export function createMemoryBackend(): Backend {
  let server: MemoryServer | undefined;
  let isClosed = false;

  async function open(): Promise<void> {
    const { createMemoryServer } = await import("./server.ts");
    if (!isClosed) server = createMemoryServer();
  }

  function present(): MemoryServer {
    if (server === undefined) throw new NotSent();
    return server;
  }

  return {
    opened: open(),
    get isReady() {
      return server !== undefined;
    },
    send(commands, to, { room, form = "values" } = {}) {
      if (server === undefined) {
        to.fail(new NotSent());
        return;
      }
      // It runs in this process: all commands of a request may take no longer than a single one.
      const budget = server.budget();
      const replies: Reply[] = [];
      let failure: unknown;
      for (const command of commands) {
        try {
          replies.push(server.run(command, budget, form, room));
        } catch (error) {
          // The others run all the same, as on a server.
          failure ??= error;
        }
      }
      if (failure === undefined) to.receive(replies);
      else to.fail(failure);
    },
    transact: async (commands, room) => present().transact(commands, room),
    feed: (command) => present().feed(command),
    // Nothing outside this process writes, and there is nothing to dial.
    at: () => undefined,
    close() {
      isClosed = true;
      server?.close();
      server = undefined;
    },
  };
}
