const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const BACKSLASH = 0x5c;
const END_OF_ARRAY = 0x5d;

/** The rest of a number after its first digits. */
const REST = /[-+.\dEe]*/y;

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

/** The end of the string that begins at `start`, including its second quote. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
    let escapes = quote;
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes--;
    if ((quote - escapes) % 2 === 0) return quote + 1;
  }
}

/** The end of the number whose first digits end at `digits`. */
function endOfNumber(text: string, digits: number): number {
  const next = text.charCodeAt(digits);
  // Most numbers have only digits.
  if (next === COMMA || next === END_OF_ARRAY) return digits;
  REST.lastIndex = digits;
  return digits + (REST.exec(text)?.[0].length ?? 0);
}

/**
 * Replaces the numbers that JavaScript would write differently (2^53 + 1, 1e400, 1.10, -0) with strings, so that the
 * parser rounds none. A reviver is not enough: on Node 20, it does not receive the source text.
 *
 * @param text valid JSON
 */
export function keepNumbers(text: string): string {
  let result = "";
  let from = 0;
  let at = 0;
  while (at < text.length) {
    const start = at;
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      continue;
    }
    at++;
    const isNegative = code === MINUS;
    if (!isNegative && !isDigit(code)) continue;
    let value = isNegative ? 0 : code - ZERO;
    for (let digit = text.charCodeAt(at); isDigit(digit); digit = text.charCodeAt(++at))
      value = value * 10 + digit - ZERO;
    const digits = at;
    at = endOfNumber(text, digits);
    // Plain integers need no further check. A rounded one is larger than the largest safe integer.
    if (at === digits && !isNegative && value <= Number.MAX_SAFE_INTEGER) continue;
    const number = text.slice(start, at);
    if (String(Number(number)) === number) continue;
    result += `${text.slice(from, start)}"${number}"`;
    from = at;
  }
  return from === 0 ? text : result + text.slice(from);
}
