import type { Context, Env } from "hono";
import { type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { checkOptions, type Duration, isWellFormed, toCount, toLease, toMs, toTtl } from "../shared/checks.ts";
import { toScope } from "./key.ts";
import { type ReplayOptions, type ReplaySettings, toReplay } from "./replay.ts";
import { type AnyEnv, factories, malformed, type Sender } from "./sender.ts";

/** What a request stands for: its id, null for one that is not to be deduplicated, or a response that refuses it. */
export type DedupeKey<E extends Env = AnyEnv> = (
  c: Context<E>,
) => string | null | Response | Promise<string | null | Response>;

/** Answers in the middleware's place, or leaves it to that. */
export type Answering<E extends Env, About> = (
  c: Context<E>,
  about: About,
) => Response | undefined | Promise<Response | undefined>;

export interface DedupeOptions<E extends Env = AnyEnv> {
  /** What `createLocks` or `connect` gave, or a function of the request that gives it. */
  readonly locks: ConnectionSource | ((c: Context<E>) => ConnectionSource);
  /**
   * Tells deliveries apart: `stripe(…)`, `github(…)`, `idempotencyKey()` and so on, or a function of your own, which
   * must check signatures itself.
   */
  readonly key: Sender<E> | DedupeKey<E>;
  /**
   * Keeps tenants apart who may choose the same id: text, or a list. Asked after the signature was checked. Required
   * with `idempotencyKey`. Default: path and query of the request, so that one event runs once for each endpoint that
   * wants it; where the query changes with every delivery, as a signature in it does, give the path alone.
   */
  readonly scope?:
    | string
    | readonly string[]
    | ((c: Context<E>) => string | readonly string[] | Promise<string | readonly string[]>)
    | undefined;
  /**
   * After how long without a sign of life another delivery takes over; extended while the handler runs. Default: the
   * connection's, 30 s.
   */
  readonly lease?: Duration | undefined;
  /**
   * How long to extend the lease while the handler runs. Default 25 s where there is an `executionCtx`, else 15 min.
   */
  readonly maxHold?: Duration | undefined;
  /**
   * How long an answer is remembered. Default: the sender's, longer than it retries; 24 h for a function of your own.
   */
  readonly ttl?: Duration | undefined;
  /**
   * What must be the same each time that an id comes; stored hashed. `false` for nothing. Default: what fits the
   * sender.
   */
  readonly fingerprint?: ((c: Context<E>) => string | Promise<string>) | false | undefined;
  /** How many times the handler may be started for one id. Default: any number. */
  readonly maxAttempts?: number | undefined;
  /** Whether duplicates get body and headers besides the status. Default false. */
  readonly replay?: boolean | ReplayOptions | undefined;
  /**
   * Answers a duplicate of a delivery that is being processed. Default 409 with `Retry-After`. Not 2xx: if that run
   * dies, it must come again.
   */
  readonly onRunning?: Answering<E, { readonly retryAfterMs: number }> | undefined;
  /** Answers a delivery that has failed `maxAttempts` times: the place to put it aside for people. Default 422. */
  readonly onExhausted?: Answering<E, { readonly attempts: number }> | undefined;
  /** Answers an id that came before with another fingerprint. Default 422. */
  readonly onMismatch?: ((c: Context<E>) => Response | undefined | Promise<Response | undefined>) | undefined;
}

/** Options as they were checked at the door. The contexts of all requests are alike from here on. */
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

/** A function of the user's as a sender. */
const customSender = (key: DedupeKey): Sender => ({
  name: "custom",
  idName: "key",
  ttl: "24h",
  binds: "nothing",
  needsScope: false,
  async id(c, body) {
    // Read first, since it may read too and what it leaves is not always what came.
    await body.bytes();
    const id: unknown = await key(c);
    // Not by `instanceof`: servers for Node put a Response of their own in the place of the platform's.
    if (id === null || (typeof id === "object" && "headers" in id)) return id as Response | null;
    if (typeof id !== "string") throw new TypeError("key must give text, null or a Response");
    return id && isWellFormed(id) ? id : malformed(c, "key", "missing or malformed");
  },
});

function refuse(why: string): never {
  throw new TypeError(why);
}

function toSender(key: Sender | DedupeKey): Sender {
  if (factories.has(key)) refuse("key must be what the sender's function gives: call it, as in stripe({ verify })");
  if (typeof key === "function") return customSender(key);
  return typeof key?.id === "function" ? key : refuse("key must be a sender such as stripe(…), or a function");
}

function toScopeOf(scope: DedupeOptions["scope"]): Settings["scopeOf"] {
  // GitHub and Stripe send one event under one id to every endpoint that wants it, and a query may make several of one path.
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

/** @throws TypeError or RangeError for an option that cannot be. */
export function toSettings<E extends Env>(given: DedupeOptions<E>): Settings {
  // A handler's context is one type for whoever calls us and another for us; what is in it is the same.
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
