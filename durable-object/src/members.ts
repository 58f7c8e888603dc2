/** The maximum number of wrong letters in a misspelt name. */
const MAX_SLIPS = 2;

const plain = (name: string): string => name.toLowerCase().replace(/[-_ ]/g, "");

/** The number of letters to insert, remove or replace between two texts. */
function slipsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1];
    for (let n = 1; n <= to.length; n++) {
      const replaced = (row[n - 1] ?? 0) + (letter === to[n - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[n] ?? 0) + 1, (next[n - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** The known name that a misspelt one means; undefined if it resembles none. */
function meantBy(name: string, known: readonly string[]): string | undefined {
  const given = plain(name.slice(0, 64));
  return known.find((each) => slipsBetween(given, plain(each)) <= MAX_SLIPS);
}

/** A member's name that is shorter cannot be a token. */
const MIN_TOKEN = 16;

/**
 * Checks that a value is an object with known members only.
 *
 * @param where what the object is, for errors
 * @param isSecret whether a member that resembles none may be a token in the wrong place, which is not repeated
 * @throws TypeError that names the member
 */
export function checkMembers(given: unknown, known: readonly string[], where: string, isSecret = false): void {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new TypeError(`${where} must be an object`);
  for (const [at, name] of Object.keys(given).entries()) {
    if (known.includes(name)) continue;
    const meant = meantBy(name, known);
    if (meant !== undefined) throw new TypeError(`${where}: there is no "${name}"; is "${meant}" meant?`);
    const named = isSecret && name.length >= MIN_TOKEN ? `member ${at + 1} is unknown` : `there is no "${name}"`;
    throw new TypeError(`${where}: ${named}; known are ${known.join(", ")}`);
  }
}
