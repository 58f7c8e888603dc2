/**
 * A Lua value. `undefined` is nil. A string has one character for each byte (0 to 255), as Lua's strings are bytes. A
 * function is a plain function.
 */
export type Value = undefined | boolean | number | string | LuaTable | LuaFunction;

/** Several values, or one without an array around it. `[]` is no value, which is not the same as nil. */
export type Result = Value | readonly Value[];

/** A function takes over the array of its arguments: callers must not use the array again. */
export type LuaFunction = (args: Value[]) => Result;

/**
 * The hash of a string in Redis's Lua, which counts every character. It decides the order of `pairs`, which scripts
 * write into records.
 */
export function hashOf(text: string): number {
  let hash = text.length;
  for (let at = text.length - 1; at >= 0; at--) hash ^= ((hash << 5) + (hash >>> 2) + text.charCodeAt(at)) | 0;
  return hash;
}

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

let objects = 0;
const ids = new WeakMap<object, number>();

/** Stands for the address of a table or a function. */
export function idOf(value: LuaTable | LuaFunction): number {
  const known = ids.get(value);
  if (known !== undefined) return known;
  ids.set(value, ++objects);
  return objects;
}

const log2Ceil = (value: number): number => (value <= 1 ? 0 : 32 - Math.clz32(value - 1));
const LARGEST_INDEX = 2 ** 26;
const isIndex = (key: Value): key is number =>
  typeof key === "number" && key >= 1 && key <= LARGEST_INDEX && Number.isInteger(key);

/**
 * A table of Lua 5.1: an array, and a hash with chained collisions. It grows as the original does, since the order of
 * `pairs` and the border that `#` finds depend on it.
 */
export class LuaTable {
  meta: LuaTable | undefined = undefined;
  /** A table that scripts may not change. */
  readonly = false;
  private array: Value[];
  private keys: Value[] = [];
  private values: Value[] = [];
  /** The next node of a chain, or -1. */
  private nexts: number[] = [];
  private free = 0;

  constructor(arraySize = 0, hashSize = 0) {
    this.array = new Array<Value>(arraySize).fill(undefined);
    if (hashSize > 0) this.makeNodes(hashSize);
  }

  /** Takes the array as it is, without a copy. */
  static of(array: Value[]): LuaTable {
    const table = new LuaTable();
    table.array = array;
    return table;
  }

  get(key: Value): Value {
    if (typeof key === "string") return this.getString(key, hashOf(key));
    if (typeof key === "number") {
      if (key >= 1 && key <= this.array.length && Number.isInteger(key)) return this.array[key - 1];
    } else if (key === undefined) return undefined;
    const at = this.find(key);
    return at === -1 ? undefined : this.values[at];
  }

  /** As `get`, with a hash that is known. */
  getString(key: string, hash: number): Value {
    const { keys } = this;
    if (keys.length === 0) return undefined;
    let at = hash & (keys.length - 1);
    do {
      if (keys[at] === key) return this.values[at];
      at = this.nexts[at] as number;
    } while (at !== -1);
    return undefined;
  }

  /** The key must not be nil or NaN. A key that is set to nil keeps its place until the table grows. */
  set(key: Value, value: Value): void {
    if (typeof key === "number" && key >= 1 && key <= this.array.length && Number.isInteger(key)) {
      this.array[key - 1] = value;
      return;
    }
    const at = this.find(key);
    if (at !== -1) this.values[at] = value;
    else this.add(key, value);
  }

  /** The border that `#` gives. */
  length(): number {
    const { array } = this;
    const size = array.length;
    if (size > 0 && array[size - 1] === undefined) return this.borderBetween(0, size);
    if (this.keys.length === 0) return size;
    let low = size;
    let high = size + 1;
    while (this.get(high) !== undefined) {
      low = high;
      high *= 2;
    }
    return this.borderBetween(low, high);
  }

  /**
   * The entry behind a key in the order of `pairs`, the first behind nil; undefined behind the last, null for no key.
   */
  next(key: Value): readonly [Value, Value] | undefined | null {
    const from = this.placeOf(key);
    if (from === undefined) return null;
    const { array, keys, values } = this;
    for (let at = from; at < array.length; at++) if (array[at] !== undefined) return [at + 1, array[at]];
    for (let at = Math.max(from - array.length, 0); at < keys.length; at++)
      if (values[at] !== undefined) return [keys[at], values[at]];
    return undefined;
  }

