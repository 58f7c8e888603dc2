/** The course of a run, for the picture and the words. All times are seconds since its beginning. */

/** How long a request or an answer is on its way. */
export const TRAVEL_SECONDS = 0.2;

export type Name = "A" | "B";
export const NAMES: readonly Name[] = ["A", "B"];
export const other = (name: Name): Name => (name === "A" ? "B" : "A");

/** A stretch of time; without an end it lasts. */
export interface Stretch {
  readonly from: number;
  to?: number;
}

/** A stretch in which an instance does one thing. */
export interface Phase extends Stretch {
  readonly what: "asks" | "works" | "rests" | "dead";
}

/** The lease as its holder knows it, by the clock of the instance. */
export interface Belief extends Stretch {
  readonly token: number;
  /** When the lease ends, as far as the instance knows. */
  until: number;
}

/** A holder's time in the record of the lock. */
export interface Tenure extends Stretch {
  readonly who: Name;
  readonly token: number;
  /** When the server will end it. */
  until: number;
}

/** A request, on its way there and back. */
export interface Exchange {
  readonly who: Name;
  readonly to: "lock" | "resource";
  readonly sentAt: number;
  arrivedAt?: number;
  answeredAt?: number;
  /** When its answer got lost. */
  lostAt?: number;
  /** The first word of the server's reply. */
  verdict?: string;
}

/** An attempt to write to the resource, as the fence has seen it. */
interface Write {
  /** That of the operation, which may arrive several times. */
  readonly id: string;
  readonly at: number;
  readonly who: Name;
  readonly token: number;
  /** Undefined for a claim, which only raises the token. */
  readonly value: string | undefined;
  /** The higher token for which it was refused. */
  readonly refusedFor: number | undefined;
  /** The higher token whose value it has overwritten, where there is no fence. */
  readonly overwrote: number | undefined;
}

/** A sentence about what has happened. */
export interface Note {
  readonly at: number;
  readonly tone: "plain" | "you" | "good" | "bad" | "server";
  readonly text: string;
}

export interface InstanceHistory {
  readonly phases: Phase[];
  readonly freezes: Stretch[];
  readonly beliefs: Belief[];
}

export interface History {
  readonly instances: Readonly<Record<Name, InstanceHistory>>;
  readonly tenures: Tenure[];
  readonly exchanges: Exchange[];
  readonly writes: Write[];
  readonly clockSteps: { readonly at: number; readonly by: number }[];
  readonly notes: Note[];
  /** The tokens in the order in which they were handed out. */
  readonly tokens: number[];
}

export function emptyHistory(): History {
  const instance = (): InstanceHistory => ({ phases: [], freezes: [], beliefs: [] });
  return {
    instances: { A: instance(), B: instance() },
    tenures: [],
    exchanges: [],
    writes: [],
    clockSteps: [],
    notes: [],
    tokens: [],
  };
}

/** The short name of a token: `#1` for the first one that was handed out. Tokens themselves have 10 digits and more. */
export const nickname = ({ tokens }: History, token: number): string => `#${tokens.indexOf(token) + 1}`;
