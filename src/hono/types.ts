import type { Context, Env } from "hono";
import type { Delivery, Unprotected } from "../dedupe/deduplicate.ts";
import type * as core from "../dedupe/options.ts";

/** Hono's own default without a named environment: it allows every name in `c.env` and `c.var`. */
export type AnyEnv = Context extends Context<infer E> ? E : Env;

/** Options of `dedupe`. All functions are called with the request, and with Hono's context as the last argument. */
export type DedupeOptions<E extends Env = AnyEnv> = core.DedupeOptions<[c: Context<E>]>;

/** The variables in `c.var`. A request that is not deduplicated has none of them. */
export type DedupeVariables = Omit<Delivery, "protected">;

/**
 * The variables with `onUnavailable: "run"`: if the handler runs without a lease, `protected` is false and the others
 * are undefined.
 */
export type FailOpenVariables = {
  readonly [Name in keyof Delivery]: Delivery[Name] | Unprotected[Name];
};

/**
 * The environment of the handlers after `dedupe`: the named one with the variables, or only the variables if none was
 * named, since an intersection with `any` would be `any`.
 */
export type DedupeEnv<E extends Env, Variables extends object = DedupeVariables> = 0 extends 1 & E
  ? { Variables: Variables }
  : E & { Variables: Variables };
