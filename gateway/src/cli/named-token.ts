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

/** The text of `{ name, token }` or `{ name, sha256 }` in a config file; `undefined` for any other value. */
export function textOfNamed(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Object.keys(value).length !== 2) return undefined;
  const { name, token, sha256 } = value as Readonly<Record<string, unknown>>;
  const secret = token ?? sha256;
  return isText(name) && isText(secret) ? `${name} ${secret}` : undefined;
}
