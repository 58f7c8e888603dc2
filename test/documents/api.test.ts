import { readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { namesIn, ROOT, tablesOf, textOf } from "./markdown.ts";

const config = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile).config as object;
const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, ROOT);
const folders = ["hono", "http", "node", "lambda", "cron", "fence", "elect", "list", "queue"].map(
  (entry) => `${entry}/index`,
);
const ports = ["ioredis", "node-redis", "bun"].map((entry) => `tcp/${entry}`);
const entries = ["index", ...folders, ...ports].map((entry) => join(ROOT, "src", `${entry}.ts`));
const program = ts.createProgram(entries, options);
const checker = program.getTypeChecker();

const page = textOf("docs/api.md");
const tables = tablesOf(page);

/** The exports of an entry, types included. */
function exportsOf(file: string): ts.Symbol[] {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  return module ? checker.getExportsOfModule(module) : [];
}

const typeOf = (symbol: ts.Symbol): ts.Type =>
  checker.getDeclaredTypeOfSymbol(symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);

/** The names of all members, of every part of a union; not those under symbols. */
const membersOf = (type: ts.Type): string[] => {
  const parts = type.isUnion() ? type.types : [type];
  const names = parts.flatMap((part) => checker.getPropertiesOfType(part).map(({ name }) => name));
  return [...new Set(names)].filter((name) => !name.startsWith("__")).sort();
};

const exported = new Map(entries.flatMap(exportsOf).map((symbol) => [symbol.name, symbol]));
/** The rows of the table of one type. */
const rowsOf = (type: string): string[] =>
  tables.filter(({ head }) => namesIn(head)[0] === type).flatMap(({ rows }) => rows.flatMap(namesIn));

describe("docs/api.md", () => {
  it("names every export of every entry, and the sections are the entries", () => {
    expect(exported.size).toBeGreaterThan(100);
    // The page links to the table of senders.
    const senders = tablesOf(textOf("docs/webhooks.md")).flatMap(({ rows }) => rows.flatMap(namesIn));
    const missing = [...exported.keys()].filter(
      (name) => !new RegExp(`\`${name}(\\(|\`)`).test(page) && !senders.includes(name),
    );
    expect(missing).toEqual([]);
    const folders = readdirSync(join(ROOT, "src"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && ts.sys.fileExists(join(ROOT, "src", entry.name, "index.ts")))
      .map(({ name }) => name)
      .filter((name) => JSON.parse(textOf("package.json")).exports[`./${name}`]);
    const sections = [...page.matchAll(/^## leasehold\/(\w+)$/gm)].map(([, name]) => name);
    expect(sections.sort()).toEqual(folders.sort());
  });

  it("has a table for every type of options", () => {
    const wanted = [...exported.keys()].filter((name) =>
      /^[A-Z].*(Options|Settings|Limits|Parts|Schedule)$/.test(name),
    );
    expect(wanted.length).toBeGreaterThan(20);
    const heads = tables.flatMap(({ head }) => namesIn(head).slice(0, 1));
    // It is a part of the table before it.
    expect(wanted.filter((name) => !heads.includes(name) && name !== "ConnectionSettings")).toEqual([]);
  });

  const described = tables.map(({ head }) => namesIn(head)).filter(([type = ""]) => exported.has(type));
  it.each(described.map((names) => [names[0], names] as const))(
    "lists the members of %s, and no others",
    (_, names) => {
      const type = typeOf(exported.get(names[0] ?? "") as ts.Symbol);
      const listed = [...new Set(names.flatMap(rowsOf))].sort();
      // Types that have fewer options than the one they are made of say so in their own table.
      const inherited = new Set(names.slice(1).flatMap(rowsOf));
      const members = membersOf(type);
      expect(listed.filter((name) => !members.includes(name) && !inherited.has(name))).toEqual([]);
      expect(members.filter((name) => !listed.includes(name))).toEqual([]);
    },
  );
});
