/**
 * The kinds of changes: a statement left out (or a value never given), a condition negated, an operand of `and` or `or`
 * left out, an argument of `math.max` or `math.min` left out, a comparison moved by its edge.
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
  /** The part as it was, without the bodies of its blocks. */
  readonly from: string;
  /** The part as it is now; empty where it is left out. */
  readonly to: string;
  /** The whole text of the changed file. */
  readonly text: string;
}
