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

const FLOAT = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|0x[\da-f]+)$/i;

/** The double that C's `strtod` reads from a whole text, or undefined. */
export function parseFloatOf(text: string): number | undefined {
  if (!FLOAT.test(text)) return undefined;
  const sign = text.startsWith("-") ? -1 : 1;
  const size = text.replace(/^[+-]/, "").toLowerCase();
  if (size.startsWith("inf")) return sign * Number.POSITIVE_INFINITY;
  const value = Number(size);
  // Redis refuses numbers too large for a double.
  return Number.isFinite(value) ? sign * value : undefined;
}

export function toFloat(text: string, error: string = NOT_A_FLOAT): number {
  return parseFloatOf(text) ?? refuse(error);
}

const DECIMALS = 17;
const DECIMAL = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;

/** A decimal text as an integer and the number of its decimals. */
function exact(text: string): [bigint, number] {
  const [, sign, whole = "", part = "", power = "0"] = DECIMAL.exec(text) ?? refuse(NOT_A_FLOAT);
  const decimals = part.length - Number(power);
  const digits = BigInt(`${sign === "-" ? "-" : ""}${whole}${part}` || "0");
  return decimals < 0 ? [digits * 10n ** BigInt(-decimals), 0] : [digits, decimals];
}

/** The sum of two decimal texts with at most 17 decimals, as INCRBYFLOAT writes it. */
export function addDecimals(a: string, b: string): string {
  const sizes = [toFloat(a), toFloat(b)];
  if (sizes.some((size) => !Number.isFinite(size))) return refuse("ERR increment would produce NaN or Infinity");
  const [left, leftDecimals] = exact(a);
  const [right, rightDecimals] = exact(b);
  const decimals = Math.max(leftDecimals, rightDecimals);
  let sum = left * 10n ** BigInt(decimals - leftDecimals) + right * 10n ** BigInt(decimals - rightDecimals);
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
