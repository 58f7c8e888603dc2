/**
 * Builds one TypeScript module per script of `lua/` into `src/redis/scripts/`, both dialects' SHA-1 included, and the table of
 * `lua/README.md`. With `--check` nothing is written and a difference is an error.
 *
 * A script's header is its contract, and the build refuses a body that disagrees with it: every KEYS and ARGV that is declared must
 * be used and the reverse, and every reply must be declared with its number of fields.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root: string = dirname(dirname(fileURLToPath(import.meta.url)));
const luaDir: string = join(root, "lua");
const outDir: string = join(root, "src/redis/scripts");
/** The include that every script has: its text is in a module of its own, so that bundles have it once. */
const recordFile: string = join(root, "src/redis/record.gen.ts");

/** The first line that lets Upstash run a script under a lock of its keys only, instead of one of the whole database. */
export const FLAG_LINE = "#!lua flags=allow-key-locking\n";

export interface Field {
  readonly name: string;
  readonly integer: boolean;
}
export interface BuiltScript {
  readonly name: string;
  readonly purpose: string;
  readonly keys: readonly string[];
  readonly args: readonly string[];
  readonly replies: ReadonlyMap<string, readonly Field[]>;
  readonly lua: string;
  readonly sha: readonly [plain: string, flagged: string];
}

const sha1 = (text: string): string => createHash("sha1").update(text).digest("hex");

