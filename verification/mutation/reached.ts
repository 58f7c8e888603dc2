/** The calls by which an instrumented source reports the guards that it reaches, and their function. */

const MARK = "__reached";

/** The call at a guard, an operand of its condition. */
export const callAt = (place: number): string => `${MARK}(${place})`;

/** The function that writes a place, when first reached in a process, to the log file named by the environment. */
export const functionFor = (file: string): string => `
function ${MARK}(at) {
  const seen = (globalThis.__seen ??= new Set());
  const place = ${JSON.stringify(`${file}:`)} + at;
  if (seen.has(place)) return;
  seen.add(place);
  process.getBuiltinModule("node:fs").appendFileSync(process.env["MUTANT_LOG"], place + "\\n");
}
`;

/** The places in a text, as the log has them; none if it is not instrumented. */
export function placesIn(text: string): readonly string[] {
  const [, file] = /const place = "(.*)" \+ at;/.exec(text) ?? [];
  return file === undefined ? [] : [...text.matchAll(/__reached\((\d+)\)/g)].map(([, at]) => `${file}${at}`);
}
