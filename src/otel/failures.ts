/** Failures reported in words, and their classes. */
const CLASSES: readonly (readonly [words: RegExp, type: string])[] = [
  [/time-?out/i, "timeout"],
  [/token was refused/, "unauthorized"],
  [/too many requests/, "rate_limited"],
  [/without JSON/, "malformed_answer"],
];

/**
 * The class of a failure, from its text: the prefix of an error of Redis (`OOM`), the code or name of an error of the
 * runtime (`ECONNREFUSED`, `TypeError`), `HTTP 502`, a class of {@link CLASSES}; else `_OTHER`, by the convention.
 */
export const errorType = (why: string): string =>
  CLASSES.find(([words]) => words.test(why))?.[1] ?? /^(HTTP \d+|[A-Z]\w*)/.exec(why)?.[0] ?? "_OTHER";

/** Whether the server only needed the text of a script, which is not a failure. */
export const isUnknownScript = (why: string): boolean => why.startsWith("NOSCRIPT");
