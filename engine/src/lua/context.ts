import type { Site } from "./operations.ts";
import type { Get, Scope } from "./scope.ts";
import type { Expression, FunctionNode } from "./syntax.ts";
import type { Machine, Value } from "./value.ts";

/** Globals that are set for every run. All others are the same for all scripts. */
export const VARIABLES = ["KEYS", "ARGV"] as const;
export type Variable = (typeof VARIABLES)[number];
const isVariable = (name: string): boolean => (VARIABLES as readonly string[]).includes(name);

/** The value of a global that no script can change. */
export const constantGlobal = ({ globals }: Machine, name: string): Value =>
  isVariable(name) ? undefined : globals.get(name);

/**
 * What parts of a function need of the host's stack while the parts inside them run, in units of some 60 bytes. These
 * are measurements of V8's interpreter, whose frames are larger than those of optimized code.
 */
export const NEEDS = {
  statement: 2,
  branches: 3,
  loop: 4,
  expression: 2,
  chain: 7,
  table: 5,
  arguments: 5,
} as const;

/** What the nested statements and expressions of a function need of the host's stack. */
interface Nesting {
  depth: number;
  deepest: number;
}

/** The state while a function is compiled, and the compiler of a function inside it. */
export interface Context {
  readonly machine: Machine;
  readonly scope: Scope;
  readonly nesting: Nesting;
  /** The names of operands in errors. Many operations share one. */
  readonly names: Map<string, string>;
  readonly functionOf: (node: FunctionNode) => Get;
}

/** Compiles a part of a function that is nested in the others which have not ended. */
export function nest<Part>({ nesting }: Context, need: keyof typeof NEEDS, compile: () => Part): Part {
  const { depth } = nesting;
  nesting.depth += NEEDS[need];
  nesting.deepest = Math.max(nesting.deepest, nesting.depth);
  const part = compile();
  nesting.depth = depth;
  return part;
}

/** The name of an operand in errors. */
function nameOf(node: Expression, { scope }: Context): string | undefined {
  if (node.type === "Identifier") {
    const { where } = scope.placeOf(node);
    return `${where === "global" || where === "upvalue" ? where : "local"} '${node.name}'`;
  }
  if (node.type === "MemberExpression") return `${node.indexer === ":" ? "method" : "field"} '${node.identifier.name}'`;
  if (node.type !== "IndexExpression") return undefined;
  return `field '${node.index.type === "StringLiteral" ? node.index.value : "?"}'`;
}

/** The same text for equal names. */
function shared(name: string | undefined, { names }: Context): string | undefined {
  if (name === undefined) return undefined;
  const known = names.get(name) ?? name;
  names.set(name, known);
  return known;
}

/** The position in the script for an error, and its operands. */
export const siteOf = (line: number, context: Context, node?: Expression, other?: Expression): Site => ({
  machine: context.machine,
  line,
  name: shared(node && nameOf(node, context), context),
  otherName: shared(other && nameOf(other, context), context),
});
