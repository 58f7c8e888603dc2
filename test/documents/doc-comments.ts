import { readdirSync, readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import ts from "typescript";

export const root: string = resolve(import.meta.dirname, "../..");
/** The folders with the sources of packages that have a reference. */
const SOURCES = ["src", "agents/src", "nest/src"];

/** A block of TypeScript. One that needs a platform (D1, Postgres, ...) is marked `no-run` and only compiled. */
interface Example {
  readonly text: string;
  readonly runs: boolean;
}

/** A function of the package, and the examples in its doc comments. */
export interface Documented {
  /** Relative to the root. */
  readonly file: string;
  readonly name: string;
  readonly examples: readonly Example[];
}

/** The fenced blocks of TypeScript in a tag. */
function codeOf(tag: ts.JSDocTag): Example[] {
  const text = ts.getTextOfJSDocComment(tag.comment) ?? "";
  const blocks = text.matchAll(/^```ts( no-run)?\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, noRun, code = ""]) => ({ text: code, runs: noRun === undefined }));
}

const examplesOf = (node: ts.Node): Example[] =>
  ts
    .getJSDocTags(node)
    .filter(({ tagName }) => tagName.text === "example")
    .flatMap(codeOf);

const parse = (file: string): ts.SourceFile =>
  ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true);

/** Every exported function of the sources, and everything else there that has an example. Overloads count as one. */
export function documented(): Documented[] {
  const files = SOURCES.flatMap((src) =>
    readdirSync(join(root, src), { recursive: true, encoding: "utf8" })
      .filter((file) => /(?<!\.gen)\.ts$/.test(file))
      .map((file) => posix.join(src, file)),
  );
  return files.flatMap((file) => {
    const found = new Map<string, Example[]>();
    const add = (name: string, isFunction: boolean, examples: readonly Example[]): void => {
      if (isFunction || examples.length > 0) found.set(name, [...(found.get(name) ?? []), ...examples]);
    };
    for (const statement of parse(file).statements) {
      if (!ts.canHaveModifiers(statement)) continue;
      if (!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
      const examples = examplesOf(statement);
      if (ts.isFunctionDeclaration(statement)) add(statement.name?.text ?? "", true, examples);
      else if (ts.isVariableStatement(statement))
        // A sender is made by a call.
        for (const { name, initializer } of statement.declarationList.declarations)
          add(name.getText(), /Arrow|Call/.test(ts.SyntaxKind[initializer?.kind ?? 0] ?? ""), examples);
      else if (ts.isClassDeclaration(statement) || ts.isInterfaceDeclaration(statement))
        add(statement.name?.text ?? "", false, [...examples, ...statement.members.flatMap(examplesOf)]);
    }
    return [...found].map(([name, examples]) => ({ file, name, examples }));
  });
}

/**
 * The entry that exports what a file makes public: the entry of its folder if there is one, else the main entry. Hono's
 * shows the core of `dedupe` in words of its own.
 */
export function entryOf(file: string): string {
  const [, src = "", folder = ""] = /^(.*?src)\/(?:(\w+)\/)?/.exec(file) ?? [];
  if (folder === "dedupe") return "src/http/index.ts";
  return /^(chat|mcp|cron|elect|fence|hono|http|lambda|list|node|otel|queue)$/.test(folder)
    ? `${src}/${folder}/index.ts`
    : `${src}/index.ts`;
}

/** The values that an entry exports, by name, each with its file. */
export function exportsOf(entry: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const statement of parse(entry).statements) {
    if (!ts.isExportDeclaration(statement) || statement.isTypeOnly || !statement.moduleSpecifier) continue;
    const from = (statement.moduleSpecifier as ts.StringLiteral).text;
    const file = posix.join(posix.dirname(entry), from);
    if (!statement.exportClause) for (const [name, origin] of exportsOf(file)) found.set(name, origin);
    if (!statement.exportClause || !ts.isNamedExports(statement.exportClause)) continue;
    for (const { isTypeOnly, name } of statement.exportClause.elements) if (!isTypeOnly) found.set(name.text, file);
  }
  return found;
}
