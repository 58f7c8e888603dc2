import { type Context, siteOf } from "./context.ts";
import { constant } from "./evaluation.ts";
import {
  assignAll,
  elementOf,
  initial,
  type Prepare,
  prepared,
  setElement,
  setLocalFunction,
  setterOf,
  setVariable,
  setVariables,
} from "./execution.ts";
import { expression, list } from "./expressions.ts";
import type { Run } from "./flow.ts";
import type { Site } from "./operations.ts";
import type { Get } from "./scope.ts";
import type { Expression, FunctionNode, Identifier, Target } from "./syntax.ts";

export function local(variables: readonly Identifier[], init: readonly Expression[], context: Context): Run {
  const [get] = init.length === 1 && variables.length === 1 ? init : [];
  const value = get && expression(get, context);
  const values = value ? undefined : list(init, context);
  const sets = variables.map((variable) => initial(context.scope.declare(variable.name, variable)));
  const [set] = sets;
  if (value && set) return setVariable(set, value);
  return setVariables(sets, values ?? list([], context));
}

/** The table and the key of an element that is assigned. */
interface Element {
  readonly base: Get;
  readonly key: Get;
  readonly site: Site;
}

function element(node: Exclude<Target, Identifier>, context: Context): Element {
  const base = expression(node.base, context);
  const key = node.type === "IndexExpression" ? expression(node.index, context) : constant(node.identifier.name);
  return { base, key, site: siteOf(node.loc.end.line, context, node.base) };
}

/** Compiles the left side of an assignment. */
function target(node: Target, context: Context): Prepare {
  if (node.type !== "Identifier") {
    const { base, key, site } = element(node, context);
    return elementOf(base, key, site);
  }
  return prepared(setterOf(context.scope.placeOf(node), node.name, siteOf(node.loc.end.line, context)));
}

/** Compiles an assignment of one value to one target. */
function assignOne(node: Target, compile: () => Get, context: Context): Run {
  if (node.type !== "Identifier") {
    const { base, key, site } = element(node, context);
    return setElement(base, key, compile(), site);
  }
  const set = setterOf(context.scope.placeOf(node), node.name, siteOf(node.loc.end.line, context));
  return setVariable(set, compile());
}

export function assignment(variables: readonly Target[], init: readonly Expression[], context: Context): Run {
  const [one] = variables;
  const [value] = init;
  if (one && value && variables.length === 1 && init.length === 1)
    return assignOne(one, () => expression(value, context), context);
  const targets = variables.map((node) => target(node, context));
  return assignAll(targets, list(init, context));
}

export function declaration(node: FunctionNode, context: Context): Run {
  const { identifier } = node;
  if (identifier === null) throw new Error("a function without a name is not a statement");
  if (!node.isLocal || identifier.type !== "Identifier")
    return assignOne(identifier, () => context.functionOf(node), context);
  // Declared first, so that it can call itself.
  const place = context.scope.declare(identifier.name, identifier);
  const get = context.functionOf(node);
  return setLocalFunction(initial(place), setterOf(place, identifier.name, siteOf(node.loc.start.line, context)), get);
}
