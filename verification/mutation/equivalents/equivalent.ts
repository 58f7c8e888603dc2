/** A change that breaks no rule, with the reason. */
export interface Equivalent {
  readonly file: string;
  /** The changed part, before and after, as the tool prints it. */
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

type Pair = readonly [from: string, to: string];
/** The changes of one file that break no rule for one reason. */
export const ofFile = (file: string, why: string, ...changes: readonly Pair[]): Equivalent[] =>
  changes.map(([from, to]) => ({ file, from, to, why }));
/** As {@link ofFile}, of a script. */
export const of = (file: string, why: string, ...changes: readonly Pair[]): Equivalent[] =>
  ofFile(`lua/${file}.lua`, why, ...changes);

export const CLOSED_TWICE = "An id that is closed again is closed, and its first ending is the one that is found.";
export const ONE_KIND = "A hold is alive in one record only, that of the kind which granted it.";
export const SAME_END = "An end that is the same is written once more.";
export const EDGE = "No time and no memory falls on the edge of a band.";
export const FIRST_WRITE = "A server that accepts a script's first write accepts the others.";
export const LOOP = "Redis takes as many arguments in one call; the limit is for servers that take fewer.";
export const OVER = "An end that is over is as good as now.";
export const ORDERED = "The members come in the order of their scores.";
export const LATEST_DEADLINE = "No waiter's deadline is later than the one in the record, so a search finds nobody.";
export const MICROSECOND = "It differs in one microsecond, at which a waiter may count or not.";
