import { library } from "./arguments.ts";
import type { LuaTable } from "./table.ts";
import type { Machine, Value } from "./value.ts";

/** The time of a remainder of a number that is large, which is found bit by bit. */
const REMAINDER_STEPS = 16;

/** The library `bit` of Redis, on signed 32-bit numbers. */
export function bitLibrary(machine: Machine): LuaTable {
  /** Wraps a number around 2^32, and rounds it as the original does. */
  const wrap = (value: number): number => {
    if (!Number.isSafeInteger(value)) machine.budget.spend(REMAINDER_STEPS);
    const rest = value % 2 ** 32;
    const floor = Math.floor(rest);
    const part = rest - floor;
    return (part > 0.5 || (part === 0.5 && floor % 2 !== 0) ? floor + 1 : floor) | 0;
  };
  type Fold = (a: number, b: number) => number;
  const fold = (pick: Fold) => (read: { number(args: readonly Value[], at: number): number }) => (args: Value[]) => {
    let result = wrap(read.number(args, 0));
    for (let at = 1; at < args.length; at++) result = pick(result, wrap(read.number(args, at)));
    return result;
  };
  const shift = (by: Fold) => (read: { number(args: readonly Value[], at: number): number }) => (args: Value[]) =>
    by(wrap(read.number(args, 0)), wrap(read.number(args, 1)) & 31) | 0;
  const left: Fold = (value, by) => (value << by) | (by === 0 ? 0 : value >>> (32 - by));
  return library(machine, {
    tobit: (read) => (args) => wrap(read.number(args, 0)),
    bnot: (read) => (args) => ~wrap(read.number(args, 0)),
    band: fold((a, b) => a & b),
    bor: fold((a, b) => a | b),
    bxor: fold((a, b) => a ^ b),
    lshift: shift((value, by) => value << by),
    rshift: shift((value, by) => value >>> by),
    arshift: shift((value, by) => value >> by),
    rol: shift(left),
    ror: shift((value, by) => left(value, (32 - by) & 31)),
    bswap: (read) => (args) => {
      const value = wrap(read.number(args, 0));
      return (value << 24) | ((value & 0xff00) << 8) | ((value >>> 8) & 0xff00) | (value >>> 24);
    },
    tohex: (read) => (args) => {
      const digits = read.integer(args, 1, 8);
      const text = (wrap(read.number(args, 0)) >>> 0)
        .toString(16)
        .padStart(8, "0")
        .slice(-Math.min(Math.abs(digits), 8));
      return digits < 0 ? text.toUpperCase() : text;
    },
  });
}
