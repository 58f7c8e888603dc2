/**
 * Builds one TypeScript module per script of `lua/` into `src/redis/scripts/`, with the SHA-1 of both dialects; the
 * tables of scripts for servers; and the table of `lua/README.md`. With `--check`, nothing is written and a difference
 * is an error. `--release` saves the current scripts as those of the last release, which a test runs together with
 * later ones.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuiltScript, buildAll, lined } from "./lua-scripts.ts";
import { gatewayText, waitablesText } from "./server-scripts.ts";

const root: string = dirname(dirname(fileURLToPath(import.meta.url)));
const outDir: string = join(root, "src/redis/scripts");
/** Includes have their own module, so that a bundle contains each of them once. */
const partsFile: string = join(root, "src/redis/parts.gen.ts");
const scriptsFile: string = join(root, "src/redis/scripts.gen.ts");
/** The scripts of the last release, which may still be in use while the current ones are deployed. */
const releaseFile: string = join(root, "test/releases/scripts.json");
/** The scripts that a server may hold; see `engine/src/holding/`. */
const waitableFile: string = join(root, "engine/src/holding/scripts.gen.ts");
/** The gateway recognises the scripts, and contains nothing else of them. */
const gatewayFile: string = join(root, "gateway/src/redis/own-scripts.gen.ts");

const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** An include with its own code and without includes, as a constant. */
function partsModuleText(scripts: readonly BuiltScript[]): string {
  const parts = new Map(
    scripts.flatMap(({ pieces }) => pieces.map((piece, ...place) => [piece.include, lined(piece, ...place)] as const)),
  );
  const ordered = [...parts].toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  const lines = ordered.flatMap(([include, text]) =>
    include === undefined ? [] : [`export const ${include} =\n  ${JSON.stringify(text)};`],
  );
  return `// Generated from lua/include/ by tools/build-lua.ts; do not edit.\n${lines.join("\n")}\n`;
}

function moduleText(script: BuiltScript): string {
  const used = [...new Set(script.pieces.flatMap(({ include }) => include ?? []))].sort();
  const lua = script.pieces
    .map((piece, ...place) => piece.include ?? JSON.stringify(lined(piece, ...place)))
    .join(" + ");
  const fresh = script.args[0] === "notAfter";
  const args = (fresh ? script.args.slice(1) : script.args).map((arg) =>
    arg.endsWith("…") ? `...${arg.slice(0, -1)}: (string | number)[]` : `${arg}: string | number`,
  );
  const pascal = camel(`-${script.name}`);
  const union = [...script.replies].map(
    ([status, fields]) =>
      `  | { readonly status: "${status}"; readonly now: number${fields
        .map((field) => `; readonly ${field.name}: ${field.integer ? "number" : "string"}`)
        .join("")} }`,
  );
  const declared = [...script.replies].map(([status, fields]) => {
    const types = fields.map(({ name, integer }) => `${name}: "${integer ? "integer" : "text"}"`);
    return `    ${status}: {${types.length > 0 ? ` ${types.join(", ")} ` : ""}},`;
  });
  return `// Generated from lua/${script.name}.lua by tools/build-lua.ts; do not edit.
import { ${used.join(", ")} } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type ${pascal}Reply =
${union.join("\n")};

export const ${camel(script.name)}: Script<readonly [${args.join(", ")}], ${pascal}Reply> = {
  lua: ${lua},
  replies: {
${declared.join("\n")}
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["${script.sha[0]}", "${script.sha[1]}"];
`;
}

/** One module that the rest of the SDK imports scripts from. */
function indexText(scripts: readonly BuiltScript[]): string {
  const lines = scripts.map(
    ({ name }) => `export { ${camel(name)}, type ${camel(`-${name}`)}Reply } from "./scripts/${name}.gen.ts";`,
  );
  return `// Generated from lua/ by tools/build-lua.ts; do not edit.\n${lines.join("\n")}\n`;
}

/** The first sentence of each header, with the names of its keys. */
function readmeTable(scripts: readonly BuiltScript[]): string {
  const code = (items: readonly string[]): string => items.map((item) => `\`${item}\``).join(" ") || "–";
  const rows = scripts.map((script) => {
    const [purpose = ""] = /^.*?\.(?= |$)/.exec(script.purpose) ?? [];
    return `| [${script.name}](${script.name}.lua) | ${purpose} | ${code(script.keys)} |`;
  });
  return ["| Script | What it does | KEYS |", "|---|---|---|", ...rows].join("\n");
}

/** Every generated file with its text. */
export function outputs(failed?: (error: unknown) => void): Map<string, string> {
  const scripts = buildAll(failed);
  const files = new Map<string, string>();
  for (const script of scripts) files.set(join(outDir, `${script.name}.gen.ts`), moduleText(script));
  files.set(scriptsFile, indexText(scripts));
  files.set(partsFile, partsModuleText(scripts));
  files.set(gatewayFile, gatewayText(scripts));
  files.set(waitableFile, waitablesText(scripts));
  const readme = join(root, "lua/README.md");
  const [before, , after] = readFileSync(readme, "utf8").split(/(?<=<!-- scripts -->\n)|(?=<!-- end -->)/);
  if (after === undefined) throw new Error("lua/README.md: the marks of the table are missing");
  files.set(readme, `${before}${readmeTable(scripts)}\n${after}`);
  return files;
}

/** The scripts as saved for a release: the text, and the names of the arguments in order. */
const releaseText = (scripts: readonly BuiltScript[]): string =>
  `${JSON.stringify(Object.fromEntries(scripts.map(({ name, args, lua }) => [name, { args: args.join(" "), lua }])), null, 2)}\n`;

if (import.meta.main) {
  if (process.argv.includes("--release")) writeFileSync(releaseFile, releaseText(buildAll()));
  const failures: unknown[] = [];
  const files = outputs((error) => failures.push(error));
  for (const error of failures) console.error(error instanceof Error ? error.message : error);
  mkdirSync(outDir, { recursive: true });
  const stale = readdirSync(outDir)
    .map((file) => join(outDir, file))
    .filter((file) => !files.has(file));
  const differing = [...files].filter(([file, text]) => !existsSync(file) || readFileSync(file, "utf8") !== text);
  if (process.argv.includes("--check")) {
    for (const file of [...stale, ...differing.map(([name]) => name)]) console.error(`out of date: ${file}`);
    if (stale.length + differing.length > 0) {
      console.error("run: npm run build:lua");
      process.exit(1);
    }
  } else {
    if (failures.length === 0) for (const file of stale) rmSync(file);
    for (const [file, text] of differing) writeFileSync(file, text);
    console.log(`${files.size - 5} scripts built, ${differing.length} files changed`);
  }
  if (failures.length > 0) process.exit(1);
}
