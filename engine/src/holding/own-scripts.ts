import { FREEING, KEEPING, WAITABLE } from "./scripts.gen.ts";
import type { Waitable, WaitableCall } from "./waitable.ts";

const bySha: ReadonlyMap<string, Waitable> = new Map(
  WAITABLE.flatMap((waitable) => waitable.shas.map((sha) => [sha, waitable] as const)),
);
const keeping: ReadonlySet<string> = new Set(KEEPING);
const freeing: ReadonlySet<string> = new Set(FREEING);

/** The script with this SHA-1, if a server may hold it. */
export const waitableOf = (sha: string): Waitable | undefined => bySha.get(sha.toLowerCase());

/** Whether a script with this SHA-1, in lower case, is one of leasehold's. */
export const isOwn = (sha: string): boolean => bySha.has(sha) || keeping.has(sha) || freeing.has(sha);

/** Whether a script with this SHA-1 may free a name with waiters. Unknown scripts may. */
export const mayFree = (sha: string): boolean => {
  const known = sha.toLowerCase();
  return !bySha.has(known) && !keeping.has(known);
};

/** The number of arguments that a script needs before a server may change some of them. */
function argumentsOf(waitable: Waitable): number {
  const { notAfter, id, note, grace, ticketArg, carriesArg, waited, seen, clock, class: kind, joins, zero } = waitable;
  const used = [notAfter, id, note, grace, ticketArg, carriesArg, waited, seen, clock, kind, joins, zero];
  return 1 + Math.max(...used.map((position) => position ?? 0));
}

/** The maximum length of a held command: a server keeps many of them, and runs each again for every try. */
const MAX_HELD = 16 * 1024;

/** Reads a command as a request that may be held: an `EVALSHA` of a waitable script, with its keys and arguments. */
export function waitableCall(words: readonly string[]): WaitableCall | undefined {
  if (words.reduce((sum, word) => sum + word.length, 0) > MAX_HELD) return undefined;
  const [command = "", sha = "", count = "", ...rest] = words;
  const waitable = /^evalsha$/i.test(command) ? waitableOf(sha) : undefined;
  const number = Number(count);
  if (!waitable || !(number > 0) || rest.length <= number) return undefined;
  const keys = rest.slice(0, waitable.allKeys ? number : 1);
  const args = rest.slice(number);
  if (args.length < argumentsOf(waitable)) return undefined;
  if (waitable.zero !== undefined && args[waitable.zero] !== "0") return undefined;
  return { waitable, keys, args };
}
