import { failNear } from "./lexer.ts";
import type { FunctionNode, Identifier } from "./syntax.ts";
import type { Box, Result, Value } from "./value.ts";

/** The variables of one call of a function. A variable that an inner function uses is in a box. */
export class Frame {
  readonly registers: (Value | Box)[];
  readonly upvalues: readonly Box[];
  readonly varargs: readonly Value[];
  /** Set by `return`. */
  result: Result = [];
  /** The value that the next step of a chain begins with. */
  operand: Value = undefined;
  constructor(registers: (Value | Box)[], upvalues: readonly Box[], varargs: readonly Value[]) {
    this.registers = registers;
    this.upvalues = upvalues;
    this.varargs = varargs;
  }
}

export type Get = (frame: Frame) => Value;
export type GetMany = (frame: Frame) => Result;

export type Place =
  | { readonly where: "register" | "box" | "upvalue"; readonly at: number }
  | { readonly where: "global" };

interface Variable {
  readonly name: string;
  readonly declared: Declaration;
  readonly at: number;
}

/** What a variable is declared by. */
type Declaration = Identifier | FunctionNode;

/** The names that a function sees while it is compiled. */
export interface Scope {
  /** The number of registers that the function needs. */
  readonly size: number;
  readonly isVararg: boolean;
  /** The boxes that a new closure of it captures from the surrounding function. */
  readonly captures: readonly Place[];
  /** Begins and ends a block. */
  open(): void;
  close(): void;
  /** Adds a variable to the block. `declared` is the syntax node that declares it. */
  declare(name: string, declared: Declaration): Place & { readonly at: number };
  placeOf(node: Identifier): Place;
  inner(node: FunctionNode): Scope;
}

/** The maximum number of variables of other functions that a function uses, as in Lua. */
const MAX_UPVALUES = 60;

/**
 * Makes the scope of a script. `boxed` collects the declarations of the variables that inner functions use; it is
 * complete when the script has been compiled once.
 */
export const createScope = (boxed: Set<object>): Scope => scopeOf({ boxed, visible: new Map() });

/** What the scopes of a script share. */
interface Shared {
  readonly boxed: Set<object>;
  /** How many variables of a name are visible in the current function and those around it; a global has none. */
  readonly visible: Map<string, number>;
}

interface InnerScope extends Scope {
  /** Finds a variable for an inner function. */
  capture(node: Identifier): Place;
}

/** @param node the function; undefined for the script itself */
function scopeOf(shared: Shared, node?: FunctionNode, outer?: InnerScope): InnerScope {
  const { boxed, visible } = shared;
  /** The variables of each name, in order of declaration. The newest one hides the others. */
  const named = new Map<string, Variable[]>();
  /** The names of the variables of each open block. */
  const blocks: string[][] = [];
  const captures: Place[] = [];
  const captured = new Map<string, number>();
  let used = 0;
  let size = 0;
  const find = (name: string): Variable | undefined => named.get(name)?.at(-1);
  const registerOf = ({ declared, at }: Variable): Place & { readonly at: number } => ({
    where: boxed.has(declared) ? "box" : "register",
    at,
  });
  const count = (name: string, by: number): void => void visible.set(name, (visible.get(name) ?? 0) + by);
  const scope: InnerScope = {
    get size() {
      return size;
    },
    isVararg: node?.isVararg ?? true,
    captures,
    open: () => void blocks.push([]),
    close() {
      const names = blocks.pop() ?? [];
      for (const name of names) {
        named.get(name)?.pop();
        count(name, -1);
      }
      used -= names.length;
    },
    declare(name, declared) {
      const variable = { name, declared, at: used++ };
      size = Math.max(size, used);
      blocks.at(-1)?.push(name);
      count(name, 1);
      const same = named.get(name);
      if (same) same.push(variable);
      else named.set(name, [variable]);
      return registerOf(variable);
    },
    placeOf(use) {
      const variable = find(use.name);
      if (variable) return registerOf(variable);
      if (!visible.get(use.name)) return { where: "global" };
      // An upvalue belongs to one declaration, since the surrounding functions do not change while this one is
      // compiled.
      const known = captured.get(use.name);
      if (known !== undefined) return { where: "upvalue", at: known };
      const place = outer?.capture(use) ?? { where: "global" };
      if (place.where === "global") return place;
      if (captures.length === MAX_UPVALUES)
        failNear(`function at line ${node?.loc.start.line} has more than ${MAX_UPVALUES} upvalues`, use.loc.start.line);
      captures.push(place);
      captured.set(use.name, captures.length - 1);
      return { where: "upvalue", at: captures.length - 1 };
    },
    capture(use) {
      const variable = find(use.name);
      if (!variable) return scope.placeOf(use);
      boxed.add(variable.declared);
      return { where: "box", at: variable.at };
    },
    inner: (each) => scopeOf(shared, each, scope),
  };
  return scope;
}
