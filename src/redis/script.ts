import { LeaseholdError } from "../shared/errors.ts";

/** A Lua script as the build embeds it; see lua/README.md. */
export interface Script<Args extends readonly (string | number)[], Reply> {
  readonly lua: string;
  /** The replies that the script declares: each a status and its fields. A `$` stands behind fields that are texts. */
  readonly replies: string;
  /** Types only. */
  readonly types?: (args: Args) => Reply;
}

/** The members of every reply: its status, and the server's clock in µs. */
export interface Answered {
  readonly status: string;
  readonly now: number;
  /** The kind that the name is in use as, with the status `kind`. */
  readonly kind?: string;
}

/**
 * Accepts a reply only in a shape that the script declares: clients between us and Redis parse and re-encode answers,
 * and even invent one on an abort.
 */
export function decodeReply<Reply>(script: Script<never, Reply>, value: unknown): Reply {
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  for (const declared of script.replies.split("|")) {
    const fields = declared.split(" ");
    const reply: Record<string, unknown> = { status: given[0] };
    const fits = (field: string, index: number): boolean => {
      const own = given[index + 1];
      // Every status is followed by the server's clock.
      reply[index ? field.replace("$", "") : "now"] = own;
      return field.endsWith("$") ? typeof own === "string" : Number.isSafeInteger(own);
    };
    if (fields[0] === given[0] && fields.length + 1 === given.length && fields.every(fits)) return reply as Reply;
  }
  throw new LeaseholdError("malformed_answer", "not an answer of our script: check the URL");
}
