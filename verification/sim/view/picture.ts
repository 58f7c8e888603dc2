/** What the picture of a run shows. Times are in ms since the start of the run. */

/** What became of a request. */
export type Fate =
  /** Executed once, and its answer reached the client. */
  | "answered"
  /** It never reached the server, or its answer never reached the client. */
  | "lost"
  /** It or its answer took longer than 300 ms. */
  | "late"
  /** It reached the server twice. */
  | "twice"
  /** The server or a proxy answered with an error. */
  | "refused";

export interface Hold {
  readonly name: string;
  readonly call: string | undefined;
  readonly token: number;
  readonly from: number;
  readonly to: number;
  /** How it ended, in words. */
  readonly ending: string;
}

/** The time in which a client relies on its lease. */
export interface Reliance {
  readonly call: string;
  readonly token: number;
  readonly names: readonly string[];
  readonly from: number;
  readonly to: number;
}

export interface ShownCall {
  readonly id: string;
  readonly what: string;
  readonly from: number;
  readonly to: number;
  readonly outcome: string;
}

export interface ShownRequest {
  readonly id: string;
  readonly call: string | undefined;
  readonly server: string;
  /** Its first name, as `server/key`. */
  readonly name: string;
  readonly script: string;
  readonly fate: Fate;
  readonly sentAt: number;
  /** When its copies reached the server. */
  readonly arrivedAt: readonly number[];
  /** The answers of the server, one for each execution. */
  readonly statuses: readonly string[];
  /** When its client learned something, or stopped waiting. */
  readonly endedAt: number;
  /** How that happened, in words. */
  readonly ending: string;
}

/** The time in which nothing happens on a host, or in which it does not reach a server. */
export interface Pause {
  readonly host: string;
  readonly from: number;
  readonly to: number;
  readonly state: "frozen" | "asleep" | "crashed" | "cut off";
  /** The server that it does not reach. */
  readonly server?: string;
}

interface ShownFault {
  readonly where: string;
  readonly at: number;
  readonly what: string;
}

interface ShownMessage {
  readonly name: string;
  readonly at: number;
  readonly text: string;
  readonly fate: string;
}

export interface Finding {
  readonly at: number;
  readonly rule: string;
  readonly text: string;
  readonly excuse: string | undefined;
}

export interface Picture {
  readonly kind: string;
  readonly seed: number;
  /** The command that runs it again. */
  readonly command: string;
  /** The rule that was broken on purpose, if any. */
  readonly planted: string | undefined;
  readonly durationMs: number;
  readonly hosts: readonly { readonly name: string; readonly workers: readonly string[] }[];
  readonly names: readonly string[];
  readonly holds: readonly Hold[];
  readonly reliances: readonly Reliance[];
  readonly calls: readonly ShownCall[];
  readonly requests: readonly ShownRequest[];
  readonly pauses: readonly Pause[];
  readonly faults: readonly ShownFault[];
  readonly messages: readonly ShownMessage[];
  readonly findings: readonly Finding[];
}
