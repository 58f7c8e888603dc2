import { hash, timingSafeEqual } from "node:crypto";
import { queryPairs } from "./target.ts";

/** What a token may do: everything, or run commands that only read. */
export type Access = "full" | "read-only";

/** The tokens of one database. All that are given are valid at once, so that an old and a new one can overlap. */
export interface TokenOptions {
  /** The bearer token, or several. */
  readonly token?: string | readonly string[];
  /** The SHA-256 of a token in hexadecimal, or several, where the token itself is not to be written down. */
  readonly tokenSha256?: string | readonly string[];
  /** A token that may run commands that only read, or several. */
  readonly readOnlyToken?: string | readonly string[];
  readonly readOnlyTokenSha256?: string | readonly string[];
}

/** Something that a token opens. */
export interface Key<T> {
  readonly digest: Buffer;
  readonly access: Access;
  readonly to: T;
}

const BEARER = /^bearer +(.+)$/i;
const SENDABLE = /^[\x21-\x7e]+$/;
const SHA256 = /^[\da-f]{64}$/i;

/** What tokens are compared by, since `timingSafeEqual` wants equal lengths and a check of the length first would tell it. */
const digestOf = (token: string): Buffer => hash("sha256", token, "buffer");

/** The digest of a request's bearer token, or of `?_token=` where there is no `Authorization` header. */
export function presented(request: Request): Buffer | undefined {
  const header = request.headers.get("authorization");
  const token =
    header !== null
      ? BEARER.exec(header)?.[1]
      : queryPairs(request.url)
          .find(([key]) => key === "_token")?.[1]
          ?.toString();
  return token === undefined ? undefined : digestOf(token);
}

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value;

function plain(name: string, value: string | readonly string[] | undefined): Buffer[] {
  return listOf(value).map((token) => {
    if (typeof token !== "string" || token === "") throw new TypeError(`${name} must be a non-empty string`);
    if (!SENDABLE.test(token))
      throw new TypeError(`${name} must be ASCII characters that can be seen: no header could carry another`);
    return digestOf(token);
  });
}

function hashed(name: string, value: string | readonly string[] | undefined): Buffer[] {
  return listOf(value).map((digits) => {
    if (typeof digits !== "string" || !SHA256.test(digits))
      throw new TypeError(`${name} must be a SHA-256 in hexadecimal: 64 digits`);
    return Buffer.from(digits, "hex");
  });
}

/**
 * The keys that tokens are. Throws without repeating one.
 *
 * @throws {TypeError} for a token that is empty or cannot be sent, and a SHA-256 that is none
 */
export function keysTo<T>(to: T, options: TokenOptions): Key<T>[] {
  const full = [...plain("token", options.token), ...hashed("tokenSha256", options.tokenSha256)];
  const reading = [
    ...plain("readOnlyToken", options.readOnlyToken),
    ...hashed("readOnlyTokenSha256", options.readOnlyTokenSha256),
  ];
  return [
    ...full.map((digest): Key<T> => ({ digest, access: "full", to })),
    ...reading.map((digest): Key<T> => ({ digest, access: "read-only", to })),
  ];
}

/** @throws {TypeError} when one token would open two things */
export function refuseAmbiguous(keys: readonly Key<unknown>[]): void {
  const seen = new Map<string, Key<unknown>>();
  for (const key of keys) {
    const digest = key.digest.toString("hex");
    const other = seen.get(digest);
    if (other !== undefined && other.to !== key.to) throw new TypeError("two databases have the same token");
    if (other !== undefined && other.access !== key.access)
      throw new TypeError("the same token is given as full and as read-only");
    seen.set(digest, key);
  }
}

/** The key that a digest belongs to. All are compared, whichever fits, so that the time taken does not tell which one. */
export function findKey<T>(keys: readonly Key<T>[], digest: Buffer): Key<T> | undefined {
  let found: Key<T> | undefined;
  for (const key of keys) if (timingSafeEqual(key.digest, digest)) found = key;
  return found;
}
