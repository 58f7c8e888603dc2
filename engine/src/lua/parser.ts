import { createLexer, failNear, type Token } from "./lexer.ts";
import type { Call, Expression, Field, FunctionNode, Identifier, Statement, Target } from "./syntax.ts";

/** How strongly operators bind to their left and to their right. */
const PRIORITIES: Readonly<Record<string, readonly [left: number, right: number]>> = {
  or: [1, 1],
  and: [2, 2],
  "<": [3, 3],
  ">": [3, 3],
  "<=": [3, 3],
  ">=": [3, 3],
  "~=": [3, 3],
  "==": [3, 3],
  "..": [5, 4],
  "+": [6, 6],
  "-": [6, 6],
  "*": [7, 7],
  "/": [7, 7],
  "%": [7, 7],
  "^": [10, 9],
};
const UNARY_PRIORITY = 8;
const UNARY = /^(not|-|#)$/;
const END_OF_BLOCK = /^(else|elseif|end|until|eof)$/;
const STATEMENTS = /^(if|while|do|for|repeat|function|local|return|break)$/;

type Block = readonly Statement[];
type Location = { readonly start: { readonly line: number }; readonly end: { readonly line: number } };

/** The tokens of a script, with one token of looking ahead. */
function createReader(text: string) {
  const next = createLexer(text);
  let current = next();
  let ahead: Token | undefined;
  let lastLine = 1;
  const reader = {
    get token() {
      return current;
    },
    is: (type: string): boolean => current.type === type,
    /** The line of the token that was taken last. */
    get lastLine() {
      return lastLine;
    },
    take(): Token {
      const taken = current;
      lastLine = taken.line;
      current = ahead ?? next();
      ahead = undefined;
      return taken;
    },
    peek(): Token {
      ahead ??= next();
      return ahead;
    },
    accept: (type: string): boolean => current.type === type && reader.take() !== undefined,
    fail: (message: string): never => failNear(message, current.line, current.text),
    expect(type: string): void {
      if (!reader.accept(type)) reader.fail(`'${type === "eof" ? "<eof>" : type}' expected`);
    },
    /** Expects what closes something that was opened in a line. */
    close(type: string, opened: string, line: number): void {
      if (reader.accept(type)) return;
      reader.fail(`'${type}' expected${line === current.line ? "" : ` (to close '${opened}' at line ${line})`}`);
    },
    name(): Identifier {
      if (current.type !== "name") reader.fail("<name> expected");
      const { value, line } = reader.take();
      return { type: "Identifier", name: String(value), loc: { start: { line }, end: { line } } };
    },
    from: (line: number): Location => ({ start: { line }, end: { line: lastLine } }),
  };
  return reader;
}
type Reader = ReturnType<typeof createReader>;

/** The function that is being read. */
interface Within {
  readonly isVararg: boolean;
  loops: number;
}

/**
 * Parses a script of Lua 5.1, given as one character for each byte.
 *
 * @throws SyntaxFailure
 */
export function parse(text: string): Block {
  const reader = createReader(text);
  const body = block(reader, { isVararg: true, loops: 0 });
  reader.expect("eof");
  return body;
}

function block(reader: Reader, within: Within): Block {
  const statements: Statement[] = [];
  while (!END_OF_BLOCK.test(reader.token.type)) {
    const { type } = reader.token;
    statements.push(statement(reader, within));
    reader.accept(";");
    if (type === "return" || type === "break") break;
  }
  return statements;
}

function loop(reader: Reader, within: Within): Block {
  within.loops++;
  const body = block(reader, within);
  within.loops--;
  return body;
}

function statement(reader: Reader, within: Within): Statement {
  const { type, line } = reader.token;
  if (!STATEMENTS.test(type)) return callOrAssignment(reader, within);
  if (type === "function") return declaration(reader);
  reader.take();
  switch (type) {
    case "if":
      return ifStatement(reader, within, line);
    case "for":
      return forStatement(reader, within, line);
    case "local":
      return local(reader, within, line);
    case "while": {
      const condition = expression(reader, within);
      reader.expect("do");
      const body = loop(reader, within);
      reader.close("end", "while", line);
      return { type: "WhileStatement", condition, body, loc: reader.from(line) };
    }
    case "repeat": {
      const body = loop(reader, within);
      reader.close("until", "repeat", line);
      return { type: "RepeatStatement", body, condition: expression(reader, within), loc: reader.from(line) };
    }
    case "do": {
      const body = block(reader, within);
      reader.close("end", "do", line);
      return { type: "DoStatement", body, loc: reader.from(line) };
    }
    case "return": {
      const isEmpty = END_OF_BLOCK.test(reader.token.type) || reader.is(";");
      return { type: "ReturnStatement", arguments: isEmpty ? [] : list(reader, within), loc: reader.from(line) };
    }
    default:
      if (within.loops === 0) reader.fail("no loop to break");
      return { type: "BreakStatement", loc: reader.from(line) };
  }
}

function ifStatement(reader: Reader, within: Within, line: number): Statement {
  const clauses: { condition?: Expression; body: Block }[] = [];
  do {
    const condition = expression(reader, within);
    reader.expect("then");
    clauses.push({ condition, body: block(reader, within) });
  } while (reader.accept("elseif"));
  if (reader.accept("else")) clauses.push({ body: block(reader, within) });
  reader.close("end", "if", line);
  return { type: "IfStatement", clauses, loc: reader.from(line) };
}

function forStatement(reader: Reader, within: Within, line: number): Statement {
  const variable = reader.name();
  if (reader.accept("=")) {
    const start = expression(reader, within);
    reader.expect(",");
    const end = expression(reader, within);
    const step = reader.accept(",") ? expression(reader, within) : null;
    const body = forBody(reader, within, line);
    return { type: "ForNumericStatement", variable, start, end, step, body, loc: reader.from(line) };
  }
  if (!reader.is(",") && !reader.is("in")) reader.fail("'=' or 'in' expected");
  const variables = [variable];
  while (reader.accept(",")) variables.push(reader.name());
  reader.expect("in");
  const iterators = list(reader, within);
  const body = forBody(reader, within, line);
  return { type: "ForGenericStatement", variables, iterators, body, loc: reader.from(line) };
}

function forBody(reader: Reader, within: Within, line: number): Block {
  reader.expect("do");
  const body = loop(reader, within);
  reader.close("end", "for", line);
  return body;
}

function local(reader: Reader, within: Within, line: number): Statement {
  if (reader.accept("function")) {
    const identifier = reader.name();
    return { ...functionBody(reader, line), identifier, isLocal: true };
  }
  const variables = [reader.name()];
  while (reader.accept(",")) variables.push(reader.name());
  const init = reader.accept("=") ? list(reader, within) : [];
  return { type: "LocalStatement", variables, init, loc: reader.from(line) };
}

function declaration(reader: Reader): Statement {
  const { line } = reader.take();
  let identifier: FunctionNode["identifier"] = reader.name();
  while (reader.is(".") || reader.is(":")) {
    const indexer = reader.take().type as "." | ":";
    identifier = {
      type: "MemberExpression",
      indexer,
      base: identifier,
      identifier: reader.name(),
      loc: reader.from(line),
    };
    if (indexer === ":") break;
  }
  return { ...functionBody(reader, line), identifier, isLocal: false };
}

function functionBody(reader: Reader, line: number): FunctionNode {
  const parameters: Identifier[] = [];
  let isVararg = false;
  reader.expect("(");
  while (!reader.is(")") && !isVararg) {
    if (reader.accept("...")) isVararg = true;
    else if (reader.is("name")) parameters.push(reader.name());
    else reader.fail("<name> or '...' expected");
    if (isVararg || !reader.accept(",")) break;
    if (reader.is(")")) reader.fail("<name> or '...' expected");
  }
  reader.expect(")");
  const body = block(reader, { isVararg, loops: 0 });
  reader.close("end", "function", line);
  return {
    type: "FunctionDeclaration",
    identifier: null,
    isLocal: false,
    parameters,
    isVararg,
    body,
    loc: reader.from(line),
  };
}

function callOrAssignment(reader: Reader, within: Within): Statement {
  const { line } = reader.token;
  const one = suffixed(reader, within);
  if (one.type === "CallExpression" && !one.inParens)
    return { type: "CallStatement", expression: one, loc: reader.from(line) };
  const variables: Target[] = [target(reader, one)];
  while (reader.accept(",")) variables.push(target(reader, suffixed(reader, within)));
  reader.expect("=");
  return { type: "AssignmentStatement", variables, init: list(reader, within), loc: reader.from(line) };
}

function target(reader: Reader, node: Expression): Target {
  const isTarget = node.type === "Identifier" || node.type === "MemberExpression" || node.type === "IndexExpression";
  return isTarget && !node.inParens ? node : reader.fail("syntax error");
}

function list(reader: Reader, within: Within): Expression[] {
  const nodes = [expression(reader, within)];
  while (reader.accept(",")) nodes.push(expression(reader, within));
  return nodes;
}

function expression(reader: Reader, within: Within, limit = 0): Expression {
  const { type, line } = reader.token;
  let left: Expression;
  if (UNARY.test(type)) {
    reader.take();
    const argument = expression(reader, within, UNARY_PRIORITY);
    left = { type: "UnaryExpression", operator: type, argument, loc: reader.from(line) };
  } else left = simple(reader, within);
  for (;;) {
    const operator = reader.token.type;
    const [leftPriority, rightPriority] = PRIORITIES[operator] ?? [0, 0];
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
      return functionBody(reader, line);
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

/** A name or an expression in parentheses, with the calls and indexes behind it. */
function suffixed(reader: Reader, within: Within): Expression {
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
  const given = reader.is(")") ? [] : list(reader, within);
  reader.close(")", "(", line);
  return { type: "CallExpression", base, arguments: given, loc: reader.from(start) };
}
