import type { ClockOffset } from "../ask.ts";
import type { Target } from "../target.ts";

/** `skip`: the server does not report it, or there was nothing to check. */
export type Verdict = "ok" | "warn" | "fail" | "skip";

/** The outcome of one check. */
export interface Finding {
  readonly check: string;
  readonly verdict: Verdict;
  /** The facts, in a sentence. */
  readonly says: string;
  /** Advice, if the verdict is not ok. */
  readonly advice?: string;
}

/** The facts that the checks share about a server. */
export interface Patient extends Target {
  readonly signal: AbortSignal | undefined;
  /** Removes secrets from a text. */
  readonly scrub: (text: string) => string;
  /** Whether the server's script cache may be emptied. */
  readonly mayFlush: boolean;
  /** The fields of INFO by name; empty if it is refused. */
  facts: ReadonlyMap<string, string>;
  /** The slowest of the first requests, in ms. */
  slowestMs?: number;
  /** The clock at the beginning, and when it was read (ms, monotonic). */
  clock?: ClockOffset & { readonly readAt: number };
}

/** Whether the server is the ready Worker of `leasehold-durable-object`, by the fields of INFO. */
export const isObjects = (facts: Patient["facts"]): boolean => facts.get("leasehold_server") === "durable-objects";

/** One check. It throws only if the server is unavailable. */
export interface Check {
  readonly name: string;
  /** Whether the examination ends if it fails. */
  readonly isGate?: boolean;
  run(patient: Patient): Promise<Omit<Finding, "check">>;
}

type Outcome = Omit<Finding, "check">;
export const ok = (says: string): Outcome => ({ verdict: "ok", says });
export const skip = (says: string): Outcome => ({ verdict: "skip", says });
export const warn = (says: string, advice: string): Outcome => ({ verdict: "warn", says, advice });
export const fail = (says: string, advice: string): Outcome => ({ verdict: "fail", says, advice });
