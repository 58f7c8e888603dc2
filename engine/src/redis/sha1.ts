const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

/** SHA-1 in hexadecimal, of a text with one character for each byte. Web Crypto's would have to be awaited. */
export function sha1(text: string): string {
  const size = text.length;
  const words = new Uint32Array(((size + 8) >> 6) * 16 + 16);
  for (let at = 0; at < size; at++)
    words[at >> 2] = (words[at >> 2] as number) | (text.charCodeAt(at) << (24 - (at % 4) * 8));
  words[size >> 2] = (words[size >> 2] as number) | (0x80 << (24 - (size % 4) * 8));
  words[words.length - 2] = Math.floor(size / 2 ** 29);
  words[words.length - 1] = size << 3;
  let hash = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0] as const;
  const schedule = new Int32Array(80);
  for (let from = 0; from < words.length; from += 16) {
    for (let n = 0; n < 80; n++) {
      const at = (back: number): number => schedule[n - back] as number;
      schedule[n] = n < 16 ? (words[from + n] as number) : rotate(at(3) ^ at(8) ^ at(14) ^ at(16), 1);
    }
    let [a, b, c, d, e]: [number, number, number, number, number] = [...hash];
    for (let n = 0; n < 80; n++) {
      const mixed =
        n < 20
          ? ((b & c) | (~b & d)) + 0x5a827999
          : n < 40
            ? (b ^ c ^ d) + 0x6ed9eba1
            : n < 60
              ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
              : (b ^ c ^ d) + 0xca62c1d6;
      const next = (rotate(a, 5) + mixed + e + (schedule[n] as number)) | 0;
      [e, d, c, b, a] = [d, c, rotate(b, 30), a, next];
    }
    hash = [(hash[0] + a) | 0, (hash[1] + b) | 0, (hash[2] + c) | 0, (hash[3] + d) | 0, (hash[4] + e) | 0] as never;
  }
  return hash.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
