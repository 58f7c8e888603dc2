/** The values of an option: words to choose from, or a type. A duration is checked where it is read. */
type Values = readonly string[] | "string" | "number" | "function" | "duration";

/** The options of an object, and their values; the compiler ensures that none is missing and none is invented. */
type Known<Options> = Readonly<Record<keyof Options, Values>>;

function isOf(value: unknown, values: Values): boolean {
  if (typeof values !== "string") return values.includes(value as string);
  return values === "duration" || (typeof value === values && !Number.isNaN(value));
}

/** The Levenshtein distance: the number of insertions, deletions and substitutions between two texts. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1];
    for (let n = 1; n <= to.length; n++) {
      const exchanged = (row[n - 1] ?? 0) + (letter === to[n - 1] ? 0 : 1);
      next.push(Math.min(exchanged, (row[n] ?? 0) + 1, (next[n - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/**
 * Rejects an unknown option, even if it is undefined, and names the nearest one; and a value of another type.
 *
 * @throws TypeError
 */
export function checkOptions<Options extends object>(given: Options, call: string, known: Known<Options>): void {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new TypeError(`${call}: options must be an object`);
  const names = Object.keys(known);
  const steps = (name: string, key: string): number => distance(key.toLowerCase().slice(0, 64), name.toLowerCase());
  for (const key of Object.keys(given)) {
    if (names.includes(key)) {
      const values = known[key as keyof Options];
      const value: unknown = given[key as keyof Options];
      if (value === undefined || isOf(value, values)) continue;
      const must = typeof values === "string" ? `a ${values}` : values.map((word) => `"${word}"`).join(", ");
      throw new TypeError(`${call}: ${key} must be ${must}`);
    }
    const [nearest] = names.sort((a, b) => steps(a, key) - steps(b, key));
    throw new TypeError(`${call}: no option "${key}": nearest "${nearest}"`);
  }
}
