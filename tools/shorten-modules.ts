/**
 * Shortens, in built modules, what bundlers leave as it is: the properties that never leave the SDK, and constants that
 * are numbers. Source maps lead back to the sources. Add the name of a property only if no user, runtime or Redis ever
 * sees it, and if no public type has a member of that name, but for members that are marked `@internal`.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { transformSync } from "esbuild";

/** Checked against the public types by `test/documents/api.test.ts`. */
export const INTERNAL: readonly string[] = [
  ...["budgetMs", "doubt", "replies", "suffix", "made", "blockedBy", "tries", "works", "finished", "doubted", "unsure"],
  ...["adds", "told", "loss", "extending", "sentAt", "finish", "waits", "learn", "own", "takes", "lua", "limitMs"],
  ...["waitMs", "most", "over", "before", "crowd", "silent", "splits", "startMs", "several", "isSpread", "leastMs"],
  ...["anew", "place", "maxHoldMs", "lose", "defaults", "parts", "ask", "open", "timeoutMs", "part", "origin"],
  ...["leaseMs", "retentionMs", "requestTimeoutMs", "offsets", "grouped", "queued", "heard", "away", "grant", "lost"],
  ...["moreMs", "due", "terms"],
];

/** In an order that was found by trial: a compressed bundle has some letters for fewer bits than others. */
const LETTERS = [..."ileBsoaLYwD_dtmpHOzWAMgTFukPfhnRb$qCXIjKrEvSxZQNUyJVGc"];

/** The folders that bundles are made of, whatever they use. */
const CORE = /^(shared|redis|engine|kinds)[/\\]/;

/** A short name for each property, the same in all modules: the shortest for those that the core uses most. */
function shortNames(sources: ReadonlyMap<string, string>): Record<string, string> {
  // Without comments.
  const codeOf = (paths: readonly string[]): string =>
    paths.map((path) => transformSync(sources.get(path) as string, { minifyWhitespace: true }).code).join("\n");
  const code = codeOf([...sources.keys()]);
  const uses = new Map(INTERNAL.map((name) => [name, 0]));
  for (const [word] of codeOf([...sources.keys()].filter((path) => CORE.test(path))).matchAll(/\w+/g)) {
    const count = uses.get(word);
    if (count !== undefined) uses.set(word, count + 1);
  }
  const order = [...uses].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  // Properties that have one letter in the sources.
  const taken = new Set(code.match(/(?<=[\w)\]]\??\.)[A-Za-z]\b/g));
  const letters = LETTERS.filter((letter) => !taken.has(letter));
  return Object.fromEntries(
    order.map(([name], index) => [name, letters[index] ?? `_${letters[index - letters.length]}`]),
  );
}

/** The constants of a module that are numbers, by name. A bundler gives most of them a variable. */
const numbersOf = (source: string): readonly (readonly [name: string, number: string])[] =>
  [...source.matchAll(/^(?:export )?const ([A-Z_]+) = (\d[\d_e]*);$/gm)].map(([, name = "", number = ""]) => [
    name,
    number.replaceAll("_", ""),
  ]);

/**
 * The source with constants neither declared nor imported under their names, so that these can be defined as numbers.
 * Exports stay. No line moves, and no column of another statement.
 */
const withoutNames = (source: string, names: readonly string[]): string =>
  names.reduce(
    (text, name) =>
      text
        .replace(
          new RegExp(`^export const ${name} = (.*);$`, "m"),
          `const _${name} = $1; export { _${name} as ${name} };`,
        )
        .replace(new RegExp(`^const ${name} = .*$`, "m"), "")
        .replace(new RegExp(`(?<=^import \\{.*\\b)${name},?(?=.*\\} from)`, "m"), ""),
    source,
  );

export function shortenModules(dist: string): void {
  const mangleProps = new RegExp(`^(${INTERNAL.join("|")})$`);
  const files = globSync("**/*.js", { cwd: dist }).sort();
  const bare = new Map(files.map((file) => [file, readFileSync(join(dist, file), "utf8")]));
  const mangleCache = shortNames(bare);
  const sources = new Map([...bare].map(([file, source]) => [join(dist, file), source]));
  const numbers = new Map([...sources].map(([path, source]) => [path, numbersOf(source)]));
  for (const [path, source] of sources) {
    const imported = [...source.matchAll(/^import \{(.*)\} from "(.*)";$/gm)].flatMap(([, names = "", from = ""]) =>
      (numbers.get(join(path, "..", from)) ?? []).filter(([name]) => names.split(/\W+/).includes(name)),
    );
    const define = Object.fromEntries([...(numbers.get(path) ?? []), ...imported]);
    const map = readFileSync(`${path}.map`).toString("base64");
    const code = withoutNames(source, Object.keys(define)).replace(
      /\/\/# sourceMappingURL=.*/,
      `//# sourceMappingURL=data:application/json;base64,${map}`,
    );
    const sourcefile = basename(path);
    const result = transformSync(code, { mangleProps, mangleCache, define, sourcemap: "external", sourcefile });
    writeFileSync(path, `${result.code}//# sourceMappingURL=${sourcefile}.map\n`);
    writeFileSync(`${path}.map`, result.map);
  }
}
