import type { Context, Env } from "hono";
import { type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { checkOptions, type Duration, isWellFormed, toCount, toLease, toMs, toTtl } from "../shared/checks.ts";
import { toScope } from "./dedupe-key.ts";
import { type ReplayOptions, type ReplaySettings, toReplay } from "./replay-options.ts";
import { type AnyEnv, factories, malformed, type Sender } from "./sender.ts";

/** Identifies a request: returns its id, null for one that is not deduplicated, or a response that refuses it. */
export type DedupeKey<E extends Env = AnyEnv> = (
  c: Context<E>,
) => string | null | Response | Promise<string | null | Response>;

/** Answers in the middleware's place, or returns undefined for the default answer. */
export type Answering<E extends Env, About> = (
  c: Context<E>,
  about: About,
) => Response | undefined | Promise<Response | undefined>;

/** Options of `dedupe`. */
export interface DedupeOptions<E extends Env = AnyEnv> {
  /** The locks or connection, or a function of the request that returns them. */
  readonly locks: ConnectionSource | ((c: Context<E>) => ConnectionSource);
  /**
   * The sender, which tells deliveries apart: `stripe(…)`, `github(…)`, `idempotencyKey()` and so on; or a function of
   * your own, which must check signatures itself.
   */
  readonly key: Sender<E> | DedupeKey<E>;
  /**
   * Separates tenants who may choose the same id: text, or a list. A function is called after the signature was
   * checked. Required with `idempotencyKey`. Default: path and query of the request, so that one event runs once per
   * endpoint that receives it. Where the query changes with every delivery, for example by a signature in it, pass the
   * path alone.
   */
  readonly scope?:
    | string
    | readonly string[]
    | ((c: Context<E>) => string | readonly string[] | Promise<string | readonly string[]>)
    | undefined;
  /**
   * How long an attempt's lease lasts; it is extended while the handler runs. When it ends, another delivery takes
   * over. Default: the connection's lease, 30 s.
   */
  readonly lease?: Duration | undefined;
  /** How long the lease is extended at most. Default 25 s where there is an `executionCtx`, else 15 min. */
  readonly maxHold?: Duration | undefined;
  /** How long an answer is remembered. Default: longer than the sender retries; 24 h for a function of your own. */
  readonly ttl?: Duration | undefined;
  /**
   * Returns what must be the same each time that an id comes; it is stored as a hash. `false`: nothing is compared.
   * Default: what fits the sender.
   */
  readonly fingerprint?: ((c: Context<E>) => string | Promise<string>) | false | undefined;
  /** How many times the handler may be started for one id. Default: any number. */
  readonly maxAttempts?: number | undefined;
  /** Whether duplicates get the body and headers of the first answer besides its status. Default false. */
  readonly replay?: boolean | ReplayOptions | undefined;
  /**
   * Answers a duplicate while the first delivery runs. Default 409 with `Retry-After`. Never answer 2xx: when that run
   * dies, the delivery must come again.
   */
  readonly onRunning?: Answering<E, { readonly retryAfterMs: number }> | undefined;
  /** Answers a delivery that has failed `maxAttempts` times. Put it aside for people here. Default 422. */
  readonly onExhausted?: Answering<E, { readonly attempts: number }> | undefined;
  /** Answers an id that came before with another fingerprint. Default 422. */
  readonly onMismatch?: ((c: Context<E>) => Response | undefined | Promise<Response | undefined>) | undefined;
}

/** The checked options, in which the type of the caller's context no longer matters. */
export interface Settings {
  readonly locks: (c: Context) => ConnectionSource;
  readonly sender: Sender;
  readonly scopeOf: (c: Context) => Promise<readonly string[]>;
  readonly fingerprint: ((c: Context) => string | Promise<string>) | false | undefined;
  readonly leaseMs: number | undefined;
  readonly maxHoldMs: number | undefined;
  readonly ttlMs: number;
  readonly maxAttempts: number | undefined;
  readonly replay: ReplaySettings | undefined;
  readonly onRunning: Answering<Env, { readonly retryAfterMs: number }> | undefined;
  readonly onExhausted: Answering<Env, { readonly attempts: number }> | undefined;
  readonly onMismatch: ((c: Context) => Response | undefined | Promise<Response | undefined>) | undefined;
}

/** Wraps a caller's function as a sender. */
const customSender = (key: DedupeKey): Sender => ({
  name: "custom",
  idName: "key",
  ttl: "24h",
  binds: "nothing",
  needsScope: false,
  async id(c, body) {
    // Read first: the caller's function may read it too, and does not always leave the original bytes.
    await body.bytes();
    const id: unknown = await key(c);
    // Avoids `instanceof`: servers for Node replace the global Response by a class of their own.
    if (id === null || (typeof id === "object" && "headers" in id)) return id as Response | null;
    if (typeof id !== "string") throw new TypeError("key must give text, null or a Response");
    return id && isWellFormed(id) ? id : malformed(c, "key", "missing or malformed");
  },
});

function refuse(why: string): never {
  throw new TypeError(why);
}

function toSender(key: Sender | DedupeKey): Sender {
  if (factories.has(key)) refuse("key is a function that makes a sender: call it, as in stripe({ verify })");
  if (typeof key === "function") return customSender(key);
  return typeof key?.id === "function" ? key : refuse("key must be a sender such as stripe(…), or a function");
}

function toScopeOf(scope: DedupeOptions["scope"]): Settings["scopeOf"] {
  // GitHub and Stripe send one event under one id to each endpoint, and a query may make several endpoints of a path.
  if (scope === undefined) return async (c) => [c.req.path + new URL(c.req.url).search];
  if (typeof scope === "function") return async (c) => toScope(await scope(c));
  const parts = toScope(scope);
  return async () => parts;
}

function checkFunctions(options: DedupeOptions, ...names: ("onRunning" | "onExhausted" | "onMismatch")[]): void {
  for (const name of names) {
    if (options[name] !== undefined && typeof options[name] !== "function") refuse(`${name} must be a function`);
  }
}

const KNOWN =
  "locks key scope lease maxHold ttl fingerprint maxAttempts replay onRunning onExhausted onMismatch verify>key retries>maxAttempts";

/** Checks the options. @throws TypeError or RangeError for an invalid one. */
export function toSettings<E extends Env>(given: DedupeOptions<E>): Settings {
  // The caller's context type and ours differ in types only.
  const options = (given ?? refuse("dedupe needs { locks, key }")) as unknown as DedupeOptions;
  checkOptions(options, KNOWN);
  const { locks, fingerprint } = options;
  if (typeof locks !== "function") connectionOf(locks);
  const sender = toSender(options.key);
  const scopeOf = toScopeOf(options.scope);
  if (sender.needsScope && options.scope === undefined)
    refuse(`scope is missing: without it clients share the keys of ${sender.name}`);
  if (fingerprint !== undefined && fingerprint !== false && typeof fingerprint !== "function")
    refuse("fingerprint must be a function, or false");
  checkFunctions(options, "onRunning", "onExhausted", "onMismatch");
  toCount(options.maxAttempts, "maxAttempts");
  return {
    locks: typeof locks === "function" ? locks : () => locks,
    sender,
    scopeOf,
    fingerprint,
    leaseMs: options.lease === undefined ? undefined : toLease(options.lease),
    maxHoldMs: options.maxHold === undefined ? undefined : toMs(options.maxHold, "maxHold"),
    ttlMs: toTtl(options.ttl ?? sender.ttl),
    maxAttempts: options.maxAttempts,
    replay: toReplay(options.replay),
    onRunning: options.onRunning,
    onExhausted: options.onExhausted,
    onMismatch: options.onMismatch,
  };
}
