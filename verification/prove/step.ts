/** One instrument in its short form: the command that is run, and how its output is read. */

/** The facts that a step's output states. */
export interface Reading {
  /** One line for the report, such as "12 034 requests, 0 seeds failed". */
  readonly figures: string;
  /** What contradicts a guarantee or shows that a check is blind; empty if nothing does. */
  readonly findings: readonly string[];
}

export interface Step {
  readonly name: string;
  /** The sentence that the step would refute if it were false. */
  readonly shows: string;
  /** The arguments of `node`. */
  readonly command: readonly string[];
  /** Reads the standard output. Throws if the figures are missing. */
  read(output: string): Reading;
}

/** A step after its run. */
export interface Outcome {
  readonly step: Step;
  readonly seconds: number;
  readonly figures: string;
  readonly findings: readonly string[];
  /** The end of the output, for a step that failed. */
  readonly tail: string;
}

export const isFine = ({ findings }: Outcome): boolean => findings.length === 0;

/** The line that a reader copies into a shell. */
export const commandLine = ({ command }: Step): string =>
  ["node", ...command.map((word) => (/[^\w./:=,-]/.test(word) ? `"${word}"` : word))].join(" ");

/** Every match of a pattern. Throws if there is none, since then the step has shown nothing. */
export function matches(output: string, pattern: RegExp): readonly RegExpExecArray[] {
  const found = [...output.matchAll(pattern)];
  if (found.length === 0) throw new Error(`the output has no line like ${pattern.source}`);
  return found;
}

export const sumOf = (found: readonly RegExpExecArray[], group: number): number =>
  found.reduce((total, match) => total + Number(match[group]), 0);

export const whole = (count: number): string => count.toLocaleString("en-US").replaceAll(",", " ");
