const pointed = (text: string): string => (text.includes(".") ? text : `${text}.`);

/** C's `%g` with this many digits: the shorter of `%f` and `%e`, without trailing zeros. */
export function formatG(value: number, digits: number, keepsZeros = false): string {
  if (!Number.isFinite(value)) return formatInfinite(value);
  if (value === 0) return `${1 / value < 0 ? "-" : ""}0${keepsZeros ? `.${"0".repeat(digits - 1)}` : ""}`;
  const [mantissa, exponent] = scientific(value, digits);
  const strip = (text: string): string =>
    keepsZeros ? pointed(text) : !text.includes(".") ? text : text.replace(/0+$/, "").replace(/\.$/, "");
  if (exponent >= -4 && exponent < digits) return strip(formatF(value, digits - 1 - exponent));
  return `${strip(mantissa)}e${exponentOf(exponent)}`;
}

/** A number as digits and a power of ten, rounded to this many digits, ties to even. */
function scientific(value: number, digits: number): [mantissa: string, exponent: number] {
  const rounded = value.toExponential(digits - 1);
  // JavaScript rounds ties up. A number with few enough digits to be a tie is exact in one more digit.
  const longer = value.toExponential(digits);
  if (longer[longer.indexOf("e") - 1] === "5" && isTie(value, digits)) {
    const [all = "", power = "0"] = longer.split("e");
    const cut = all.slice(0, -1).replace(/\.$/, "");
    if (Number(cut.at(-1)) % 2 === 0) return [cut, Number(power)];
  }
  const [mantissa = "", power = "0"] = rounded.split("e");
  return [mantissa, Number(power)];
}

/** Whether a number is exactly between two numbers with this many digits. */
const isTie = (value: number, digits: number): boolean => {
  const [all = ""] = value.toExponential(100).split("e");
  return /^50*$/.test(all.replace(/[-.]/g, "").slice(digits));
};