  private borderBetween(low: number, high: number): number {
    let from = low;
    let to = high;
    while (to - from > 1) {
      const middle = Math.floor((from + to) / 2);
      if (this.get(middle) === undefined) to = middle;
      else from = middle;
    }
    return from;
  }

  /** Where the search for the entry behind a key begins. */
  private placeOf(key: Value): number | undefined {
    if (key === undefined) return 0;
    if (isIndex(key) && key <= this.array.length) return key;
    const at = this.find(key);
    return at === -1 ? undefined : this.array.length + at + 1;
  }

  private mainPosition(key: Value): number {
    const size = this.keys.length;
    switch (typeof key) {
      case "string":
        return hashOf(key) & (size - 1);
      case "boolean":
        return Number(key) & (size - 1);
      case "number":
        if (key === 0) return 0;
        double[0] = key;
        return (((words[0] as number) + (words[1] as number)) >>> 0) % ((size - 1) | 1);
      default:
        return idOf(key as LuaTable) % ((size - 1) | 1);
    }
  }

  private find(key: Value): number {
    if (this.keys.length === 0) return -1;
    let at = this.mainPosition(key);
    do {
      if (this.keys[at] === key) return at;
      at = this.nexts[at] as number;
    } while (at !== -1);
    return -1;
  }

  private makeNodes(count: number): void {
    const size = count === 0 ? 0 : 2 ** log2Ceil(count);
    this.keys = new Array<Value>(size).fill(undefined);
    this.values = new Array<Value>(size).fill(undefined);
    this.nexts = new Array<number>(size).fill(-1);
    this.free = size;
  }

  private add(key: Value, value: Value): void {
    const { keys, values, nexts } = this;
    let main = keys.length === 0 ? -1 : this.mainPosition(key);
    if (main === -1 || values[main] !== undefined) {
      const free = this.takeFree();
      if (free === -1) {
        this.grow(key);
        this.set(key, value);
        return;
      }
      let other = this.mainPosition(keys[main]);
      if (other === main) {
        nexts[free] = nexts[main] as number;
        nexts[main] = free;
        main = free;
      } else {
        // The node in the way is not in its own main position: it moves.
        while (nexts[other] !== main) other = nexts[other] as number;
        nexts[other] = free;
        keys[free] = keys[main];
        values[free] = values[main];
        nexts[free] = nexts[main] as number;
        nexts[main] = -1;
      }
    }
    keys[main] = key;
    values[main] = value;
  }

  private takeFree(): number {
    while (this.free > 0) if (this.keys[--this.free] === undefined) return this.free;
    return -1;
  }

  /** Makes room for one more key. More than half of the array is in use afterwards. */
  private grow(key: Value): void {
    /** How many indexes there are from 2^(n-1), exclusive, to 2^n. */
    const counts = new Array<number>(27).fill(0);
    let indexes = 0;
    const count = (index: number): void => {
      const at = log2Ceil(index);
      counts[at] = (counts[at] as number) + 1;
      indexes++;
    };
    let total = 1;
    this.array.forEach((value, at) => {
      if (value === undefined) return;
      count(at + 1);
      total++;
    });
    this.keys.forEach((each, at) => {
      if (this.values[at] === undefined) return;
      if (isIndex(each)) count(each);
      total++;
    });
    if (isIndex(key)) count(key);
    let size = 0;
    let inside = 0;
    let sum = 0;
    for (let n = 0; 2 ** n / 2 < indexes; n++) {
      const here = counts[n] as number;
      sum += here;
      if (here > 0 && sum > 2 ** n / 2) {
        size = 2 ** n;
        inside = sum;
      }
      if (sum === indexes) break;
    }
    this.resize(size, total - inside);
  }

  private resize(arraySize: number, hashSize: number): void {
    const { keys, values, array } = this;
    const gone = array.slice(arraySize);
    array.length = Math.min(array.length, arraySize);
    while (array.length < arraySize) array.push(undefined);
    this.makeNodes(hashSize);
    gone.forEach((value, at) => {
      if (value !== undefined) this.set(arraySize + at + 1, value);
    });
    for (let at = keys.length - 1; at >= 0; at--) if (values[at] !== undefined) this.set(keys[at], values[at]);
  }
}
