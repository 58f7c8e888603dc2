import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import type { Change, Mutant } from "./mutant.ts";

const ROOT: string = join(import.meta.dirname, "../..");
/** The protocol of the SDK: what is sent when, what an answer means, and for how long a lease is relied on. */
const PROTOCOL = [
  "src/redis/run.ts",
  "src/redis/retry-policy.ts",
  "src/redis/failure.ts",
  "src/redis/doubt.ts",
  "src/redis/clock.ts",
  "src/redis/target.ts",
  "src/redis/port.ts",
  "src/redis/fetch.ts",
  "src/engine",
  "src/kinds",
] as const;

export const typescriptFiles = (): readonly string[] =>
  PROTOCOL.flatMap((path) =>
    statSync(join(ROOT, path)).isFile()
      ? [path]
      : readdirSync(join(ROOT, path), { recursive: true, encoding: "utf8" })
          .filter((file) => file.endsWith(".ts"))
          .sort()
          .map((file) => `${path}/${file}`),
  );

const brief = (text: string): string => text.replace(/\s+/g, " ");

/** Every guard of a file: its condition negated, and the guard left out as a whole. */
export function typescriptMutants(file: string): readonly Mutant[] {
  const source = readFileSync(join(ROOT, file), "utf8");
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true);
  const found: Mutant[] = [];
  function add(change: Change, node: ts.Node, to: string, from: string = node.getText()): void {
    const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const text = source.slice(0, node.getStart()) + to + source.slice(node.getEnd());
    found.push({ file, change, line, from: brief(from), to: brief(to), text });
  }
  function visit(node: ts.Node): void {
    if (ts.isIfStatement(node)) {
      const { expression, elseStatement } = node;
      add("statement", node, elseStatement?.getText() ?? "{}", `if (${expression.getText()}) …`);
      add("condition", expression, `!(${expression.getText()})`);
    } else if (ts.isConditionalExpression(node) || ts.isWhileStatement(node)) {
      const condition = ts.isWhileStatement(node) ? node.expression : node.condition;
      add("condition", condition, `!(${condition.getText()})`);
    }
    ts.forEachChild(node, visit);
  }
  visit(tree);
  return found;
}
