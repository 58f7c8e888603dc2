import { assignment, declaration, local } from "./assignments.ts";
import { type Context, nest, siteOf } from "./context.ts";
import { constant, list as listOf } from "./evaluation.ts";
import {
  branches,
  breaking,
  type Code,
  callOnly,
  closure,
  genericLoop,
  initial,
  newClosure,
  numericLoop,
  repeatLoop,
  returning,
  sequence,
  whileLoop,
} from "./execution.ts";
import { expression, list, values } from "./expressions.ts";
import type { Run } from "./flow.ts";
import { createScope, type Get, type Place, type Scope } from "./scope.ts";
import type {
  Chunk,
  Expression,
  FunctionNode,
  GenericFor,
  If,
  Loop,
  NumericFor,
  Repeated,
  Statement,
} from "./syntax.ts";
import { CALL_NEED, type LuaFunction, type Machine } from "./value.ts";

/**
 * Compiles a script to a function without arguments. It generates no code: the script becomes functions that call each
 * other.
 *
 * It is compiled twice. A variable that an inner function uses is in a box, and other uses of it may come before that
 * function: the first pass finds these variables, and the second one compiles their uses.
 */
export function compile(chunk: Chunk, machine: Machine): LuaFunction {
  const boxed = new Set<object>();
  const names = new Map<string, string>();
  compileOnce(chunk, machine, boxed, names);
  return compileOnce(chunk, machine, boxed, names);
}

/** Compiles a script with the known boxes, and adds to `boxed` the variables that need one. */
function compileOnce(chunk: Chunk, machine: Machine, boxed: Set<object>, names: Map<string, string>): LuaFunction {
  const context = contextOf(machine, createScope(boxed), names);
  const run = block(chunk.body, context);
  return closure(codeOf(chunk, run, [], context), []);
}

function contextOf(machine: Machine, scope: Scope, names: Map<string, string>): Context {
  const nesting = { depth: 0, deepest: 0 };
  const context: Context = { machine, scope, names, nesting, functionOf: (node) => functionOf(node, context) };
  return context;
}

/** So many tokens of a script run in the time of a step. */
const TOKENS_IN_A_STEP = 16;

/** The steps of one run of a function's body besides its call, or of a loop's body besides its iteration. */
const stepsOf = ({ tokens }: Repeated): number => Math.floor(tokens / TOKENS_IN_A_STEP);

/** @param parameters the places of the parameters */
function codeOf(node: Repeated, run: Run, parameters: readonly Place[], { machine, scope, nesting }: Context): Code {
  return {
    run,
    steps: stepsOf(node),
    size: scope.size,
    count: parameters.length,
    isVararg: scope.isVararg,
    boxes: parameters.flatMap((place, at) => (place.where === "box" ? [at] : [])),
    need: CALL_NEED + nesting.deepest,
    machine,
  };
}

function functionOf(node: FunctionNode, { machine, scope, names }: Context): Get {
  const inner = scope.inner(node);
  inner.open();
  const isMethod = node.identifier?.type === "MemberExpression" && node.identifier.indexer === ":";
  const parameters: Place[] = isMethod ? [inner.declare("self", node)] : [];
  for (const name of node.parameters) parameters.push(inner.declare(name.name, name));
  const context = contextOf(machine, inner, names);
  const run = block(node.body, context);
  inner.close();
  return newClosure(codeOf(node, run, parameters, context), inner.captures);
}

/** Compiles statements with their own block. */
function block(body: readonly Statement[], context: Context): Run {
  context.scope.open();
  const run = statements(body, context);
  context.scope.close();
  return run;
}

function statements(body: readonly Statement[], context: Context): Run {
  const runs: Run[] = [];
  for (const node of body) runs.push(statement(node, context));
  return sequence(runs);
}

/** Compiles a statement to a function that returns how it ended. */
function statement(node: Statement, context: Context): Run {
  return nest(context, "statement", () => compiled(node, context));
}

function compiled(node: Statement, context: Context): Run {
  const { machine } = context;
  switch (node.type) {
    case "LocalStatement":
      return local(node.variables, node.init, context);
    case "AssignmentStatement":
      return assignment(node.variables, node.init, context);
    case "CallStatement":
      return callOnly(values(node.expression, context));
    case "FunctionDeclaration":
      return declaration(node, context);
    case "DoStatement":
      return block(node.body, context);
    case "ReturnStatement":
      return returningOf(node.arguments, context);
    case "BreakStatement":
      return breaking;
    case "IfStatement":
      return nest(context, "branches", () => branchesOf(node, context));
    case "WhileStatement":
      return nest(context, "loop", () =>
        whileLoop(machine, 1 + stepsOf(node), expression(node.condition, context), block(node.body, context)),
      );
    case "RepeatStatement":
      return nest(context, "loop", () => repeat(node, context));
    case "ForNumericStatement":
      return nest(context, "loop", () => numericFor(node, context));
    case "ForGenericStatement":
      return nest(context, "loop", () => genericFor(node, context));
  }
}

function returningOf(nodes: readonly Expression[], context: Context): Run {
  const [only] = nodes;
  return returning(only && nodes.length === 1 ? values(only, context) : list(nodes, context));
}

function branchesOf({ clauses }: If, context: Context): Run {
  return branches(
    clauses.map(({ condition, body }) => [
      condition ? expression(condition, context) : constant(true),
      block(body, context),
    ]),
  );
}

function repeat(node: Loop, context: Context): Run {
  const { body, condition } = node;
  // The condition sees the variables of the body.
  context.scope.open();
  const run = statements(body, context);
  const until = expression(condition, context);
  context.scope.close();
  return repeatLoop(context.machine, 1 + stepsOf(node), run, until);
}

function numericFor(node: NumericFor, context: Context): Run {
  const { variable, start, end, step, body, loc } = node;
  const { scope } = context;
  const bounds = [start, end, ...(step ? [step] : [])].map((node) => expression(node, context));
  scope.open();
  const set = initial(scope.declare(variable.name, variable));
  const run = block(body, context);
  scope.close();
  return numericLoop(listOf(bounds), set, 1 + stepsOf(node), run, siteOf(loc.start.line, context));
}

function genericFor(node: GenericFor, context: Context): Run {
  const { variables, iterators, body, loc } = node;
  const { scope } = context;
  const begin = list(iterators, context);
  scope.open();
  const sets = variables.map((variable) => initial(scope.declare(variable.name, variable)));
  const run = block(body, context);
  scope.close();
  return genericLoop(begin, sets, 1 + stepsOf(node), run, siteOf(loc.start.line, context));
}
