import { LeaseholdError } from "../shared/errors.ts";

/** The first line of a flagged script. */
export const KEY_LOCKING = "#!lua flags=allow-key-locking\n";

/** The type of a field in a reply. */
type FieldType = "integer" | "text";

/** A Lua script as the build embeds it; see lua/README.md. */
export interface Script<Args extends readonly (string | number)[], Reply> {
  readonly lua: string;
  /** The replies that the script declares: by status, the fields after the server's clock, in their order. */
  readonly replies: Readonly<Record<string, Readonly<Record<string, FieldType>>>>;
  /** Types only. */
  readonly types?: (args: Args) => Reply;
}

/** The members of every reply: its status, and the server's clock in µs. */
export interface AnyReply {
  readonly status: string;
  readonly now: number;
  /** 0 if the server answered without reading its clock; then `now` is the time from the request. */
  readonly clockRead?: number;
  /** With the status `kind`: the kind that the name is in use as. */
  readonly kind?: string;
}

const CHECKS: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  integer: Number.isSafeInteger,
  text: (value) => typeof value === "string",
};

/**
 * Decodes a reply. Only shapes that the script declares are accepted: clients in between parse and re-encode answers,
 * and some invent one after an abort.
 *
 * @throws LeaseholdError for anything else.
 */
export function decodeReply<Reply>(script: Script<never, Reply>, value: unknown, host = "the server"): Reply {
  const [status, now, ...values]: readonly unknown[] = Array.isArray(value) ? value : [];
  const isDeclared = typeof status === "string" && Object.hasOwn(script.replies, status);
  const fields = (isDeclared && script.replies[status]) || {};
  const reply: Record<string, unknown> = { status, now };
  let fits = isDeclared && CHECKS.integer(now);
  let count = 0;
  for (const name in fields) {
    const value = values[count++];
    fits &&= CHECKS[fields[name] as FieldType](value);
    reply[name] = value;
  }
  if (!fits || count !== values.length)
    throw new LeaseholdError(
      "malformed_answer",
      `${host} returned an answer that the script cannot return: check the url`,
    );
  return reply as Reply;
}

/** The server's time in a reply, in µs; undefined if the server answered without reading its clock. */
export const clockOf = ({ now, clockRead }: AnyReply): number | undefined => (clockRead === 0 ? undefined : now);
