import { checkOptions, type Duration, toFunction } from "../shared/checks.ts";
import { isIdentity } from "../shared/identity.ts";
import { inCall, shown } from "../shared/misuse.ts";
import { causeOf } from "./cause.ts";
import { argsOf, bodyText, type Exchange } from "./exchange.ts";
import { type Forms, problem } from "./response.ts";

/**
 * Checks the signature of a request: returns `true` or `false`. A thrown error counts as `false`; the event `answered`
 * reports its class and place as `cause`. Any other result is an error: `undefined` is a forgotten `return`, and some
 * libraries refuse by returning an object.
 */
export type Verify<Args extends unknown[] = []> = (
  body: string,
  request: Request,
  ...context: Args
) => boolean | Promise<boolean>;

/** Options of a sender that signs its requests. */
export interface SignedOptions<Args extends unknown[] = []> {
  /** Checks the signature of the body. Before it has passed, no other part is read and nothing is sent to Redis. */
  readonly verify: Verify<Args>;
}

/** A source of deliveries, and how to identify them. */
export interface Sender<Args extends unknown[] = []> {
  /** The sender's name, which is part of every key. */
  readonly name: string;
  /** The name of its ID, for messages. */
  readonly idName: string;
  /** How long an answer is remembered by default: longer than the sender retries. */
  readonly ttl: Duration;
  /** The part of the request that must match on every delivery of an id, unless `fingerprint` overrides it. */
  readonly binds: "nothing" | "body" | "request";
  /**
   * Whether the signature covers the ID but not the URL. Then the query is not part of the default scope; otherwise a
   * captured delivery would run again under each appended query.
   */
  readonly signsId?: true | undefined;
  /** Whether clients choose the IDs, so that two clients may choose the same. */
  readonly needsScope: boolean;
  /** The answers that this sender needs in another form. Default: none. */
  readonly answers?: Forms | undefined;
  /** Returns the ID or its parts; null for a request that is not deduplicated; a response for a refused one. */
  readonly id: (exchange: Exchange) => Promise<string | readonly string[] | null | Response>;
  /** Only for the compiler: the arguments that `verify` takes. */
  readonly accepts?: ((request: Request, ...context: Args) => void) | undefined;
}

/** Makes a sender that signs its requests. */
export type SignedSender = <Args extends unknown[] = []>(options: SignedOptions<Args>) => Sender<Args>;

/** The properties of one signing sender. */
export interface SenderTraits extends Pick<Sender, "name" | "idName" | "ttl" | "binds" | "signsId" | "answers"> {
  /**
   * Finds the ID, or its parts, in a verified request. Null: the request is not a delivery, and the handler gets it.
   * Undefined: the ID is missing or malformed.
   */
  readonly id: (request: Request, body: string) => string | readonly string[] | null | undefined;
}

/** The functions that make senders. `dedupe` rejects one that was not called. */
export const factories: WeakSet<object> = new WeakSet();

/** Registers a function that makes a sender. The call can be marked pure, so that a bundle drops unused senders. */
export function factory<F extends object>(make: F): F {
  factories.add(make);
  return make;
}

/** Makes the 400 for a request with a missing or malformed ID. */
export const malformed = (x: Exchange, idName: string, how: string): Response =>
  problem(x.newResponse, "malformed", { code: 400, title: `${idName} is ${how}` });

/**
 * Calls `verify`; a thrown error counts as `false`, and is described for the event.
 *
 * @throws TypeError for a result that is not a boolean.
 */
async function passes(x: Exchange, verify: Verify<unknown[]>, body: string): Promise<boolean> {
  let answer: unknown;
  try {
    answer = await verify(body, ...argsOf(x));
  } catch (error) {
    x.cause = causeOf(error);
    return false;
  }
  if (typeof answer !== "boolean") throw new TypeError(`verify must return true or false, not ${shown(answer)}`);
  return answer;
}

/** Defines a sender that signs its requests. Its `id` receives a request only after `verify` has passed. */
export const signedSender = (traits: SenderTraits): SignedSender =>
  factory(<Args extends unknown[]>(options: SignedOptions<Args>): Sender<Args> => {
    const { verify } = options ?? {};
    inCall(traits.name, () => {
      checkOptions(options ?? {}, "verify secret>verify");
      toFunction(verify, "verify");
    });
    return {
      ...traits,
      needsScope: false,
      async id(x) {
        const body = await bodyText(x);
        // The arguments are those that the caller has typed.
        if (!(await passes(x, verify as Verify<unknown[]>, body)))
          return problem(x.newResponse, "unverified", { code: 401, title: "The signature is missing or wrong" });
        const found = traits.id(x.held.request, body);
        if (found === null) return null;
        const parts = typeof found === "string" ? [found] : (found ?? []);
        // A part of several may be empty.
        const isWhole = parts.some(isIdentity) && parts.every((part) => part === "" || isIdentity(part));
        return isWhole ? parts : malformed(x, traits.idName, "missing or malformed");
      },
    };
  });
