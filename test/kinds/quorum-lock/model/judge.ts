/** Safety and progress, as judged by somebody who knows the true time. */
import { type Ending, REMEMBERED, type ServerWitness } from "./server.ts";
import type { Timeline } from "./simulation.ts";

export interface Violation {
  readonly kind: "overlap" | "token" | "minority" | "resurrected" | "blocked";
  readonly at: number;
  readonly text: string;
}

/** A grant in true time. */
export interface Tenure {
  readonly client: number;
  readonly id: string;
  readonly token: number;
  readonly startedAt: number;
  /** When the holder stops counting on it. */
  end: number;
}

export class Judge implements ServerWitness {
  readonly violations: Violation[] = [];
  grants = 0;
  /**
   * Holds that came back after a server had forgotten that they were over, since so many others were over after them.
   */
  forgotten = 0;
  /** Holds that nobody wanted any more and that stood in the way until their lease ended. */
  strays = 0;
  /** How often a server's last token fell. */
  lowerings = 0;
  /** The longest time in which the lock was free, wanted and possible to get, and nobody got it. */
  longestGap = 0;
  /** For how long a majority was up and somebody wanted the lock. */
  healthyMs = 0;
  readonly #timeline: Timeline;
  readonly #log: ((line: string) => void) | undefined;
  #live: Tenure[] = [];
  #lastToken = 0;
  readonly #abandoned = new Set<string>();
  /** For each server, how often it closed an id, and the ids with the number of their closing. */
  readonly #over: { closings: number; readonly ids: Map<string, number> }[];
  #majoritySince: number | undefined = 0;
  #minoritySince = 0;
  /** How many clients want the lock and are able to ask for it. */
  #wanted = 0;
  #measuredAt = 0;
  /** Since when somebody could have got it, if it was not held. */
  #openSince = 0;
  readonly #longestGapAllowed: number;

  constructor(timeline: Timeline, servers: number, longestGapAllowed: number, log?: (line: string) => void) {
    this.#timeline = timeline;
    this.#log = log;
    this.#longestGapAllowed = longestGapAllowed;
    this.#over = Array.from({ length: servers }, () => ({ closings: 0, ids: new Map() }));
  }

  /** It must be the only one in force, have the largest token so far, and have found a majority. */
  granted(tenure: Tenure): void {
    const { now } = this.#timeline;
    const { client, id, token, startedAt } = tenure;
    this.#measure();
    this.grants++;
    this.#log?.(`client ${client}: GRANTED ${id} token ${token} until ${tenure.end.toFixed(3)}`);
    for (const other of this.#live)
      if (other.end > now)
        this.#violate("overlap", `${id} (client ${client}) while ${other.id} holds until ${other.end.toFixed(3)}`);
    if (token <= this.#lastToken) this.#violate("token", `${id} got ${token} after ${this.#lastToken}`);
    if (this.#majoritySince === undefined && startedAt >= this.#minoritySince)
      this.#violate("minority", `${id} though a majority is down since ${this.#minoritySince.toFixed(3)}`);
    this.#lastToken = Math.max(this.#lastToken, token);
    this.#openSince = now;
    this.#live = this.#live.filter((one) => one.end > now);
    this.#live.push(tenure);
  }

  extended(id: string, end: number): void {
    const { now } = this.#timeline;
    this.#log?.(`${id}: EXTENDED until ${end.toFixed(3)}`);
    for (const tenure of this.#live) {
      if (tenure.id === id) tenure.end = Math.max(tenure.end, end);
      else if (tenure.end > now) this.#violate("overlap", `${id} is extended while ${tenure.id} holds`);
    }
  }

  ended(id: string): void {
    const tenure = this.#live.find((one) => one.id === id);
    if (tenure) tenure.end = Math.min(tenure.end, this.#timeline.now);
    this.#log?.(`${id}: LET GO`);
  }

  abandoned(id: string): void {
    this.#abandoned.add(id);
  }

  /** A majority of the servers is up, or no longer so. */
  majority(up: boolean): void {
    if (up === (this.#majoritySince !== undefined)) return;
    const { now } = this.#timeline;
    this.#measure();
    this.#majoritySince = up ? now : undefined;
    if (up) this.#openSince = now;
    else this.#minoritySince = now;
    this.#log?.(up ? "A MAJORITY IS UP" : "NO MAJORITY IS UP");
  }

  /** One client more or less wants the lock and is able to ask for it. */
  wanted(change: 1 | -1): void {
    this.#measure();
    if (this.#wanted === 0) this.#openSince = this.#timeline.now;
    this.#wanted += change;
  }

  held(server: number, id: string): void {
    const over = this.#over[server];
    const closing = over?.ids.get(id);
    if (!over || closing === undefined) return;
    if (over.closings - closing > REMEMBERED) this.forgotten++;
    else this.#violate("resurrected", `${id} on server ${server}`);
  }

  over(server: number, id: string, how: Ending): void {
    const over = this.#over[server];
    if (over) over.ids.set(id, over.closings++);
    if (how === "e" && this.#abandoned.has(id)) this.strays++;
  }

  lowered(): void {
    this.lowerings++;
  }

  #violate(kind: Violation["kind"], text: string): void {
    this.violations.push({ kind, at: this.#timeline.now, text });
    this.#log?.(`*** ${kind}: ${text}`);
  }

  /** Takes in the time up to now. To be called before anything changes that decides what that time counts as. */
  #measure(): void {
    const { now } = this.#timeline;
    if (this.#majoritySince !== undefined && this.#wanted > 0) {
      this.healthyMs += now - this.#measuredAt;
      const free = this.#live.reduce((latest, { end }) => Math.max(latest, end), this.#openSince);
      const gap = now - free;
      if (gap > this.#longestGapAllowed && this.longestGap <= this.#longestGapAllowed)
        this.#violate("blocked", `free since ${free.toFixed(3)}, and nobody gets it`);
      this.longestGap = Math.max(this.longestGap, gap);
    }
    this.#measuredAt = now;
  }

  /** Nothing happens any more. */
  finish(): void {
    this.#measure();
  }
}
