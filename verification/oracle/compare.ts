/** The verdicts of both judges beside each other. */

/** Whether one judge explains what the other one cannot. A judge that gave its search up says neither. */
export const isDisagreement = (first: string, second: string): boolean =>
  (first === "linearizable" && second === "unexplained") || (first === "violated" && second === "explained");
