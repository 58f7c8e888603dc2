import { checkOptions, isWellFormed } from "../shared/checks.ts";
import { digest } from "../shared/crypto.ts";

/** What a key of `once` is made of. */
export interface DedupeKeyParts {
  /** A ready sender's name, such as `"github"` or `"stripe"`; `"custom"` for a `key` function of your own. */
  readonly sender: string;
  /** As the option `scope` gave it; without that option path and query of the endpoint, as in `"/webhooks/github"` or `"/webhooks/github?tenant=a"`. */
  readonly scope?: string | readonly string[] | undefined;
  /** As the sender gave it; of several parts where it has several. */
  readonly id: string | readonly string[];
}

/** The parts of a scope. @throws TypeError for one that could be another tenant's: nothing, or an empty part. */
export function toScope(scope: string | readonly string[]): readonly string[] {
  const parts = typeof scope === "string" ? [scope] : scope;
  if (Array.isArray(parts) && parts.length > 0 && parts.every((part) => part && isWellFormed(part))) return parts;
  throw new TypeError("scope must be well-formed text that is not empty, or a list of such");
}

/** So that no two lists give the same text: `a:b` and `c` are not `a` and `b:c`. */
export const joinParts = (parts: readonly string[]): string => parts.map((part) => `${part.length}:${part}`).join("");

/**
 * The key under which {@link dedupe} remembers a delivery, for `locks.once(key)`: to inspect it or to forget it.
 * Scope and id are in it as SHA-256 only, since one may be a secret and the other comes from outside.
 *
 * @throws TypeError for parts that cannot be.
 */
export async function dedupeKey(parts: DedupeKeyParts): Promise<string> {
  checkOptions(parts, "sender scope id");
  const { sender, scope, id } = parts;
  if (typeof sender !== "string" || !sender) throw new TypeError("sender must be text");
  const ids = typeof id === "string" ? [id] : id;
  if (!ids.every(isWellFormed)) throw new TypeError("id must be well-formed text");
  const scopes = scope === undefined ? [] : toScope(scope);
  // Two lists, each as one part, so that what is scope cannot become id.
  return `${sender}:${await digest(joinParts([joinParts(scopes), joinParts(ids)]))}`;
}
