import type { Expression, Field, FunctionNode, Statement } from "../../engine/src/lua/syntax.ts";

/** A node of a syntax tree that is written as another text. */
export interface Swap {
  readonly node: object;
  readonly text: string;
}

const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "'": "\\'", "\\": "\\\\", "\0": "\\0" };
const quoted = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a pattern may name them.
  `'${text.replace(/[\n\r'\\\0]/g, (char) => ESCAPES[char] as string).replace(/[\x01-\x1f]/g, (char) => `\\${char.charCodeAt(0)}`)}'`;

/** Writes a syntax tree as Lua. `isBrief` leaves out the bodies of blocks and functions, for people. */
export function createPrinter(swap?: Swap, isBrief = false) {
  const body = (list: readonly Statement[]): string => (isBrief ? " … " : ` ${block(list)} `);
  const list = (nodes: readonly Expression[]): string => nodes.map(expression).join(", ");
  const rest = ({ parameters, isVararg, body: inside }: FunctionNode): string =>
    `(${[...parameters.map(({ name }) => name), ...(isVararg ? ["..."] : [])].join(", ")})${body(inside)}end`;

  function field(node: Field): string {
    if (node.type === "TableKey") return `[${expression(node.key)}] = ${expression(node.value)}`;
    return node.type === "TableKeyString" ? `${node.key.name} = ${expression(node.value)}` : expression(node.value);
  }

  function bare(node: Expression): string {
    switch (node.type) {
      case "Identifier":
        return node.name;
      case "MemberExpression": {
        // A text is called by its methods as `('…'):find()`.
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
        return node.fields.length === 0 ? "{}" : `{ ${node.fields.map(field).join(", ")} }`;
      case "FunctionDeclaration":
        return `function${rest(node)}`;
      default:
        return `${expression(node.left)} ${node.operator} ${expression(node.right)}`;
    }
  }

  function expression(node: Expression): string {
    if (swap?.node === node) return swap.text;
    return node.inParens ? `(${bare(node)})` : bare(node);
  }

  function statement(node: Statement): string {
    if (swap?.node === node) return swap.text;
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
      case "IfStatement": {
        const clauses = node.clauses.map(({ condition, body: inside }, at) => {
          if (!condition) return `else${body(inside)}`;
          return `${at > 0 ? "elseif" : "if"} ${expression(condition)} then${body(inside)}`;
        });
        return `${clauses.join("")}end`;
      }
      case "ForNumericStatement": {
        const bounds = [node.start, node.end, ...(node.step ? [node.step] : [])];
        return `for ${node.variable.name} = ${list(bounds)} do${body(node.body)}end`;
      }
      case "ForGenericStatement":
        return `for ${node.variables.map(({ name }) => name).join(", ")} in ${list(node.iterators)} do${body(node.body)}end`;
      default:
        return `${node.isLocal ? "local " : ""}function ${expression(node.identifier as Expression)}${rest(node)}`;
    }
  }

  function block(statements: readonly Statement[]): string {
    return statements
      .map(statement)
      .filter((text) => text !== "")
      .join("\n");
  }
  return { block, statement, expression };
}
