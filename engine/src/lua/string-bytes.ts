/** So many characters are joined at once: a function cannot have arguments without limit. */
const CHUNK = 8192;

/** Makes a text of this length from the codes of its characters. */
function textBy(length: number, codeAt: (at: number) => number): string {
  const codes = new Uint8Array(Math.min(CHUNK, length));
  let made = "";
  for (let from = 0; from < length; from += CHUNK) {
    const size = Math.min(CHUNK, length - from);
    for (let n = 0; n < size; n++) codes[n] = codeAt(from + n);
    made += String.fromCharCode.apply(undefined, codes.subarray(0, size) as unknown as number[]);
  }
  return made;
}

export const reversed = (text: string): string => textBy(text.length, (at) => text.charCodeAt(text.length - 1 - at));

/** Only ASCII letters have another case, as in C's own locale. */
export const lowered = (text: string): string =>
  textBy(text.length, (at) => {
    const c = text.charCodeAt(at);
    return c >= 65 && c <= 90 ? c + 32 : c;
  });

export const raised = (text: string): string =>
  textBy(text.length, (at) => {
    const c = text.charCodeAt(at);
    return c >= 97 && c <= 122 ? c - 32 : c;
  });
