import { type Context, siteOf } from "./context.ts";
import { call, failAt, index, type Site } from "./operations.ts";
import { binary, logical, unary } from "./operators.ts";
import type { Frame, Get, GetMany } from "./scope.ts";
import type { Call, Expression, Field, Member } from "./syntax.ts";
import { LuaTable } from "./table.ts";
import { type Box, first, isList, NOTHING, type Result, type Value } from "./value.ts";

/** Compiles an expression to a function that returns its only or first value. */
export function expression(node: Expression, context: Context): Get {
  const constant = constantOf(node, context);
  if (constant !== undefined) return () => constant;
  switch (node.type) {
    case "StringLiteral":
    case "NumericLiteral":
    case "BooleanLiteral": {
      const { value } = node;
      return () => value;
    }
    case "NilLiteral":
      return () => undefined;
    case "VarargLiteral":
      return (frame) => frame.varargs[0];
    case "Identifier":
      return variable(node.name, node.loc.start.line, context);
    case "FunctionDeclaration":
      return context.functionOf(node);
    case "MemberExpression":
      return member(
        expression(node.base, context),
        node.identifier.name,
        siteOf(node.loc.end.line, context, node.base),
      );
    case "IndexExpression": {
      const base = expression(node.base, context);
      if (node.index.type === "StringLiteral")
        return member(base, node.index.value, siteOf(node.loc.end.line, context, node.base));
      return element(base, expression(node.index, context), siteOf(node.loc.end.line, context, node.base));
    }
    case "CallExpression": {
      const many = callOf(node, context);
      return (frame) => first(many(frame));
    }
    case "LogicalExpression":
      return logical(node.operator, expression(node.left, context), expression(node.right, context));
    case "BinaryExpression":
      return binary(
        node.operator,
        expression(node.left, context),
        expression(node.right, context),
        siteOf(node.right.loc.end.line, context, node.left, node.right),
      );
    case "UnaryExpression":
      return unary(
        node.operator,
        expression(node.argument, context),
        siteOf(node.argument.loc.end.line, context, node.argument),
      );
    case "TableConstructorExpression":
      return tableOf(node.fields, node.loc.end.line, context);
  }
}

/** Compiles an expression to a function that returns all its values. */
export function values(node: Expression, context: Context): GetMany {
  if (node.inParens) return expression(node, context);
  switch (node.type) {
    case "VarargLiteral":
      return (frame) => frame.varargs;
    case "CallExpression":
      return callOf(node, context);
    default:
      return expression(node, context);
  }
}

const isOpen = ({ type, inParens }: Expression): boolean =>
  !inParens && (type === "VarargLiteral" || type === "CallExpression");

/**
 * Compiles a list of expressions to a function that returns a new array: all values of the last one, one of the others.
 */
export function list(nodes: readonly Expression[], context: Context): (frame: Frame) => Value[] {
  const last = nodes.at(-1);
  const all = nodes.map((node) => expression(node, context));
  if (last && isOpen(last)) {
    const rest = values(last, context);
    all.pop();
    return (frame) => {
      const made: Value[] = [];
      for (const get of all) made.push(get(frame));
      const more = rest(frame);
      if (!isList(more)) made.push(more);
      else for (const value of more) made.push(value);
      return made;
    };
  }
  const [a, b, c, d] = all as [Get, Get, Get, Get];
  switch (all.length) {
    case 0:
      return () => [];
    case 1:
      return (frame) => [a(frame)];
    case 2:
      return (frame) => [a(frame), b(frame)];
    case 3:
      return (frame) => [a(frame), b(frame), c(frame)];
    case 4:
      return (frame) => [a(frame), b(frame), c(frame), d(frame)];
    default:
      return (frame) => all.map((get) => get(frame));
  }
}

/** Globals that are set for every run. */
const CHANGING = /^(KEYS|ARGV)$/;

/** The value of a global, or of a member of a library, that no script can change. */
function constantOf(node: Expression, context: Context): Value {
  const { machine, scope } = context;
  if (node.type === "Identifier") {
    if (CHANGING.test(node.name) || scope.placeOf(node.name).where !== "global") return undefined;
    return machine.globals.get(node.name);
  }
  if (node.type !== "MemberExpression" || node.base.type !== "Identifier") return undefined;
  const library = constantOf(node.base, context);
  return library instanceof LuaTable && library.readonly ? library.get(node.identifier.name) : undefined;
}

