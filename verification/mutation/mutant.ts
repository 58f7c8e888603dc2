/**
 * The kinds of changes: a statement left out (or a value not assigned), a condition negated, an operand of `and` or
 * `or` left out, an argument of `math.max` or `math.min` left out, a comparison with its boundary moved.
 */
export type Change = "statement" | "condition" | "operand" | "bound" | "edge";

/** A source with one change. */
export interface Mutant {
  readonly change: Change;
  readonly file: string;
  /** The line of the source in which the changed part begins. */
  readonly line: number;
  /** In TypeScript, the place of the condition that is changed. */
  readonly guard?: number;
  /** The original part, without the bodies of its blocks. */
  readonly from: string;
  /** The changed part; empty if it was left out. */
  readonly to: string;
  /** The complete text of the changed file. */
  readonly text: string;
}
