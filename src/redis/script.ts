import { LeaseholdError } from "../errors.ts";

/** A Lua script as the build embeds it; see lua/README.md. */
export interface Script<Args extends readonly (string | number)[], Reply> {
  readonly lua: string;
  /** SHA-1 of the plain text and of the text with the key-locking flag. */
  readonly sha: readonly [plain: string, flagged: string];
  /** Every reply: a status and its fields, integers marked with `#`, parted by `|`. */
  readonly replies: string;
  /** Whether the first argument is the server time after which the request is void. */
  readonly fresh: boolean;
  /** Types only. */
  readonly types?: (args: Args) => Reply;
}

/** What every script answers: how it went, and the server's clock in µs. */
export interface Answered {
  readonly status: string;
  readonly now: number;
}

/**
 * Believes a reply only when it has the shape that the script declares: clients between us and Redis parse, re-encode and, on an
 * abort, even invent answers.
 */
export function decodeReply<Reply>(script: Script<never, Reply>, value: unknown): Reply {
  const values: unknown[] = Array.isArray(value) ? value : [];
  for (const spec of script.replies.split("|")) {
    const [status, ...names] = spec.split(" ");
    const fits = (name: string, index: number): boolean =>
      name.endsWith("#") ? Number.isSafeInteger(values[index + 1]) : typeof values[index + 1] === "string";
    if (values[0] === status && values.length === names.length + 1 && names.every(fits)) {
      const fields = names.map((name, index) => [name.replace("#", ""), values[index + 1]]);
      return Object.fromEntries([["status", status], ...fields]) as Reply;
    }
  }
  throw new LeaseholdError("malformed_answer", "not an answer of our script: what is it that the URL leads to?");
}
