import type { Arguments } from "./arguments.ts";
import { formatE, formatF, formatG } from "./number.ts";
import { Recent } from "./recent.ts";
import { fail, type Machine, type Value } from "./value.ts";

const SPECIFIER = /%(?:%|([-+ #0]*)(\d*)(?:(\.)(\d*))?([\s\S]?))/g;

/** A part of a template that takes an argument. */
interface Specifier {
  readonly letter: string;
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly fault: string | undefined;
}

/** Texts and specifiers in their order. A script uses the same few templates repeatedly. */
const templates = new Recent<readonly (string | Specifier)[]>({ count: 500, weight: 20_000 });
/** The memory of a specifier that was read. */
const SPECIFIER_BYTES = 150;
/** The time of reading a specifier, and of writing a number by one: up to a hundred decimals are exact. */
const SPECIFIER_STEPS = 2;
const NUMBER_STEPS = 16;

function specifierOf([, flags = "", width = "", dot, digits = "", letter = ""]: RegExpExecArray): Specifier {
  const isLong = width.length > 2 || digits.length > 2;
  const fault =
    flags.length > 5
      ? "invalid format (repeated flags)"
      : isLong
        ? "invalid format (width or precision too long)"
        : undefined;
  return { letter, flags, width: Number(width), precision: dot ? Number(digits) : undefined, fault };
}

function partsOf({ budget }: Machine, template: string): readonly (string | Specifier)[] {
  const known = templates.get(template);
  if (known) return known;
  budget.read(template.length);
  const parts: (string | Specifier)[] = [];
  let from = 0;
  for (const match of template.matchAll(SPECIFIER)) {
    budget.spend(SPECIFIER_STEPS);
    budget.allot(SPECIFIER_BYTES);
    parts.push(template.slice(from, match.index), match[0] === "%%" ? "%" : specifierOf(match));
    from = match.index + match[0].length;
  }
  parts.push(template.slice(from));
  templates.add(template, parts, template.length);
  return parts;
}

/** Lua's `string.format`: C's, without `*`, and with `%q`. */
export function format(machine: Machine, read: Arguments, args: readonly Value[]): string {
  const { budget } = machine;
  let made = "";
  let at = 0;
  for (const part of partsOf(machine, read.string(args, 0))) {
    const text = typeof part === "string" ? part : formatted(machine, read, args, ++at, part);
    budget.text(text.length);
    made += text;
  }
  return made;
}

function formatted(machine: Machine, read: Arguments, args: readonly Value[], at: number, part: Specifier): string {
  const { letter, flags, width, precision, fault } = part;
  if (fault) fail(machine, fault);
  if (at >= args.length && letter !== "") read.fail(at, "no value");
  machine.budget.spend(/[efg]/i.test(letter) ? NUMBER_STEPS : 1);
  const text = one(machine, read, args, at, letter, flags, precision);
  if (width <= text.length || letter === "q") return text;
  if (letter === "s" && precision === undefined && text.length >= 100) return text;
  return pad(text, flags, width, /[eEfgG]/.test(letter) || (/[diouxX]/.test(letter) && precision === undefined));
}

/** Pads to the width, with zeros after the sign of a number if a flag says so. */
function pad(text: string, flags: string, width: number, zeros: boolean): string {
  if (text.length >= width) return text;
  if (flags.includes("-")) return text.padEnd(width);
  if (!zeros || !flags.includes("0") || /inf|nan/i.test(text)) return text.padStart(width);
  const [sign = ""] = /^[-+ ]?(?:0x)?/i.exec(text) ?? [];
  return sign + text.slice(sign.length).padStart(width - sign.length, "0");
}

const signed = (text: string, flags: string): string =>
  text.startsWith("-") ? text : flags.includes("+") ? `+${text}` : flags.includes(" ") ? ` ${text}` : text;

/** Whether the decimal point is always written. */
const isPointed = (flags: string): boolean => flags.includes("#");

/** C's result for a double that is not a 64-bit integer. */
const LEAST = -(2n ** 63n);
const toInteger = (value: number): bigint =>
  Number.isFinite(value) && Math.abs(value) < 2 ** 63 ? BigInt(Math.trunc(value)) : LEAST;

const digitsOf = (size: bigint, radix: number, precision: number | undefined): string =>
  size === 0n && precision === 0 ? "" : size.toString(radix).padStart(precision ?? 1, "0");

/** With the prefix of `#` for an octal or hexadecimal number. */
function markedAs(letter: string, text: string, isZero: boolean): string {
  if (letter === "o") return text.startsWith("0") ? text : `0${text}`;
  return letter === "u" || isZero ? text : `0x${text}`;
}

function one(
  machine: Machine,
  read: Arguments,
  args: readonly Value[],
  at: number,
  letter: string,
  flags: string,
  precision: number | undefined,
): string {
  switch (letter) {
    case "c":
      return String.fromCharCode(read.integer(args, at) & 255);
    case "d":
    case "i": {
      const value = toInteger(read.number(args, at));
      return signed((value < 0n ? "-" : "") + digitsOf(value < 0n ? -value : value, 10, precision), flags);
    }
    case "o":
    case "u":
    case "x":
    case "X": {
      const value = BigInt.asUintN(64, toInteger(read.number(args, at)));
      const text = digitsOf(value, letter === "o" ? 8 : letter === "u" ? 10 : 16, precision);
      const marked = flags.includes("#") ? markedAs(letter, text, value === 0n) : text;
      return letter === "X" ? marked.toUpperCase() : marked;
    }
    case "e":
    case "E": {
      const written = formatE(read.number(args, at), precision ?? 6);
      const text = signed(isPointed(flags) ? written.replace(/^(-?\d)e/, "$1.e") : written, flags);
      return letter === "E" ? text.toUpperCase() : text;
    }
    case "f": {
      const text = formatF(read.number(args, at), precision ?? 6);
      return signed(isPointed(flags) ? text.replace(/^(-?\d+)$/, "$1.") : text, flags);
    }
    case "g":
    case "G": {
      const text = signed(formatG(read.number(args, at), Math.max(precision ?? 6, 1), isPointed(flags)), flags);
      return letter === "G" ? text.toUpperCase() : text;
    }
    case "q":
      return quoted(machine, read.string(args, at));
    case "s": {
      const text = read.string(args, at);
      return precision === undefined ? text : text.slice(0, precision);
    }
    default:
      return fail(machine, `invalid option '%${letter}' to 'format'`);
  }
}

/** So many characters are quoted before they are counted. */
const WINDOW = 4096;
const escaped = (c: string): string => (c === "\r" ? "\\r" : c === "\0" ? "\\000" : `\\${c}`);

function quoted({ budget }: Machine, text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += WINDOW) {
    const part = text.slice(at, at + WINDOW);
    const made = part.replace(/["\\\n\r\0]/g, escaped);
    budget.read(part.length);
    // An escape takes longer than another character.
    budget.spend(made.length - part.length);
    budget.text(made.length);
    parts.push(made);
  }
  return `"${parts.join("")}"`;
}
