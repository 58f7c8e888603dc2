import { type Arguments, library } from "./arguments.ts";
import type { LuaTable } from "./table.ts";
import type { LuaFunction, Machine, Value } from "./value.ts";

/** Redis's random generator for scripts, which starts every script with the same seed: C's `drand48`. */
function createRandom(): { next(): number; seed(value: number): void } {
  const start = 0x330en;
  let state = start;
  return {
    next() {
      state = (state * 0x5deece66dn + 0xbn) & 0xffffffffffffn;
      return Number(state >> 17n) / 2 ** 31;
    },
    seed(value) {
      state = (BigInt.asUintN(32, BigInt(Number.isFinite(value) ? Math.trunc(value) : 0)) << 16n) + start;
    },
  };
}

/** The time of a remainder of numbers that are far apart, which is found bit by bit. */
const REMAINDER_STEPS = 16;

export interface MathLibrary {
  readonly table: LuaTable;
  /** Resets the random numbers. */
  reset(): void;
}

function wholeAndFraction(value: number): Value[] {
  const whole = Math.trunc(value);
  return [whole, Number.isFinite(value) ? value - whole : 0];
}

/** Splits a number into a part from 0.5 to below 1, and the power of two that it is multiplied by. */
function mantissaAndExponent(value: number): Value[] {
  if (value === 0 || !Number.isFinite(value)) return [value, 0];
  let exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(value))) + 1);
  let part = value * 2 ** -exponent;
  for (; Math.abs(part) < 0.5; exponent--) part *= 2;
  for (; Math.abs(part) >= 1; exponent++) part /= 2;
  return [part, exponent];
}

/** A random number below 1, from 1 to the one argument, or from the first to the second. */
function randomOf(next: () => number, read: Arguments, args: readonly Value[]): number {
  const value = next();
  if (args.length === 0) return value;
  const [low, high] = args.length === 1 ? [1, read.integer(args, 0)] : [read.integer(args, 0), read.integer(args, 1)];
  if (high < low) read.fail(args.length === 1 ? 0 : 1, "interval is empty");
  return Math.floor(value * (high - low + 1)) + low;
}

export function mathLibrary(machine: Machine): MathLibrary {
  const random = createRandom();
  const plain =
    (work: (value: number) => number) =>
    (read: Arguments): LuaFunction =>
    (args) =>
      work(read.number(args, 0));
  const fold =
    (pick: (a: number, b: number) => number) =>
    (read: Arguments): LuaFunction =>
    (args) => {
      let result = read.number(args, 0);
      for (let at = 1; at < args.length; at++) result = pick(result, read.number(args, at));
      return result;
    };
  const table = library(machine, {
    abs: plain(Math.abs),
    ceil: plain(Math.ceil),
    floor: plain(Math.floor),
    sqrt: plain(Math.sqrt),
    exp: plain(Math.exp),
    log: plain(Math.log),
    log10: plain(Math.log10),
    sin: plain(Math.sin),
    cos: plain(Math.cos),
    tan: plain(Math.tan),
    asin: plain(Math.asin),
    acos: plain(Math.acos),
    atan: plain(Math.atan),
    sinh: plain(Math.sinh),
    cosh: plain(Math.cosh),
    tanh: plain(Math.tanh),
    deg: plain((value) => value / (Math.PI / 180)),
    rad: plain((value) => value * (Math.PI / 180)),
    atan2: (read) => (args) => Math.atan2(read.number(args, 0), read.number(args, 1)),
    pow: (read) => (args) => read.number(args, 0) ** read.number(args, 1),
    fmod: (read) => (args) => {
      machine.budget.spend(REMAINDER_STEPS);
      return read.number(args, 0) % read.number(args, 1);
    },
    modf: (read) => (args) => wholeAndFraction(read.number(args, 0)),
    ldexp: (read) => (args) => read.number(args, 0) * 2 ** read.integer(args, 1),
    frexp: (read) => (args) => mantissaAndExponent(read.number(args, 0)),
    // A comparison with a value that is not a number keeps the first.
    max: fold((a, b) => (b > a ? b : a)),
    min: fold((a, b) => (b < a ? b : a)),
    random: (read) => (args) => randomOf(random.next, read, args),
    randomseed: (read) => (args) => {
      random.seed(read.integer(args, 0));
      return [];
    },
  });
  table.set("pi", Math.PI);
  table.set("huge", Number.POSITIVE_INFINITY);
  return { table, reset: () => random.seed(0) };
}
