import {
  answerFromRoom,
  createWaitingRoom,
  type HoldHeaders,
  holdHeaders,
  type RoomAnswer,
  type RoomEvent,
  UNSENT,
  type Waitable,
  type WaitableCall,
  type WaitingRoom,
  waitableCall,
  waitOf,
} from "leasehold-engine/holding";
import type { HttpRequest } from "../http/message.ts";
import { type Backend, type Command, overridden, type Reply, repliesOf, textOf } from "../redis/backend.ts";
import { keyOf } from "../redis/commands.ts";
import type { Hold } from "../shared/budget.ts";
import { NotSent } from "../shared/error-answers.ts";
import type { Held } from "../shared/token-shares.ts";
import { noticePassing } from "./passing.ts";
import { Watcher } from "./watcher.ts";

/** How often the first waiters are tried, with and without reports of writes. */
const CHECK_MS = 800;
const POLL_MS = 250;
/** The time after which a key is checked that two clients may have written in one turn of Redis. */
const LOOK_MS = 250;

/** A request to be held, with a command that can be held. */
export interface Waiting extends WaitableCall {
  readonly waitMs: number;
  /** The command without the arguments of the script. */
  readonly head: readonly string[];
}

/** What a held request needs from the earlier stages. */
export interface Needs {
  readonly request: Pick<HttpRequest, "whenUnwanted">;
  readonly held: Pick<Held, "park" | "replies">;
}

/** The outcome of a request to be held. */
export interface Outcome {
  readonly reply: Reply;
  /** How long it was held, in ms, and the headers that report it; absent if it was not held. */
  readonly wait?: { readonly totalMs: number; readonly headers: HoldHeaders };
}

export interface HoldingOptions {
  /** How long Redis may take to answer, in ms. */
  readonly timeoutMs: number;
  /** Whether Redis can report writes; a Redis in memory has only this gateway's. */
  readonly isReported: boolean;
  /** Wraps a backend so that its commands are counted. */
  readonly counted: (backend: Backend) => Backend;
  readonly onEvent: (event: RoomEvent) => void;
  /** Called when Redis refuses to report writes, with the reason. */
  readonly onRefused: (reason: string) => void;
}

/** What waiting adds to the answers to a caller. */
export interface Waits {
  /** Holds requests; absent for a caller who may not acquire anything. */
  readonly holding?: Holding;
  /** Answers a command about waiters. */
  readonly answer: (command: Command) => Reply;
}

/** The minimum time between two tries of all waiters, and between two connections that are opened at once. */
const ALL_MS = 100;

const isText = (part: string | Buffer): part is string => typeof part === "string";

/** Something that is done soon, but once in `ALL_MS` at most. */
interface Limited {
  soon(): void;
  stop(): void;
}

function limited(action: () => void): Limited {
  let timer: NodeJS.Timeout | undefined;
  let doneAt = Number.NEGATIVE_INFINITY;
  const act = (): void => {
    timer = undefined;
    doneAt = performance.now();
    action();
  };
  return {
    soon() {
      timer ??= setTimeout(act, Math.max(doneAt + ALL_MS - performance.now(), 0)).unref();
    },
    stop: () => clearTimeout(timer),
  };
}

function isRefused({ refusal }: Waitable, reply: Reply): boolean {
  return Array.isArray(reply) && textOf(reply[0]) === refusal;
}

function waitingOf(prefer: string, command: Command): Waiting | undefined {
  const waitMs = waitOf(prefer);
  const words = command.filter(isText);
  if (waitMs === undefined || waitMs <= 0 || words.length < command.length) return undefined;
  const call = waitableCall(words);
  return call && { ...call, waitMs, head: words.slice(0, words.length - call.args.length) };
}

/** An answer of the waiting room in the form of Redis. */
function replyOf(answer: RoomAnswer): Reply {
  if (typeof answer === "string") return Buffer.from(answer);
  if (typeof answer === "number") return String(answer);
  return answer === null || answer instanceof Error ? answer : answer.map(replyOf);
}

