const OPENING = "([{";
const CLOSING = ")]}";
const QUOTES = "\"'`";

/** Returns the index after the string or comment that begins at `start`, or `start` if none begins. */
function skipped(source: string, start: number): number {
  if (source.startsWith("/*", start)) return source.indexOf("*/", start) + 2;
  if (source.startsWith("//", start)) return source.indexOf("\n", start) + 1;
  const quote = source.charAt(start);
  if (!QUOTES.includes(quote)) return start;
  let end = start + 1;
  while (end < source.length && source.charAt(end) !== quote) end += source.charAt(end) === "\\" ? 2 : 1;
  return end + 1;
}

/** Splits the parameters of a function's source at the commas between them. Comments are left out. */
function parametersOf(source: string): string[] {
  const parameters = [""];
  let depth = 0;
  let at = source.indexOf("(");
  while (at < source.length) {
    const next = skipped(source, at);
    if (next !== at) {
      at = next > at ? next : source.length;
      continue;
    }
    const character = source.charAt(at);
    if (CLOSING.includes(character)) depth -= 1;
    if (depth === 0 && character === ")") return parameters;
    if (depth === 1 && character === ",") parameters.push("");
    else if (depth > 0) parameters.push(`${parameters.pop()}${character}`);
    if (OPENING.includes(character)) depth += 1;
    at += 1;
  }
  return parameters;
}

/**
 * Reads the names of a function's parameters from its source, by position. A destructured (`{ id }`) or rest parameter
 * has none. Minifiers and some compilers change names, so a missing name must be an error.
 */
export function parameterNames(method: (...args: never[]) => unknown): (string | undefined)[] {
  return parametersOf(Function.prototype.toString.call(method)).map(
    (parameter) => /^\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*(=|$)/u.exec(parameter)?.[1],
  );
}
