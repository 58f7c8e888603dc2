import type { Round } from "./run.ts";

/** What is kept of a round. */
export interface Entry extends Omit<Round, "bad" | "errors"> {
  readonly site: string;
  readonly isStrict: boolean;
  readonly others: boolean;
  readonly commit: string;
  readonly at: string;
  readonly violated: number;
  readonly undecided: number;
  readonly nemeses: Readonly<Record<string, number>>;
}
export const summary = (entries: readonly Entry[]): string => JSON.stringify(entries);
