import type { Budget } from "../budget.ts";

/**
 * A Lua value. `undefined` is nil. A string has one character for each byte (0 to 255), as Lua's strings are bytes. A
 * function is a plain function.
 */
export type Value = undefined | boolean | number | string | LuaTable | LuaFunction;

/** Several values, or one without an array around it. `[]` is no value, which is not the same as nil. */
export type Result = Value | readonly Value[];

/** A function reuses the array of its arguments: callers must not use the array again. */
export type LuaFunction = (args: Value[]) => Result;

/** A change of a table that is read-only. Its error has no position if a library function made the change. */
export class ReadOnlyTable extends Error {
  override readonly message = "Attempt to modify a readonly table";
}

/** The minimum number of removed entries before a table drops them. */
const MAX_REMOVED = 8;

/** The memory of a table, of an element of its array, and of an entry of its map. */
export const TABLE_BYTES = 200;
export const ELEMENT_BYTES = 24;
const ENTRY_BYTES = 112;

/** Skipped gaps of this length take the time of a step. */
const GAPS_IN_A_STEP = 64;

/**
 * V8 hashes numbers without a seed, so a script could choose numbers that are all in one bucket of a map. An integer of
 * 32 bits is therefore mixed with a secret, and any other number becomes a text, whose hash has a seed. No Lua string
 * has the first character.
 */
const SECRET = Math.floor(Math.random() * 2 ** 32) | 0;
const hidden = (key: Value): Value => {
  if (typeof key !== "number") return key;
  return (key | 0) === key ? key ^ SECRET : `\u0100${key}`;
};

/**
 * A Lua table: an array for the indexes from 1, and a map for all other keys. `next` visits the array first, and then
 * the map in order of insertion, whereas the order of Lua's own tables depends on their hashes. An index is in the
 * array if all indexes before it were set when it was; a removed one leaves a gap.
 */
export class LuaTable {
  /** The metatable. */
  readonly meta: LuaTable | undefined = undefined;
  /** Whether scripts may not change it, because it outlives them. */
  readonly isReadOnly: boolean = false;
  private array: Value[] = [];
  /** The position of a key's entry. An entry without a value was removed, and keeps its position for running loops. */
  private places: Map<Value, number> | undefined;
  private keys: Value[] = [];
  private values: Value[] = [];
  private removed = 0;

  /** Uses the array itself, without a copy. */
  static of(array: Value[]): LuaTable {
    const table = new LuaTable();
    table.array = array;
    return table;
  }

  get(key: Value): Value {
    const index = this.indexOf(key);
    if (index !== undefined) return this.array[index - 1];
    const at = this.placeOf(key);
    return at === undefined ? undefined : this.values[at];
  }

  /**
   * Sets a key, which must not be nil or NaN, and returns by how many bytes the table has grown.
   *
   * @throws ReadOnlyTable
   */
  set(key: Value, value: Value): number {
    if (this.isReadOnly) throw new ReadOnlyTable();
    return this.put(key, value);
  }

  /** Sets the metatable. @throws ReadOnlyTable */
  setMeta(meta: LuaTable | undefined): void {
    if (this.isReadOnly) throw new ReadOnlyTable();
    (this as { meta: LuaTable | undefined }).meta = meta;
  }

  /** Makes the table read-only. */
  freeze(): void {
    (this as { isReadOnly: boolean }).isReadOnly = true;
  }

  /** Like `set`, also for a read-only table: for the host, not for scripts. */
  put(key: Value, value: Value): number {
    const index = this.indexOf(key);
    if (index !== undefined) {
      this.array[index - 1] = value;
      return 0;
    }
    if (key === this.array.length + 1 && value !== undefined) {
      this.array.push(value);
      this.moveToArray();
      return ELEMENT_BYTES;
    }
    const at = this.placeOf(key);
    if (at !== undefined) this.replace(at, value);
    else if (value !== undefined) return this.add(key, value);
    return 0;
  }

  /**
   * The border that `#` returns: an index with a value before one without, or 0. A table with gaps has several, and
   * which one is returned depends on how the table was made; Lua may choose another.
   */
  length(): number {
    const { array } = this;
    if (array.at(-1) !== undefined) return array.length;
    let [low, high] = [0, array.length];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (array[middle - 1] === undefined) high = middle;
      else low = middle;
    }
    return low;
  }

  /**
   * The entry after a key, the first after nil; undefined after the last, null for a key that is not in the table.
   *
   * @param budget counts the gaps that are skipped
   */
  next(key: Value, budget?: Budget): readonly [Value, Value] | undefined | null {
    const { array, keys, values } = this;
    const index = key === undefined ? 0 : this.indexOf(key);
    const place = index === undefined ? this.placeOf(key) : -1;
    if (place === undefined) return null;
    const from = index ?? array.length;
    let at = from;
    while (at < array.length && array[at] === undefined) at++;
    budget?.spend(Math.floor((at - from) / GAPS_IN_A_STEP));
    if (at < array.length) return [at + 1, array[at]];
    at = place + 1;
    while (at < keys.length && values[at] === undefined) at++;
    budget?.spend(Math.floor((at - place) / GAPS_IN_A_STEP));
    return at < keys.length ? [keys[at], values[at]] : undefined;
  }

  private placeOf(key: Value): number | undefined {
    return this.places?.get(hidden(key));
  }

  /** A key that is in the array. */
  private indexOf(key: Value): number | undefined {
    const isInside = typeof key === "number" && key >= 1 && key <= this.array.length && Number.isInteger(key);
    return isInside ? key : undefined;
  }

  private replace(at: number, value: Value): void {
    const before = this.values[at];
    if (before === undefined && value !== undefined) this.removed--;
    if (before !== undefined && value === undefined) this.removed++;
    this.values[at] = value;
  }

  private add(key: Value, value: Value): number {
    if (this.removed > Math.max(MAX_REMOVED, this.keys.length / 2)) this.forgetRemoved();
    this.places ??= new Map();
    this.places.set(hidden(key), this.keys.length);
    this.keys.push(key);
    this.values.push(value);
    return ENTRY_BYTES;
  }

  /** Moves the indexes that continue the array out of the map. */
  private moveToArray(): void {
    for (;;) {
      const at = this.placeOf(this.array.length + 1);
      const value = at === undefined ? undefined : this.values[at];
      if (at === undefined || value === undefined) return;
      this.array.push(value);
      this.replace(at, undefined);
    }
  }

  private forgetRemoved(): void {
    const left = this.keys.flatMap((_, at) => (this.values[at] === undefined ? [] : [at]));
    this.keys = left.map((at) => this.keys[at]);
    this.values = left.map((at) => this.values[at]);
    this.places = new Map(this.keys.map((key, at) => [hidden(key), at]));
    this.removed = 0;
  }
}
