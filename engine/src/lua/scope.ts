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
  readonly declared: object;
  readonly at: number;
}

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
  declare(name: string, declared: object): Place & { readonly at: number };
  placeOf(name: string): Place;
  inner(isVararg: boolean): Scope;
}

/**
 * Makes the scope of a function. `boxed` collects the declarations of the variables that inner functions use; it is
 * complete when the script has been compiled once.
 */
export function createScope(boxed: Set<object>, isVararg: boolean, outer?: Scope): Scope {
  /** The open blocks, each with its variables in order of declaration. */
  const blocks: Variable[][] = [[]];
  const captures: Place[] = [];
  const captured = new Map<string, number>();
  let used = 0;
  let size = 0;
  /** The newest variable of this name. It hides the others, even those of its own block. */
  const find = (name: string): Variable | undefined => {
    for (let at = blocks.length - 1; at >= 0; at--) {
      const found = blocks[at]?.findLast((variable) => variable.name === name);
      if (found) return found;
    }
    return undefined;
  };
  const registerOf = ({ declared, at }: Variable): Place & { readonly at: number } => ({
    where: boxed.has(declared) ? "box" : "register",
    at,
  });
  const scope: Scope & { capture(name: string): Place } = {
    get size() {
      return size;
    },
    isVararg,
    captures,
    open: () => void blocks.push([]),
    close() {
      used -= blocks.pop()?.length ?? 0;
    },
    declare(name, declared) {
      const variable = { name, declared, at: used++ };
      size = Math.max(size, used);
      blocks.at(-1)?.push(variable);
      return registerOf(variable);
    },
    placeOf(name) {
      const variable = find(name);
      if (variable) return registerOf(variable);
      // An upvalue belongs to one declaration, since the surrounding functions do not change while this one is
      // compiled.
      const known = captured.get(name);
      if (known !== undefined) return { where: "upvalue", at: known };
      const place = (outer as typeof scope | undefined)?.capture(name) ?? { where: "global" };
      if (place.where === "global") return place;
      captures.push(place);
      captured.set(name, captures.length - 1);
      return { where: "upvalue", at: captures.length - 1 };
    },
    capture(name) {
      const variable = find(name);
      if (!variable) return scope.placeOf(name);
      boxed.add(variable.declared);
      return { where: "box", at: variable.at };
    },
    inner: (vararg) => createScope(boxed, vararg, scope),
  };
  return scope;
}
