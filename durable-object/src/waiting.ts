import type { Reply } from "leasehold-engine";
import { createWaitingRoom, mayFree, waitableCall } from "leasehold-engine/holding";
import { replyFromRoom } from "leasehold-engine/rest";
import { type Commands, createObjectServer, type ObjectServer, type ObjectServerOptions } from "./server.ts";

/** A reply, and how long the request had been held when its last run began; undefined if it was not held. */
interface Waited {
  readonly reply: Reply;
  readonly heldMs: number | undefined;
}

/** The server of an object that can hold requests. */
export interface WaitingServer extends ObjectServer {
  /** Runs one command. If it is refused, it is held for at most that time, until it may succeed. */
  runWaiting(command: readonly string[], waitMs: number): Promise<Waited>;
}

/** No write is missed, and the end of a lease has a timer: this is for a clock that was set. */
const CHECK_MS = 5000;

/** The commands that may free a name with waiters. */
const freeing = (commands: Commands): Commands =>
  commands.filter(([verb = "", sha = ""]) => !/^evalsha$/i.test(verb) || mayFree(sha));

/** The keys of a script; none for another command. */
const keysOf = ([verb = "", , count = "", ...rest]: readonly string[]): readonly string[] =>
  /^eval(sha)?$/i.test(verb) ? rest.slice(0, Number(count)) : [];

/**
 * Makes the server of an object. Held requests are in memory: they keep their object there, and if the object is shut
 * down, they fail and are retried.
 */
export function createWaitingServer(options: ObjectServerOptions): WaitingServer {
  const now = options.now ?? Date.now;
  const room = createWaitingRoom({
    now,
    after(ms, callback) {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    checkMs: CHECK_MS,
  });
  const server = createObjectServer(options, (commands, written) => {
    const able = freeing(commands);
    if (able.length === 0) return;
    // A crowd has its own key, without waiters; its script also names the record.
    for (const key of new Set([...written, ...able.flatMap(keysOf)])) if (room.isWatched(key)) room.wake(key);
  });

  return {
    ...server,
    get writes() {
      return server.writes;
    },
    async run(commands) {
      const forRoom = commands.map((words) => replyFromRoom(room, words));
      const others = commands.filter((_, at) => forRoom[at] === undefined);
      const replies = (others.length > 0 ? await server.run(others) : []).values();
      return forRoom.map((reply) => reply ?? replies.next().value ?? null);
    },
    async runWaiting(command, waitMs) {
      const answered = server.run([command]);
      const { writes } = server;
      const [reply = null] = await answered;
      const call = waitableCall(command);
      if (!call) return { reply, heldMs: undefined };
      const head = command.slice(0, command.length - call.args.length);
      const run = (args: readonly string[]): Promise<Reply> => server.runQuietly([...head, ...args]);
      const held = room.hold<Reply>({ ...call, reply, waitMs, run });
      if (!held) return { reply, heldMs: undefined };
      // The name may have been freed while the answer was on its way here.
      if (server.writes !== writes) for (const key of call.keys) room.wake(key);
      const { reply: last, heldMs } = await held;
      return { reply: last, heldMs };
    },
  };
}
