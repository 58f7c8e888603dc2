import type { Budget } from "../budget.ts";
import { readNumber } from "../lua/number.ts";
import { NOT_A_FLOAT, NOT_AN_INTEGER, refuse } from "./reply.ts";

const INTEGER = /^(?:0|-?[1-9]\d{0,18})$/;
const LARGEST = 2n ** 63n - 1n;
const SMALLEST = -(2n ** 63n);

/** A 64-bit integer in the only form that Redis accepts, or undefined. */
export function parseInteger(text: string): bigint | undefined {
  if (!INTEGER.test(text)) return undefined;
  const value = BigInt(text);
  return value > LARGEST || value < SMALLEST ? undefined : value;
}

export const isInRange = (value: bigint): boolean => value <= LARGEST && value >= SMALLEST;

/** The reply that an integer is. */
export const integer = (value: bigint): number | bigint => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
};

export function toBigInt(text: string, error: string = NOT_AN_INTEGER): bigint {
  return parseInteger(text) ?? refuse(error);
}

export function toInteger(text: string, error?: string): number {
  // A fast path for common values.
  if (text.length < 15 && INTEGER.test(text)) return Number(text);
  return Number(toBigInt(text, error));
}

/** The double that C's `strtod` reads from a whole text without spaces around it, or undefined. */
function parseFloatOf(text: string): number | undefined {
  const read = BEGINS_WITHOUT_SPACE.test(text) ? readNumber(text) : undefined;
  if (!read || read.end < text.length || Number.isNaN(read.value)) return undefined;
  // Redis refuses numbers that are too large for a double, or so small that they would become 0.
  if (Number.isFinite(read.value)) return read.value === 0 && !isZero(text) ? undefined : read.value;
  return WITH_INFINITY.test(text) ? read.value : undefined;
}

const BEGINS_WITHOUT_SPACE = /^[^ \t\n\v\f\r]/;
const WITH_INFINITY = /^[+-]?inf/i;
/** A number whose digits are all 0. */
const isZero = (text: string): boolean => !/^[+-]?(?:0x[0.]*[1-9a-f]|[0.]*[1-9])/i.test(text);

/** @param budget counts a long text */
export function toFloat(text: string, budget: Budget): number {
  budget.read(text.length);
  return parseFloatOf(text) ?? refuse(NOT_A_FLOAT);
}

const INFINITE = "ERR increment would produce NaN or Infinity";

/** A decimal number: an integer, and how many of its digits are decimals. */
export interface Decimal {
  readonly digits: bigint;
  readonly decimals: number;
  /** How many digits precede the decimals. */
  readonly whole: number;
}

/** Redis computes with these powers of ten of a `long double`, and reads no longer text. */
const SMALLEST_POWER = -4951;
const LARGEST_POWER = 4932;
const LONGEST_DECIMAL = 5119;
const DECIMALS = 17;
const DECIMAL = /^([+-]?)(?:(0x[\da-f]+)|(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?)$/i;

/**
 * The decimal number that a text is.
 *
 * @param error for any other text
 * @param infinite the error for infinity
 */
export function toDecimal(text: string, error: string = NOT_A_FLOAT, infinite: string = INFINITE): Decimal {
  const read = text.length <= LONGEST_DECIMAL ? readNumber(text) : undefined;
  if (!read || read.end < text.length || Number.isNaN(read.value)) return refuse(error);
  if (WITH_INFINITY.test(text)) return refuse(infinite);
  const [, sign, hexadecimal, whole = "", part = "", power = "0"] = DECIMAL.exec(text) ?? refuse(error);
  const size = BigInt(hexadecimal ?? (`${whole}${part}` || "0"));
  if (size === 0n) return { digits: size, decimals: 0, whole: 1 };
  const decimals = part.length - Number(power);
  const magnitude = size.toString().length - 1 - decimals;
  if (magnitude < SMALLEST_POWER || magnitude > LARGEST_POWER) refuse(error);
  if (!Number.isFinite(read.value)) return refuse(INFINITE);
  const digits = sign === "-" ? -size : size;
  const places = Math.max(magnitude + 1, 1);
  return decimals < 0
    ? { digits: digits * 10n ** BigInt(-decimals), decimals: 0, whole: places }
    : { digits, decimals, whole: places };
}

/** The time of adding two numbers of a few digits, and that of more for each pair of them. */
const SUM_STEPS = 10;
const STEPS_OF_A_PAIR = 2.5e-4;

/** The sum of two decimal numbers with at most 17 decimals, as INCRBYFLOAT writes it. */
export function addDecimals(a: Decimal, b: Decimal, budget: Budget): string {
  const decimals = Math.max(a.decimals, b.decimals);
  const length = decimals + Math.max(a.whole, b.whole);
  budget.spend(SUM_STEPS + Math.floor(length ** 2 * STEPS_OF_A_PAIR));
  let sum = a.digits * 10n ** BigInt(decimals - a.decimals) + b.digits * 10n ** BigInt(decimals - b.decimals);
  let scale = decimals;
  if (scale > DECIMALS) {
    const unit = 10n ** BigInt(scale - DECIMALS);
    const half = unit / 2n;
    sum = (sum + (sum < 0n ? -half : half)) / unit;
    scale = DECIMALS;
  }
  const digits = (sum < 0n ? -sum : sum).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const part = digits.slice(digits.length - scale).replace(/0+$/, "");
  return `${sum < 0n ? "-" : ""}${whole}${part && `.${part}`}`;
}
