import type { Context, Env } from "hono";
import type { Delivery, Unprotected } from "../dedupe/deduplicate.ts";
import type * as core from "../dedupe/options.ts";
import type * as sender from "../dedupe/sender.ts";

/** Hono's own default where no environment is named: it allows every name in `c.env` and `c.var`. */
export type AnyEnv = Context extends Context<infer E> ? E : Env;

/**
 * Checks the signature of a request: returns `true` or `false`. A thrown error counts as `false`; the event `answered`
 * names it as its `cause`, by class and place. Any other result is an error: `undefined` comes from a forgotten
 * `return`, and some libraries refuse by returning an object.
 */
export type Verify<E extends Env = AnyEnv> = sender.Verify<[], Context<E>>;

/** Options of a sender that signs its requests. */
export type SignedOptions<E extends Env = AnyEnv> = sender.SignedOptions<[], Context<E>>;

/** A source of deliveries, and how to tell them apart. */
export type Sender<E extends Env = AnyEnv> = sender.Sender<[], Context<E>>;

/** Makes a sender that signs its requests. */
export type SignedSender = <E extends Env = AnyEnv>(options: SignedOptions<E>) => Sender<E>;

/** Identifies a request: returns its id, null for one that is not deduplicated, or a response that refuses it. */
export type DedupeKey<E extends Env = AnyEnv> = core.DedupeKey<[], Context<E>>;

/** Answers in the middleware's place, or returns undefined for the default answer. */
export type Answering<E extends Env, About> = core.Answering<About, [], Context<E>>;

/** Options of `dedupe`. All functions are called with the context. */
export type DedupeOptions<E extends Env = AnyEnv> = core.DedupeOptions<[], Context<E>>;

/** The variables that the handler finds in `c.var`. A request that is not deduplicated has none of them. */
export type DedupeVariables = Omit<Delivery, "protected">;

/**
 * The variables with `onUnavailable: "run"`: `protected` is false, and the others are undefined, where the handler runs
 * without a lease.
 */
export type FailOpenVariables = {
  readonly [Name in keyof Delivery]: Delivery[Name] | Unprotected[Name];
};

/**
 * The environment of the handlers behind `dedupe`: the named one with the variables, or these alone where none was
 * named, since an intersection with `any` would be `any`.
 */
export type DedupeEnv<E extends Env, Variables extends object = DedupeVariables> = 0 extends 1 & E
  ? { Variables: Variables }
  : E & { Variables: Variables };
