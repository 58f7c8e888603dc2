import { type Bytes, bytesOf } from "./bytes.ts";

const toBase64Url = (bytes: ArrayBuffer | Bytes): string =>
  // Byte by byte, since a long ticket has too many bytes for the arguments of one call.
  btoa(new Uint8Array(bytes).reduce((text, byte) => text + String.fromCharCode(byte), ""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** The length of a random id. */
export const ID_LENGTH = 36;

/** Makes an ID of 122 random bits in 36 characters. It must be unguessable, since a hold's ID proves ownership. */
export const randomId = (): string => crypto.randomUUID();

/** SHA-1 in hex, by which Redis knows a script. */
export const sha1 = async (text: string): Promise<string> =>
  new Uint8Array(await crypto.subtle.digest("SHA-1", bytesOf(text))).reduce(
    (hex, byte) => hex + (byte + 256).toString(16).slice(1),
    "",
  );

/** SHA-256 in 43 characters. */
export const digest = async (text: string): Promise<string> =>
  toBase64Url(await crypto.subtle.digest("SHA-256", bytesOf(text)));

/** The first 128 bits of SHA-256 in 22 characters. Re-entry keys and fingerprints are stored only in this form. */
export const hash = async (text: string): Promise<string> => (await digest(text)).slice(0, 22);

/** Compares two texts in a time that depends only on their lengths. */
export function equal(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}

/** Computes HMAC-SHA-256. The key is imported at each use, since a stored promise would be shared between requests. */
export const hmac =
  (secret: string) =>
  async (text: string): Promise<string> => {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", bytesOf(secret), algorithm, false, ["sign"]);
    return toBase64Url(await crypto.subtle.sign("HMAC", key, bytesOf(text)));
  };

export const encodeText = (text: string): string => toBase64Url(bytesOf(text));

/** The SHA-1 of each sent text, computed on first use, since hashes in a bundle do not compress. */
const shas = new Map<string, string>();

/** The SHA-1 of a repeatedly sent text. */
export async function shaOf(text: string): Promise<string> {
  const known = shas.get(text) ?? (await sha1(text));
  shas.set(text, known);
  return known;
}
