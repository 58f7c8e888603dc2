const SLOTS = 16_384;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** CRC-16/XMODEM of every byte, as in the specification of Redis Cluster. */
const TABLE: readonly number[] = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
  return crc & 0xffff;
});

function crc16(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ (TABLE[(crc >> 8) ^ byte] ?? 0);
  return crc;
}

/** The hash tag of a key, which is the text between the first `{` and the next `}`; the whole key if there is none. */
function hashed(key: Buffer): Buffer {
  const open = key.indexOf(OPEN);
  const close = open === -1 ? -1 : key.indexOf(CLOSE, open + 1);
  return close > open + 1 ? key.subarray(open + 1, close) : key;
}

/**
 * The slot of a key, from 0 to 16383. Braces with nothing between them do not count: the slot of
 * `{}{a}` is that of the whole text.
 */
export function slotOf(key: string | Buffer): number {
  return crc16(hashed(typeof key === "string" ? Buffer.from(key) : key)) % SLOTS;
}
