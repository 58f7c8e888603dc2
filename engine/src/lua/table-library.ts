import { type Arguments, library } from "./arguments.ts";
import { callBack, entriesOf, isLess, put, textIn } from "./operations.ts";
import type { LuaTable } from "./table.ts";
import { fail, first, isTrue, type LuaFunction, type Machine, NOTHING, typeOf, type Value } from "./value.ts";

function insert(machine: Machine, read: Arguments): LuaFunction {
  return (args) => {
    const { budget } = machine;
    const table = read.table(args, 0);
    let end = table.length() + 1;
    if (args.length === 2) {
      put(budget, table, end, args[1]);
      return NOTHING;
    }
    if (args.length !== 3) fail(machine, "wrong number of arguments to 'insert'");
    const at = read.integer(args, 1);
    if (at > end) end = at;
    budget.values(end - at);
    for (; end > at; end--) put(budget, table, end, table.get(end - 1));
    put(budget, table, at, args[2]);
    return NOTHING;
  };
}

function remove(machine: Machine, read: Arguments): LuaFunction {
  return (args) => {
    const { budget } = machine;
    const table = read.table(args, 0);
    const size = table.length();
    let at = read.integer(args, 1, size);
    if (!(at >= 1 && at <= size)) return NOTHING;
    const removed = table.get(at);
    budget.values(size - at);
    for (; at < size; at++) put(budget, table, at, table.get(at + 1));
    put(budget, table, size, undefined);
    return removed;
  };
}

function concat(machine: Machine, read: Arguments): LuaFunction {
  return (args) => {
    const { budget } = machine;
    const table = read.table(args, 0);
    const separator = read.string(args, 1, "");
    const from = read.integer(args, 2, 1);
    const to = args[3] === undefined ? table.length() : read.integer(args, 3);
    const parts: string[] = [];
    // Counted, since beyond 2^53 adding 1 changes nothing.
    const count = to - from + 1;
    for (let n = 0; n < count; n++) {
      const value = table.get(from + n);
      const part = textIn(machine, value);
      if (part === undefined)
        fail(machine, `invalid value (${typeOf(value)}) at index ${from + n} in table for 'concat'`);
      budget.text(part.length + separator.length);
      budget.spend(1);
      parts.push(part);
    }
    return parts.join(separator);
  };
}

/** A table to be sorted, and how its values compare. */
interface Sorting {
  readonly machine: Machine;
  readonly table: LuaTable;
  less(a: Value, b: Value): boolean;
  /** Called if the order is inconsistent. */
  inconsistent(): never;
}

function swap({ machine, table }: Sorting, a: number, b: number): void {
  const value = table.get(a);
  put(machine.budget, table, a, table.get(b));
  put(machine.budget, table, b, value);
}

/** Swaps two values that are in the wrong order. */
function order({ machine, table, less }: Sorting, low: number, high: number): void {
  // Read before they are compared, since a comparison may change the table.
  const [a, b] = [table.get(low), table.get(high)];
  if (!less(b, a)) return;
  put(machine.budget, table, low, b);
  put(machine.budget, table, high, a);
}

/** Moves values less than the pivot before it, and returns the new position of the pivot, which was at `upper - 1`. */
function partition(sorting: Sorting, pivot: Value, lower: number, upper: number): number {
  const { table, less, inconsistent } = sorting;
  let i = lower;
  let j = upper - 1;
  for (;;) {
    i++;
    while (less(table.get(i), pivot)) {
      if (i > upper) inconsistent();
      i++;
    }
    j--;
    while (less(pivot, table.get(j))) {
      if (j < lower) inconsistent();
      j--;
    }
    if (j < i) break;
    swap(sorting, i, j);
  }
  swap(sorting, upper - 1, i);
  return i;
}

/** Lua's own quicksort, since an inconsistent order, or one with equal values, shows which algorithm is used. */
function quicksort(sorting: Sorting, from: number, to: number): void {
  const { table, less } = sorting;
  let lower = from;
  let upper = to;
  while (lower < upper) {
    order(sorting, lower, upper);
    if (upper - lower === 1) break;
    const middle = Math.floor((lower + upper) / 2);
    if (less(table.get(middle), table.get(lower))) swap(sorting, middle, lower);
    else order(sorting, middle, upper);
    if (upper - lower === 2) break;
    const pivot = table.get(middle);
    swap(sorting, middle, upper - 1);
    const at = partition(sorting, pivot, lower, upper);
    // The smaller half first, so that the depth stays small.
    if (at - lower < upper - at) {
      quicksort(sorting, lower, at - 1);
      lower = at + 1;
    } else {
      quicksort(sorting, at + 1, upper);
      upper = at - 1;
    }
  }
}

function sort(machine: Machine, read: Arguments): LuaFunction {
  return (args) => {
    const table = read.table(args, 0);
    const compare = args[1];
    if (compare !== undefined && typeof compare !== "function")
      read.fail(1, `function expected, got ${typeOf(compare)}`);
    // A comparison by a library function has no position.
    const site = { machine, line: 0 };
    const less = (a: Value, b: Value): boolean => {
      machine.budget.spend(1);
      return compare === undefined ? isLess(site, a, b, false) : isTrue(first(callBack(machine, compare, [a, b])));
    };
    const inconsistent = (): never => fail(machine, "invalid order function for sorting");
    quicksort({ machine, table, less, inconsistent }, 1, table.length());
    return NOTHING;
  };
}

export function tableLibrary(machine: Machine): LuaTable {
  return library(machine, {
    insert: (read) => insert(machine, read),
    remove: (read) => remove(machine, read),
    concat: (read) => concat(machine, read),
    sort: (read) => sort(machine, read),
    getn: (read) => (args) => read.table(args, 0).length(),
    maxn: (read) => (args) => {
      const table = read.table(args, 0);
      let max = 0;
      for (const [key] of entriesOf(machine, table)) if (typeof key === "number" && key > max) max = key;
      return max;
    },
    foreach: (read) => (args) => {
      const table = read.table(args, 0);
      for (const [key, held] of entriesOf(machine, table)) {
        const value = first(callBack(machine, args[1], [key, held]));
        if (value !== undefined) return value;
      }
      return NOTHING;
    },
    foreachi: (read) => (args) => {
      const table = read.table(args, 0);
      for (let at = 1; at <= table.length(); at++) {
        const value = first(callBack(machine, args[1], [at, table.get(at)]));
        if (value !== undefined) return value;
      }
      return NOTHING;
    },
  });
}
