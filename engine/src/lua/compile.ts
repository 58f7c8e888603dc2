import { assignment, declaration, initial, local, type Setter } from "./assignments.ts";
import { type Context, siteOf } from "./context.ts";
import { expression, list, values } from "./expressions.ts";
import { BREAK, NEXT, RETURN, type Run } from "./flow.ts";
import { parseNumber } from "./number.ts";
import { call, failAt } from "./operations.ts";
import { createScope, Frame, type Get, type Place, type Scope } from "./scope.ts";
import type { Expression, FunctionNode, GenericFor, If, NumericFor, Statement } from "./syntax.ts";
import { Box, countStep, isList, isTrue, type LuaFunction, type Machine, NOTHING, type Value } from "./value.ts";

/**
 * Compiles a script to a function without arguments. It generates no code: the script becomes functions that call each
 * other.
 *
 * It is compiled twice. A variable that an inner function uses is in a box, and other uses of it may come before that
 * function: the first pass finds these variables, and the second one compiles their uses.
 */
export function compile(body: readonly Statement[], machine: Machine): LuaFunction {
  const boxed = new Set<object>();
  compileOnce(body, machine, boxed);
  return compileOnce(body, machine, boxed);
}

/** Compiles a script with the known boxes, and adds to `boxed` the variables that need one. */
function compileOnce(body: readonly Statement[], machine: Machine, boxed: Set<object>): LuaFunction {
  const scope = createScope(boxed, true);
  const run = block(body, contextOf(machine, scope));
  return closure({ run, size: scope.size, count: 0, isVararg: true, boxes: [], machine }, []);
}

function contextOf(machine: Machine, scope: Scope): Context {
  const context: Context = { machine, scope, functionOf: (node) => functionOf(node, context) };
  return context;
}

function functionOf(node: FunctionNode, { machine, scope }: Context): Get {
  const names = node.parameters;
  const inner = scope.inner(node.isVararg);
  const isMethod = node.identifier?.type === "MemberExpression" && node.identifier.indexer === ":";
  const parameters: Place[] = isMethod ? [inner.declare("self", node)] : [];
  for (const name of names) parameters.push(inner.declare(name.name, name));
  const run = block(node.body, contextOf(machine, inner));
  const boxes = parameters.flatMap((place, at) => (place.where === "box" ? [at] : []));
  const { size, isVararg } = inner;
  const code: Code = { run, size, count: parameters.length, isVararg, boxes, machine };
  const captures = inner.captures.map((place): ((frame: Frame) => Box) => {
    const { at } = place as { readonly at: number };
    return place.where === "upvalue" ? (frame) => frame.upvalues[at] as Box : (frame) => frame.registers[at] as Box;
  });
  return (frame) => {
    const upvalues: Box[] = [];
    for (const capture of captures) upvalues.push(capture(frame));
    return closure(code, upvalues);
  };
}

/** A compiled function: its body, how many registers and parameters it has, and which parameters are in boxes. */
interface Code {
  readonly run: Run;
  readonly size: number;
  readonly count: number;
  readonly isVararg: boolean;
  readonly boxes: readonly number[];
  readonly machine: Machine;
}

/**
 * Makes a function from its code. A call reuses the array of its arguments as its registers: truncated to the
 * parameters, and extended for the other variables.
 */
function closure({ run, size, count, isVararg, boxes, machine }: Code, upvalues: readonly Box[]): LuaFunction {
  return (args) => {
    countStep(machine);
    const varargs = isVararg ? args.slice(count) : NOTHING;
    const registers: (Value | Box)[] = args;
    if (args.length > count) registers.length = count;
    while (registers.length < size) registers.push(undefined);
    for (const at of boxes) registers[at] = new Box(registers[at] as Value);
    const frame = new Frame(registers, upvalues, varargs);
    machine.lines[machine.depth++] = machine.line;
    run(frame);
    // After an error, its catcher sets the depth: `pcall`, or the machine's next run.
    machine.depth--;
    return frame.result;
  };
}

/** Compiles statements with their own block, and further statements in the same block. */
function block(body: readonly Statement[], context: Context, behind?: (run: Run) => Run): Run {
  const { scope } = context;
  scope.open();
  const runs = body.map((node) => statement(node, context));
  const run = behind ? behind(sequence(runs)) : sequence(runs);
  scope.close();
  return run;
}

