import { checkOptions, type Duration, isWellFormed, toFunction } from "../shared/checks.ts";
import { causeOf } from "./cause.ts";
import { bodyText, type Exchange } from "./exchange.ts";
import { type Forms, problem } from "./response.ts";

/**
 * Checks the signature of a request: returns `true` or `false`. A thrown error counts as `false`; the event `answered`
 * names it as its `cause`, by class and place. Any other result is an error: `undefined` comes from a forgotten
 * `return`, and some libraries refuse by returning an object.
 */
export type Verify<Args extends unknown[] = [], First = Request> = (
  body: string,
  request: First,
  ...context: Args
) => boolean | Promise<boolean>;

/** Options of a sender that signs its requests. */
export interface SignedOptions<Args extends unknown[] = [], First = Request> {
  /** Checks the signature of the body. Until it has passed, no other part is read and nothing is sent to Redis. */
  readonly verify: Verify<Args, First>;
}

/** A source of deliveries, and how to tell them apart. */
export interface Sender<Args extends unknown[] = [], First = Request> {
  /** The sender's name, a part of every key. */
  readonly name: string;
  /** The name of its id, for messages to people. */
  readonly idName: string;
  /** How long an answer is remembered by default: longer than the sender retries. */
  readonly ttl: Duration;
  /** The text that must be the same each time that an id comes, unless the option `fingerprint` overrides it. */
  readonly binds: "nothing" | "body" | "request";
  /**
   * Whether the signature covers the id but not the URL. Then the query is not a part of the default scope, or a
   * captured delivery would run again under each query that somebody appends.
   */
  readonly signsId?: true | undefined;
  /** Whether clients choose the ids, so that two of them may choose the same. */
  readonly needsScope: boolean;
  /** The answers that this sender needs in a form of their own. Default: none. */
  readonly answers?: Forms | undefined;
  /** Returns the id or its parts; null for a request that is not deduplicated, a response for a refused one. */
  readonly id: (exchange: Exchange) => Promise<string | readonly string[] | null | Response>;
  /** Only for the compiler: the arguments that `verify` takes. */
  readonly accepts?: ((request: First, ...context: Args) => void) | undefined;
}

/** The functions that make senders: tells one that was not called from a caller's `key` function. */
export const factories: WeakSet<object> = new WeakSet();

/** Registers a function that makes a sender. A call can be marked pure, so that a bundle drops unused senders. */
export function factory<F extends object>(make: F): F {
  factories.add(make);
  return make;
}

/** Makes a sender that signs its requests. */
export type SignedSender = <Args extends unknown[] = []>(options: SignedOptions<Args>) => Sender<Args>;

/** The constants of a sender. */
export type SenderTraits = Pick<Sender, "name" | "idName" | "ttl" | "binds" | "signsId" | "answers">;

/** Makes the 400 for a request whose id is missing or malformed. */
export const malformed = (x: Exchange, idName: string, how: string): Response =>
  problem(x.c, "malformed", { code: 400, title: `${idName} is ${how}` });

/**
 * Calls `verify`; a thrown error counts as `false`, and is described for the event.
 *
 * @throws TypeError for a result that is not a boolean.
 */
async function passes(x: Exchange, verify: Verify<unknown[], unknown>, text: string): Promise<boolean> {
  let answer: unknown;
  try {
    answer = await verify(text, ...x.args);
  } catch (error) {
    x.cause = causeOf(error);
    return false;
  }
  if (typeof answer !== "boolean") throw new TypeError("verify must return true or false");
  return answer;
}

/** Makes a sender that signs: `id` sees a request only after `verify` has passed it. */
export function signedSender<Args extends unknown[]>(
  traits: SenderTraits,
  options: SignedOptions<Args>,
  id: (x: Exchange, text: string) => string | readonly string[] | null | undefined,
): Sender<Args> {
  const { verify } = options ?? {};
  checkOptions(options ?? {}, "verify secret>verify");
  toFunction(verify, "verify");
  return {
    ...traits,
    needsScope: false,
    async id(x) {
      const text = await bodyText(x);
      if (!(await passes(x, verify as Verify<unknown[], unknown>, text)))
        return problem(x.c, "unverified", { code: 401, title: "The signature is missing or wrong" });
      const found = id(x, text);
      if (found === null) return null;
      const parts = typeof found === "string" ? [found] : found;
      return parts?.every(isWellFormed) && found !== "" ? parts : malformed(x, traits.idName, "missing or malformed");
    },
  };
}