/** An exponent as C writes it: with its sign, and two digits at least. */
const exponentOf = (exponent: number): string =>
  `${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;

/** C writes the result of 0/0 with a sign on most machines. */
const formatInfinite = (value: number): string => (Number.isNaN(value) ? "-nan" : value > 0 ? "inf" : "-inf");

/** C's `%f` with this many decimals, exact, with ties to even. */
export function formatF(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return formatInfinite(value);
  const sign = value < 0 || (value === 0 && 1 / value < 0) ? "-" : "";
  const size = Math.abs(value);
  if (Number.isInteger(size) && size < 1e21) return sign + size.toFixed(decimals);
  if (decimals === 0 && size < 2 ** 52) {
    const whole = Math.floor(size);
    const rest = size - whole;
    return sign + String(rest > 0.5 || (rest === 0.5 && whole % 2 === 1) ? whole + 1 : whole);
  }
  return sign + exactly(size, decimals);
}

/** All digits of a double are known: it is an integer times a power of two. */
function exactly(size: number, decimals: number): string {
  let mantissa = size;
  let power = 0;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    power++;
  }
  const scaled = BigInt(mantissa) * 10n ** BigInt(decimals);
  const unit = 1n << BigInt(power);
  let whole = scaled / unit;
  const twice = (scaled % unit) * 2n;
  if (twice > unit || (twice === unit && whole % 2n === 1n)) whole++;
  const digits = whole.toString().padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** C's `%e`. */
export function formatE(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return formatInfinite(value);
  const [mantissa, exponent] = scientific(value, decimals + 1);
  return `${value === 0 && 1 / value < 0 ? "-" : ""}${mantissa}e${exponentOf(exponent)}`;
}

/** The most characters that a number with at most 14 digits has, and a point. */
const SHORT = 15;

/** A number as Lua writes it: with 14 digits. */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  // JavaScript's shortest form has the same digits if it has at most 14.
  if (size >= 1e-4 && size < 1e14) {
    const plain = String(value);
    if (plain.length <= SHORT) return plain;
  }
  return formatG(value, 14);
}

const isSpace = (c: number): boolean => c === 32 || (c >= 9 && c <= 13);
const isDigit = (c: number): boolean => c >= 48 && c <= 57;
const isHexadecimal = (c: number): boolean => isDigit(c) || ((c | 32) >= 97 && (c | 32) <= 102);

/** So many hexadecimal digits are more than the 53 bits of a double. */
const EXACT_HEXADECIMALS = 16;
/** Twice the largest power of two that a double has. */
const LARGEST_POWER = 2200;

/** A number that begins a text, and where it ends. */
export interface ReadNumber {
  readonly value: number;
  readonly end: number;
}

/** Where the characters of a kind end that begin at a position. */
function endOf(text: string, from: number, isIn: (c: number) => boolean): number {
  let at = from;
  while (at < text.length && isIn(text.charCodeAt(at))) at++;
  return at;
}

/** Where a whole number and the decimals after it end; the same position without a digit. */
function digitsEnd(text: string, from: number, isIn: (c: number) => boolean): number {
  const point = endOf(text, from, isIn);
  if (text[point] !== ".") return point;
  const end = endOf(text, point + 1, isIn);
  return point === from && end === point + 1 ? from : end;
}

/** Where an exponent ends; the same position if there is none. */
function exponentEnd(text: string, from: number, letter: string): number {
  if (text[from]?.toLowerCase() !== letter) return from;
  const sign = text[from + 1];
  const digits = from + (sign === "+" || sign === "-" ? 2 : 1);
  const end = endOf(text, digits, isDigit);
  return end === digits ? from : end;
}

/** A hexadecimal number, which may have a point and a power of two. */
function hexadecimal(text: string, from: number): ReadNumber | undefined {
  const end = digitsEnd(text, from, isHexadecimal);
  if (end === from) return undefined;
  const [whole = "", part = ""] = text.slice(from, end).split(".");
  const digits = (whole + part).replace(/^0+/, "");
  // A double is decided by its first digits, and by whether another one follows.
  const rest = digits.slice(EXACT_HEXADECIMALS);
  const size = Number.parseInt(`0${digits.slice(0, EXACT_HEXADECIMALS)}${/[^0]/.test(rest) ? 1 : 0}`, 16);
  const last = exponentEnd(text, end, "p");
  const exponent = Number(text.slice(end + 1, last)) + 4 * (rest.length - 1 - part.length);
  const power = Math.max(Math.min(exponent, LARGEST_POWER), -LARGEST_POWER);
  // In two steps, since the power alone may be too large or too small for a double.
  const half = Math.trunc(power / 2);
  return { value: size * 2 ** half * 2 ** (power - half), end: last };
}

/**
 * Reads a number as C's `strtod` does, after white space; undefined if none begins there. It looks at each character a
 * fixed number of times.
 */
export function readNumber(text: string, at = 0): ReadNumber | undefined {
  const begin = endOf(text, at, isSpace);
  const sign = text[begin];
  const from = begin + (sign === "+" || sign === "-" ? 1 : 0);
  const read = unsigned(text, from);
  return read && sign === "-" ? { ...read, value: -read.value } : read;
}

function unsigned(text: string, from: number): ReadNumber | undefined {
  const isPrefixed = text[from] === "0" && text[from + 1]?.toLowerCase() === "x";
  const prefixed = isPrefixed ? hexadecimal(text, from + 2) : undefined;
  if (prefixed) return prefixed;
  const end = digitsEnd(text, from, isDigit);
  if (end > from) {
    const last = exponentEnd(text, end, "e");
    return { value: Number(text.slice(from, last)), end: last };
  }
  const word = text.slice(from, from + 8).toLowerCase();
  if (word === "infinity") return { value: Number.POSITIVE_INFINITY, end: from + 8 };
  if (word.startsWith("inf")) return { value: Number.POSITIVE_INFINITY, end: from + 3 };
  return word.startsWith("nan") ? { value: Number.NaN, end: from + 3 } : undefined;
}

const PLAIN = /^\d{1,15}$/;

/** The number that a string is, with white space around it, as Lua reads it. A NUL ends it. */
export function parseNumber(text: string): number | undefined {
  if (PLAIN.test(text)) return +text;
  const read = readNumber(text);
  if (!read) return undefined;
  const end = endOf(text, read.end, isSpace);
  return end === text.length || text[end] === "\0" ? read.value : undefined;
}

/** A digit's value: 0 to 9, and 10 to 35 for letters. */
function digitOf(c: number): number {
  if (isDigit(c)) return c - 48;
  const letter = (c | 32) - 97;
  return letter >= 0 && letter < 26 ? letter + 10 : Number.POSITIVE_INFINITY;
}

const LARGEST_UNSIGNED = 2n ** 64n - 1n;
/** So many digits in base 2 are more than 64 bits. */
const MAX_DIGITS = 65;

/** The whole number that a string is in a base, with white space around it, as C's `strtoul` reads it: in 64 bits. */
export function parseWhole(text: string, base: number): number | undefined {
  const begin = endOf(text, 0, isSpace);
  const sign = text[begin];
  let from = begin + (sign === "+" || sign === "-" ? 1 : 0);
  const isPrefixed = base === 16 && /^0x[\da-f]$/i.test(text.slice(from, from + 3));
  if (isPrefixed) from += 2;
  const end = endOf(text, from, (c) => digitOf(c) < base);
  const rest = endOf(text, end, isSpace);
  if (end === from || (rest < text.length && text[rest] !== "\0")) return undefined;
  const digits = text.slice(
    endOf(text.slice(0, end), from, (c) => c === 48),
    end,
  );
  let value = 0n;
  for (const digit of digits.slice(0, MAX_DIGITS)) value = value * BigInt(base) + BigInt(digitOf(digit.charCodeAt(0)));
  if (value > LARGEST_UNSIGNED) return Number(LARGEST_UNSIGNED);
  return Number(sign === "-" ? BigInt.asUintN(64, -value) : value);
}
