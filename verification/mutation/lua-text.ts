import type { Expression, Field, FunctionNode, Statement } from "../../engine/src/lua/syntax.ts";

/** A node of a syntax tree that is printed as another text. */
export interface Swap {
  readonly node: object;
  readonly text: string;
}

const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "'": "\\'", "\\": "\\\\", "\0": "\\0" };
const quoted = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a pattern may name them.
  `'${text.replace(/[\n\r'\\\0]/g, (char) => ESCAPES[char] as string).replace(/[\x01-\x1f]/g, (char) => `\\${char.charCodeAt(0)}`)}'`;

/** Prints the parts of a syntax tree as Lua. */
export interface Printer {
  block(statements: readonly Statement[]): string;
  statement(node: Statement): string;
  expression(node: Expression): string;
  /** The body of a block or a function. */
  body(statements: readonly Statement[]): string;
  list(nodes: readonly Expression[]): string;
  /** A function without its name. */
  rest(node: FunctionNode): string;
}

function fieldText(node: Field, { expression }: Printer): string {
  if (node.type === "TableKey") return `[${expression(node.key)}] = ${expression(node.value)}`;
  return node.type === "TableKeyString" ? `${node.key.name} = ${expression(node.value)}` : expression(node.value);
}

/** An expression without the parentheses around it. */
function expressionText(node: Expression, printer: Printer): string {
  const { expression, list, rest } = printer;
  switch (node.type) {
    case "Identifier":
      return node.name;
    case "MemberExpression": {
      // Methods of a string are called as `('…'):find()`.
      const base = expression(node.base);
      return `${base}${node.indexer}${node.identifier.name}`;
    }
    case "IndexExpression":
      return `${expression(node.base)}[${expression(node.index)}]`;
    case "CallExpression":
      return `${expression(node.base)}(${list(node.arguments)})`;
    case "StringLiteral":
      return quoted(node.value);
    case "NumericLiteral":
      return String(node.value).replace("e+", "e");
    case "BooleanLiteral":
      return String(node.value);
    case "NilLiteral":
      return "nil";
    case "VarargLiteral":
      return "...";
    case "UnaryExpression":
      return `${node.operator}${node.operator === "not" ? " " : ""}${expression(node.argument)}`;
    case "TableConstructorExpression":
      return node.fields.length === 0
        ? "{}"
        : `{ ${node.fields.map((field) => fieldText(field, printer)).join(", ")} }`;
    case "FunctionDeclaration":
      return `function${rest(node)}`;
    default:
      return `${expression(node.left)} ${node.operator} ${expression(node.right)}`;
  }
}

function forText(node: Extract<Statement, { type: "ForNumericStatement" }>, { list, body }: Printer): string {
  const bounds = [node.start, node.end, ...(node.step ? [node.step] : [])];
  return `for ${node.variable.name} = ${list(bounds)} do${body(node.body)}end`;
}

function ifText({ clauses }: Extract<Statement, { type: "IfStatement" }>, { expression, body }: Printer): string {
  const texts = clauses.map(({ condition, body: inside }, at) => {
    if (!condition) return `else${body(inside)}`;
    return `${at > 0 ? "elseif" : "if"} ${expression(condition)} then${body(inside)}`;
  });
  return `${texts.join("")}end`;
}

function statementText(node: Statement, printer: Printer): string {
  const { expression, list, body, rest } = printer;
  switch (node.type) {
    case "LocalStatement": {
      const names = `local ${node.variables.map(({ name }) => name).join(", ")}`;
      return node.init.length > 0 ? `${names} = ${list(node.init)}` : names;
    }
    case "AssignmentStatement":
      return `${list(node.variables)} = ${list(node.init)}`;
    case "CallStatement":
      return expression(node.expression);
    case "WhileStatement":
      return `while ${expression(node.condition)} do${body(node.body)}end`;
    case "RepeatStatement":
      return `repeat${body(node.body)}until ${expression(node.condition)}`;
    case "DoStatement":
      return `do${body(node.body)}end`;
    case "ReturnStatement":
      return node.arguments.length > 0 ? `return ${list(node.arguments)}` : "return";
    case "BreakStatement":
      return "break";
    case "IfStatement":
      return ifText(node, printer);
    case "ForNumericStatement":
      return forText(node, printer);
    case "ForGenericStatement":
      return `for ${node.variables.map(({ name }) => name).join(", ")} in ${list(node.iterators)} do${body(node.body)}end`;
    default:
      return `${node.isLocal ? "local " : ""}function ${expression(node.identifier as Expression)}${rest(node)}`;
  }
}

/** Prints a syntax tree as Lua. `isBrief` leaves out the bodies of blocks and functions, for reading. */
export function createPrinter(swap?: Swap, isBrief = false): Printer {
  const printer: Printer = {
    block: (statements) =>
      statements
        .map(printer.statement)
        .filter((text) => text !== "")
        .join("\n"),
    statement: (node) => (swap?.node === node ? swap.text : statementText(node, printer)),
    expression(node) {
      if (swap?.node === node) return swap.text;
      const text = expressionText(node, printer);
      return node.inParens ? `(${text})` : text;
    },
    body: (statements) => (isBrief ? " … " : ` ${printer.block(statements)} `),
    list: (nodes) => nodes.map(printer.expression).join(", "),
    rest: ({ parameters, isVararg, body }) =>
      `(${[...parameters.map(({ name }) => name), ...(isVararg ? ["..."] : [])].join(", ")})${printer.body(body)}end`,
  };
  return printer;
}
