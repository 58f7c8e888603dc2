import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "../../engine/src/lua/parser.ts";
import type { Call, Expression, Statement } from "../../engine/src/lua/syntax.ts";
import { createPrinter, type Swap } from "./lua-text.ts";
import type { Change, Mutant } from "./mutant.ts";

const LUA: string = join(import.meta.dirname, "../../lua");
/** In the tree an include is a function call, since the parser drops comments. */
const MARK = /\binclude_(\w+)\(\)/g;

const sourceOf = (file: string): string => readFileSync(join(LUA, file), "utf8");
export const luaFiles = (): readonly string[] =>
  readdirSync(LUA, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".lua"))
    .sort();

function treeOf(file: string): readonly Statement[] {
  const bytes = Buffer.from(sourceOf(file).replace(/--@include (\w+)/g, "include_$1()")).toString("latin1");
  return parse(bytes).body;
}

const texts = new Map<string, string>();
/** The original text of a file, with marks for its includes. */
function plainText(file: string): string {
  const known = texts.get(file) ?? createPrinter().block(treeOf(file));
  texts.set(file, known);
  return known;
}

/** The text of a script with its includes, with the text of one file replaced. */
export function scriptText(script: string, changed?: Pick<Mutant, "file" | "text">): string {
  const textOf = (file: string): string => {
    const text = changed?.file === file ? changed.text : plainText(file);
    return text.replace(MARK, (_, part: string) => textOf(`include/${part}.lua`));
  };
  return textOf(`${script}.lua`);
}

/** The scripts that include a file. */
export function scriptsWith(file: string): readonly string[] {
  const includes = (one: string): readonly string[] => {
    const parts = [...sourceOf(one).matchAll(/--@include (\w+)/g)].map(([, part]) => `include/${part}.lua`);
    return [one, ...parts.flatMap(includes)];
  };
  return luaFiles()
    .filter((script) => !script.includes("/") && includes(script).includes(file))
    .map((script) => script.replace(".lua", ""));
}

interface Edit extends Swap {
  readonly change: Change;
  readonly line: number;
  readonly from: string;
  readonly to: string;
}

const brief = createPrinter(undefined, true);
const plain = createPrinter();

const EDGES: Readonly<Record<string, string>> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };

/** `isValue`: whether `c and x or y` is a choice between two values here, not a condition. */
function* expressionChanges(node: Expression, isValue: boolean = true): Generator<Edit> {
  const line = node.loc.start.line;
  const wrap = (text: string): string => (node.inParens ? `(${text})` : text);
  const edit = (change: Change, text: string): Edit => ({
    change,
    node,
    line,
    text: wrap(text),
    from: brief.expression(node),
    to: text,
  });
  switch (node.type) {
    case "LogicalExpression": {
      const { left, right } = node;
      const isChoice =
        isValue && node.operator === "or" && left.type === "LogicalExpression" && left.operator === "and";
      yield edit("operand", plain.expression(isChoice && !left.inParens ? left.right : left));
      yield edit("operand", plain.expression(right));
      if (!isChoice) break;
      for (const part of [left.left, left.right, right]) yield* expressionChanges(part, part !== left.left);
      return;
    }
    case "BinaryExpression": {
      const other = EDGES[node.operator];
      if (other) yield edit("edge", `${plain.expression(node.left)} ${other} ${plain.expression(node.right)}`);
      break;
    }
    case "CallExpression":
      yield* boundChanges(node, edit);
      break;
    default:
  }
  const isChild = node.type === "LogicalExpression" || node.type === "UnaryExpression";
  for (const child of partsOf(node)) yield* expressionChanges(child, !isChild || isValue);
  if (node.type === "FunctionDeclaration") yield* blockChanges(node.body);
}

/** For `math.max` and `math.min`, each argument is left out. */
function* boundChanges(node: Call, edit: (change: Change, text: string) => Edit): Generator<Edit> {
  const base = plain.expression(node.base);
  if (!/^math\.(max|min)$/.test(base)) return;
  for (const left of node.arguments) {
    const others = node.arguments.filter((each) => each !== left).map(plain.expression);
    // A call may return several values; the parentheses keep the first.
    yield edit("bound", others.length > 1 ? `${base}(${others.join(", ")})` : `(${others[0]})`);
  }
}

