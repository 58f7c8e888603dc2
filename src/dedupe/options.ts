import { isOpen, type OnUnavailable } from "../lease/unavailable.ts";
import { type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { checkOptions, type Duration, toCount, toHold, toLease, toOptionalFunction, toTtl } from "../shared/checks.ts";
import { isResponse } from "../shared/handler-response.ts";
import { isIdentity, toScope } from "../shared/identity.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";
import { boundWaitUntil, type WaitUntil } from "../shared/wait-until.ts";
import { endpointOf } from "./endpoint.ts";
import { argsOf, type Exchange } from "./exchange.ts";
import { type ReplayOptions, type ReplaySettings, toReplay } from "./replay-options.ts";
import { factories, malformed, type Sender } from "./sender.ts";

/** Identifies a request: returns its ID, null if it is not deduplicated, or a response that refuses it. */
export type DedupeKey<Args extends unknown[] = []> = (
  request: Request,
  ...context: Args
) => string | null | Response | Promise<string | null | Response>;

/** Returns the answer, or undefined for the default answer of `dedupe`. */
export type Answering<About, Args extends unknown[] = []> = (
  request: Request,
  about: About,
  ...context: Args
) => Response | undefined | Promise<Response | undefined>;

/** Options of `dedupe`. All functions are called with the request and the platform's further arguments. */
export interface DedupeOptions<Args extends unknown[] = []> {
  /** A `Locks` client or a connection, or a function of the request that returns one. */
  readonly locks: ConnectionSource | ((request: Request, ...context: Args) => ConnectionSource);
  /**
   * The sender, which identifies deliveries: `stripe(…)`, `github(…)`, `idempotencyKey()` and so on; or your own
   * function, which must check signatures itself.
   */
  readonly key: Sender<Args> | DedupeKey<Args>;
  /**
   * Separates tenants that may use the same ID: a text, a list, or a function that returns one and is called after the
   * signature was checked. Required with `idempotencyKey`. Default: the path of the request, so that one event runs
   * once per endpoint; with the query, unless the signature covers the ID (as with `stripe`, `svix` and `slack`). The
   * host is not part of it. If the query changes with every delivery, pass only the path.
   */
  readonly scope?:
    | string
    | readonly string[]
    | ((request: Request, ...context: Args) => string | readonly string[] | Promise<string | readonly string[]>)
    | undefined;
  /**
   * The lease of an attempt, in ms or like `"30s"`; it is extended while the handler runs. When it ends, another
   * delivery takes over. Default: the connection's `lease`, 30 s.
   */
  readonly lease?: Duration | undefined;
  /** How long the lease is extended, in ms or like `"15m"`. Default 25 s with a `waitUntil`, otherwise 15 min. */
  readonly maxHold?: Duration | undefined;
  /**
   * How long an answer is remembered, in ms or like `"24h"`. Default: longer than the sender retries; 24 h for your own
   * function.
   */
  readonly ttl?: Duration | undefined;
  /**
   * Returns the value that must match on every delivery of an ID; it is stored as a hash. `false` disables the check.
   * Default: depends on the sender.
   */
  readonly fingerprint?: ((request: Request, ...context: Args) => string | Promise<string>) | false | undefined;
  /** The maximum number of attempts for one ID. Default: no limit. */
  readonly maxAttempts?: number | undefined;
  /** Whether duplicates also get the body and headers of the first answer, not only its status. Default false. */
  readonly replay?: boolean | ReplayOptions | undefined;
  /**
   * What to do with a delivery while Redis is unavailable: `"refuse"` answers 503, so that the sender retries; `"run"`
   * runs the handler without a lease, so that duplicates may run as well, and stores nothing. An event `unprotected`
   * and the header `Leasehold-Status` report that. Default `"refuse"`.
   */
  readonly onUnavailable?: OnUnavailable | undefined;
  /** Keeps the invocation alive until the run has ended. Default: the platform's `waitUntil`, if one is found. */
  readonly waitUntil?: WaitUntil | undefined;
  /**
   * Answers a duplicate while the first delivery runs. Default 409 with `Retry-After`. Never answer 2xx: if that run
   * crashes, the sender must retry.
   */
  readonly onRunning?: Answering<{ readonly retryAfterMs: number }, Args> | undefined;
  /** Answers a delivery that has failed `maxAttempts` times. Store it for a person here. Default 422. */
  readonly onExhausted?: Answering<{ readonly attempts: number }, Args> | undefined;
  /** Answers a known id with another fingerprint. Default 422. */
  readonly onMismatch?:
    | ((request: Request, ...context: Args) => Response | undefined | Promise<Response | undefined>)
    | undefined;
}

/** The options, independent of the arguments of the caller's functions. */
type AnyOptions = DedupeOptions<unknown[]>;

/** The checked options. */
export interface Settings {
  readonly locks: (x: Exchange) => ConnectionSource;
  readonly sender: Sender<unknown[]>;
  readonly scopeOf: (x: Exchange) => Promise<readonly string[]>;
  readonly fingerprint: AnyOptions["fingerprint"];
  readonly lease: Duration | undefined;
  readonly maxHold: Duration | undefined;
  readonly ttl: Duration;
  readonly maxAttempts: number | undefined;
  readonly replay: ReplaySettings | undefined;
  /** Whether the handler runs without a lease while Redis is unavailable. */
  readonly open: boolean;
  readonly waitUntil: WaitUntil | undefined;
  readonly onRunning: AnyOptions["onRunning"];
  readonly onExhausted: AnyOptions["onExhausted"];
  readonly onMismatch: AnyOptions["onMismatch"];
}

/** Wraps a caller's function as a sender. */
const customSender = (key: DedupeKey<unknown[]>): Settings["sender"] => ({
  name: "custom",
  idName: "key",
  ttl: "24h",
  binds: "nothing",
  needsScope: false,
  async id(x) {
    // Read first: the caller's function may also read it, and does not always leave the original bytes.
    await x.held.bytes();
    const id: unknown = await key(...argsOf(x));
    if (id === null || isResponse(id)) return id;
    if (typeof id !== "string")
      throw new TypeError(`dedupe: key must return a string, null or a Response, not ${shown(id)}`);
    return isIdentity(id) ? id : malformed(x, "key", "missing or malformed");
  },
});

function refuse(why: string): never {
  throw misuse(TypeError, why);
}

function toSender(key: AnyOptions["key"]): Settings["sender"] {
  if (factories.has(key)) refuse("key makes a sender: call it, as in stripe({ verify })");
  if (typeof key === "function") return customSender(key);
  return typeof key?.id === "function"
    ? key
    : refuse(`key must be a sender such as stripe({ verify }), or a function, not ${shown(key)}`);
}

function toScopeOf(scope: AnyOptions["scope"], { signsId }: Settings["sender"]): Settings["scopeOf"] {
  // GitHub and Stripe send one event under one ID to each endpoint, and one path with several queries may be several
  // endpoints.
  if (scope === undefined) return async (x) => [endpointOf(x.held.request, !signsId)];
  if (typeof scope === "function") {
    return async (x) => {
      const scoped = await scope(...argsOf(x));
      return inCall("dedupe", () => toScope(scoped));
    };
  }
  const parts = toScope(scope);
  return async () => parts;
}

const KNOWN =
  "locks key scope lease maxHold ttl fingerprint maxAttempts replay onUnavailable waitUntil onRunning onExhausted onMismatch verify>key retries>maxAttempts";

/** Checks the options. @throws TypeError or RangeError for an invalid one. */
export const toSettings = (options: object): Settings => inCall("dedupe", () => check(options));

function check(input: object): Settings {
  const options = (input ?? refuse("options are missing: pass { locks, key }")) as AnyOptions;
  checkOptions(options, KNOWN);
  const { locks, fingerprint, waitUntil, lease, maxHold, maxAttempts } = options;
  if (typeof locks !== "function") connectionOf(locks);
  const sender = toSender(options.key);
  const scopeOf = toScopeOf(options.scope, sender);
  if (sender.needsScope && options.scope === undefined)
    refuse(`scope is missing: without it clients share the keys of ${sender.name}`);
  if (fingerprint !== false) toOptionalFunction(fingerprint, "fingerprint");
  for (const name of ["onRunning", "onExhausted", "onMismatch"] as const) toOptionalFunction(options[name], name);
  const { ttl = sender.ttl } = options;
  toLease(lease ?? "30s");
  toHold(maxHold ?? "30s", "maxHold");
  toTtl(ttl);
  toCount(maxAttempts, "maxAttempts");
  boundWaitUntil(options);
  return {
    locks: typeof locks === "function" ? (x) => locks(...argsOf(x)) : () => locks,
    sender,
    scopeOf,
    fingerprint,
    lease,
    maxHold,
    ttl,
    maxAttempts,
    replay: toReplay(options.replay),
    open: isOpen(options),
    waitUntil,
    onRunning: options.onRunning,
    onExhausted: options.onExhausted,
    onMismatch: options.onMismatch,
  };
}
