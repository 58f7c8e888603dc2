/** The values of an option: words to choose from, or a type. A duration is checked where it is read. */
type Values = readonly string[] | "string" | "number" | "function" | "duration";

/** The options of an object, and their values; the compiler ensures that none is missing and none is invented. */
type Known<Options> = Readonly<Record<keyof Options, Values>>;

function isOf(value: unknown, values: Values): boolean {
  if (typeof values !== "string") return values.includes(value as string);
  return values === "duration" || (typeof value === values && !Number.isNaN(value));
}

/**
 * Rejects an unknown option, even if it is undefined, and names the known ones; and a value of another type.
 *
 * @throws TypeError
 */
export function checkOptions<Options extends object>(options: Options, call: string, known: Known<Options>): void {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new TypeError(`${call}: options must be an object`);
  const names = Object.keys(known);
  for (const key of Object.keys(options)) {
    if (names.includes(key)) {
      const values = known[key as keyof Options];
      const value: unknown = options[key as keyof Options];
      if (value === undefined || isOf(value, values)) continue;
      const must = typeof values === "string" ? `a ${values}` : values.map((word) => `"${word}"`).join(", ");
      throw new TypeError(`${call}: ${key} must be ${must}`);
    }
    throw new TypeError(`${call}: no option "${key}": the options are "${names.join('", "')}"`);
  }
}
