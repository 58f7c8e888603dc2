/**
 * Replays runs of holding.qnt on the real waiting room, with the clock, timers and script runs of the run, and on the
 * real scripts of the lock. After each step the room is compared with the specification's.
 */
import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { createWaitingRoom, waitableCall } from "../../engine/src/holding/index.ts";
import { createEngine } from "../../engine/src/redis/engine.ts";
import type { State } from "./quint.ts";
import type { Compared } from "./replay.ts";
import { BLANK, commandOf, type Request } from "./scripts.ts";

const KEY = "name";
/** `CHECK` and `NEVER` in holding.qnt. */
const CHECK_MS = 1000;
const NEVER = 1_000_000_000;
/** The time 0 of a run, in ms. */
const BEGIN = 1_800_000_000_000;
const RETENTION_MS = 60_000;

type Pairs<Of> = readonly (readonly [id: number, of: Of])[];

/** The compared part of a state of holding.qnt. */
interface Step {
  readonly time: number;
  readonly event: {
    readonly name: string;
    readonly id: number;
    readonly status: string;
    readonly amount: number;
    readonly wasParked: boolean;
  };
  readonly network: {
    readonly requests: Pairs<{ readonly lease: number; readonly wait: number; readonly notAfter: number }>;
    readonly tries: readonly { readonly id: number }[];
  };
  readonly room: {
    readonly line: readonly number[];
    readonly trying: number;
    readonly triedAt: number;
    readonly due: number;
    readonly retryAt: number;
  };
  readonly held: Pairs<{ readonly until: number }>;
}

/** The observable state of a room: its timers, with their owners and due times. */
interface Seen {
  readonly size: number;
  readonly isWatched: boolean;
  readonly tried: readonly number[];
  readonly timers: readonly string[];
  /** How requests left the room, in order. */
  readonly ended: readonly string[];
}

