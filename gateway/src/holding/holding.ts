import {
  createWaitingRoom,
  type HoldHeaders,
  holdHeaders,
  type RoomEvent,
  type Waitable,
  type WaitableCall,
  waitableCall,
  waitableOf,
  waitOf,
} from "leasehold-engine/holding";
import type { HttpRequest } from "../http/message.ts";
import { type Backend, type Command, overridden, type Reply, repliesOf, textOf } from "../redis/backend.ts";
import { keyOf } from "../redis/commands.ts";
import type { Hold } from "../shared/budget.ts";
import type { Held } from "../shared/token-limits.ts";
import { noticePassing } from "./passing.ts";
import { createWatcher } from "./watcher.ts";

/** How often the first waiters are tried where writes are reported, and where they are not. */
const CHECK_MS = 800;
const POLL_MS = 250;
/** The time after which a key is looked at that two may have written in one turn of Redis. */
const LOOK_MS = 250;

/** A request that asks to be held, with a command that can be. */
export interface Waiting extends WaitableCall {
  readonly waitMs: number;
  /** The command without the arguments of the script. */
  readonly head: readonly string[];
}

/** What a held request needs of the stages before it. */
export interface Needs {
  readonly request: Pick<HttpRequest, "whenUnwanted">;
  readonly held: Pick<Held, "park" | "replies">;
}

/** The end of a request that asked to be held. */
export interface Outcome {
  readonly reply: Reply;
  /** How long it was held, in ms, and what the answer says of that; absent if it was not held. */
  readonly wait?: { readonly totalMs: number; readonly headers: HoldHeaders };
}

/** Holds requests that were refused until it is their turn, for one database. */
export interface Holding {
  /** How many requests are held. */
  readonly size: number;
  /** Reads a command as one that is to be held if it is refused; `undefined` for any other, which most are. */
  asked(request: Pick<HttpRequest, "header">, command: Command): Waiting | undefined;
  /** Runs such a command, and again when it may succeed. Fails as {@link Backend.send} does. */
  run(waiting: Waiting, needs: Needs): Promise<Outcome>;
  /** A backend by which held requests notice what passes through this gateway, where Redis does not report it. */
  observed(backend: Backend): Backend;
  /** Answers all held requests with their last refusal, and holds none from now on. */
  end(): void;
  close(): void;
}

export interface HoldingOptions {
  /** How long Redis may take to answer, in ms. */
  readonly timeoutMs: number;
  /** Whether Redis can report writes; one in memory has no others than this gateway's. */
  readonly isReported: boolean;
  /** Makes of a backend one whose commands are counted. */
  readonly counted: (backend: Backend) => Backend;
  readonly onEvent: (event: RoomEvent) => void;
  /** Called when Redis refuses to report writes, with the reason. */
  readonly onRefused: (reason: string) => void;
}

const isText = (part: string | Buffer): part is string => typeof part === "string";

function isRefused({ refusal }: Waitable, reply: Reply): boolean {
  return Array.isArray(reply) && textOf(reply[0]) === refusal;
}

function waitingOf(prefer: string | undefined, command: Command): Waiting | undefined {
  const waitMs = waitOf(prefer);
  const words = command.filter(isText);
  if (waitMs === undefined || waitMs <= 0 || words.length < command.length) return undefined;
  const call = waitableCall(words);
  return call && { ...call, waitMs, head: words.slice(0, words.length - call.args.length) };
}