function sequence(runs: readonly Run[]): Run {
  const [only] = runs;
  if (only && runs.length === 1) return only;
  return (frame) => {
    for (let at = 0; at < runs.length; at++) {
      const end = (runs[at] as Run)(frame);
      if (end !== NEXT) return end;
    }
    return NEXT;
  };
}

function statement(node: Statement, context: Context): Run {
  const { machine } = context;
  switch (node.type) {
    case "LocalStatement":
      return local(node.variables, node.init, context);
    case "AssignmentStatement":
      return assignment(node.variables, node.init, context);
    case "CallStatement": {
      const run = values(node.expression, context);
      return (frame) => {
        run(frame);
        return NEXT;
      };
    }
    case "FunctionDeclaration":
      return declaration(node, context);
    case "DoStatement":
      return block(node.body, context);
    case "ReturnStatement":
      return returning(node.arguments, context);
    case "BreakStatement":
      return () => BREAK;
    case "IfStatement":
      return branches(node, context);
    case "WhileStatement": {
      const condition = expression(node.condition, context);
      const run = block(node.body, context);
      return (frame) => {
        while (isTrue(condition(frame))) {
          countStep(machine);
          const end = run(frame);
          if (end === BREAK) break;
          if (end === RETURN) return end;
        }
        return NEXT;
      };
    }
    case "RepeatStatement":
      // The condition sees the variables of the body.
      return block(node.body, context, (run) => {
        const condition = expression(node.condition, context);
        return (frame) => {
          do {
            countStep(machine);
            const end = run(frame);
            if (end === BREAK) break;
            if (end === RETURN) return end;
          } while (!isTrue(condition(frame)));
          return NEXT;
        };
      });
    case "ForNumericStatement":
      return numericFor(node, context);
    case "ForGenericStatement":
      return genericFor(node, context);
  }
}

function returning(nodes: readonly Expression[], context: Context): Run {
  const [only] = nodes;
  if (only && nodes.length === 1) {
    const get = values(only, context);
    return (frame) => {
      frame.result = get(frame);
      return RETURN;
    };
  }
  const all = list(nodes, context);
  return (frame) => {
    frame.result = all(frame);
    return RETURN;
  };
}

function branches({ clauses }: If, context: Context): Run {
  const all = clauses.map(({ condition, body }): [Get, Run] => [
    condition ? expression(condition, context) : () => true,
    block(body, context),
  ]);
  return (frame) => {
    for (const [condition, run] of all) if (isTrue(condition(frame))) return run(frame);
    return NEXT;
  };
}

function numericFor({ variable, start, end, step, body, loc }: NumericFor, context: Context): Run {
  const { scope, machine } = context;
  const parts = [start, end, ...(step ? [step] : [])].map((node) => expression(node, context));
  const site = siteOf(loc.start.line, context);
  scope.open();
  const set = initial(scope.declare(variable.name, variable));
  const run = block(body, context);
  scope.close();
  const names = ["initial value", "limit", "step"];
  const numbers = (frame: Frame): number[] =>
    parts.map((get, at) => {
      const value = get(frame);
      const number = typeof value === "string" ? parseNumber(value) : value;
      return typeof number === "number" ? number : failAt(site, `'for' ${names[at]} must be a number`);
    });
  return (frame) => {
    const [from = 0, to = 0, by = 1] = numbers(frame);
    for (let value = from; by > 0 ? value <= to : value >= to; value += by) {
      countStep(machine);
      set(frame, value);
      const ended = run(frame);
      if (ended === BREAK) break;
      if (ended === RETURN) return ended;
    }
    return NEXT;
  };
}

function genericFor({ variables, iterators, body, loc }: GenericFor, context: Context): Run {
  const { scope, machine } = context;
  const all = list(iterators, context);
  const site = siteOf(loc.start.line, context);
  scope.open();
  const sets = variables.map((variable) => initial(scope.declare(variable.name, variable)));
  const run = block(body, context);
  scope.close();
  return (frame) => {
    const [iterator, state, begin] = all(frame);
    for (let control = begin; ; ) {
      const result = call(site, iterator, [state, control]);
      const given: readonly Value[] = isList(result) ? result : [result];
      control = given[0];
      if (control === undefined) return NEXT;
      countStep(machine);
      for (let at = 0; at < sets.length; at++) (sets[at] as Setter)(frame, given[at]);
      const ended = run(frame);
      if (ended === BREAK) return NEXT;
      if (ended === RETURN) return ended;
    }
  };
}