/** An unfinished run of a held request. */
interface Try {
  readonly args: readonly string[];
  reply: unknown;
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A request that was answered immediately, with its response. */
interface Refusal {
  readonly command: readonly string[];
  readonly reply: readonly unknown[];
}

interface Timer {
  /** The waiter whose deadline it is; undefined for the timer of the queue. */
  readonly waiter: number | undefined;
  readonly at: number;
  readonly callback: () => void;
}

const sortedNumbers = (list: readonly number[]): readonly number[] => [...list].sort((a, b) => a - b);

/** How a waiter left in a step of the specification; undefined if none did. */
function endingOf({ name, id, status, wasParked }: Step["event"]): string | undefined {
  if (name === "abort") return `${id} aborted held`;
  if (name === "expire") return `${id} refused held`;
  if (name !== "reply" || !wasParked || status === "held") return undefined;
  if (status === "failed") return `${id} failed`;
  return status === "refused" ? `${id} refused held` : `${id} answered ${status}`;
}

/** The observable state by the specification. A late timer is due now. */
function wantedOf({ time, room, held, network }: Step, ended: readonly string[]): Seen {
  const isIdle = room.line.length > 0 && room.trying === 0;
  const checkAt = Math.max(Math.min(room.triedAt + CHECK_MS, room.due, room.retryAt), time);
  const timed = held.filter(([id]) => id !== room.trying).map(([id, { until }]) => `${id} at ${until}`);
  return {
    size: held.length,
    isWatched: room.line.length > 0,
    tried: sortedNumbers(network.tries.map(({ id }) => id)),
    timers: [...timed, ...(isIdle && checkAt < NEVER ? [`line at ${checkAt}`] : [])].sort(),
    ended,
  };
}

/** The real scripts of the lock, by the clock of a run. */
function createServer(now: () => number) {
  const engine = createEngine({ dialect: "redis", now: () => BEGIN + now(), random: () => 0.5 });
  const tokens = new Map<number, number>();
  let forced = 0;

  function run(command: readonly string[]): readonly unknown[] {
    const reply: unknown = engine.run(command);
    if (!Array.isArray(reply)) throw new Error(`no reply: ${JSON.stringify(reply)}`);
    return reply;
  }

  const send = (request: Partial<Request>): readonly unknown[] =>
    run(commandOf(KEY, { ...BLANK, notAfter: (BEGIN + NEVER) * 1000, retention: RETENTION_MS, ...request }));

  return {
    run,
    /** Reads a reply to an acquire as `status remaining`, and keeps the token of a grant. */
    read(id: number, [status, , first, second]: readonly unknown[]): string {
      if (status === "granted") tokens.set(id, Number(first));
      const remaining = Number((status === "granted" ? second : first) ?? 0) / 1000;
      return `${status} ${remaining}`;
    },
    release: (id: number) => send({ script: "lock-close", id, token: tokens.get(id) ?? 0 }),
    force: () => send({ script: "record-force", id: 1000 + ++forced }),
    extend: (id: number, duration: number) => send({ script: "hold-extend", id, token: tokens.get(id) ?? 0, duration }),
  };
}

/** The timers of a room, fired by the run. */
function createTimers(now: () => number) {
  const timers = new Set<Timer>();
  const untils = new Map<number, number>();
  return {
    /** The deadline of each held waiter. */
    untils,
    /** A waiter's timer is the one at its deadline: it is set before the timer of the queue. */
    after(ms: number, callback: () => void): () => void {
      const at = now() + ms;
      const hasTimer = new Set([...timers].map(({ waiter }) => waiter));
      const waiter = [...untils].find(([id, until]) => until === at && !hasTimer.has(id))?.[0];
      const timer = { waiter, at, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    fire(isMeant: (waiter: number | undefined) => boolean): void {
      for (const timer of [...timers].filter(({ at, waiter }) => at <= now() && isMeant(waiter))) {
        timers.delete(timer);
        timer.callback();
      }
    },
    seen: (isMeant: (waiter: number | undefined) => boolean): readonly string[] =>
      [...timers]
        .filter(({ waiter }) => isMeant(waiter))
        .map(({ waiter, at }) => `${waiter ?? "line"} at ${at}`)
        .sort(),
  };
}

/** The real room, with its waiters and replies. */
function createStage(now: () => number) {
  const timers = createTimers(now);
  const tries = new Map<number, Try>();
  const aborts = new Map<number, AbortController>();
  const ended: string[] = [];
  const room = createWaitingRoom({ now, after: timers.after, checkMs: CHECK_MS });
  return {
    room,
    timers,
    tries,
    enter(id: number, waitMs: number, { command, reply }: Refusal): void {
      const [, lua = "", ...rest] = command;
      const call = waitableCall(["EVALSHA", createHash("sha1").update(lua).digest("hex"), ...rest]);
      if (!call) throw new Error("the script is not waitable");
      const abort = new AbortController();
      aborts.set(id, abort);
      timers.untils.set(id, now() + waitMs);
      const run = (args: readonly string[]): Promise<unknown> =>
        new Promise((resolve, reject) => tries.set(id, { args, reply: undefined, resolve, reject }));
      room.hold({ ...call, reply: reply as unknown, waitMs: NEVER, run, signal: abort.signal })?.then(
        (held) => ended.push(`${id} ${held.ending} ${(held.reply as readonly unknown[])[0]}`),
        () => ended.push(`${id} failed`),
      );
    },
    abort: (id: number) => aborts.get(id)?.abort(),
    /** A try's reply or failure arrives. */
    hear(id: number, status: string): void {
      const each = tries.get(id);
      tries.delete(id);
      if (status === "failed") each?.reject(new Error("no connection"));
      else each?.resolve(each.reply);
    },
    seen: (): Seen => ({
      size: room.size,
      isWatched: room.isWatched(KEY),
      tried: sortedNumbers([...tries.keys()]),
      timers: timers.seen((waiter) => waiter === undefined || !tries.has(waiter)),
      ended: [...ended],
    }),
  };
}

/** Replays the steps of a run in the real room and on the real scripts. */
function createReplay() {
  let time = 0;
  const { room, timers, tries, enter, abort, hear, seen } = createStage(() => time);
  const server = createServer(() => time);
  const asked = new Map<number, Refusal>();

  function ask(id: number, { lease, notAfter }: { readonly lease: number; readonly notAfter: number }): string {
    const request = { script: "lock-acquire", id, duration: lease, notAfter: (BEGIN + notAfter) * 1000 };
    const command = commandOf(KEY, { ...BLANK, retention: RETENTION_MS, ...request });
    const reply = server.run(command);
    asked.set(id, { command, reply });
    return server.read(id, reply);
  }

  function serve(id: number, each: Try): string {
    const reply = server.run([...(asked.get(id)?.command.slice(0, 4) ?? []), ...each.args]);
    each.reply = reply;
    return server.read(id, reply);
  }

  return {
    seen,
    /** Returns the server's reply. */
    follow({ event, time: now, held, network }: Step): string {
      const { name, id, status, amount } = event;
      time = now;
      // No timer is set for a waiter that leaves in this step.
      for (const left of [...timers.untils.keys()])
        if (!held.some(([each]) => each === left)) timers.untils.delete(left);
      const request = network.requests.find(([each]) => each === id)?.[1];
      const each = tries.get(id);
      const refusal = asked.get(id);
      if (name === "ask" && request) return ask(id, request);
      if (name === "serve" && each) return serve(id, each);
      if (name === "release") return `${server.release(id)[0]}`;
      if (name === "force") return `${server.force()[0]}`;
      if (name === "extend") return `${server.extend(id, amount)[0]}`;
      if (name === "enter" && refusal) enter(id, amount, refusal);
      if (name === "reply") hear(id, status);
      if (name === "report") room.wake(KEY);
      if (name === "abort") abort(id);
      if (name === "check") timers.fire((waiter) => waiter === undefined);
      if (name === "expire") timers.fire((waiter) => waiter === id);
      // A waiter's deadline during its own try changes nothing.
      if (name === "tick") timers.fire((waiter) => waiter !== undefined && tries.has(waiter));
      return "";
    },
  };
}

/** The server's reply in a step of the specification; empty if it gets no request. */
function answerOf({ name, status, amount }: Step["event"]): string {
  if (name === "ask" || name === "serve") return `${status} ${amount}`;
  return { release: "closed", force: "forced", extend: "extended" }[name] ?? "";
}

/** Replays a run of holding.qnt on the real room and the real scripts. */
export async function replayHoldingRun(states: readonly State[]): Promise<Compared> {
  const replay = createReplay();
  const answers = new Map<string, number>();
  const ended: string[] = [];
  let requests = 0;
  for (const [index, step] of (states as unknown as readonly Step[]).entries()) {
    if (index === 0) continue;
    const { event } = step;
    const answer = replay.follow(step);
    await setImmediate();
    const ending = endingOf(event);
    if (ending) ended.push(ending);
    const label = `${event.name} ${event.status}`.trimEnd();
    const got = { answer, ...replay.seen() };
    const wanted = { answer: answerOf(event), ...wantedOf(step, ended) };
    answers.set(label, (answers.get(label) ?? 0) + 1);
    if (answer !== "") requests++;
    if (isDeepStrictEqual(got, wanted)) continue;
    // Everything after a difference differs as well.
    const difference = `${label}, step ${index}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`;
    return { requests, answers, differences: [difference] };
  }
  return { requests, answers, differences: [] };
}
