import { type Context, constantGlobal, nest, siteOf } from "./context.ts";
import {
  arrayTable,
  boxed,
  call,
  chain,
  constant,
  element,
  emptyTable,
  type FieldOf,
  firstVararg,
  type GetList,
  global,
  list as listOf,
  member,
  methodCall,
  onlyFirst,
  openList,
  operand,
  register,
  table,
  upvalue,
  varargs,
} from "./evaluation.ts";
import { binary, logical, unary } from "./operators.ts";
import type { Get, GetMany } from "./scope.ts";
import type { Call, Expression, Field, Identifier } from "./syntax.ts";
import { LuaTable } from "./table.ts";
import type { Value } from "./value.ts";

/** The maximum operations of a chain that become functions inside each other, which is faster than steps. */
const MAX_NESTED = 4;

/** Compiles an expression to a function that returns its only or first value. */
export function expression(node: Expression, context: Context): Get {
  if (isLong(node)) return nest(context, "chain", () => steps(node, context));
  return nest(context, "expression", () => nested(node, context));
}

/** The operand that an operation begins with. A parser reads a chain of any length without recursion. */
function operandOf(node: Expression): Expression | undefined {
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression":
      return node.left;
    case "MemberExpression":
    case "IndexExpression":
      return node.base;
    case "CallExpression":
      return node.base.type === "MemberExpression" && node.base.indexer === ":" ? node.base.base : node.base;
    default:
      return undefined;
  }
}

function isLong(node: Expression): boolean {
  let at: Expression | undefined = node;
  for (let length = 0; at !== undefined; length++) {
    if (length > MAX_NESTED) return true;
    at = operandOf(at);
  }
  return false;
}

/** Compiles a chain of operations to steps, so that neither this nor its evaluation needs a stack of its length. */
function steps(node: Expression, context: Context): Get {
  const nodes: Expression[] = [];
  let begin = node;
  for (let next = operandOf(node); next !== undefined; next = operandOf(begin)) {
    nodes.push(begin);
    begin = next;
  }
  const get = expression(begin, context);
  return chain(
    get,
    nodes.reverse().map((step) => nested(step, context, operand)),
  );
}

/** Compiles an operation. @param target its first operand, if that is compiled already */
function nested(node: Expression, context: Context, target?: Get): Get {
  const value = target ? undefined : constantOf(node, context);
  if (value !== undefined) return constant(value);
  switch (node.type) {
    case "StringLiteral":
    case "NumericLiteral":
    case "BooleanLiteral":
      return constant(node.value);
    case "NilLiteral":
      return constant(undefined);
    case "VarargLiteral":
      return firstVararg;
    case "Identifier":
      return variable(node, context);
    case "FunctionDeclaration":
      return context.functionOf(node);
    case "MemberExpression":
      return member(
        target ?? expression(node.base, context),
        node.identifier.name,
        siteOf(node.loc.end.line, context, node.base),
      );
    case "IndexExpression": {
      const base = target ?? expression(node.base, context);
      const site = siteOf(node.loc.end.line, context, node.base);
      return node.index.type === "StringLiteral"
        ? member(base, node.index.value, site)
        : element(base, expression(node.index, context), site);
    }
    case "CallExpression":
      return onlyFirst(callOf(node, context, target));
    case "LogicalExpression":
      return logical(node.operator, target ?? expression(node.left, context), expression(node.right, context));
    case "BinaryExpression":
      return binary(
        node.operator,
        target ?? expression(node.left, context),
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
      return nest(context, "table", () => tableOf(node.fields, node.loc.end.line, context));
  }
}

/** Compiles an expression to a function that returns all its values. */
export function values(node: Expression, context: Context): GetMany {
  if (node.inParens) return expression(node, context);
  switch (node.type) {
    case "VarargLiteral":
      return varargs;
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
export function list(nodes: readonly Expression[], context: Context): GetList {
  const last = nodes.at(-1);
  const isLastOpen = last !== undefined && isOpen(last);
  const all: Get[] = [];
  for (const node of isLastOpen ? nodes.slice(0, -1) : nodes) all.push(expression(node, context));
  return isLastOpen ? openList(context.machine, all, values(last, context)) : listOf(all);
}

/** The value of a global, or of a member of a library, that no script can change. */
function constantOf(node: Expression, context: Context): Value {
  const { machine, scope } = context;
  if (node.type === "Identifier")
    return scope.placeOf(node).where === "global" ? constantGlobal(machine, node.name) : undefined;
  if (node.type !== "MemberExpression" || node.base.type !== "Identifier") return undefined;
  const { name } = node.identifier;
  const library = constantOf(node.base, context);
  if (library === machine.globals) return constantGlobal(machine, name);
  return library instanceof LuaTable && library.isReadOnly ? library.get(name) : undefined;
}

function variable(node: Identifier, context: Context): Get {
  const place = context.scope.placeOf(node);
  switch (place.where) {
    case "global":
      return global(context.machine, node.name, siteOf(node.loc.start.line, context));
    case "register":
      return register(place.at);
    case "box":
      return boxed(place.at);
    case "upvalue":
      return upvalue(place.at);
  }
}

function callOf({ base, arguments: nodes }: Call, context: Context, evaluated?: Get): GetMany {
  const isMethod = base.type === "MemberExpression" && base.indexer === ":";
  const site = siteOf(base.loc.end.line, context, base);
  const owner = isMethod ? base.base : base;
  const begin = evaluated ?? expression(owner, context);
  const args = nest(context, "arguments", () => list(nodes, context));
  if (!isMethod) return call(begin, args, site);
  return methodCall(begin, base.identifier.name, args, site, siteOf(site.line, context, owner));
}

function tableOf(fields: readonly Field[], line: number, context: Context): Get {
  if (fields.length === 0) return emptyTable(context.machine);
  const items = fields.flatMap((field) => (field.type === "TableValue" ? [field.value] : []));
  if (items.length === fields.length) return arrayTable(context.machine, list(items, context));
  const made: FieldOf[] = [];
  let open: GetMany | undefined;
  for (const [at, field] of fields.entries()) {
    if (field.type === "TableKeyString") made.push([constant(field.key.name), expression(field.value, context)]);
    else if (field.type === "TableKey") made.push([expression(field.key, context), expression(field.value, context)]);
    else if (at === fields.length - 1 && isOpen(field.value)) open = values(field.value, context);
    else made.push([undefined, expression(field.value, context)]);
  }
  return table(made, open, siteOf(line, context));
}
