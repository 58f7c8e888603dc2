const OPEN = 0x5b;
const CLOSE = 0x5d;
const OPEN_OBJECT = 0x7b;
const COMMA = 0x2c;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BOM = [0xef, 0xbb, 0xbf] as const;

const PIECE_BYTES = 32 * 1024;

/** A part of a JSON array that is valid JSON itself. */
export interface Piece {
  readonly bytes: Buffer;
  /** Whether its first item continues the last item of the previous piece. */
  readonly goesOn: boolean;
}

/** Why a text was not split to its end: it is not a valid JSON array, or is nested too deeply. */
export type Flaw = "broken" | "deep";

const isSpace = (byte: number): boolean =>
  byte === 0x20 || (byte >= 0x09 && byte <= 0x0d && byte !== 0x0b && byte !== 0x0c);

/** The end of the string that begins at a quote: its other quote, or the end of the text. */
function stringEnd(text: Buffer, quote: number): number {
  let at = quote + 1;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Adds brackets before and after some bytes. */
function bracketed(bytes: Buffer, before: number, after: number): Buffer {
  const whole = Buffer.allocUnsafe(before + bytes.length + after).fill(OPEN, 0, before);
  whole.set(bytes, before);
  return whole.fill(CLOSE, before + bytes.length);
}

/**
 * Splits the text of a JSON array into pieces that can be parsed one by one: parsing all of it in one step would block
 * all requests. It splits at commas between items, and between the items of an item, so only a long string makes a
 * piece much larger than the others. A mistake within a piece shows when it is parsed; a mistake between two pieces is
 * found here.
 *
 * @param depth the deepest nesting: 1 for an array without arrays in it, 2 for an array of those
 * @param pieceBytes the size from which a piece ends at the next comma
 * @returns the flaw in the text read so far, if there is one
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
  /** The depth here and at the beginning of this piece. */
  let here = 1;
  let before = 1;
  /** The last byte that is not a space. */
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