export function createHolding(backend: Backend, options: HoldingOptions): Holding {
  const { timeoutMs, counted, onEvent, onRefused } = options;
  let polling: NodeJS.Timeout | undefined;
  let isEnded = false;

  const room = createWaitingRoom({
    now: () => performance.now(),
    after(ms, callback) {
      const timer = setTimeout(callback, ms).unref();
      return () => clearTimeout(timer);
    },
    // The shares of the tokens are the limit.
    most: Number.POSITIVE_INFINITY,
    checkMs: CHECK_MS,
    onEvent,
  });
  /** A look at keys that somebody else may have written in the turn of Redis in which we wrote them. */
  const looks = new Map<string, NodeJS.Timeout>();
  function wake(key: string): void {
    clearTimeout(looks.get(key));
    looks.delete(key);
    room.wake(key);
  }

  const watcher = createWatcher(backend, timeoutMs, {
    written: wake,
    writtenBy(key, [, sha = ""], reply) {
      const waitable = waitableOf(sha.toString());
      if (waitable === undefined || !isRefused(waitable, reply)) return;
      // A refusal that only reads wrote nothing; one that joins a queue writes its place.
      if (waitable.back === undefined) wake(key);
      else if (!looks.has(key)) looks.set(key, setTimeout(wake, LOOK_MS, key).unref());
    },
    anything: () => void room.wakeAll(),
    refused: onRefused,
  });
  const reports = (key: string): boolean => options.isReported && watcher.isReported(key);

  /** The waiters of each key whose writes Redis does not report; they are tried now and then. */
  function poll(): void {
    for (const key of watcher.awaited()) if (!reports(key)) wake(key);
    if (room.size > 0) return;
    clearInterval(polling);
    polling = undefined;
  }

  /** The way of scripts that may be held: counted as all commands, and on a line where there is one. */
  const way = counted(
    overridden(backend, {
      send([command], to, replies) {
        if (command !== undefined) watcher.run(command, String(keyOf(command) ?? ""), to, replies);
      },
    }),
  );

  async function send({ head }: Waiting, args: readonly string[], replies: Hold): Promise<Reply> {
    const [name = "", ...rest] = head;
    const [reply = null] = await repliesOf(way, [[name, ...rest, ...args]], replies);
    return reply;
  }

  /** Makes Redis report the writes to all keys by the next script, if that can be had. */
  async function report(keys: readonly string[]): Promise<boolean> {
    if (options.isReported && !keys.every(reports)) await Promise.all(keys.map(watcher.ready));
    return keys.every(reports);
  }

  const writesTo = (keys: readonly string[]): number => keys.reduce((sum, key) => sum + watcher.writesOf(key), 0);

  /** Holds a request whose keys are watched from now on. */
  async function hold(waiting: Waiting, refusal: Reply, wasReported: boolean, needs: Needs): Promise<Outcome> {
    const { keys, args } = waiting;
    const { replies } = needs.held;
    const since = performance.now();
    let writes = writesTo(keys);
    let reply = refusal;
    // What happened since the refusal was not reported.
    if (!wasReported && (await report(keys))) {
      writes = writesTo(keys);
      reply = await send(waiting, args, replies);
    }
    const gone = new AbortController();
    const forget = needs.request.whenUnwanted(() => gone.abort());
    try {
      const held = room.hold({
        ...waiting,
        reply,
        signal: gone.signal,
        run: async (next) => {
          await report(keys);
          return send(waiting, next, replies);
        },
      });
      if (held === undefined) return { reply };
      if (writesTo(keys) !== writes) for (const key of keys) wake(key);
      if (!keys.every(reports)) polling ??= setInterval(poll, POLL_MS).unref();
      const { reply: last, heldMs } = await held;
      return { reply: last, wait: { totalMs: performance.now() - since, headers: holdHeaders(heldMs) } };
    } finally {
      forget();
    }
  }

  return {
    get size() {
      return room.size;
    },
    asked(request, command) {
      const prefer = request.header("prefer");
      return prefer === undefined || isEnded ? undefined : waitingOf(prefer, command);
    },
    async run(waiting, needs) {
      const { keys, args, waitable } = waiting;
      const wasReported = keys.every(reports);
      const writes = writesTo(keys);
      const reply = await send(waiting, args, needs.held.replies);
      if (isEnded || !isRefused(waitable, reply) || !needs.held.park()) return { reply };
      for (const key of keys) watcher.add(key);
      try {
        return await hold(waiting, reply, wasReported && writes === writesTo(keys), needs);
      } finally {
        for (const key of keys) watcher.remove(key);
      }
    },
    observed: (all) =>
      noticePassing(all, {
        isAny: () => room.size > 0,
        isReported: reports,
        way,
        freed(key) {
          if (room.isWatched(key)) wake(key);
        },
      }),
    end() {
      isEnded = true;
      void room.closeAll();
    },
    close() {
      clearInterval(polling);
      watcher.close();
    },
  };
}
