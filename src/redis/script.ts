import { MalformedAnswerError } from "../errors.ts";

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

/** What each script answers besides its status: the server's clock in µs. */
export interface Answered {
  readonly status: string;
  readonly now: number;
}

/**
 * Believes a reply only when it has the shape that the script declares: clients between us and Redis parse, re-encode and, on an
 * abort, even invent answers.
 */
export function decodeReply<Reply>(script: Script<never, Reply>, value: unknown): Reply {
  if (Array.isArray(value)) {
    const [status, now, ...rest] = value as unknown[];
    const spec = script.replies
      .split("|")
      .map((reply) => reply.split(" "))
      .find(([name]) => name === status);
    if (spec && Number.isSafeInteger(now) && rest.length === spec.length - 1) {
      const reply: Record<string, unknown> = { status, now };
      const fits = rest.every((field, index) => {
        const name = spec[index + 1] as string;
        reply[name.replace("#", "")] = field;
        return name.endsWith("#") ? Number.isSafeInteger(field) : typeof field === "string";
      });
      if (fits) return reply as Reply;
    }
  }
  throw new MalformedAnswerError("the answer does not have the shape of any reply of the script");
}
