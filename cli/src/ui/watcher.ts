import { type Connection, type ConnectionSource, connectionOf } from "../../../src/redis/connect.ts";
import { sleep } from "../../../src/shared/timers.ts";
import { makeWaitingReader, type WaitingReader, withHeld } from "../operations/waiting.ts";
import { type Book, idOfTarget, makeBook } from "./book.ts";
import { makeLastRuns } from "./last-runs.ts";
import { type Pace, paceOf } from "./pace.ts";
import { release } from "./release.ts";
import { makeRoundReader, type RoundReader } from "./rounds.ts";
import { keysOf, makeTargetReader } from "./targets.ts";
import type {
  Examination,
  Look,
  NameReport,
  ReleaseAnswer,
  ReleaseRequest,
  Round,
  Rows,
  Runs,
  Status,
} from "./wire.ts";

/** The messages to a page, by event. */
export interface Messages {
  readonly rows: Rows;
  readonly status: Status;
  readonly name: NameReport;
  readonly runs: Runs;
  readonly doctor: Examination;
}

export type Send = <Event extends keyof Messages>(event: Event, message: Messages[Event]) => void;

/** A connected page. */
export interface Viewer {
  /** Sets what it views in addition to the list. */
  look(wanted: Pick<Look, "name" | "search">): void;
  leave(): void;
}

/** Reads Redis for all pages together, and only while a page is open. */
export interface Watcher {
  /** The connection, which shares the requests of the watcher. */
  readonly connection: Connection;
  join(send: Send): Viewer;
  /** Ends a tenure immediately, and records in the history of its name that it was released here. */
  release(wanted: ReleaseRequest): Promise<ReleaseAnswer>;
  close(): void;
}

const FLUSH_MS = 40;
const RUNS_MS = 10_000;
const MAX_GAPS = 100;
/** The requests before names are first shown: SCAN, the script by its hash, and by its text. */
const FIRST_REQUESTS = 3;

/** A viewer with what it views. */
interface Seat {
  readonly send: Send;
  target: Look["name"];
  search: string | undefined;
}

interface State {
  readonly pace: Pace;
  readonly intervalMs: number;
  readonly book: Book;
  readonly rounds: RoundReader;
  readonly readTarget: ReturnType<typeof makeTargetReader>;
  readonly waiting: WaitingReader;
  readonly readLastRuns: ReturnType<typeof makeLastRuns>;
  readonly seats: Set<Seat>;
  readonly gaps: { readonly from: number; readonly to: number }[];
  round?: Round | undefined;
  lastRound?: Round | undefined;
  problem: Status["problem"];
}

const toAll: (seats: Iterable<Seat>) => Send = (seats) => (event, message) => {
  for (const { send } of seats) send(event, message);
};

function statusOf({ pace, seats, round, lastRound, problem }: State): Status {
  return { now: pace.now(), ...pace.sent(), pages: seats.size, round, lastRound, problem };
}

function reportOn({ book, pace, gaps, waiting }: State, target: NonNullable<Look["name"]>): NameReport {
  const id = idOfTarget(target);
  const history = book.historyOf(id, pace.now());
  return { id, entry: book.entries.get(id), isHolding: waiting.answers, history, gaps };
}

/** Reads all names once, in at least one interval. */
async function readAll(state: State, signal: AbortSignal): Promise<void> {
  const { rounds, pace, intervalMs } = state;
  if (state.lastRound === undefined) pace.hurry(FIRST_REQUESTS);
  const beganAt = performance.now();
  await rounds.readRound(signal, (round) => {
    state.problem = undefined;
    if (round.endedAt === undefined) state.round = round;
    else state.lastRound = round;
  });
  await sleep(Math.max(0, beganAt + intervalMs - performance.now()), signal, pace.connection.clock);
}

/** Reads the names that pages view. */
async function readTargets(state: State, signal: AbortSignal): Promise<void> {
  const { seats, pace, intervalMs } = state;
  const targets = new Map([...seats].flatMap(({ target }) => (target ? [[idOfTarget(target), target] as const] : [])));
  if (targets.size === 0) return sleep(intervalMs / 10, signal, pace.connection.clock);
  await Promise.all([...targets.values()].map((target) => readOne(state, target, signal)));
}

/** Reads a name in full, and sends it to the pages that view it. */
async function readOne(state: State, target: NonNullable<Look["name"]>, signal: AbortSignal): Promise<void> {
  const { seats, book, pace, readTarget, waiting } = state;
  const id = idOfTarget(target);
  const [entry, held] = await Promise.all([
    readTarget(target, signal),
    target.isFence ? undefined : waiting.of(target, signal),
  ]);
  book.take(id, entry, pace.now());
  const report = { ...reportOn(state, target), entry: entry && withHeld(entry, held) };
  for (const seat of seats) if (seat.target && idOfTarget(seat.target) === id) seat.send("name", report);
}

/** Reads the number of waiters of names whose records do not contain it. */
async function readWaiting({ book, pace, waiting, intervalMs }: State, signal: AbortSignal): Promise<void> {
  book.takeCounts(await waiting.counts(signal), pace.now());
  await sleep(intervalMs, signal, pace.connection.clock);
}