function openRoom(onEvent: (event: RoomEvent) => void): WaitingRoom {
  return createWaitingRoom({
    now: () => performance.now(),
    after(ms, callback) {
      const timer = setTimeout(callback, ms).unref();
      return () => clearTimeout(timer);
    },
    // The shares of the tokens are the limit.
    max: Number.POSITIVE_INFINITY,
    checkMs: CHECK_MS,
    onEvent,
  });
}

/** Holds refused requests of one database until they may succeed. */
export class Holding {
  readonly #room: WaitingRoom;
  readonly #watcher: Watcher;
  readonly #isReported: boolean;
  /** The path of scripts that may be held: counted like all commands, and sent on a line if there is one. */
  readonly #way: Backend;
  /** Checks keys that another client may have written in the turn of Redis in which this gateway wrote them. */
  readonly #looks = new Map<string, NodeJS.Timeout>();
  /** The keys of which nothing was noticed until now: their waiters are tried once Redis reports who writes them. */
  readonly #unnoticed = new Set<string>();
  #polling: NodeJS.Timeout | undefined;
  /** Tries all waiters: a database can be flushed in a loop. */
  readonly #wakingAll: Limited = limited(() => void this.#room.wakeAll());
  /** Replaces a lost connection: a server can end each one at once. */
  readonly #reopening: Limited = limited(() => this.reachable());
  #waiting = 0;
  #isEnded = false;
  /** Whether any request waits. Commands must then use {@link Holding.passing}. */
  isAny = false;
  /** The path of all commands while requests wait, on which the waiters notice them. */
  readonly passing: Backend;

