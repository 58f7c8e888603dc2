import { checkMembers } from "./members.ts";

/** A token of the REST endpoint. */
export interface RestToken {
  /** At least 16 visible ASCII characters. */
  readonly token: string;
  /** Whether it is read-only: it allows `inspect`, but no locks. Default false. */
  readonly readOnly?: boolean | undefined;
  /**
   * A tenant sees neither other tenants' names nor those of the Workers that are bound to the objects. Default: no
   * tenant, which shares the names of those Workers.
   */
  readonly tenant?: string | undefined;
}

/** The permissions of a request. */
export interface Access {
  readonly readOnly: boolean;
  /** The name of an object for this tenant. */
  readonly nameOf: (tag: string) => string;
}

const MIN_TOKEN = 16;
/** The characters that a header can carry. */
const SENDABLE = /^[\x21-\x7e]+$/;
const MEMBERS: readonly (keyof RestToken)[] = ["token", "tenant", "readOnly"];
/** Separates a tenant from a name. No tenant contains it, so the text before the first one is the tenant. */
const SEPARATOR = "\0";

/**
 * The name of the object for a hash tag. Without a tenant, it is the tag, unless that could be confused with a tenant's
 * name.
 */
export const objectName = (tag: string, tenant = ""): string =>
  tenant === "" && !tag.includes(SEPARATOR) ? tag : `${tenant}${SEPARATOR}${tag}`;

const encoder = new TextEncoder();

/** The hash of a text: comparing two hashes takes constant time. */
async function hashOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  let difference = 0;
  for (const [at, byte] of one.entries()) difference |= byte ^ (other[at] ?? 0);
  return difference === 0;
}

const accessOf = ({ readOnly = false, tenant }: RestToken): Access => ({
  readOnly,
  nameOf: (tag) => objectName(tag, tenant),
});

/** Checks one token. @throws TypeError that names the member, and repeats no token */
function checkToken(entry: RestToken, where: string): void {
  checkMembers(entry, MEMBERS, where, true);
  const { token, tenant, readOnly } = entry;
  if (typeof token !== "string" || token.length < MIN_TOKEN)
    throw new TypeError(`${where}: the token must have at least ${MIN_TOKEN} characters`);
  if (!SENDABLE.test(token))
    throw new TypeError(`${where}: the token must be visible ASCII characters without spaces or line ends`);
  if (readOnly !== undefined && typeof readOnly !== "boolean")
    throw new TypeError(`${where}: readOnly must be true or false`);
  if (tenant === undefined) return;
  if (typeof tenant !== "string" || tenant === "")
    throw new TypeError(`${where}: the tenant must be a string that is not empty`);
  if (tenant.includes(SEPARATOR) || /\p{Surrogate}/u.test(tenant))
    throw new TypeError(`${where}: the tenant must be well-formed text without NUL`);
}

/**
 * Checks tokens, each alone, and that none of them has two permissions.
 *
 * @param names what to call each of them in errors
 * @throws TypeError that names the token, and repeats none
 */
export function checkTokens(tokens: readonly RestToken[], names: readonly string[]): void {
  const seen = new Map<string, number>();
  for (const [at, entry] of tokens.entries()) {
    checkToken(entry, names[at] ?? "");
    const other = seen.get(entry.token);
    const before = other === undefined ? undefined : tokens[other];
    if (before && (before.tenant !== entry.tenant || (before.readOnly ?? false) !== (entry.readOnly ?? false)))
      throw new TypeError(`${names[other ?? 0]} and ${names[at]} have the same token, and different permissions`);
    seen.set(entry.token, at);
  }
}

/**
 * Makes a function that returns the permissions of a token; undefined for an invalid token.
 *
 * @throws TypeError for invalid tokens
 */
export function createAccess(tokens: readonly RestToken[]): (token: string | undefined) => Promise<Access | undefined> {
  if (!Array.isArray(tokens)) throw new TypeError("tokens must be a list");
  if (tokens.length === 0) throw new TypeError("a token is missing");
  checkTokens(
    tokens,
    tokens.map((_, at) => `tokens[${at}]`),
  );
  let hashes: Promise<readonly Uint8Array[]> | undefined;
  return async (bearer) => {
    hashes ??= Promise.all(tokens.map(({ token }) => hashOf(token)));
    const known = await hashes;
    const hash = await hashOf(bearer ?? "");
    const found = known.map((each) => isSame(each, hash)).indexOf(true);
    const token = tokens[found];
    return token && accessOf(token);
  };
}
