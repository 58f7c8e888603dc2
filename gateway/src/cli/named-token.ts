import type { NamedSha256, NamedToken } from "../shared/options.ts";

/** A token contains no space, so a text with a space is a name and a token. */
const NAMED = /^(\S+)[ \t]+(\S+)$/;

/** A token, or a name and a token with spaces between them. */
export function tokenOf(text: string): string | NamedToken {
  const [, name, token] = NAMED.exec(text) ?? [];
  return name === undefined || token === undefined ? text : { name, token };
}

/** Like {@link tokenOf}, for the SHA-256 of a token. */
export function sha256Of(text: string): string | NamedSha256 {
  const [, name, sha256] = NAMED.exec(text) ?? [];
  return name === undefined || sha256 === undefined ? text : { name, sha256 };
}

const isText = (value: unknown): value is string => typeof value === "string" && /^\S+$/.test(value);

/**
 * The text of `{ name, token }` or `{ name, sha256 }` in a config file; `undefined` for any other value.
 *
 * @param member which of the two it must be: a SHA-256 taken for a token would be a token that everybody may see
 */
export function textOfNamed(value: unknown, member: "token" | "sha256"): string | undefined {
  if (typeof value !== "object" || value === null || Object.keys(value).length !== 2) return undefined;
  const { name, [member]: secret } = value as Readonly<Record<string, unknown>>;
  return isText(name) && isText(secret) ? `${name} ${secret}` : undefined;
}
