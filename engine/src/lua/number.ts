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

/** A number as Lua writes it: with 14 digits. */
export function formatNumber(value: number): string {
  // Integers up to there look the same.
  if (Number.isInteger(value) && value < 1e14 && value > -1e14 && value !== 0) return String(value);
  return formatG(value, 14);
}

const PLAIN = /^\d{1,15}$/;
const NUMBER =
  /^[ \t\n\v\f\r]*([+-]?)(?:(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|0x([\da-f]+)|(inf(?:inity)?)|(nan))[ \t\n\v\f\r]*(?:\0|$)/i;

/** The number that a string is, as C's `strtod` reads it. A NUL ends it. */
export function parseNumber(text: string): number | undefined {
  if (PLAIN.test(text)) return +text;
  const [, sign, decimal, hexadecimal, infinite, nan] = NUMBER.exec(text) ?? [];
  const size =
    decimal !== undefined
      ? Number(decimal)
      : hexadecimal !== undefined
        ? Number.parseInt(hexadecimal, 16)
        : infinite !== undefined
          ? Number.POSITIVE_INFINITY
          : nan !== undefined
            ? Number.NaN
            : undefined;
  return size !== undefined && sign === "-" ? -size : size;
}