  constructor(backend: Backend, { timeoutMs, isReported, counted, onEvent, onRefused }: HoldingOptions) {
    this.#isReported = isReported;
    this.#room = openRoom(onEvent);
    this.#watcher = new Watcher(backend, timeoutMs, {
      written: (key) => this.#wake(key),
      writtenBy: (key, script, reply) => this.#writtenBy(key, script, reply),
      anything: () => this.#wakingAll.soon(),
      lost: () => this.#reopening.soon(),
      refused: onRefused,
    });
    const send: Backend["send"] = ([command], to, wanted) => {
      if (command !== undefined) this.#watcher.run(command, String(keyOf(command) ?? ""), to, wanted);
    };
    this.#way = counted(overridden(backend, { send }));
    this.passing = noticePassing(counted(backend), {
      isReported: this.#reports,
      way: this.#way,
      freed: (key) => {
        if (this.#room.isWatched(key)) this.#wake(key);
      },
    });
  }

  /** Recognises a command that is to be held if it is refused; `undefined` for any other, as most are. */
  asked(prefer: string, command: Command): Waiting | undefined {
    return this.#isEnded ? undefined : waitingOf(prefer, command);
  }

  /** Runs such a command, and again when it may succeed. Fails like {@link Backend.send}. */
  async run(waiting: Waiting, needs: Needs): Promise<Outcome> {
    const { keys, args, waitable } = waiting;
    const wasReported = keys.every(this.#reports);
    const writes = this.#writesTo(keys);
    const reply = await this.#send(waiting, args, needs.held.replies);
    const gone = new AbortController();
    const isHeld = !this.#isEnded && isRefused(waitable, reply) && needs.held.park(() => gone.abort());
    if (!isHeld) return { reply };
    const watched = this.#watcher.keys;
    for (const key of keys) watched.add(key);
    this.#waiting++;
    this.isAny = true;
    try {
      const noticed = !wasReported ? "nothing" : writes === this.#writesTo(keys) ? "no write" : "a write";
      return await this.#hold(waiting, reply, noticed, needs, gone);
    } finally {
      for (const key of keys) watched.remove(key);
      this.#waiting--;
      this.isAny = this.#waiting > 0;
    }
  }

  /** Answers a command about waiters; see `answerFromRoom`. */
  answer(command: Command): Reply {
    return replyOf(answerFromRoom(this.#room, command.map(String)));
  }

  /**
   * Called when commands can be sent again: the waiters of keys whose writes are not reported are tried as soon as they
   * are, since anything may have happened meanwhile.
   */
  reachable(): void {
    if (this.#isEnded) return;
    for (const keys of this.#watcher.byServer(this.#unreported())) void this.#report(keys);
  }

  /** Answers all held requests with their last refusal, and holds none from now on. */
  end(): void {
    this.#isEnded = true;
    void this.#room.closeAll();
  }

  close(): void {
    clearInterval(this.#polling);
    this.#wakingAll.stop();
    this.#reopening.stop();
    this.#watcher.close();
  }

  readonly #reports = (key: string): boolean => this.#isReported && this.#watcher.isReported(key);

  #wake(key: string): void {
    clearTimeout(this.#looks.get(key));
    this.#looks.delete(key);
    this.#room.wake(key);
  }

  /** Handles the report of a key that one of the gateway's scripts has just written. */
  #writtenBy(key: string, command: Command, reply: Reply): void {
    const { waitable } = waitableCall(command.map(String)) ?? {};
    if (waitable === undefined || !isRefused(waitable, reply)) return;
    // A request refused without joining a queue wrote nothing; one that joins writes its place.
    if (waitable.back === undefined) {
      // The request itself may not be held yet.
      this.#watcher.keys.written(key);
      this.#wake(key);
    } else if (!this.#looks.has(key)) this.#looks.set(key, setTimeout(() => this.#wake(key), LOOK_MS).unref());
  }

  /** Tries the waiters of keys whose writes Redis does not report. */
  #poll(): void {
    const unreported = this.#unreported();
    for (const key of unreported) this.#wake(key);
    if (unreported.length > 0) return;
    this.#unnoticed.clear();
    clearInterval(this.#polling);
    this.#polling = undefined;
  }

  async #send({ head }: Waiting, args: readonly string[], replies: Hold): Promise<Reply> {
    const [name = "", ...rest] = head;
    const [reply = null] = await repliesOf(this.#way, [[name, ...rest, ...args]], { room: replies });
    return reply;
  }

  /**
   * Has Redis report the writes to all keys, and then tries their waiters once. Until then, and where it cannot be had,
   * it polls: a server may take its time to refuse, and nobody waits for that.
   */
  async #report(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.#unnoticed.add(key);
    if (!keys.every(this.#reports)) this.#polling ??= setInterval(() => this.#poll(), POLL_MS).unref();
    if (this.#isReported) await Promise.all(keys.map((key) => this.#watcher.ready(key)));
    void this.#room.wakeAll(keys.filter((key) => this.#reports(key) && this.#unnoticed.delete(key)));
  }

  #unreported(): readonly string[] {
    return this.#watcher.keys.awaited().filter((key) => !this.#reports(key));
  }

  #writesTo(keys: readonly string[]): number {
    return keys.reduce((sum, key) => sum + this.#watcher.keys.writesOf(key), 0);
  }

  /** Holds a request whose keys are watched from now on. */
  async #hold(
    waiting: Waiting,
    refusal: Reply,
    noticed: "nothing" | "no write" | "a write",
    needs: Needs,
    gone: AbortController,
  ): Promise<Outcome> {
    const { keys } = waiting;
    const since = performance.now();
    const forget = needs.request.whenUnwanted(() => gone.abort());
    try {
      const held = this.#room.hold({
        ...waiting,
        reply: refusal,
        signal: gone.signal,
        run: async (next) => {
          if (!keys.every(this.#reports)) void this.#report(keys);
          // The reply to the previous try is gone.
          needs.held.replies.settle(0);
          return this.#send(waiting, next, needs.held.replies).catch((error: unknown) => {
            if (error instanceof NotSent) return UNSENT;
            throw error;
          });
        },
      });
      if (held === undefined) return { reply: refusal };
      if (noticed === "nothing") void this.#report(keys);
      if (noticed === "a write") for (const key of keys) this.#wake(key);
      const { reply, heldMs } = await held;
      return { reply, wait: { totalMs: performance.now() - since, headers: holdHeaders(heldMs) } };
    } finally {
      forget();
    }
  }
}
