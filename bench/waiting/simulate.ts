/**
 * A simulation of waiters that poll for a lock. Nothing else happens on the network, and the same seed gives the same
 * run.
 */
import type { PollInfo } from "../../src/index.ts";
import { seeded } from "../stats.ts";
import type { Load, Visit } from "./loads.ts";
import { createTimeline, type Timeline } from "./timeline.ts";

/** The commands that a script runs for a grant, for a refusal and for a release. */
const COMMANDS = { granted: 4, refused: 2, released: 4 };

/** What a run showed. */
export interface Figures {
  readonly acquired: number;
  readonly timedOut: number;
  /** Timed out although the name was free for more than half of the wait. */
  readonly wronglyTimedOut: number;
  readonly requests: number;
  readonly commands: number;
  /** For each end of a tenure after which somebody waited: how long the name stayed free, in ms. */
  readonly gaps: readonly number[];
  /** The time in which the name was free while somebody waited, and in which somebody waited, in ms. */
  readonly idleMs: number;
  readonly contendedMs: number;
  /** The time that all callers waited together. */
  readonly waitingMs: number;
  readonly longestWaitMs: number;
}

/** What a waiter knows besides what its refusal says. */
type Waited = Pick<PollInfo, "polls" | "waitedMs" | "roundTripMs" | "random">;

/** A lock on its server. */
export interface Lock {
  /** Returns undefined if it is granted, and otherwise the delay until the next poll. `caller` is the same in all polls. */
  ask(caller: object, now: number, waitedMs: number): ((waited: Waited) => number) | undefined;
  release(now: number): void;
}

/** Measures how long the name is free, in all and while somebody waits. */
class Idleness {
  readonly #line: Timeline;
  #waiting = 0;
  #isFree = true;
  #since = 0;
  freeMs = 0;
  idleMs = 0;
  contendedMs = 0;
  waitingMs = 0;

  constructor(line: Timeline) {
    this.#line = line;
  }

  #count(): void {
    const ms = this.#line.now - this.#since;
    this.#since = this.#line.now;
    if (this.#isFree) this.freeMs += ms;
    if (this.#waiting > 0) this.contendedMs += ms;
    this.waitingMs += this.#waiting * ms;
    if (this.#waiting > 0 && this.#isFree) this.idleMs += ms;
  }

  waits(change: 1 | -1): void {
    this.#count();
    this.#waiting += change;
  }

  isFree(isFree: boolean): void {
    this.#count();
    this.#isFree = isFree;
  }

  /** The time in which the name was free, until now. */
  free(): number {
    this.#count();
    return this.freeMs;
  }

  get someWait(): boolean {
    return this.#waiting > 0;
  }
}

/** Runs a load to its end. */
export function simulate(load: Load, lock: Lock, seed: number): Figures {
  const random = seeded(seed);
  const line = createTimeline();
  const idleness = new Idleness(line);
  const gaps: number[] = [];
  let [acquired, timedOut, wronglyTimedOut, requests, commands, longestWaitMs] = [0, 0, 0, 0, 0, 0];
  let freeSince: number | undefined;

  const long = (meanMs: number): number => -meanMs * Math.log(1 - random());
  // Half of the round trip is fixed, some of it varies, and now and then a request is late.
  const hop = (): number => load.roundTripMs * 0.4 + long(load.roundTripMs * 0.1) + (random() < 0.015 ? long(5) : 0);
  const sleep = (ms: number, run: () => void): void =>
    line.after(Math.max(ms, 0) + 0.1 + 0.4 * random() + (random() < 0.03 ? 3 : 0), run);

  function acquire(visit: Visit, next: () => void): void {
    const startedAt = line.now;
    const freeBefore = idleness.free();
    let polls = 0;
    let isRefused = false;

    function ends(): void {
      if (isRefused) idleness.waits(-1);
      longestWaitMs = Math.max(longestWaitMs, line.now - startedAt);
    }
    function poll(): void {
      const sentAt = line.now;
      polls++;
      requests++;
      line.after(hop(), () => {
        const delayOf = lock.ask(visit, line.now, sentAt - startedAt);
        commands += delayOf ? COMMANDS.refused : COMMANDS.granted;
        if (!delayOf) {
          if (freeSince !== undefined) gaps.push(line.now - freeSince);
          freeSince = undefined;
          idleness.isFree(false);
          ends();
          acquired++;
          line.after(hop(), () => sleep(visit.workMs, () => release(next)));
          return;
        }
        if (!isRefused) idleness.waits(1);
        isRefused = true;
        line.after(hop(), () => {
          const waitedMs = line.now - startedAt;
          const leftMs = load.waitMs - waitedMs;
          if (leftMs <= 0) {
            ends();
            timedOut++;
            if (idleness.free() - freeBefore > load.waitMs / 2) wronglyTimedOut++;
            next();
            return;
          }
          const delayMs = delayOf({ polls, waitedMs, roundTripMs: line.now - sentAt, random });
          sleep(Math.min(Math.max(delayMs, 1), leftMs), poll);
        });
      });
    }
    poll();
  }
  function release(next: () => void): void {
    requests++;
    line.after(hop(), () => {
      commands += COMMANDS.released;
      lock.release(line.now);
      idleness.isFree(true);
      freeSince = idleness.someWait ? line.now : undefined;
      line.after(hop(), next);
    });
  }

  for (const { visits } of load.callers(random)) {
    const rest = visits.values();
    const next = (): void => {
      const { value: visit } = rest.next();
      if (visit) line.after(visit.pauseMs, () => acquire(visit, next));
    };
    next();
  }
  while (line.next());
  idleness.free();
  const { idleMs, contendedMs, waitingMs } = idleness;
  const counts = { acquired, timedOut, wronglyTimedOut, requests, commands };
  return { ...counts, gaps, idleMs, contendedMs, waitingMs, longestWaitMs };
}
