/**
 * Shortens Lua for the bundle: comments and spaces go, and local names become short ones, the same in every script and include, so
 * that what scripts share stays the same text. Knows the Lua that `lua/` is written in, and refuses what it could not shorten safely.
 */

const TOKEN = /'(?:[^'\\\n]|\\.)*'|[A-Za-z_]\w*|\d[\w.]*|\s+|\.\.|[=~<>]=|\S/g;
const KEYWORDS = new Set(
  "and break do else elseif end false for function if in local nil not or repeat return then true until while".split(
    " ",
  ),
);

/** A comment stands on a line of its own. */
const withoutComments = (source: string): string => source.replace(/^ *--.*$/gm, "");

const tokens = (source: string): string[] =>
  (withoutComments(source).match(TOKEN) ?? []).filter((token) => !/^\s/.test(token));

/** Local variables, loop variables, functions and their parameters. */
function localNames(source: string): string[] {
  const code = withoutComments(source);
  const lists = [
    ...code.matchAll(/\blocal ([\w, ]+?)(?= =|$)/gm),
    ...code.matchAll(/\bfor ([\w, ]+?) (?:in|=)/g),
    ...code.matchAll(/\bfunction ?\w*\(([^)]*)\)/g),
  ].map((match) => match[1] as string);
  return lists.flatMap((list) => list.replace(/^function (\w+)$/, "$1").split(/,\s*/)).filter(Boolean);
}

function* shortNames(): Generator<string> {
  const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  yield* letters;
  for (const first of letters) for (const second of letters) if (!KEYWORDS.has(first + second)) yield first + second;
}

/** One short name for every local name in these sources, the shortest for the most frequent. */
export function shorten(sources: readonly string[]): ReadonlyMap<string, string> {
  const locals = new Set(sources.flatMap(localNames));
  for (const match of sources.join("\n").matchAll(/\blocal function (\w+)/g)) locals.add(match[1] as string);
  const uses = new Map<string, number>();
  for (const token of sources.flatMap(tokens)) if (locals.has(token)) uses.set(token, (uses.get(token) ?? 0) + 1);
  const order = [...uses].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const names = shortNames();
  return new Map(order.map(([name]) => [name, names.next().value as string]));
}

/** The source without what only people need. */
export function minify(source: string, names: ReadonlyMap<string, string>): string {
  let out = "";
  const all = tokens(source);
  for (const [at, token] of all.entries()) {
    const [before, after] = [all[at - 1], all[at + 1]];
    const field = before === "." || before === ":";
    if (names.has(token) && !field && after === "=" && /^[{,]$/.test(before ?? "") && inTable(all, at)) {
      throw new Error(`"${token}" is a local name and a field of a table: rename one`);
    }
    const text = field ? token : (names.get(token) ?? token);
    const apart = (/\w$/.test(out) && /^\w/.test(text)) || (/\d$/.test(out) && text === "..");
    out += apart ? ` ${text}` : text;
  }
  return out;
}

/** Whether the innermost bracket that is open before a token is a brace. */
function inTable(all: readonly string[], at: number): boolean {
  let depth = 0;
  for (let index = at - 1; index >= 0; index--) {
    const token = all[index] as string;
    if (/^[)\]}]$/.test(token)) depth++;
    else if (/^[([{]$/.test(token) && depth-- === 0) return token === "{";
  }
  return false;
}
