import type { Site } from "./operations.ts";
import type { Get, Scope } from "./scope.ts";
import type { Expression, FunctionNode } from "./syntax.ts";
import type { Machine } from "./value.ts";

/** The state while a function is compiled, and the compiler of a function inside it. */
export interface Context {
  readonly machine: Machine;
  readonly scope: Scope;
  readonly functionOf: (node: FunctionNode) => Get;
}

/** The name of an operand in errors. */
function nameOf(node: Expression, { scope }: Context): string | undefined {
  if (node.type === "Identifier") {
    const { where } = scope.placeOf(node.name);
    return `${where === "global" || where === "upvalue" ? where : "local"} '${node.name}'`;
  }
  if (node.type === "MemberExpression") return `${node.indexer === ":" ? "method" : "field"} '${node.identifier.name}'`;
  if (node.type !== "IndexExpression") return undefined;
  return `field '${node.index.type === "StringLiteral" ? node.index.value : "?"}'`;
}

/** The position in the script for an error, and its operands. */
export const siteOf = (line: number, context: Context, node?: Expression, other?: Expression): Site => ({
  machine: context.machine,
  line,
  name: node && nameOf(node, context),
  otherName: other && nameOf(other, context),
});