/** Header lines come first: `-- KEYS[n] name`, `-- ARGV[n] name note`, `-- REPLY status field field#`; `#` marks an integer. */
function readHeader(name: string, source: string) {
  const fail = (why: string): never => {
    throw new Error(`lua/${name}.lua: ${why}`);
  };
  const lists = { KEYS: [] as string[], ARGV: [] as string[] };
  const replies = new Map<string, Field[]>();
  const purpose: string[] = [];
  for (const line of source.split("\n")) {
    if (!line.startsWith("--") || line.startsWith("--@")) break;
    const slot = /^-- (KEYS|ARGV)\[(\d+)\] (\w+)/.exec(line);
    const reply = /^-- REPLY (\w+)((?: \w+#?)*)$/.exec(line);
    if (slot) {
      const list = lists[slot[1] as "KEYS" | "ARGV"];
      if (Number(slot[2]) !== list.length + 1) fail(`${slot[1]}[${slot[2]}] is declared out of order`);
      list.push(slot[3] as string);
    } else if (reply) {
      const fields = (reply[2] ?? "").split(" ").filter(Boolean);
      replies.set(
        reply[1] as string,
        fields.map((field) => ({ name: field.replace("#", ""), integer: field.endsWith("#") })),
      );
    } else if (/^-- (KEYS|ARGV|REPLY)/.test(line)) {
      fail(`cannot read the header line "${line}"`);
    } else if (line !== "--") {
      purpose.push(line.slice(3));
    }
  }
  return { keys: lists.KEYS, args: lists.ARGV, replies, purpose: purpose.join(" ") };
}

function include(name: string, source: string, seen: string[] = []): string {
  return source.replace(/^--@include (\w+)$/gm, (_, part: string) => {
    const file = join(luaDir, "include", `${part}.lua`);
    if (!existsSync(file)) throw new Error(`lua/${name}.lua: no include named ${part}`);
    if (seen.includes(part)) throw new Error(`lua/${name}.lua: ${part} is included twice`);
    seen.push(part);
    return include(name, readFileSync(file, "utf8"), seen);
  });
}

/** Comments, indentation and empty lines cost bytes in every bundle and every EVAL, and say nothing to Redis. */
function strip(source: string): string {
  return source
    .split("\n")
    .map((line) => line.trim())
    .map((line) => (line.startsWith("--") ? "" : line))
    .filter(Boolean)
    .join("\n");
}

function compareWithBody(name: string, header: ReturnType<typeof readHeader>, lua: string): void {
  const fail = (why: string): never => {
    throw new Error(`lua/${name}.lua: ${why}`);
  };
  if (/--/.test(lua)) fail("a comment must stand on a line of its own");
  for (const [list, names] of [
    ["KEYS", header.keys],
    ["ARGV", header.args],
  ] as const) {
    const used = new Set([...lua.matchAll(new RegExp(`${list}\\[(\\d+)\\]`, "g"))].map((match) => Number(match[1])));
    for (const index of used) if (index < 1 || index > names.length) fail(`${list}[${index}] is used but not declared`);
    for (let index = 1; index <= names.length; index++) {
      if (!used.has(index)) fail(`${list}[${index}] is declared but not used`);
    }
    if (new RegExp(`\\b${list}\\b(?!\\[\\d+\\])`).test(lua)) fail(`${list} is used other than by a fixed index`);
  }
  const seen = new Set<string>();
  for (const match of lua.matchAll(/\{ '(\w+)'((?:, [^{}]*)?) \}/g)) {
    const [, status, rest] = match as unknown as [string, string, string];
    const fields = header.replies.get(status);
    if (!fields) throw new Error(`lua/${name}.lua: reply "${status}" is not declared`);
    // Commas inside of calls do not separate fields.
    let depth = 0;
    let count = 0;
    for (const char of rest) {
      if (char === "(") depth++;
      else if (char === ")") depth--;
      else if (char === "," && depth === 0) count++;
    }
    if (count !== fields.length + 1 || !rest.startsWith(", now")) {
      fail(`reply "${status}" must have now and ${fields.length} fields, and has ${count - 1}`);
    }
    seen.add(status);
  }
  for (const status of header.replies.keys())
    if (!seen.has(status)) fail(`reply "${status}" is declared but never given`);
  for (const write of lua.matchAll(/redis\.p?call\('(\w+)'/g)) {
    if (!["TIME", "GET", "SET", "DEL"].includes(write[1] as string))
      fail(`${write[1]} is not a command we know the cost of`);
  }
}

export function buildScript(name: string, source: string): BuiltScript {
  const header = readHeader(name, source);
  const lua = strip(include(name, source));
  compareWithBody(name, header, lua);
  return { name, ...header, lua, sha: [sha1(lua), sha1(FLAG_LINE + lua)] };
}

/** All scripts of `lua/`, built. */
export function buildAll(): BuiltScript[] {
  return readdirSync(luaDir)
    .filter((file) => file.endsWith(".lua"))
    .sort()
    .map((file) => buildScript(basename(file, ".lua"), readFileSync(join(luaDir, file), "utf8")));
}

const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const recordText = (): string => `${strip(readFileSync(join(luaDir, "include/record.lua"), "utf8"))}\n`;

function recordModuleText(): string {
  return `// Generated from lua/include/record.lua by tools/build-lua.ts; do not edit.
export const record =
  ${JSON.stringify(recordText())};
`;
}

function moduleText(script: BuiltScript): string {
  const [before, after] = script.lua.split(recordText());
  if (after === undefined) throw new Error(`lua/${script.name}.lua does not include the record`);
  const fresh = script.args[0] === "notAfter";
  const args = (fresh ? script.args.slice(1) : script.args).map((arg) => `${arg}: string | number`);
  const pascal = camel(`-${script.name}`);
  const union = [...script.replies].map(
    ([status, fields]) =>
      `  | { readonly status: "${status}"; readonly now: number${fields
        .map((field) => `; readonly ${field.name}: ${field.integer ? "number" : "string"}`)
        .join("")} }`,
  );
  const declared = [...script.replies].map(([status, fields]) =>
    [status, ...fields.map((field) => field.name + (field.integer ? "#" : ""))].join(" "),
  );
  return `// Generated from lua/${script.name}.lua by tools/build-lua.ts; do not edit.
import { record } from "../record.gen.ts";
import type { Script } from "../script.ts";

export type ${pascal}Reply =
${union.join("\n")};

export const ${camel(script.name)}: Script<readonly [${args.join(", ")}], ${pascal}Reply> = {
  lua: ${JSON.stringify(before)} + record + ${JSON.stringify(after)},
  sha: ["${script.sha[0]}", "${script.sha[1]}"],
  replies: [${declared.map((reply) => `"${reply}"`).join(", ")}],
  fresh: ${fresh},
};
`;
}

function readmeTable(scripts: readonly BuiltScript[]): string {
  const code = (items: readonly string[]): string => items.map((item) => `\`${item}\``).join(" ") || "–";
  const rows = scripts.map((script) => {
    const replies = [...script.replies].map(([status, fields]) =>
      [status, ...fields.map((field) => field.name)].join(" "),
    );
    return `| [${script.name}](${script.name}.lua) | ${script.purpose} | ${code(script.keys)} | ${code(script.args)} | ${code(replies)} |`;
  });
  return ["| script | what it does | KEYS | ARGV | replies |", "|---|---|---|---|---|", ...rows].join("\n");
}

/** Every generated file with its text. */
export function outputs(): Map<string, string> {
  const scripts = buildAll();
  const files = new Map<string, string>();
  for (const script of scripts) files.set(join(outDir, `${script.name}.gen.ts`), moduleText(script));
  files.set(recordFile, recordModuleText());
  const readme = join(luaDir, "README.md");
  const [before, , after] = readFileSync(readme, "utf8").split(/(?<=<!-- scripts -->\n)|(?=<!-- end -->)/);
  if (after === undefined) throw new Error("lua/README.md: the marks of the table are missing");
  files.set(readme, `${before}${readmeTable(scripts)}\n${after}`);
  return files;
}

if (import.meta.main) {
  const files = outputs();
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
    for (const file of stale) rmSync(file);
    for (const [file, text] of differing) writeFileSync(file, text);
    console.log(`${files.size - 2} scripts built, ${differing.length} files changed`);
  }
}
