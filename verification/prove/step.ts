/** One tool in its short form: its command, and the parser of its output. */

/** The facts read from a step's output. */
export interface Reading {
  /** One line for the report, such as "12 034 requests, 0 seeds failed". */
  readonly figures: string;
  /** Results that contradict a guarantee or show that a check is blind; empty if there are none. */
  readonly findings: readonly string[];
}

export interface Step {
  readonly name: string;
  /** The guarantee that a failure of the step would refute. */
  readonly shows: string;
  /** The arguments of `node`. */
  readonly command: readonly string[];
  /** Reads the standard output. Throws if the figures are missing. */
  read(output: string): Reading;
}

/** A step with its result. */
export interface Outcome {
  readonly step: Step;
  readonly seconds: number;
  readonly figures: string;
  readonly findings: readonly string[];
  /** The end of the output of a failed step. */
  readonly tail: string;
}

export const isFine = ({ findings }: Outcome): boolean => findings.length === 0;

/** The command line for readers to copy. */
export const commandLine = ({ command }: Step): string =>
  ["node", ...command.map((word) => (/[^\w./:=,-]/.test(word) ? `"${word}"` : word))].join(" ");

/** Every match of a pattern. Throws if there is none, since the step has then shown nothing. */
export function matches(output: string, pattern: RegExp): readonly RegExpExecArray[] {
  const found = [...output.matchAll(pattern)];
  if (found.length === 0) throw new Error(`the output has no line like ${pattern.source}`);
  return found;
}

export const sumOf = (found: readonly RegExpExecArray[], group: number): number =>
  found.reduce((total, match) => total + Number(match[group]), 0);

export const whole = (count: number): string => count.toLocaleString("en-US").replaceAll(",", " ");