function partsOf(node: Expression): readonly Expression[] {
  switch (node.type) {
    case "MemberExpression":
      return [node.base];
    case "IndexExpression":
      return [node.base, node.index];
    case "CallExpression":
      return [node.base, ...node.arguments];
    case "LogicalExpression":
    case "BinaryExpression":
      return [node.left, node.right];
    case "UnaryExpression":
      return [node.argument];
    case "TableConstructorExpression":
      return node.fields.flatMap((field) => (field.type === "TableKey" ? [field.key, field.value] : [field.value]));
    default:
      return [];
  }
}

function conditionChange(condition: Expression): Edit {
  const text = `not (${plain.expression(condition)})`;
  return {
    change: "condition",
    node: condition,
    line: condition.loc.start.line,
    text,
    from: brief.expression(condition),
    to: text,
  };
}

/** One of several names keeps its value or gets none. */
function* severally(node: Statement & { type: "LocalStatement" | "AssignmentStatement" }): Generator<Edit> {
  const isLocal = node.type === "LocalStatement";
  for (const [at, value] of node.init.entries()) {
    const target = node.variables[at];
    if (!target) continue;
    const text = isLocal ? "nil" : plain.expression(target);
    const name = plain.expression(target);
    yield {
      change: "statement",
      node: value,
      line: value.loc.start.line,
      text,
      from: `${name} = ${brief.expression(value)}`,
      to: `${name} = ${text}`,
    };
  }
}

function* statementChanges(node: Statement): Generator<Edit> {
  const line = node.loc.start.line;
  const edit = (text: string): Edit => ({
    change: "statement",
    node,
    line,
    text,
    from: brief.statement(node),
    to: text,
  });
  const isMark = node.type === "CallStatement" && /^include_/.test(plain.statement(node));
  if (isMark) return;
  if (node.type === "LocalStatement") {
    const names = `local ${node.variables.map(({ name }) => name).join(", ")}`;
    if (node.init.length > 1 && node.init.length === node.variables.length) yield* severally(node);
    else if (node.init.some(({ type }) => type !== "NilLiteral")) yield edit(names);
  } else if (node.type === "AssignmentStatement" && node.init.length > 1 && node.init.length === node.variables.length)
    yield* severally(node);
  else if (node.type === "FunctionDeclaration") {
    const parameters = node.parameters.map(({ name }) => name).join(", ");
    yield edit(`local function ${plain.expression(node.identifier as Expression)}(${parameters}) end`);
  } else yield edit("");
}

function* blockChanges(block: readonly Statement[]): Generator<Edit> {
  for (const node of block) {
    yield* statementChanges(node);
    yield* insideChanges(node);
  }
}

function* insideChanges(node: Statement): Generator<Edit> {
  switch (node.type) {
    case "LocalStatement":
    case "AssignmentStatement":
      for (const value of node.init) yield* expressionChanges(value);
      break;
    case "CallStatement":
      yield* expressionChanges(node.expression);
      break;
    case "ReturnStatement":
      for (const value of node.arguments) yield* expressionChanges(value);
      break;
    case "IfStatement":
      for (const { condition, body } of node.clauses) {
        if (condition) {
          yield conditionChange(condition);
          yield* expressionChanges(condition, false);
        }
        // A block of one statement is left out with its `if`.
        const [only] = body;
        if (node.clauses.length === 1 && body.length === 1 && only) yield* insideChanges(only);
        else yield* blockChanges(body);
      }
      break;
    case "WhileStatement":
      yield conditionChange(node.condition);
      yield* expressionChanges(node.condition, false);
      yield* blockChanges(node.body);
      break;
    case "ForNumericStatement":
      for (const bound of [node.start, node.end]) yield* expressionChanges(bound);
      yield* blockChanges(node.body);
      break;
    case "ForGenericStatement":
      for (const iterator of node.iterators) yield* expressionChanges(iterator);
      yield* blockChanges(node.body);
      break;
    case "FunctionDeclaration":
      yield* blockChanges(node.body);
      break;
    default:
  }
}

/** Every change to a file, each with the file's complete text. */
export function luaMutants(file: string): readonly Mutant[] {
  const tree = treeOf(file);
  const seen = new Set([createPrinter().block(tree)]);
  return [...blockChanges(tree)].flatMap(({ change, node, text: swapped, line, from, to }) => {
    const text = createPrinter({ node, text: swapped }).block(tree);
    if (seen.has(text)) return [];
    seen.add(text);
    return [{ file, change, line, from, to, text }];
  });
}
