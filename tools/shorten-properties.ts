/**
 * Shortens, in built modules, the properties that never leave the SDK: bundlers shorten variables but no properties.
 * Source maps lead back to the sources. Add a name only if no user, runtime or Redis ever sees it, and if no public
 * type has a member of that name.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { transformSync } from "esbuild";

const INTERNAL: readonly string[] = [
  ...["budgetMs", "doubt", "replies", "suffix", "made", "blockedBy", "tries", "works", "finished", "doubted", "unsure"],
  ...["adds", "told", "loss", "extending", "sentAt", "finish", "waits", "learn", "own", "takes", "lua", "limitMs"],
  ...[
    "waitMs",
    "most",
    "over",
    "before",
    "crowd",
    "silent",
    "splits",
    "startMs",
    "several",
    "isSpread",
    "leastMs",
    "anew",
    "place",
    "maxHoldMs",
    "lose",
    "defaults",
    "parts",
    "ask",
    "open",
    "timeoutMs",
    "part",
    "origin",
  ],
];

export function shortenProperties(dist: string): void {
  const mangleProps = new RegExp(`^(${INTERNAL.join("|")})$`);
  // The same in all modules, and names that no object here has otherwise.
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ$_";
  const short = (index: number): string => letters[index] ?? `_${letters[index - letters.length]}`;
  const mangleCache = Object.fromEntries(INTERNAL.map((name, index) => [name, short(index)]));
  for (const file of globSync("**/*.js", { cwd: dist }).sort()) {
    const path = join(dist, file);
    const map = readFileSync(`${path}.map`).toString("base64");
    const code = readFileSync(path, "utf8").replace(
      /\/\/# sourceMappingURL=.*/,
      `//# sourceMappingURL=data:application/json;base64,${map}`,
    );
    const result = transformSync(code, { mangleProps, mangleCache, sourcemap: "external", sourcefile: basename(file) });
    writeFileSync(path, `${result.code}//# sourceMappingURL=${basename(file)}.map\n`);
    writeFileSync(`${path}.map`, result.map);
  }
}
