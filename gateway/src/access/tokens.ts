import { createHash, timingSafeEqual } from "node:crypto";
import { tokenOf } from "leasehold-engine/rest";
import type { HttpRequest } from "../http/message.ts";
import type { NamedSha256, NamedToken, TokenOptions } from "../shared/options.ts";

/** The permissions of a token: everything, or commands that only read. */
export type Access = "full" | "read-only";

/** A token, and the database or page that it gives access to. */
export interface Key<T> {
  readonly digest: Buffer;
  /** The digest as text: the identity of the token. */
  readonly id: string;
  /** The token in a buffer of fixed length; `undefined` if only its SHA-256 is known, or if it is too long. */
  readonly padded: Buffer | undefined;
  readonly access: Access;
  /** The name in logs and metrics, which is no secret. */
  readonly name: string;
  readonly to: T;
}

const SENDABLE = /^[\x21-\x7e]+$/;
/** The same as for databases, so that a name can be a label and part of a log line. */
const NAME = /^[\w.-]{1,64}$/;
const SHA256 = /^[\da-f]{64}$/i;

/** The digest of a token: `timingSafeEqual` needs equal lengths, and a check of the length would reveal it. */
const digestOf = (token: string): Buffer => createHash("sha256").update(token).digest();

/**
 * The size of a padded token, whose last two bytes are its length. Comparing padded tokens takes a tenth of the time of
 * comparing digests.
 */
const WIDTH = 256;
const fits = (token: string): boolean => token.length <= WIDTH - 2 && Buffer.byteLength(token) <= WIDTH - 2;

function pad(token: string, into: Buffer): Buffer {
  into.fill(0);
  into.writeUInt16BE(into.write(token), WIDTH - 2);
  return into;
}

/** The buffer for the token of the current request. */
const scratch = Buffer.alloc(WIDTH);

const isPadded = ({ padded }: Key<unknown>): boolean => padded !== undefined;

/** A token as configured: alone, or with a name. */
interface TokenEntry {
  readonly name: string | undefined;
  readonly secret: unknown;
}

/**
 * @param member where the secret of a named one is: a SHA-256 taken for a token would be a token that everybody may see
 * @throws {TypeError} for a name that could not be a label, and for other members
 */
function listOf(
  option: string,
  value: TokenOptions["token"] | TokenOptions["tokenSha256"],
  member: "token" | "sha256",
): readonly TokenEntry[] {
  if (value === undefined) return [];
  const list: readonly (string | NamedToken | NamedSha256)[] = Array.isArray(value) ? value : [value];
  return list.map((entry) => {
    if (typeof entry !== "object" || entry === null) return { name: undefined, secret: entry };
    const { name, [member]: secret } = entry as Partial<NamedToken & NamedSha256>;
    if (!Object.hasOwn(entry, member)) throw new TypeError(`${option}: an object must be { name, ${member} }`);
    if (typeof name !== "string" || !NAME.test(name) || Object.keys(entry).length !== 2)
      throw new TypeError(`${option}: the name of a token must be 1 to 64 letters, digits, -, _ or .`);
    return { name, secret };
  });
}

type Secret = Pick<Key<unknown>, "digest" | "id" | "padded"> & { readonly name: string | undefined };

const secretOf = (name: string | undefined, digest: Buffer, padded?: Buffer): Secret => ({
  name,
  digest,
  id: digest.toString("hex"),
  padded,
});

function plain(option: string, value: TokenOptions["token"]): Secret[] {
  return listOf(option, value, "token").map(({ name, secret: token }) => {
    if (typeof token !== "string" || token === "") throw new TypeError(`${option} must be a non-empty string`);
    if (!SENDABLE.test(token))
      throw new TypeError(`${option} must be ASCII characters that can be seen: no header could carry another`);
    return secretOf(name, digestOf(token), fits(token) ? pad(token, Buffer.alloc(WIDTH)) : undefined);
  });
}

function hashed(option: string, value: TokenOptions["tokenSha256"]): Secret[] {
  return listOf(option, value, "sha256").map(({ name, secret: digits }) => {
    if (typeof digits !== "string" || !SHA256.test(digits))
      throw new TypeError(`${option} must be a SHA-256 in hexadecimal: 64 digits`);
    return secretOf(name, Buffer.from(digits, "hex"));
  });
}

/**
 * Makes the keys of the tokens in the options. Errors repeat no token.
 *
 * @param nameOf the caller's name for an option
 * @throws {TypeError} for a token that is empty or cannot be sent, for an invalid SHA-256, and for an invalid name
 */
export function keysTo<T>(
  to: T,
  options: TokenOptions,
  nameOf: (option: keyof TokenOptions) => string = (option) => option,
): Key<T>[] {
  const full = [...plain(nameOf("token"), options.token), ...hashed(nameOf("tokenSha256"), options.tokenSha256)];
  const reading = [
    ...plain(nameOf("readOnlyToken"), options.readOnlyToken),
    ...hashed(nameOf("readOnlyTokenSha256"), options.readOnlyTokenSha256),
  ];
  const keys = (secrets: readonly Secret[], access: Access, label: string): Key<T>[] =>
    secrets.map((secret, at) => ({ ...secret, access, name: secret.name ?? `${label}-${at + 1}`, to }));
  return [...keys(full, "full", "token"), ...keys(reading, "read-only", "read-only-token")];
}

/**
 * Rejects tokens for two databases, or for one database with two permissions.
 *
 * @param keys the keys to the names of databases
 * @throws {TypeError} for such a token
 */
export function refuseAmbiguous(keys: readonly Key<string>[]): void {
  const seen = new Map<string, Key<string>>();
  for (const key of keys) {
    const other = seen.get(key.id);
    if (other !== undefined && other.to !== key.to)
      throw new TypeError(`two databases have the same token: ${other.to} and ${key.to}`);
    if (other !== undefined && other.access !== key.access)
      throw new TypeError(`database ${key.to}: the same token is given as full and as read-only`);
    seen.set(key.id, key);
  }
}

/**
 * Finds the key whose token a request presents. It depends only on the request and the keys, and is computed for each
 * request. The token is compared with all keys, and always as a whole, so that the time does not reveal how much of it
 * was correct.
 */
export function keyOf<T>(keys: readonly Key<T>[], request: HttpRequest): Key<T> | undefined {
  const token = tokenOf(request);
  if (token === undefined) return undefined;
  const padded = fits(token) ? pad(token, scratch) : undefined;
  const digest = keys.every(isPadded) ? undefined : digestOf(token);
  let right: Key<T> | undefined;
  for (const key of keys) {
    const isRight =
      key.padded === undefined
        ? digest !== undefined && timingSafeEqual(key.digest, digest)
        : padded !== undefined && timingSafeEqual(key.padded, padded);
    if (isRight) right = key;
  }
  return right;
}
