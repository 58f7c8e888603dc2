import { type Context, siteOf } from "./context.ts";
import { expression, list } from "./expressions.ts";
import { NEXT, type Run } from "./flow.ts";
import { setIndex } from "./operations.ts";
import type { Frame, Place } from "./scope.ts";
import type { Expression, FunctionNode, Target } from "./syntax.ts";
import { Box, type Value } from "./value.ts";

/** Sets a variable, or an element of a table. */
export type Setter = (frame: Frame, value: Value) => void;

/** Sets a variable declared here. */
export function initial({ where, at }: Place & { readonly at: number }): Setter {
  if (where === "box")
    return (frame, value) => {
      frame.registers[at] = new Box(value);
    };
  return (frame, value) => {
    frame.registers[at] = value;
  };
}

export function local(
  variables: readonly { readonly name: string }[],
  init: readonly Expression[],
  context: Context,
): Run {
  const [one] = init;
  const get = one && variables.length === 1 && init.length === 1 ? expression(one, context) : undefined;
  const all = list(init, context);
  const sets = variables.map((variable) => initial(context.scope.declare(variable.name, variable)));
  const [set] = sets as [Setter];
  if (get)
    return (frame) => {
      set(frame, get(frame));
      return NEXT;
    };
  return (frame) => {
    const given = all(frame);
    for (let at = 0; at < sets.length; at++) (sets[at] as Setter)(frame, given[at]);
    return NEXT;
  };
}

/** Compiles the left side of an assignment. The first function evaluates its parts, before any value is assigned. */
function target(node: Target, context: Context): (frame: Frame) => Setter {
  const { machine, scope } = context;
  const site = siteOf(node.loc.end.line, context, node.type === "Identifier" ? undefined : node.base);
  if (node.type === "Identifier") {
    const place = scope.placeOf(node.name);
    const set = ((): Setter => {
      if (place.where === "global") return (_, value) => setIndex(site, machine.globals, node.name, value);
      const { at } = place;
      if (place.where === "register")
        return (frame, value) => {
          frame.registers[at] = value;
        };
      if (place.where === "box")
        return (frame, value) => {
          (frame.registers[at] as Box).v = value;
        };
      return (frame, value) => {
        (frame.upvalues[at] as Box).v = value;
      };
    })();
    return () => set;
  }
  const base = expression(node.base, context);
  const name = node.type === "MemberExpression" ? node.identifier.name : "";
  const key = node.type === "IndexExpression" ? expression(node.index, context) : () => name;
  return (frame) => {
    const table = base(frame);
    const at = key(frame);
    return (_, value) => setIndex(site, table, at, value);
  };
}

export function assignment(variables: readonly Target[], init: readonly Expression[], context: Context): Run {
  const targets = variables.map((node) => target(node, context));
  const [one] = targets as [(frame: Frame) => Setter];
  const [value] = init as [Expression];
  if (targets.length === 1 && init.length === 1) {
    const get = expression(value, context);
    return (frame) => {
      one(frame)(frame, get(frame));
      return NEXT;
    };
  }
  const all = list(init, context);
  return (frame) => {
    const sets = targets.map((prepare) => prepare(frame));
    const given = all(frame);
    for (let at = sets.length - 1; at >= 0; at--) (sets[at] as Setter)(frame, given[at]);
    return NEXT;
  };
}

export function declaration(node: FunctionNode, context: Context): Run {
  const { identifier } = node;
  if (node.isLocal && identifier?.type === "Identifier") {
    // Declared first, so that it can call itself.
    const place = context.scope.declare(identifier.name, identifier);
    const get = context.functionOf(node);
    const set = initial(place);
    return (frame) => {
      set(frame, undefined);
      const made = get(frame);
      if (place.where === "box") (frame.registers[place.at] as Box).v = made;
      else frame.registers[place.at] = made;
      return NEXT;
    };
  }
  const prepare = target(identifier as Target, context);
  const get = context.functionOf(node);
  return (frame) => {
    prepare(frame)(frame, get(frame));
    return NEXT;
  };
}
