/**
 * Minifies Lua for the bundle: removes comments and spaces, replaces named numbers with numbers, and shortens local
 * names, consistently in every script and include, so that shared parts stay the same text. It supports the subset of
 * Lua used in `lua/`, and rejects code that it could not shorten safely.
 */

const TOKEN = /'(?:[^'\\\n]|\\.)*'|[A-Za-z_]\w*|\d[\w.]*|\s+|\.\.|[=~<>]=|\S/g;
const KEYWORDS = new Set(
  "and break do else elseif end false for function if in local nil not or repeat return then true until while".split(
    " ",
  ),
);

/** A comment is on its own line. */
const withoutComments = (source: string): string => source.replace(/^ *--.*$/gm, "");

const tokens = (source: string): string[] =>
  (withoutComments(source).match(TOKEN) ?? []).filter((token) => !/^\s/.test(token));

/** A name in capitals is a number: `local LIMIT = 64`. It is declared outside blocks and never assigned. */
const CAPITALS = /^[A-Z][A-Z0-9_]+$/;
const NUMBER = /^\d[\w.]*$/;
const isConstant = (name: string): boolean => CAPITALS.test(name) && name !== "KEYS" && name !== "ARGV";

/**
 * The named numbers of these sources. A name has the same number in every declaration.
 *
 * @throws for a name in capitals that is not declared as a number, or is assigned.
 */
export function constantsOf(sources: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const all of sources.map(tokens))
    for (const [at, name] of all.entries()) {
      if (!isConstant(name) || all[at + 1] !== "=") continue;
      const value = all[at + 2] as string;
      const isAlone = all[at - 1] === "local" && NUMBER.test(value) && !/^[-+*/%^.(]|^\.\.$/.test(all[at + 3] ?? "");
      if (!isAlone) throw new Error(`${name} is in capitals: declare it once, as "local ${name} = number"`);
      if ((found.get(name) ?? value) !== value) throw new Error(`${name} has two values`);
      found.set(name, value);
    }
  return found;
}

/** The named numbers that a script uses before or without their declaration. */
export function undeclared(script: string): readonly string[] {
  const known = new Set<string>();
  const all = tokens(script);
  return all.filter((name, at) => {
    if (all[at - 1] === "local") known.add(name);
    return isConstant(name) && all[at - 1] !== "." && !known.has(name);
  });
}

/** A block of a script: its declared local names, and all names used in it or its inner blocks. */
interface Block {
  readonly parent: Block | undefined;
  readonly declared: Set<string>;
  readonly mentioned: Set<string>;
}

/** The blocks of a script whose includes are resolved. */
function blocksOf(source: string): Block[] {
  const blocks: Block[] = [];
  const open = (parent: Block | undefined): Block => {
    const block = { parent, declared: new Set<string>(), mentioned: new Set<string>() };
    blocks.push(block);
    return block;
  };
  const all = tokens(source);
  const listFrom = (at: number): string[] => {
    const list: string[] = [];
    for (let index = at; /^[A-Za-z_,]/.test(all[index] ?? "") && !KEYWORDS.has(all[index] as string); index++)
      if (all[index] !== ",") list.push(all[index] as string);
    return list;
  };
  let block = open(undefined);
  /** Loop variables and parameters belong to the block that begins after them. */
  let ahead: string[] = [];
  for (const [at, token] of all.entries()) {
    if (token === "repeat") throw new Error("what a repeat declares, its condition may name: write a while");
    if (/^(end|else|elseif)$/.test(token)) block = block.parent as Block;
    if (/^(do|then|else|function)$/.test(token)) block = open(block);
    if (token === "for") ahead = listFrom(at + 1);
    if (token === "function") ahead = listFrom(all.indexOf("(", at) + 1);
    if (/^(do|function)$/.test(token)) for (const name of ahead.splice(0)) block.declared.add(name);
    if (token === "local") {
      const names = all[at + 1] === "function" ? [all[at + 2] as string] : listFrom(at + 1);
      for (const name of names) if (!isConstant(name)) block.declared.add(name);
    }
    const field = /^[.:]$/.test(all[at - 1] ?? "");
    if (/^[A-Za-z_]/.test(token) && !KEYWORDS.has(token) && !field)
      for (let each: Block | undefined = block; each; each = each.parent) each.mentioned.add(token);
  }
  return blocks;
}

/**
 * The local names that must be distinct: those of a block from each other, and from the names of outer blocks that it
 * uses.
 */
function rivals(scripts: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const meet = (a: string, b: string): void => {
    if (!found.has(a)) found.set(a, new Set());
    if (a !== b) found.get(a)?.add(b);
  };
  for (const block of scripts.flatMap(blocksOf)) {
    const around = new Set(block.declared);
    for (let each = block.parent; each; each = each.parent)
      for (const name of each.declared) if (block.mentioned.has(name)) around.add(name);
    for (const own of block.declared)
      for (const other of around) {
        meet(own, other);
        meet(other, own);
      }
  }
  return found;
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"];

function* shortNames(): Generator<string> {
  yield* LETTERS;
  for (const first of LETTERS) for (const second of LETTERS) if (!KEYWORDS.has(first + second)) yield first + second;
}

/**
 * One short name for every local name in these scripts, the shortest for the most frequent in `sources`. Names that
 * never occur in one block share a short name.
 */
export function shorten(scripts: readonly string[], sources: readonly string[]): ReadonlyMap<string, string> {
  const conflicts = rivals(scripts);
  const uses = new Map<string, number>();
  for (const token of sources.flatMap(tokens)) if (conflicts.has(token)) uses.set(token, (uses.get(token) ?? 0) + 1);
  const order = [...uses].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const given = new Map<string, string>();
  for (const [name] of order) {
    const taken = new Set([...(conflicts.get(name) as ReadonlySet<string>)].map((other) => given.get(other)));
    for (const short of shortNames())
      if (!taken.has(short)) {
        given.set(name, short);
        break;
      }
  }
  return given;
}

/** The tokens of a source with named numbers replaced, and without their declarations. */
const withNumbers = (source: string, constants: ReadonlyMap<string, string>): string[] => {
  const all = tokens(source);
  const isDeclaration = (at: number): boolean => all[at] === "local" && constants.has(all[at + 1] ?? "");
  return all.flatMap((token, at) => {
    if ([at, at - 1, at - 2, at - 3].some(isDeclaration)) return [];
    return constants.get(token) ?? token;
  });
};

/** The source without comments and spaces. */
export function minify(
  source: string,
  names: ReadonlyMap<string, string>,
  constants: ReadonlyMap<string, string>,
): string {
  let out = "";
  const all = withNumbers(source, constants);
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

/** Whether the innermost open bracket before a token is a brace. */
function inTable(all: readonly string[], at: number): boolean {
  let depth = 0;
  for (let index = at - 1; index >= 0; index--) {
    const token = all[index] as string;
    if (/^[)\]}]$/.test(token)) depth++;
    else if (/^[([{]$/.test(token) && depth-- === 0) return token === "{";
  }
  return false;
}
