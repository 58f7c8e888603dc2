const encoder: TextEncoder = new TextEncoder();

export function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** The bytes, or undefined when the text is not base64url. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** 128 random bits in 22 characters: unguessable, since knowing a hold's id is what proves ownership. */
export const randomId = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(16)));

export const ID_PATTERN: RegExp = /^[\w-]{22}$/;

/** SHA-256, its first 128 bits in 22 characters. Owners and fingerprints are stored only so. */
export async function hash(text: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)), 0, 16));
}

/** HMAC-SHA-256 of tickets. */
export interface Signer {
  sign(text: string): Promise<string>;
  verify(text: string, signature: string): Promise<boolean>;
}

export function hmac(secret: string): Signer {
  // The key is imported at each use: a promise kept here would be shared between requests.
  const key = () =>
    crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
      "sign",
      "verify",
    ]);
  return {
    async sign(text) {
      return toBase64Url(new Uint8Array(await crypto.subtle.sign("HMAC", await key(), encoder.encode(text))));
    },
    async verify(text, signature) {
      const bytes = fromBase64Url(signature);
      return bytes !== undefined && crypto.subtle.verify("HMAC", await key(), bytes, encoder.encode(text));
    },
  };
}
