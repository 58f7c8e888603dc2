/** A token of the REST endpoint. */
export interface RestToken {
  /** At least 16 characters. */
  readonly token: string;
  /** Whether it is read-only: it allows `inspect`, but no locks. Default false. */
  readonly readOnly?: boolean;
  /**
   * A tenant sees neither other tenants' names nor those of the Workers that are bound to the objects. Default: no
   * tenant, which shares the names of those Workers.
   */
  readonly tenant?: string;
}

/** The permissions of a request. */
export interface Access {
  readonly readOnly: boolean;
  /** The name of an object for this tenant. */
  readonly nameOf: (tag: string) => string;
}

const LEAST_TOKEN = 16;
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

/**
 * Makes a function that returns the permissions of a token; undefined for an invalid token.
 *
 * @throws TypeError for invalid tokens
 */
export function createAccess(tokens: readonly RestToken[]): (given: string | undefined) => Promise<Access | undefined> {
  if (tokens.length === 0) throw new TypeError("a token is missing");
  for (const { token, tenant = "" } of tokens) {
    if (typeof token !== "string" || token.length < LEAST_TOKEN)
      throw new TypeError(`a token must have at least ${LEAST_TOKEN} characters`);
    if (tenant.includes(SEPARATOR)) throw new TypeError("a tenant must be without NUL");
  }
  let hashes: Promise<readonly Uint8Array[]> | undefined;
  return async (given) => {
    hashes ??= Promise.all(tokens.map(({ token }) => hashOf(token)));
    const known = await hashes;
    const hash = await hashOf(given ?? "");
    const found = known.map((each) => isSame(each, hash)).indexOf(true);
    const token = tokens[found];
    return token && accessOf(token);
  };
}
