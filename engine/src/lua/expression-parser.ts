import type { Call, Expression, Field } from "./syntax.ts";
import type { Reader, Within } from "./token-reader.ts";

/** How strongly operators bind to their left and to their right. */
const PRIORITIES: ReadonlyMap<string, readonly [left: number, right: number]> = new Map([
  ["or", [1, 1]],
  ["and", [2, 2]],
  ["<", [3, 3]],
  [">", [3, 3]],
  ["<=", [3, 3]],
  [">=", [3, 3]],
  ["~=", [3, 3]],
  ["==", [3, 3]],
  ["..", [5, 4]],
  ["+", [6, 6]],
  ["-", [6, 6]],
  ["*", [7, 7]],
  ["/", [7, 7]],
  ["%", [7, 7]],
  ["^", [10, 9]],
]);
const UNARY_PRIORITY = 8;
const UNARY = /^(not|-|#)$/;

export function list(reader: Reader, within: Within): Expression[] {
  const nodes = [expression(reader, within)];
  while (reader.accept(",")) nodes.push(expression(reader, within));
  return nodes;
}

export function expression(reader: Reader, within: Within, limit = 0): Expression {
  reader.enter();
  const node = operation(reader, within, limit);
  reader.leave();
  return node;
}

/** Reads an operand, and the operations on it that bind more strongly than a limit. */
function operation(reader: Reader, within: Within, limit: number): Expression {
  const { type, line } = reader.token;
  let left: Expression;
  if (UNARY.test(type)) {
    reader.take();
    const argument = expression(reader, within, UNARY_PRIORITY);
    left = { type: "UnaryExpression", operator: type, argument, loc: reader.from(line) };
  } else left = simple(reader, within);
  for (;;) {
    const operator = reader.token.type;
    const [leftPriority, rightPriority] = PRIORITIES.get(operator) ?? [0, 0];
    if (leftPriority <= limit) return left;
    reader.take();
    const right = expression(reader, within, rightPriority);
    const kind = operator === "and" || operator === "or" ? "LogicalExpression" : "BinaryExpression";
    left = { type: kind, operator, left, right, loc: reader.from(line) };
  }
}

function simple(reader: Reader, within: Within): Expression {
  const { type, value, line } = reader.token;
  const loc = { start: { line }, end: { line } };
  switch (type) {
    case "string":
      reader.take();
      return { type: "StringLiteral", value: String(value), loc };
    case "number":
      reader.take();
      return { type: "NumericLiteral", value: Number(value), loc };
    case "nil":
      reader.take();
      return { type: "NilLiteral", loc };
    case "true":
    case "false":
      reader.take();
      return { type: "BooleanLiteral", value: type === "true", loc };
    case "...":
      if (!within.isVararg) reader.fail("cannot use '...' outside a vararg function");
      reader.take();
      return { type: "VarargLiteral", loc };
    case "{":
      return tableOf(reader, within);
    case "function":
      reader.take();
      return within.functionBody(reader, line);
    default:
      return suffixed(reader, within);
  }
}

function tableOf(reader: Reader, within: Within): Expression {
  const { line } = reader.take();
  const fields: Field[] = [];
  while (!reader.is("}")) {
    if (reader.is("name") && reader.peek().type === "=") {
      const key = reader.name();
      reader.take();
      fields.push({ type: "TableKeyString", key, value: expression(reader, within) });
    } else if (reader.accept("[")) {
      const key = expression(reader, within);
      reader.expect("]");
      reader.expect("=");
      fields.push({ type: "TableKey", key, value: expression(reader, within) });
    } else fields.push({ type: "TableValue", value: expression(reader, within) });
    if (!reader.accept(",") && !reader.accept(";")) break;
  }
  reader.close("}", "{", line);
  return { type: "TableConstructorExpression", fields, loc: reader.from(line) };
}

/** A name or an expression in parentheses, with the calls and indexes after it. */
export function suffixed(reader: Reader, within: Within): Expression {
  const { line } = reader.token;
  let node: Expression;
  if (reader.accept("(")) {
    node = expression(reader, within);
    reader.close(")", "(", line);
    node.inParens = true;
  } else if (reader.is("name")) node = reader.name();
  else return reader.fail("unexpected symbol");
  for (;;) {
    switch (reader.token.type) {
      case ".":
        reader.take();
        node = {
          type: "MemberExpression",
          indexer: ".",
          base: node,
          identifier: reader.name(),
          loc: reader.from(line),
        };
        break;
      case "[": {
        reader.take();
        const index = expression(reader, within);
        reader.expect("]");
        node = { type: "IndexExpression", base: node, index, loc: reader.from(line) };
        break;
      }
      case ":": {
        reader.take();
        const identifier = reader.name();
        node = { type: "MemberExpression", indexer: ":", base: node, identifier, loc: reader.from(line) };
        node = call(reader, within, node);
        break;
      }
      case "(":
      case "string":
      case "{":
        node = call(reader, within, node);
        break;
      default:
        return node;
    }
  }
}

function call(reader: Reader, within: Within, base: Expression): Call {
  const { type, line } = reader.token;
  const start = base.loc.start.line;
  if (type === "string" || type === "{")
    return { type: "CallExpression", base, arguments: [simple(reader, within)], loc: reader.from(start) };
  if (type !== "(") return reader.fail("function arguments expected");
  if (line !== reader.lastLine) reader.fail("ambiguous syntax (function call x new statement)");
  reader.take();
  const args = reader.is(")") ? [] : list(reader, within);
  reader.close(")", "(", line);
  return { type: "CallExpression", base, arguments: args, loc: reader.from(start) };
}
