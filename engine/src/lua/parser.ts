import { Budget } from "../budget.ts";
import { expression, list, suffixed } from "./expression-parser.ts";
import type { Chunk, Expression, FunctionNode, Identifier, Statement, Target } from "./syntax.ts";
import { createReader, declare, type Reader, type Within } from "./token-reader.ts";

const END_OF_BLOCK = /^(else|elseif|end|until|eof)$/;
const STATEMENTS = /^(if|while|do|for|repeat|function|local|return|break)$/;

type Block = readonly Statement[];
/**
 * Parses a script of Lua 5.1, given as one character for each byte.
 *
 * @param levels the number of levels of nesting that the caller uses
 * @throws SyntaxFailure
 * @throws OutOfBudget
 */
export function parse(text: string, budget: Budget = new Budget(), levels = 0): Chunk {
  const reader = createReader(text, levels, budget);
  const body = block(reader, { line: 0, isVararg: true, locals: 0, loops: 0, functionBody });
  reader.expect("eof");
  return { body, tokens: reader.count };
}

function block(reader: Reader, within: Within): Block {
  const statements: Statement[] = [];
  const { locals } = within;
  reader.enter();
  while (!END_OF_BLOCK.test(reader.token.type)) {
    const { type } = reader.token;
    statements.push(statement(reader, within));
    reader.accept(";");
    if (type === "return" || type === "break") break;
  }
  reader.leave();
  within.locals = locals;
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
  const from = reader.count;
  reader.take();
  switch (type) {
    case "if":
      return ifStatement(reader, within, line);
    case "for":
      return forStatement(reader, within, line, from);
    case "local":
      return local(reader, within, line);
    case "while": {
      const condition = expression(reader, within);
      reader.expect("do");
      const body = loop(reader, within);
      reader.close("end", "while", line);
      return { type: "WhileStatement", condition, body, tokens: reader.count - from, loc: reader.from(line) };
    }
    case "repeat": {
      const body = loop(reader, within);
      reader.close("until", "repeat", line);
      const condition = expression(reader, within);
      return { type: "RepeatStatement", body, condition, tokens: reader.count - from, loc: reader.from(line) };
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

/** The variables of a `for` loop that it does not name. */
const HIDDEN_LOCALS = 3;

/** @param from how many tokens precede it */
function forStatement(reader: Reader, within: Within, line: number, from: number): Statement {
  const variable = reader.name();
  const { locals } = within;
  if (reader.accept("=")) {
    declare(reader, within, HIDDEN_LOCALS + 1);
    const start = expression(reader, within);
    reader.expect(",");
    const end = expression(reader, within);
    const step = reader.accept(",") ? expression(reader, within) : null;
    const body = forBody(reader, within, line);
    within.locals = locals;
    const tokens = reader.count - from;
    return { type: "ForNumericStatement", variable, start, end, step, body, tokens, loc: reader.from(line) };
  }
  if (!reader.is(",") && !reader.is("in")) reader.fail("'=' or 'in' expected");
  const variables = [variable];
  while (reader.accept(",")) variables.push(reader.name());
  declare(reader, within, HIDDEN_LOCALS + variables.length);
  reader.expect("in");
  const iterators = list(reader, within);
  const body = forBody(reader, within, line);
  within.locals = locals;
  const tokens = reader.count - from;
  return { type: "ForGenericStatement", variables, iterators, body, tokens, loc: reader.from(line) };
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
    declare(reader, within);
    return { ...functionBody(reader, line), identifier, isLocal: true };
  }
  const variables: Identifier[] = [];
  do {
    variables.push(reader.name());
    declare(reader, within);
  } while (reader.accept(","));
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
  const isMethod = identifier.type === "MemberExpression" && identifier.indexer === ":";
  return { ...functionBody(reader, line, isMethod), identifier, isLocal: false };
}

function functionBody(reader: Reader, line: number, isMethod = false): FunctionNode {
  const from = reader.count;
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
  const within: Within = { line, isVararg, locals: 0, loops: 0, functionBody };
  declare(reader, within, parameters.length + Number(isMethod) + Number(isVararg));
  const body = block(reader, within);
  reader.close("end", "function", line);
  return {
    type: "FunctionDeclaration",
    identifier: null,
    isLocal: false,
    parameters,
    isVararg,
    body,
    tokens: reader.count - from,
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