/** The names that a search text may mean, including one with its group before it. */
function namesIn(search: string): readonly NonNullable<Look["name"]>[] {
  const slash = search.indexOf("/");
  const inGroup = { group: search.slice(0, slash), name: search.slice(slash + 1) };
  return [{ name: search }, ...(inGroup.group !== "" && inGroup.name !== "" && slash > 0 ? [inGroup] : [])];
}

/** Reads the name that equals the typed text, if it is not known yet. */
async function readSearch({ rounds, pace }: State, search: string, signal: AbortSignal): Promise<void> {
  const keys = namesIn(search).flatMap((wanted) => keysOf(pace.connection, wanted));
  pace.hurry(1);
  await rounds.readKeys(keys, signal);
}

/** Reads the last runs of cron jobs. */
async function readRuns(state: State, signal: AbortSignal): Promise<void> {
  const { seats, book, pace, intervalMs, readLastRuns } = state;
  // Waits until all names are known.
  if (!state.lastRound) return sleep(intervalMs / 10, signal, pace.connection.clock);
  const runs = await readLastRuns(book.entries.values());
  toAll(seats)("runs", { ...runs, readAt: pace.now() });
  const before = seats.size;
  // A page that connects meanwhile does not wait for the next read.
  for (let waited = 0; waited < RUNS_MS && !signal.aborted; waited += intervalMs / 4) {
    await sleep(intervalMs / 4, signal, pace.connection.clock);
    if (seats.size > before) return;
  }
}

/** Repeats a step until the signal aborts. If it fails, the pages show why. */
async function repeat(state: State, signal: AbortSignal, step: typeof readAll): Promise<void> {
  while (!signal.aborted) {
    try {
      await step(state, signal);
    } catch (error) {
      if (signal.aborted) return;
      const { code = "unexpected", message } = error as { readonly code?: string; readonly message: string };
      const { connection, now } = state.pace;
      // A list is about no name, and says so of the prefix.
      const said = message.replace(`no answer about "${connection.prefix}": `, "");
      state.problem = { since: state.problem?.since ?? now(), code, message: said };
      await sleep(state.intervalMs, signal, state.pace.connection.clock).catch(() => undefined);
    }
  }
}

/** Reads until the signal aborts. */
function begin(state: State, signal: AbortSignal): void {
  for (const step of [readAll, readTargets, readWaiting, readRuns]) repeat(state, signal, step);
  const flush = setInterval(() => {
    const rows = state.book.drain();
    if (rows) toAll(state.seats)("rows", rows);
  }, FLUSH_MS);
  const tell = setInterval(() => toAll(state.seats)("status", statusOf(state)), state.intervalMs);
  signal.addEventListener("abort", () => {
    clearInterval(flush);
    clearInterval(tell);
  });
}

/** Applies what a page views now, and reads new names immediately. */
function takeLook(
  state: State,
  seat: Seat,
  { name, search }: Parameters<Viewer["look"]>[0],
  signal: AbortSignal,
): void {
  const isNew = name !== undefined && (!seat.target || idOfTarget(name) !== idOfTarget(seat.target));
  const isTyped = search !== undefined && search !== seat.search;
  if (isTyped) readSearch(state, search, signal).catch(() => undefined);
  Object.assign(seat, { target: name, search });
  if (!name) return;
  seat.send("name", reportOn(state, name));
  if (isNew) readOne(state, name, signal).catch(() => undefined);
}

export function makeWatcher(source: ConnectionSource, intervalMs: number = 1000): Watcher {
  const pace = paceOf(connectionOf(source), intervalMs);
  const book = makeBook();
  const { connection, now } = pace;
  const state: State = {
    ...{ pace, intervalMs, book, seats: new Set(), gaps: [], problem: undefined },
    rounds: makeRoundReader({ connection, book, now }),
    ...{ readTarget: makeTargetReader(pace), readLastRuns: makeLastRuns(connection) },
    waiting: makeWaitingReader(connection, now),
  };
  let running: AbortController | undefined;
  let stoppedAt: number | undefined;

  function stop(): void {
    running?.abort();
    running = undefined;
    Object.assign(state, { round: undefined, problem: undefined });
    stoppedAt = pace.now();
  }

  function start(): void {
    if (stoppedAt !== undefined) state.gaps.push({ from: stoppedAt, to: pace.now() });
    if (state.gaps.length > MAX_GAPS) state.gaps.shift();
    running = new AbortController();
    begin(state, running.signal);
  }

  return {
    connection,
    join(send) {
      const seat: Seat = { send, target: undefined, search: undefined };
      // The other pages get the changes; the new one gets everything.
      const rows = state.book.drain();
      if (rows) toAll(state.seats)("rows", rows);
      state.seats.add(seat);
      send("rows", { rows: [...state.book.entries.values()], gone: [] });
      if (!running) start();
      send("status", statusOf(state));
      return {
        look(wanted) {
          if (running) takeLook(state, seat, wanted, running.signal);
        },
        leave() {
          if (state.seats.delete(seat) && state.seats.size === 0) stop();
        },
      };
    },
    async release(wanted) {
      pace.hurry(1);
      const answer = await release(connection, wanted);
      if (answer.outcome === "released") book.noteRelease(idOfTarget(wanted), wanted, pace.now());
      pace.hurry(1);
      return answer;
    },
    close() {
      state.seats.clear();
      stop();
    },
  };
}
