/**
 * Checks that files and functions are short enough to be read in one go: no file over 300 lines and no function over
 * 60, from its first line to its last. Tests and generated files are excluded.
 *
 *   node tools/code-limits.ts
 *   node tools/code-limits.ts FOLDER...      other folders
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const MOST_FILE_LINES = 300;
const MOST_FUNCTION_LINES = 60;

/** The folders of this repository that are checked. */
const OWN_FOLDERS = [
  ...["src", "cli/src", "engine/src", "testing/src", "gateway/src", "durable-object/src", "gateway/bench"],
  ...["lua", "tools", "verification", "bench", "demo"],
];

interface Measured {
  /** A file, or a file and a function. */
  readonly what: string;
  readonly lines: number;
  readonly most: number;
}

const isCode = (file: string): boolean =>
  /\.(ts|lua)$/.test(file) && !/(\.gen\.ts|\.d\.ts)$|(^|\/)(test|dist|node_modules)\//.test(file);

/** The name of a function, or of what it is assigned or passed to. */
function nameOf(node: ts.FunctionLikeDeclaration): string {
  if (node.name) return node.name.getText();
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent))
    return parent.name.getText();
  if (ts.isCallExpression(parent)) return `a function given to ${parent.expression.getText().split("\n", 1)[0]}`;
  return "a function";
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && "body" in node && node.body !== undefined;
}

/** The size of every function in a file, including nested ones. */
function functionsOf(path: string, text: string): Measured[] {
  const found: Measured[] = [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (isFunction(node)) {
      const lines = lineAt(node.getEnd()) - lineAt(node.getStart()) + 1;
      found.push({ what: `${path}: ${nameOf(node)}`, lines, most: MOST_FUNCTION_LINES });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function measure(path: string): Measured[] {
  const text = readFileSync(path, "utf8");
  const file = { what: path, lines: text.trimEnd().split("\n").length, most: MOST_FILE_LINES };
  return [file, ...(path.endsWith(".ts") ? functionsOf(path, text) : [])];
}

const [, , ...given] = process.argv;
const folders = given.length > 0 ? given : OWN_FOLDERS;
const all = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => isCode(`${folder}/${file}`))
    .flatMap((file) => measure(join(folder, file))),
);
const tooLong = all.filter(({ lines, most }) => lines > most);
for (const { what, lines, most } of tooLong) console.error(`${what} has ${lines} lines, more than ${most}`);
process.exit(tooLong.length > 0 ? 1 : 0);
