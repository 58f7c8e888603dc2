/** Bytes in a buffer of their own: `Uint8Array<ArrayBuffer>`, for compilers before TypeScript 5.7 too, whose arrays are not generic. */
export type Bytes = ReturnType<Uint8Array["slice"]>;

const bytesOf = (text: string): Bytes => new TextEncoder().encode(text) as Bytes;

const toBase64Url = (bytes: ArrayBuffer | Bytes): string =>
  // One by one: as the arguments of one call a long ticket's would be too many.
  btoa(new Uint8Array(bytes).reduce((text, byte) => text + String.fromCharCode(byte), ""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** 122 random bits in 36 characters: unguessable, since knowing a hold's id is what proves ownership. */
export const randomId = (): string => crypto.randomUUID();

/** SHA-1 in hex: the name of a script for Redis. */
export const sha1 = async (text: string): Promise<string> =>
  new Uint8Array(await crypto.subtle.digest("SHA-1", bytesOf(text))).reduce(
    (hex, byte) => hex + byte.toString(16).padStart(2, "0"),
    "",
  );

/** SHA-256 in 43 characters. */
export const digest = async (text: string): Promise<string> =>
  toBase64Url(await crypto.subtle.digest("SHA-256", bytesOf(text)));

/** SHA-256, its first 128 bits in 22 characters. Owners and fingerprints are stored only so. */
export const hash = async (text: string): Promise<string> => (await digest(text)).slice(0, 22);

/** Equal, in a time that depends on the lengths only. */
export function equal(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}

/** HMAC-SHA-256 of a text. The key is imported at each use: a promise kept for it would be shared between requests. */
export const hmac =
  (secret: string) =>
  async (text: string): Promise<string> => {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", bytesOf(secret), algorithm, false, ["sign"]);
    return toBase64Url(await crypto.subtle.sign("HMAC", key, bytesOf(text)));
  };

export const encodeText = (text: string): string => toBase64Url(bytesOf(text));
