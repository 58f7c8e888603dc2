/** Text for a terminal: safe, with correct width, and coloured if wanted. */

import { readVariable } from "../../src/shared/environment.ts";

/** Control characters, marks that change the direction of text, and code points that no font has. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/** Escapes characters that could move the cursor or change the direction of text, since names are untrusted. */
export const harmless = (text: string): string =>
  text.replace(UNSAFE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** One line of JSON in which the same characters are escaped, so that it is equal and safe to print. */
export const jsonLine = (value: unknown): string =>
  JSON.stringify(value).replace(UNSAFE, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u;
const STYLED = /\p{Cc}\[\d+m/gu;
const JOINED = /\p{M}/u;

/** The width of a text in columns; colours have none. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text.replace(STYLED, "")) width += JOINED.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/**
 * Truncates a text to this many columns; the last one shows that text is missing. Colours are kept, and end with it.
 */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let [fitting, width] = ["", 0];
  for (const [piece] of text.matchAll(/\p{Cc}\[\d+m|./gsu)) {
    if (piece.length < 3) width += widthOf(piece);
    if (width > columns - 1) break;
    fitting += piece;
  }
  return `${fitting}…${text === text.replace(STYLED, "") ? "" : "\u001b[0m"}`;
}

/** Truncates a text in its middle to this many columns: names often differ only at their end. It has no colours. */
export function cutMiddle(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const head = cut(text, Math.ceil((columns + 1) / 2));
  const room = columns - widthOf(head);
  let tail = "";
  for (const character of [...text].reverse()) {
    if (widthOf(character + tail) > room) break;
    tail = character + tail;
  }
  // A mark without its letter would join the dots.
  return head + tail.replace(/^\p{M}+/u, "");
}

/** Wraps a text to lines of this many columns, all but the first one indented. A long word is not split. */
export function wrapped(text: string, columns: number, indent = 0): string[] {
  const lines: string[] = [""];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && indent + widthOf(last) + 1 + widthOf(word) > columns) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines.map((line, n) => (n === 0 ? line : " ".repeat(indent) + line));
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34 } as const;
export type Style = keyof typeof CODES;
/** Writes a text in a style, or leaves it unchanged. */
export type Paint = (style: Style, text: string) => string;

/** Whether to use colours: `NO_COLOR` disables and `FORCE_COLOR` enables them; by default, only terminals have them. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  // A variable that may not be read counts as not set.
  const [off, forced, terminal] = ["NO_COLOR", "FORCE_COLOR", "TERM"].map((name) => {
    const reading = readVariable(name, env);
    return "value" in reading ? reading.value : undefined;
  });
  if (off) return false;
  if (forced !== undefined) return !/^(0|false)$/i.test(forced);
  return isTerminal && terminal !== "dumb";
}

export const painter =
  (isColoured: boolean): Paint =>
  (style, text) =>
    isColoured && text !== "" ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text;

/** Says a number of things, and the total if that is known. */
export const counted = (count: number, what: string, of?: number): string =>
  of === undefined ? `${count} ${what}${count === 1 ? "" : "s"}` : `${count} of ${of} ${what}s`;

const MINUTE_MS = 60_000;
const UNITS = [
  [24 * 60 * MINUTE_MS, "d"],
  [60 * MINUTE_MS, "h"],
  [MINUTE_MS, "m"],
  [1000, "s"],
] as const;

/** Formats a duration in its two largest units: `3 m 12 s`. */
export function duration(ms: number): string {
  const whole = Math.max(0, ms);
  if (whole < 1000) return `${Math.round(whole)} ms`;
  if (whole < 10_000) return `${Math.floor(whole / 100) / 10} s`;
  let rest = whole;
  const parts: string[] = [];
  for (const [size, unit] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(" ");
}

/**
 * Aligns rows in columns, each as wide as its widest cell of at most `mostColumns`: a wider cell shifts only the rest
 * of its own row. The last column may have any width.
 */
export function table(rows: readonly (readonly string[])[], mostColumns: number = Number.POSITIVE_INFINITY): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) {
      const width = widthOf(cell);
      if (width <= mostColumns) widths[at] = Math.max(widths[at] ?? 0, width);
    }
  return rows.map((row) =>
    row
      .map((cell, at) =>
        at === row.length - 1 ? cell : cell + " ".repeat(Math.max((widths[at] ?? 0) - widthOf(cell), 0)),
      )
      .join("  ")
      .trimEnd(),
  );
}

/** Like {@link table}, but wraps the last column of rows that are wider than this many columns. */
export function wrappedTable(rows: readonly (readonly string[])[], columns: number): string[] {
  const END = "|";
  const starts = table(rows.map((row) => [...row.slice(0, -1), END])).map((line) => line.slice(0, -END.length));
  return rows.flatMap((row, n) => {
    const [start = "", text = ""] = [starts[n], row.at(-1)];
    if (widthOf(start) + widthOf(text) <= columns) return [(start + text).trimEnd()];
    const [first, ...rest] = wrapped(text, columns, widthOf(start));
    return [`${start}${first}`, ...rest];
  });
}
