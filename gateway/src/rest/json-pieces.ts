const OPEN = 0x5b;
const CLOSE = 0x5d;
const OPEN_OBJECT = 0x7b;
const COMMA = 0x2c;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BOM = [0xef, 0xbb, 0xbf] as const;

const PIECE_BYTES = 32 * 1024;

/** A part of a JSON array, which is JSON of its own. */
export interface Piece {
  readonly bytes: Buffer;
  /** Whether its first item goes on with the last one of the piece before. */
  readonly goesOn: boolean;
}

/** Why a text was not cut to its end: it is no valid JSON array, or has something in it that may not be there. */
export type Flaw = "broken" | "deep";

const isSpace = (byte: number): boolean =>
  byte === 0x20 || (byte >= 0x09 && byte <= 0x0d && byte !== 0x0b && byte !== 0x0c);

/** Where the string that begins at a quote ends: at its other quote, or behind the text. */
function stringEnd(text: Buffer, quote: number): number {
  let at = quote + 1;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** The bytes in as many brackets as they need to be valid. */
function bracketed(bytes: Buffer, before: number, after: number): Buffer {
  const whole = Buffer.allocUnsafe(before + bytes.length + after).fill(OPEN, 0, before);
  whole.set(bytes, before);
  return whole.fill(CLOSE, before + bytes.length);
}

/**
 * Cuts the text of a JSON array into pieces, each of which can be parsed by itself: to parse all of it at once would keep everybody
 * waiting. It is cut at commas between items, and between the items of an item, so that none is much larger than the others but one
 * that is a long string. Whoever parses a piece finds what is wrong in it; what is wrong between two is found here.
 *
 * @param depth how deep arrays may be: 1 for one with no array in it, 2 for one of such
 * @param pieceBytes after so many it is cut at the next comma
 * @returns what is wrong with the text as far as it was read, if anything
 */
export function* piecesOf(
  text: Buffer,
  depth: 1 | 2,
  pieceBytes: number = PIECE_BYTES,
): Generator<Piece, Flaw | undefined> {
  let at = BOM.every((byte, index) => text[index] === byte) ? BOM.length : 0;
  while (isSpace(text[at] ?? OPEN)) at++;
  if (text[at] !== OPEN) return "broken";
  let from = at + 1;
  /** How deep it is here, and how deep it was where this piece begins. */
  let here = 1;
  let before = 1;
  /** The byte before this one that is no space. */
  let last = OPEN;
  for (at++; here > 0; at++) {
    const byte = text[at];
    if (byte === undefined) return "broken";
    if (byte === QUOTE) at = stringEnd(text, at);
    else if (byte === OPEN_OBJECT || (byte === OPEN && here === depth)) return "deep";
    else if (byte === OPEN) here++;
    else if (byte === CLOSE) {
      if (last === COMMA) return "broken";
      here--;
    } else if (byte === COMMA) {
      if (last === COMMA || last === OPEN) return "broken";
      if (at - from >= pieceBytes) {
        yield { bytes: bracketed(text.subarray(from, at), before, here), goesOn: before > 1 };
        before = here;
        from = at + 1;
      }
    }
    if (!isSpace(byte)) last = byte;
  }
  const end = at - 1;
  while (isSpace(text[at] ?? OPEN)) at++;
  if (at < text.length) return "broken";
  yield { bytes: bracketed(text.subarray(from, end), before, 1), goesOn: before > 1 };
  return undefined;
}
