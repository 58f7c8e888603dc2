import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import type { Change, Mutant } from "./mutant.ts";
import { callAt, functionFor } from "./reached.ts";

const ROOT: string = join(import.meta.dirname, "../..");
/** The mutated folders and files, in the order of the table. */
export const AREAS = [
  "src/redis",
  "src/lease",
  "src/kinds",
  "src/dedupe",
  "src/http",
  "src/cron",
  "src/fence",
  "src/queue",
  "src/tcp",
  "engine/src/holding",
  "engine/src/rest",
  "gateway/src/redis",
  "gateway/src/rest",
  "gateway/src/access",
  "gateway/src/holding",
  "durable-object/src",
] as const;

/** The sources of an area, without generated ones. */
const filesOf = (area: string): readonly string[] =>
  readdirSync(join(ROOT, area), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".gen.ts"))
    .sort()
    .map((file) => `${area}/${file}`);

export const typescriptFiles = (): readonly string[] => AREAS.flatMap(filesOf);

/** A condition and its place: of an `if` with its statement, of `? :` or of `while`. */
interface Guard {
  readonly condition: ts.Expression;
  readonly statement?: ts.IfStatement;
}

function guardsOf(tree: ts.SourceFile): readonly Guard[] {
  const found: Guard[] = [];
  function visit(node: ts.Node): void {
    if (ts.isIfStatement(node)) found.push({ condition: node.expression, statement: node });
    else if (ts.isConditionalExpression(node)) found.push({ condition: node.condition });
    else if (ts.isWhileStatement(node)) found.push({ condition: node.expression });
    ts.forEachChild(node, visit);
  }
  visit(tree);
  return found;
}

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const parse = (file: string, source: string): ts.SourceFile =>
  ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true);
const brief = (text: string): string => text.replace(/\s+/g, " ");

/** Every guard of a file: with its condition negated, and left out as a whole. */
export function typescriptMutants(file: string): readonly Mutant[] {
  const source = read(file);
  const tree = parse(file, source);
  return guardsOf(tree).flatMap(({ condition, statement }) => {
    function mutant(change: Change, node: ts.Node, to: string, from: string = node.getText()): Mutant {
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const text = source.slice(0, node.getStart()) + to + source.slice(node.getEnd());
      return { file, change, line, guard: condition.getStart(), from: brief(from), to: brief(to), text };
    }
    const negated = mutant("condition", condition, `!(${condition.getText()})`);
    if (!statement) return [negated];
    const shown = `if (${condition.getText()}) …`;
    return [mutant("statement", statement, statement.elseStatement?.getText() ?? "{}", shown), negated];
  });
}

/**
 * The text of a file in which each guard, when first reached in a process, writes its place to the log file named by
 * the environment.
 */
export function watchedText(file: string): string {
  let text = read(file);
  const insertions = guardsOf(parse(file, text)).flatMap(({ condition }): readonly [at: number, part: string][] => [
    [condition.getStart(), `(${callAt(condition.getStart())}, `],
    [condition.getEnd(), ")"],
  ]);
  // From the end, so that the other places remain valid.
  for (const [at, part] of insertions.sort(([a], [b]) => b - a)) text = text.slice(0, at) + part + text.slice(at);
  return text + functionFor(file);
}
