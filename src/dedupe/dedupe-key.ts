import { checkOptions, isWellFormed } from "../shared/checks.ts";
import { digest } from "../shared/crypto.ts";
import { joinParts, refuseMissing, scopeParts } from "../shared/identity.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";

/** The parts of a key of {@link dedupeKey}. */
export interface DedupeKeyParts {
  /** The sender's name, such as `"github"` or `"stripe"`; `"custom"` for your own `key` function. */
  readonly sender: string;
  /**
   * The value of the option `scope`. Without that option, the decoded path without a slash at its end; if the sender's
   * signature does not cover the ID, followed by the query, as in `"/webhooks/github?tenant=a"`.
   */
  readonly scope?: string | readonly string[] | undefined;
  /** The id of the delivery; a list for senders whose id has several parts. */
  readonly id: string | readonly string[];
}

function checkParts(parts: DedupeKeyParts) {
  checkOptions(parts, "sender scope id");
  const { sender, scope, id } = parts;
  if (typeof sender !== "string" || !sender) throw misuse(TypeError, `sender ${shown(sender)} must be a string`);
  const ids: readonly string[] = typeof id === "string" ? [id] : id;
  if (!Array.isArray(ids) || !ids.every(isWellFormed))
    throw misuse(TypeError, "id must be a well-formed string, or a list of such strings");
  for (const part of ids) refuseMissing(part, "id");
  return { sender, ids, scopes: scope === undefined ? [] : scopeParts(scope) };
}

/**
 * Computes the key under which {@link dedupe} remembers a delivery, so that `locks.once(key)` can inspect or forget it.
 * It contains scope and ID only as SHA-256, since the scope may be secret and the ID is untrusted input.
 *
 * @example
 * ```ts
 * const key = await dedupeKey({ sender: "github", scope: "/webhooks/github", id: deliveryId });
 * const { state } = await locks.once(key).inspect(); // "free", "running", "done" or "idle"
 * if (state === "done") await locks.once(key).forceRelease(); // a redelivery runs again
 * ```
 *
 * @throws TypeError for invalid parts.
 */
export async function dedupeKey(parts: DedupeKeyParts): Promise<string> {
  const { sender, ids, scopes } = inCall("dedupeKey", () => checkParts(parts));
  // Two lists, each as one part, so that no part of the scope can be confused with a part of the ID.
  return `${sender}:${await digest(joinParts([joinParts(scopes), joinParts(ids)]))}`;
}
