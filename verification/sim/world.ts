import { AsyncLocalStorage } from "node:async_hooks";
import type { Note, Noted } from "./notes.ts";
import { createRandom, type Random } from "./random.ts";

export interface Timer {
  stop(): void;
}

/** Virtual time, and everything in it that does not belong to one host. */
export interface World {
  /** In ms since 1970, the true time of the simulation. */
  now(): number;
  after(ms: number, callback: () => void): Timer;
  /** Runs event after event until there is none, until the given time, or until the end. */
  run(until: number, isOver: () => boolean): Promise<void>;
  /** Advances the time when no event is left. */
  skip(ms: number): void;
  random(purpose: string): Random;
  log(text: string): void;
  readonly lines: readonly string[];
  /** Notes what happens, for a picture of the run. */
  note(note: Note): void;
  /** Empty unless notes are kept. */
  readonly notes: readonly Noted[];
  /** The time since the start, in ms. */
  elapsed(): number;
}

interface Event {
  readonly at: number;
  readonly order: number;
  callback: (() => void) | undefined;
}

const isBefore = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** Events in order of time, then of creation: a binary heap. */
function createAgenda(): { push(event: Event): void; pop(): Event | undefined; first(): Event | undefined } {
  const heap: Event[] = [];
  function swap(a: number, b: number): void {
    [heap[a], heap[b]] = [heap[b] as Event, heap[a] as Event];
  }
  return {
    first: () => heap[0],
    push(event) {
      let at = heap.push(event) - 1;
      for (let up = (at - 1) >> 1; at > 0 && isBefore(event, heap[up] as Event); at = up, up = (at - 1) >> 1)
        swap(at, up);
    },
    pop() {
      const top = heap[0];
      const last = heap.pop();
      if (!top || !last || heap.length === 0) return top;
      heap[0] = last;
      for (let at = 0; ; ) {
        const left = 2 * at + 1;
        const right = left + 1;
        const child = right < heap.length && isBefore(heap[right] as Event, heap[left] as Event) ? right : left;
        if (child >= heap.length || !isBefore(heap[child] as Event, heap[at] as Event)) return top;
        swap(at, child);
        at = child;
      }
    },
  };
}

/** Resolves when every promise that does not wait for an event of the world has settled. */
const settled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
/** A turn of the event loop, in which Node also reports unhandled rejections. It costs ten times as much. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** The number of events between two turns. */
const EVENTS_IN_A_TURN = 50;

const START = Date.UTC(2030, 0, 1);

export interface WorldOptions {
  /** Whether the lines of the log are kept. Default: yes. */
  readonly isLogged?: boolean;
  /** Whether notes are kept. Default: no. */
  readonly isNoted?: boolean;
}

/** @param eventsInTurn 1 for code that reads streams, which advance in turns */
export function createWorld(
  seed: string,
  eventsInTurn: number = EVENTS_IN_A_TURN,
  { isLogged = true, isNoted = false }: WorldOptions = {},
): World {
  const agenda = createAgenda();
  const lines: string[] = [];
  const notes: Noted[] = [];
  let now = START;
  let made = 0;
  return {
    lines,
    now: () => now,
    after(ms, callback) {
      const event: Event = { at: now + Math.max(ms, 0), order: ++made, callback };
      agenda.push(event);
      return {
        stop() {
          event.callback = undefined;
        },
      };
    },
    async run(until, isOver) {
      // The work started outside of an event.
      await turn();
      let events = 0;
      for (let event = agenda.first(); event && event.at <= until && !isOver(); event = agenda.first()) {
        agenda.pop();
        if (!event.callback) continue;
        now = event.at;
        event.callback();
        await (++events % eventsInTurn === 0 ? turn() : settled());
      }
      await turn();
    },
    skip(ms) {
      now += ms;
    },
    random: (purpose) => createRandom(`${seed}/${purpose}`),
    log(text) {
      if (isLogged) lines.push(`${(now - START).toFixed(3)} ${text}`);
    },
    notes,
    note(note) {
      if (isNoted) notes.push({ ...note, at: now - START });
    },
    elapsed: () => now - START,
  };
}

/** The part of a host that provides the globals of its code. */
export interface Scope {
  wall(): number;
  monotonic(): number;
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: never): void;
}

/** The host of the running code, and its operation. */
export interface Context<Op> {
  readonly host: Scope;
  readonly op: Op | undefined;
}

const contexts: AsyncLocalStorage<Context<unknown>> = new AsyncLocalStorage();

export const currentContext = <Op>(): Context<Op> | undefined => contexts.getStore() as Context<Op> | undefined;
/** Runs code in a context, which follows it through its promises. */
export const within = <Op, T>(context: Context<Op> | undefined, code: () => T): T =>
  context ? contexts.run(context, code) : code();
