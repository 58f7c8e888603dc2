/** Compares the verdicts of both judges. */

/** Whether only one of the judges explains the history. An undecided verdict is no contradiction. */
export const isDisagreement = (first: string, second: string): boolean =>
  (first === "linearizable" && second === "unexplained") || (first === "violated" && second === "explained");
