/** The time of a digest of a short text, in steps. */
export const DIGEST_STEPS = 20;

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

/** The message in 32-bit words, with its padding and length. */
function padded(text: string): Uint32Array {
  const size = text.length;
  const words = new Uint32Array(((size + 8) >> 6) * 16 + 16);
  for (let at = 0; at < size; at++)
    words[at >> 2] = (words[at >> 2] as number) | (text.charCodeAt(at) << (24 - (at % 4) * 8));
  words[size >> 2] = (words[size >> 2] as number) | (0x80 << (24 - (size % 4) * 8));
  words[words.length - 2] = Math.floor(size / 2 ** 29);
  words[words.length - 1] = size << 3;
  return words;
}

/** Fills the 80 words for the rounds of a block. */
function expand(schedule: Int32Array, words: Uint32Array, from: number): void {
  for (let n = 0; n < 16; n++) schedule[n] = words[from + n] as number;
  for (let n = 16; n < 80; n++) {
    const mixed =
      (schedule[n - 3] as number) ^
      (schedule[n - 8] as number) ^
      (schedule[n - 14] as number) ^
      (schedule[n - 16] as number);
    schedule[n] = rotate(mixed, 1);
  }
}

/** The function of a round and its constant, added. */
function mix(n: number, b: number, c: number, d: number): number {
  if (n < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (n < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (n < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}

/**
 * Adds a block to the hash. It allocates nothing, since a new process hashes its first script before this code is
 * optimized.
 */
function addBlock(hash: Int32Array, schedule: Int32Array): void {
  let a = hash[0] as number;
  let b = hash[1] as number;
  let c = hash[2] as number;
  let d = hash[3] as number;
  let e = hash[4] as number;
  for (let n = 0; n < 80; n++) {
    const next = (rotate(a, 5) + mix(n, b, c, d) + e + (schedule[n] as number)) | 0;
    e = d;
    d = c;
    c = rotate(b, 30);
    b = a;
    a = next;
  }
  hash[0] = (hash[0] as number) + a;
  hash[1] = (hash[1] as number) + b;
  hash[2] = (hash[2] as number) + c;
  hash[3] = (hash[3] as number) + d;
  hash[4] = (hash[4] as number) + e;
}

/** SHA-1 in hexadecimal, of a text with one character for each byte. Web Crypto's would have to be awaited. */
export function sha1(text: string): string {
  const words = padded(text);
  const hash = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
  const schedule = new Int32Array(80);
  for (let from = 0; from < words.length; from += 16) {
    expand(schedule, words, from);
    addBlock(hash, schedule);
  }
  return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
