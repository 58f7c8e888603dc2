import {
  answerFromRoom,
  createWaitingRoom,
  holdHeaders,
  isForRoom,
  mayFree,
  type RoomAnswer,
  type WaitingRoom,
  type WaitingRoomOptions,
  waitableCall,
  waitOf,
} from "../holding/index.ts";
import type { Engine } from "../redis/engine.ts";
import { ErrorReply, type Reply } from "../redis/reply.ts";
import { type Answer, answerOf, type Incoming, perform, type Runs, type Understood } from "./message.ts";

/** An engine with the REST protocol, which holds requests with `Prefer: wait`. */
export interface Service {
  /**
   * Runs the commands of a request.
   *
   * @throws the signal's reason, if it aborts while the request is held
   */
  perform(request: Understood, incoming: Pick<Incoming, "header">, signal?: AbortSignal | null): Promise<Answer>;
  /** A command was run outside this service: the waiters for its keys are tried. */
  ran(words: readonly string[]): void;
  /** Any key may have been changed outside this service. */
  changed(): void;
}

/** Commands without keys that may change any key. */
const ALL_KEYS = /^(flushall|flushdb)$/i;

const replyOf = (answer: RoomAnswer): Reply => {
  if (answer instanceof Error) return new ErrorReply(answer.message);
  return typeof answer === "object" && answer !== null ? answer.map(replyOf) : answer;
};

/** The reply to a command that a waiting room answers; undefined for a command of the engine. */
export const replyFromRoom = (
  room: Pick<WaitingRoom, "waiters" | "awaited">,
  words: readonly string[],
): Reply | undefined => (isForRoom(words) ? replyOf(answerFromRoom(room, words)) : undefined);

/**
 * Makes the service of an engine. Its clock and timers are those of the requests, which may differ from the engine's.
 */
export function createService(engine: Engine, options: WaitingRoomOptions): Service {
  const room = createWaitingRoom(options);
  const runs: Runs = {
    run: (words, budget) => replyFromRoom(room, words) ?? engine.run(words, budget),
    transact: (commands, budget) => engine.transact(commands, budget),
    budget: () => engine.budget(),
  };

  function ran(words: readonly string[]): void {
    const [command = "", sha = ""] = words;
    if (room.size === 0 || isForRoom(words) || (/^evalsha$/i.test(command) && !mayFree(sha))) return;
    if (ALL_KEYS.test(command)) void room.wakeAll();
    else for (const word of words) room.wake(word);
  }

  async function hold(words: readonly string[], reply: Reply, waitMs: number, signal: AbortSignal | undefined) {
    const call = waitableCall(words);
    if (!call) return undefined;
    const { args } = call;
    const head = words.slice(0, words.length - args.length);
    const run = async (next: readonly string[]): Promise<Reply> => engine.run([...head, ...next]);
    const held = await room.hold({ ...call, reply, waitMs, run, signal });
    if (held?.ending === "aborted") signal?.throwIfAborted();
    return held;
  }

  return {
    ran,
    changed: () => void room.wakeAll(),
    async perform(request, incoming, abortSignal) {
      const { encoding } = request;
      const signal = abortSignal ?? undefined;
      const waitMs = request.shape === "command" ? waitOf(incoming.header("prefer")) : undefined;
      if (waitMs === undefined) {
        const answer = perform(runs, request);
        for (const words of request.commands) ran(words);
        return answer;
      }
      const words = request.commands[0] as readonly string[];
      const reply = runs.run(words);
      ran(words);
      const held = await hold(words, reply, waitMs, signal);
      if (!held) return answerOf(reply, encoding);
      return { ...answerOf(held.reply, encoding), headers: { ...holdHeaders(held.heldMs) } };
    },
  };
}
