/**
 * Shortens, in built modules, the properties that never leave the SDK: bundlers shorten variables but no properties.
 * Source maps lead back to the sources. Add a name only if no user, runtime or Redis ever sees it, and if no public
 * type has a member of that name, but for members that are marked `@internal`.
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
  ...["leaseMs", "retentionMs", "requestTimeoutMs", "offsets", "grouped", "queued", "heard"],
];

/** The commonest letters of the code around come first: a compressed bundle has them for the fewest bits. */
const LETTERS = [..."etnrasoilcdpuhmfgbyvwxkjqzTERAPSCIONLDMUWBGVHKFYXJQZ$_"];

/** A short name for each property, the same in all modules: the shortest for those that are used most. */
function shortNames(sources: readonly string[]): Record<string, string> {
  // Without comments.
  const code = sources.map((source) => transformSync(source, { minifyWhitespace: true }).code).join("\n");
  const uses = new Map(INTERNAL.map((name) => [name, 0]));
  for (const [word] of code.matchAll(/\w+/g)) {
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

export function shortenProperties(dist: string): void {
  const mangleProps = new RegExp(`^(${INTERNAL.join("|")})$`);
  const files = globSync("**/*.js", { cwd: dist }).sort();
  const sources = files.map((file) => readFileSync(join(dist, file), "utf8"));
  const mangleCache = shortNames(sources);
  for (const [index, file] of files.entries()) {
    const path = join(dist, file);
    const map = readFileSync(`${path}.map`).toString("base64");
    const code = (sources[index] as string).replace(
      /\/\/# sourceMappingURL=.*/,
      `//# sourceMappingURL=data:application/json;base64,${map}`,
    );
    const result = transformSync(code, { mangleProps, mangleCache, sourcemap: "external", sourcefile: basename(file) });
    writeFileSync(path, `${result.code}//# sourceMappingURL=${basename(file)}.map\n`);
    writeFileSync(`${path}.map`, result.map);
  }
}
