import { lastRun } from "../../../src/cron/last-run.ts";
import { list } from "../../../src/list/index.ts";
import { type Connection, type ConnectionSource, connectionOf } from "../../../src/redis/connect.ts";
import { runScript } from "../../../src/redis/run.ts";
import { nameInspect } from "../../../src/redis/scripts.gen.ts";
import { targetOf, withCrowd } from "../../../src/redis/target.ts";
import { LeaseholdError } from "../../../src/shared/errors.ts";
import { sleep } from "../../../src/shared/timers.ts";
import { type Book, idOfTarget, makeBook } from "./book.ts";
import { type Pace, paceOf } from "./pace.ts";
import { readName } from "./read-name.ts";
import {
  type Examination,
  idOf,
  type Look,
  type NameReport,
  type Round,
  type Rows,
  type Runs,
  type Status,
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

/** A page that looks. */
export interface Viewer {
  /** Says what it looks at besides the list. */
  look(wanted: Pick<Look, "name" | "runs">): void;
  leave(): void;
}

/** Reads Redis for all pages together, and only while there is one. */
export interface Watcher {
  /** The connection, which shares the requests of the watcher. */
  readonly connection: Connection;
  join(send: Send): Viewer;
  close(): void;
}

/** About how many names one request reads. */
const PAGE_SIZE = 500;
const FLUSH_MS = 40;
const RUNS_MS = 10_000;
const MOST_JOBS = 50;
const MOST_GAPS = 100;

/** A viewer with what it wants to see. */
interface Seat {
  readonly send: Send;
  target: Look["name"];
  runs: boolean;
}

interface State {
  readonly pace: Pace;
  readonly intervalMs: number;
  readonly book: Book;
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

function reportOn({ book, pace, gaps }: State, target: NonNullable<Look["name"]>): NameReport {
  const id = idOfTarget(target);
  return { id, entry: book.entries.get(id), history: book.historyOf(id, pace.now()), gaps };
}

/** Goes once over all names. */
async function readNames(state: State, signal: AbortSignal): Promise<void> {
  const { book, pace } = state;
  const { connection } = pace;
  // A server that does not know the script gets it once, and not with each name of a page.
  const target = withCrowd(targetOf(connection, "list", ["leasehold"], undefined));
  if (state.round === undefined && state.lastRound === undefined)
    await runScript(target, nameInspect, [0], { operation: "list", signal }).catch((error: unknown) => {
      if (!(error instanceof LeaseholdError && error.code === "wrong_kind")) throw error;
    });
  const met = new Set<string>();
  const startedAt = pace.now();
  state.round = { startedAt, names: 0 };
  for await (const entry of list(connection, { pageSize: PAGE_SIZE, signal })) {
    const id = idOf(entry);
    met.add(id);
    book.take(id, entry, pace.now());
    state.round = { startedAt, names: met.size };
    state.problem = undefined;
  }
  state.problem = undefined;
  book.sweep(met, startedAt, pace.now());
  state.lastRound = { startedAt, endedAt: pace.now(), names: met.size };
}

/** Reads the names that pages look at. */
async function readTargets(state: State, signal: AbortSignal): Promise<void> {
  const { seats, book, pace, intervalMs } = state;
  const targets = new Map([...seats].flatMap(({ target }) => (target ? [[idOfTarget(target), target] as const] : [])));
  if (targets.size === 0) return sleep(intervalMs / 10, signal, pace.connection.clock);
  await Promise.all(
    [...targets].map(async ([id, target]) => {
      const entry = await readName(pace.connection, target, signal);
      book.take(id, entry, pace.now());
      const report = { ...reportOn(state, target), entry };
      for (const seat of seats) if (seat.target && idOfTarget(seat.target) === id) seat.send("name", report);
    }),
  );
}

/** Reads the last runs of cron jobs, where a page shows them. */
async function readRuns(state: State, signal: AbortSignal): Promise<void> {
  const { seats, book, pace, intervalMs } = state;
  const wanting = [...seats].filter(({ runs }) => runs);
  // Not before all names are known.
  if (wanting.length === 0 || !state.lastRound) return sleep(intervalMs / 10, signal, pace.connection.clock);
  const names = [...book.entries.values()].flatMap(({ kind, job }) => (kind === "fence" ? (job ?? []) : []));
  const jobs = await Promise.all(names.slice(0, MOST_JOBS).map((name) => lastRun(pace.connection, name)));
  const left = names.length - jobs.length;
  toAll(wanting)("runs", { jobs: jobs.filter((job) => job !== null), readAt: pace.now(), left });
  const before = wanting.length;
  // Somebody who comes meanwhile does not wait for the next reading.
  for (let waited = 0; waited < RUNS_MS && !signal.aborted; waited += intervalMs / 4) {
    await sleep(intervalMs / 4, signal, pace.connection.clock);
    if ([...seats].filter(({ runs }) => runs).length > before) return;
  }
}

/** Repeats a step until the signal aborts. Where it fails, the pages are told why. */
async function repeat(state: State, signal: AbortSignal, step: typeof readNames): Promise<void> {
  while (!signal.aborted) {
    try {
      await step(state, signal);
    } catch (error) {
      if (signal.aborted) return;
      const { code = "unexpected", message } = error as { readonly code?: string; readonly message: string };
      state.problem = { since: state.problem?.since ?? state.pace.now(), code, message };
      await sleep(state.intervalMs, signal, state.pace.connection.clock).catch(() => undefined);
    }
  }
}

/** Reads for as long as the signal lets it. */
function begin(state: State, signal: AbortSignal): void {
  for (const step of [readNames, readTargets, readRuns]) repeat(state, signal, step);
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

export function makeWatcher(source: ConnectionSource, intervalMs: number = 1000): Watcher {
  const pace = paceOf(connectionOf(source), intervalMs);
  const state: State = { pace, intervalMs, book: makeBook(), seats: new Set(), gaps: [], problem: undefined };
  let running: AbortController | undefined;
  let stoppedAt: number | undefined;

  function stop(): void {
    running?.abort();
    running = undefined;
    state.round = undefined;
    state.problem = undefined;
    stoppedAt = pace.now();
  }

  function start(): void {
    if (stoppedAt !== undefined) state.gaps.push({ from: stoppedAt, to: pace.now() });
    if (state.gaps.length > MOST_GAPS) state.gaps.shift();
    running = new AbortController();
    begin(state, running.signal);
  }

  return {
    connection: pace.connection,
    join(send) {
      const seat: Seat = { send, target: undefined, runs: false };
      // The others get the changes; the new one gets all of it.
      const rows = state.book.drain();
      if (rows) toAll(state.seats)("rows", rows);
      state.seats.add(seat);
      send("rows", { rows: [...state.book.entries.values()], gone: [] });
      if (!running) start();
      send("status", statusOf(state));
      return {
        look({ name, runs = false }) {
          seat.target = name;
          seat.runs = runs;
          if (name) send("name", reportOn(state, name));
        },
        leave() {
          if (state.seats.delete(seat) && state.seats.size === 0) stop();
        },
      };
    },
    close() {
      state.seats.clear();
      stop();
    },
  };
}
