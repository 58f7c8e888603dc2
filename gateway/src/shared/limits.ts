import type { HttpOptions, LimitOptions } from "./options.ts";
import { flawOf, HTTP_LIMITS, LIMITS, type Limit, MAX_LIMIT } from "./settings.ts";

export type Limits = Readonly<Record<keyof LimitOptions, number>>;
export type HttpLimits = Readonly<Record<keyof HttpOptions, number>>;

type Numbers<Name extends string> = { readonly [K in Name]?: number };

/** Each limit as the options set it, or its default. */
function filled<Name extends string>(
  limits: Readonly<Record<Name, Limit>>,
  options: Numbers<Name>,
): Record<Name, number> {
  const entries = (Object.keys(limits) as Name[]).map((name) => {
    const value = options[name] ?? limits[name].fallback;
    const flaw = flawOf(name, value, limits[name]);
    if (flaw !== undefined) throw new RangeError(flaw);
    return [name, value] as const;
  });
  return Object.fromEntries(entries) as Record<Name, number>;
}

/**
 * The limits of a gateway, with their defaults filled in.
 *
 * @throws {RangeError} for one out of bounds
 */
export function limitsOf(options: LimitOptions): Limits {
  const limits = filled(LIMITS, options);
  const least = 2 * limits.maxBodyBytes;
  if (options.bodyBudgetBytes !== undefined && limits.bodyBudgetBytes < least)
    throw new RangeError("bodyBudgetBytes must be at least twice maxBodyBytes");
  // One token gets at most half of the budget, which must have room for one body of the largest size.
  return { ...limits, bodyBudgetBytes: Math.max(limits.bodyBudgetBytes, least) };
}

/**
 * The interval at which Node's server looks for late requests, in ms. Its own default, 30 s, would add that to every
 * time-out.
 */
export const sweepOf = (headersTimeoutMs: number): number =>
  Math.max(Math.ceil(Math.min(headersTimeoutMs / 4, 1_000)), 10);

/**
 * The limits of the HTTP server, with their defaults filled in.
 *
 * @throws {RangeError} for one out of bounds
 */
export function httpLimitsOf(options: HttpOptions & LimitOptions): HttpLimits {
  const http = filled(HTTP_LIMITS, options);
  if (http.headersTimeoutMs > http.requestTimeoutMs)
    throw new RangeError("headersTimeoutMs must not be more than requestTimeoutMs");
  const { timeoutMs, streamKeepAliveMs } = limitsOf(options);
  // Three waits for Redis: to open a connection, to ask what the token may run, and to run the commands.
  const longest = Math.max(3 * timeoutMs, 2 * streamKeepAliveMs, http.requestTimeoutMs);
  const least = longest + 2 * sweepOf(http.headersTimeoutMs);
  return { ...http, idleTimeoutMs: Math.min(Math.max(http.idleTimeoutMs, least), MAX_LIMIT) };
}
