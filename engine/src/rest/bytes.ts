const encoder = new TextEncoder();
// A byte order mark is part of the text.
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

const BEYOND_ASCII = /[^\0-\x7f]/;

/** A text as UTF-8, one character for each byte. */
export function toBytes(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  return fromArray(encoder.encode(text));
}

/** The bytes of an array, one character for each. */
export function fromArray(array: Uint8Array): string {
  let bytes = "";
  for (let at = 0; at < array.length; at += 8192) bytes += String.fromCharCode(...array.subarray(at, at + 8192));
  return bytes;
}

/** Decodes bytes as UTF-8. Invalid bytes become U+FFFD. */
export function toText(bytes: string): string {
  if (!BEYOND_ASCII.test(bytes)) return bytes;
  const array = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) array[at] = bytes.charCodeAt(at);
  return decoder.decode(array);
}
