import type { Context, Env } from "hono";
import { checkOptions, type Duration, isWellFormed, toFunction } from "../shared/checks.ts";
import { problem } from "./answer.ts";
import type { RequestBody } from "./body.ts";

/** What Hono itself takes for an environment that nobody named: then everything may be asked of `c.env` and `c.var`. */
export type AnyEnv = Context extends Context<infer E> ? E : Env;

/**
 * Whether a request is signed by whom it should be: `true`, or `false`. To throw counts as `false`; to return
 * anything else is an error, since nothing is what a forgotten `return` gives, and an object what some libraries say
 * no with.
 */
export type Verify<E extends Env = AnyEnv> = (body: string, c: Context<E>) => boolean | Promise<boolean>;

export interface SignedOptions<E extends Env = AnyEnv> {
  /**
   * Checks the signature of the body. Before it is passed, nothing of the request is looked at and nothing is sent to
   * Redis.
   */
  readonly verify: Verify<E>;
}

/** One who delivers, and how to tell its deliveries apart. */
export interface Sender<E extends Env = AnyEnv> {
  /** Part of every key. */
  readonly name: string;
  /** How its id is called, for people. */
  readonly idName: string;
  /** Longer than it goes on delivering. */
  readonly ttl: Duration;
  /** What must be the same each time that an id comes, unless `fingerprint` says otherwise. */
  readonly binds: "nothing" | "body" | "request";
  /** Ids are made up by clients, so that two of them may choose the same. */
  readonly needsScope: boolean;
  /** The id, or its parts; null for a request that is not to be deduplicated, a response for one that is refused. */
  readonly id: (c: Context<E>, body: RequestBody) => Promise<string | readonly string[] | null | Response>;
}

/** The functions that make senders, to tell one that was not called from a `key` of the user's own. */
export const factories: WeakSet<object> = new WeakSet();

/** Makes it known as one of those; without side effects where nobody uses it. */
export function factory<F extends object>(make: F): F {
  factories.add(make);
  return make;
}

/** Makes a sender that signs. */
export type SignedSender = <E extends Env = AnyEnv>(options: SignedOptions<E>) => Sender<E>;

/** What a sender says of itself. */
export type SenderTraits = Pick<Sender, "name" | "idName" | "ttl" | "binds">;

/** A request whose id is not there, or not as it should be. */
export const malformed = (c: Context, idName: string, how: string): Response =>
  problem(c, "malformed", { code: 400, title: `${idName} is ${how}` });

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

/** A sender that signs: `id` gets to see a request only after `verify` has passed it. */
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
