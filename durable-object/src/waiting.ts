import type { Reply } from "leasehold-engine";
import { createWaitingRoom, mayFree, OFFERED, waitableCall } from "leasehold-engine/holding";
import { replyFromRoom } from "leasehold-engine/rest";
import { createOffers, type WaitingCommand } from "./offers.ts";
import { type Commands, createObjectServer, type ObjectServer, type ObjectServerOptions } from "./server.ts";

/** The answer to a request that may be held. */
interface Waited {
  readonly reply: Reply;
  /** How long the request had been held when its last run began, in ms; undefined if it was not held. */
  readonly heldMs: number | undefined;
  /** Whether a refusal is an offer: the request would be granted if it were sent again now. */
  readonly isOffered: boolean;
}

/** The server of an object that can hold requests. */
export interface WaitingServer extends ObjectServer {
  /** Runs one command. If it is refused, it is held for at most that time, until it may succeed. */
  runWaiting(command: readonly string[], waitMs: number): Promise<Waited>;
}

/** No write is missed, and the end of a lease has a timer: this is for a clock that was set. */
const CHECK_MS = 5000;
/**
 * A request that was held for less is granted: its client has just sent it. It is longer than the hold after which a
 * client asks again without a pause (`MIN_HELD_MS` of the SDK).
 */
const FRESH_MS = 30;

/** The commands that may free a name with waiters. */
const freeing = (commands: Commands): Commands =>
  commands.filter(([verb = "", sha = ""]) => !/^evalsha$/i.test(verb) || mayFree(sha));

/** The keys of a script; none for another command. */
const keysOf = ([verb = "", , count = "", ...rest]: readonly string[]): readonly string[] =>
  /^eval(sha)?$/i.test(verb) ? rest.slice(0, Number(count)) : [];

function after(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}

/**
 * Makes the server of an object. Held requests are in memory: they keep their object there, and if the object is shut
 * down, they fail and are retried.
 */
export function createWaitingServer(options: ObjectServerOptions): WaitingServer {
  const now = options.now ?? Date.now;
  const room = createWaitingRoom({ now, after, checkMs: CHECK_MS });
  const wake = (keys: Iterable<string>): void => {
    for (const key of keys) if (room.isWatched(key)) room.wake(key);
  };
  const server = createObjectServer(options, (commands, written) => {
    const able = freeing(commands);
    // A crowd has its own key, without waiters; its script also names the record.
    if (able.length > 0) wake(new Set([...written, ...able.flatMap(keysOf)]));
  });

  const { tryOut } = server;
  const offers = createOffers({ now, after, onExpired: wake, tryOut });

  /** Runs commands. Those of a waiter end the offer to it. */
  async function run(commands: Commands): Promise<readonly Reply[]> {
    const freed = offers.end(commands);
    const replies = await server.run(commands);
    wake(freed);
    return replies;
  }

  /** Runs a request that has just arrived. */
  async function runFirst(waiting: WaitingCommand): Promise<Reply> {
    const { words, call } = waiting;
    const freed = offers.end([words]);
    const behind = offers.isBehind(waiting) ? await offers.runBehind(waiting) : undefined;
    const reply = behind?.type === "answered" ? behind.reply : ((await server.run([words]))[0] ?? null);
    if (!room.answered(call, reply)) wake(freed);
    return reply;
  }

  return {
    ...server,
    get writes() {
      return server.writes;
    },
    async run(commands) {
      const forRoom = commands.map((words) => replyFromRoom(room, words));
      const others = commands.filter((_, at) => forRoom[at] === undefined);
      const replies = (others.length > 0 ? await run(others) : []).values();
      return forRoom.map((reply) => reply ?? replies.next().value ?? null);
    },
    async runWaiting(words, waitMs) {
      const call = waitableCall(words);
      if (!call) return { reply: (await run([words]))[0] ?? null, heldMs: undefined, isOffered: false };
      const answered = runFirst({ words, call });
      const { writes } = server;
      const reply = await answered;
      const head = words.slice(0, words.length - call.args.length);
      let refusal = reply;

      const runAgain = async (args: readonly string[], sinceMs: number): Promise<Reply | typeof OFFERED> => {
        const again: WaitingCommand = { words: [...head, ...args], call: { ...call, args } };
        const behind = await offers.runBehind(again);
        if (behind.type === "answered") refusal = behind.reply;
        if (behind.type !== "grantable") return refusal;
        if (sinceMs < FRESH_MS) return tryOut([again.words], () => true);
        offers.make(again);
        return OFFERED;
      };

      const held = room.hold<Reply>({ ...call, reply, waitMs, run: runAgain });
      if (!held) return { reply, heldMs: undefined, isOffered: false };
      // The name may have been freed while the answer was on its way here.
      if (server.writes !== writes) wake(call.keys);
      const { reply: last, heldMs, ending } = await held;
      return { reply: last, heldMs, isOffered: ending === "offered" };
    },
  };
}
