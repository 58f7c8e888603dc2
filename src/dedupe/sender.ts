import type { Context, Env } from "hono";
import { checkOptions, type Duration, isWellFormed, toFunction } from "../shared/checks.ts";
import type { RequestBody } from "./request-body.ts";
import { problem } from "./response.ts";

/** Hono's own default where no environment is named: it allows every name in `c.env` and `c.var`. */
export type AnyEnv = Context extends Context<infer E> ? E : Env;

/**
 * Checks the signature of a request: returns `true` or `false`. A thrown error counts as `false`. Any other result is
 * an error: `undefined` comes from a forgotten `return`, and some libraries refuse by returning an object.
 */
export type Verify<E extends Env = AnyEnv> = (body: string, c: Context<E>) => boolean | Promise<boolean>;

/** Options of a sender that signs its requests. */
export interface SignedOptions<E extends Env = AnyEnv> {
  /** Checks the signature of the body. Until it has passed, no other part is read and nothing is sent to Redis. */
  readonly verify: Verify<E>;
}

/** A source of deliveries, and how to tell them apart. */
export interface Sender<E extends Env = AnyEnv> {
  /** The sender's name, a part of every key. */
  readonly name: string;
  /** The name of its id, for messages to people. */
  readonly idName: string;
  /** How long an answer is remembered by default: longer than the sender retries. */
  readonly ttl: Duration;
  /** The text that must be the same each time that an id comes, unless the option `fingerprint` overrides it. */
  readonly binds: "nothing" | "body" | "request";
  /** Whether clients choose the ids, so that two of them may choose the same. */
  readonly needsScope: boolean;
  /** Returns the id or its parts; null for a request that is not deduplicated, a response for a refused one. */
  readonly id: (c: Context<E>, body: RequestBody) => Promise<string | readonly string[] | null | Response>;
}

/** The functions that make senders: tells one that was not called from a caller's `key` function. */
export const factories: WeakSet<object> = new WeakSet();

/** Registers a function that makes a sender. A call can be marked pure, so that a bundle drops unused senders. */
export function factory<F extends object>(make: F): F {
  factories.add(make);
  return make;
}

/** Makes a sender that signs its requests. */
export type SignedSender = <E extends Env = AnyEnv>(options: SignedOptions<E>) => Sender<E>;

/** The constants of a sender. */
export type SenderTraits = Pick<Sender, "name" | "idName" | "ttl" | "binds">;

/** Makes the 400 for a request whose id is missing or malformed. */
export const malformed = (c: Context, idName: string, how: string): Response =>
  problem(c, "malformed", { code: 400, title: `${idName} is ${how}` });

/** Calls `verify`; a thrown error counts as `false`. @throws TypeError for a result that is not a boolean. */
async function passes<E extends Env>(verify: Verify<E>, text: string, c: Context<E>): Promise<boolean> {
  let answer: unknown;
  try {
    answer = await verify(text, c);
  } catch {
    return false;
  }
  if (typeof answer !== "boolean") throw new TypeError("verify must return true or false");
  return answer;
}

/** Makes a sender that signs: `id` sees a request only after `verify` has passed it. */
export function signedSender<E extends Env>(
  traits: SenderTraits,
  options: SignedOptions<E>,
  id: (c: Context<E>, text: string) => string | readonly string[] | null | undefined,
): Sender<E> {
  const { verify } = options ?? {};
  checkOptions(options ?? {}, "verify secret>verify");
  toFunction(verify, "verify");
  return {
    ...traits,
    needsScope: false,
    async id(c, body) {
      const text = await body.text();
      if (!(await passes(verify, text, c)))
        return problem(c, "unverified", { code: 401, title: "The signature is missing or wrong" });
      const found = id(c, text);
      if (found === null) return null;
      const parts = typeof found === "string" ? [found] : found;
      return parts?.every(isWellFormed) && found !== "" ? parts : malformed(c, traits.idName, "missing or malformed");
    },
  };
}
