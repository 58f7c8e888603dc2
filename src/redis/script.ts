import { LeaseholdError } from "../shared/errors.ts";

/** A Lua script as the build embeds it; see lua/README.md. */
export interface Script<Args extends readonly (string | number)[], Reply> {
  readonly lua: string;
  /** The replies as the script's header declares them: each its status and its fields, integers marked with `#`. */
  readonly replies: string;
  /** Types only. */
  readonly types?: (args: Args) => Reply;
}

/** What every script answers: how it went, and the server's clock in µs. */
export interface Answered {
  readonly status: string;
  readonly now: number;
  /** Of the status `kind`: what the name is in use as. */
  readonly kind?: string;
}

/**
 * Believes a reply only when it has the shape that the script declares: clients between us and Redis parse, re-encode and, on an
 * abort, even invent answers.
 */
export function decodeReply<Reply>(script: Script<never, Reply>, value: unknown): Reply {
  const [status, ...values]: unknown[] = Array.isArray(value) ? value : [];
  const declared = script.replies.split("|").find((reply) => reply.split(" ")[0] === status);
  // Every status is followed by the server's clock.
  const fields = declared?.replace(/^\w+/, "now#").split(" ");
  const reply: Record<string, unknown> = { status };
  const fits = fields?.every((field, index) => {
    const value = values[index];
    reply[field.replace("#", "")] = value;
    return field.endsWith("#") ? Number.isSafeInteger(value) : typeof value === "string";
  });
  if (fits && fields?.length === values.length) return reply as Reply;
  throw new LeaseholdError("malformed_answer", "not an answer of our script: check the URL");
}