function variable(name: string, line: number, context: Context): Get {
  const place = context.scope.placeOf(name);
  const { globals } = context.machine;
  if (place.where === "global") {
    const site = siteOf(line, context);
    return () => {
      const value = globals.get(name);
      return value === undefined
        ? failAt(site, `Script attempted to access nonexistent global variable '${name}'`)
        : value;
    };
  }
  const { at } = place;
  if (place.where === "register") return (frame) => frame.registers[at] as Value;
  if (place.where === "box") return (frame) => (frame.registers[at] as Box).v;
  return (frame) => (frame.upvalues[at] as Box).v;
}

function member(base: Get, key: string, site: Site): Get {
  return (frame) => {
    const table = base(frame);
    if (table instanceof LuaTable) {
      const value = table.get(key);
      if (value !== undefined || table.meta === undefined) return value;
    }
    return index(site, table, key);
  };
}

function element(base: Get, at: Get, site: Site): Get {
  return (frame) => {
    const table = base(frame);
    const key = at(frame);
    if (table instanceof LuaTable) {
      const value = table.get(key);
      if (value !== undefined || table.meta === undefined) return value;
    }
    return index(site, table, key);
  };
}

function callOf(node: Call, context: Context): GetMany {
  const { base, arguments: nodes } = node;
  const site = siteOf(base.loc.end.line, context, base);
  const { machine, line } = site;
  if (base.type === "MemberExpression" && base.indexer === ":") return methodCall(base, nodes, site, context);
  const callee = expression(base, context);
  const args = list(nodes, context);
  return (frame) => {
    const called = callee(frame);
    const given = args(frame);
    if (typeof called !== "function") return call(site, called, given);
    machine.line = line;
    machine.isMethod = false;
    return called(given);
  };
}

function methodCall(base: Member, nodes: readonly Expression[], site: Site, context: Context): GetMany {
  const { machine, line } = site;
  const { name } = base.identifier;
  const { strings } = machine;
  const owner = siteOf(line, context, base.base);
  const method = (self: Value): Value => (typeof self === "string" ? strings.get(name) : index(owner, self, name));
  const object = expression(base.base, context);
  const args = behind(nodes, context);
  return (frame) => {
    const self = object(frame);
    const called = method(self);
    const given = args(frame, self);
    if (typeof called !== "function") return call(site, called, given);
    machine.line = line;
    machine.isMethod = true;
    return called(given);
  };
}

/** Like `list`, with a value before it. */
function behind(nodes: readonly Expression[], context: Context): (frame: Frame, before: Value) => Value[] {
  const [one, other] = nodes;
  if (!one) return (_, before) => [before];
  if (nodes.length > 2 || isOpen(other ?? one)) {
    const rest = list(nodes, context);
    return (frame, before) => [before, ...rest(frame)];
  }
  const a = expression(one, context);
  if (!other) return (frame, before) => [before, a(frame)];
  const b = expression(other, context);
  return (frame, before) => [before, a(frame), b(frame)];
}

function tableOf(fields: readonly Field[], line: number, context: Context): Get {
  const items = fields.flatMap((field) => (field.type === "TableValue" ? [field.value] : []));
  const site = siteOf(line, context);
  if (items.length === fields.length) {
    const all = list(items, context);
    if (items.length === 0) return () => new LuaTable();
    return (frame) => LuaTable.of(all(frame));
  }
  const last = fields.at(-1);
  const open = last?.type === "TableValue" && isOpen(last.value) ? values(last.value, context) : undefined;
  const steps = fields.slice(0, open ? -1 : undefined).map((field): [Get | undefined, Get] => {
    const value = expression(field.value, context);
    if (field.type === "TableValue") return [undefined, value];
    const key = field.type === "TableKeyString" ? field.key.name : undefined;
    return [field.type === "TableKey" ? expression(field.key, context) : () => key, value];
  });
  return (frame) => {
    const positional: Value[] = [];
    const named: [Value, Value][] = [];
    for (const [getKey, getValue] of steps) {
      if (!getKey) {
        positional.push(getValue(frame));
        continue;
      }
      const key = getKey(frame);
      if (key === undefined) failAt(site, "table index is nil");
      named.push([key, getValue(frame)]);
    }
    const rest: Result = open ? open(frame) : NOTHING;
    for (const value of isList(rest) ? rest : [rest]) positional.push(value);
    const table = LuaTable.of(positional);
    // A value without a key takes precedence over one whose key is its index.
    const isTaken = (key: Value): boolean =>
      typeof key === "number" && Number.isInteger(key) && key >= 1 && key <= positional.length;
    for (const [key, value] of named) if (!isTaken(key)) table.set(key, value);
    return table;
  };
}
