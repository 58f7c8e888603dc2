import { limitsOf, wholeNumber } from "./limits.ts";
import type { HttpOptions, LimitOptions } from "./options.ts";

const MAX_MS = 2 ** 31 - 1;

export const HTTP: Readonly<Record<keyof HttpOptions, number>> = Object.freeze({
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  maxHeaderBytes: 16 * 1024,
  idleTimeoutMs: 60_000,
  drainTimeoutMs: 9_000,
});

/** Node looks for those that are late only so often: 30 s by default. */
export const sweepOf = (headersTimeoutMs: number): number =>
  Math.max(Math.ceil(Math.min(headersTimeoutMs / 4, 1_000)), 10);

/** The options with their defaults filled in. */
export function httpOf(options: HttpOptions & LimitOptions): Readonly<Record<keyof HttpOptions, number>> {
  const value = (name: keyof HttpOptions): number => wholeNumber(name, options[name] ?? HTTP[name], 1, MAX_MS);
  const http = {
    headersTimeoutMs: value("headersTimeoutMs"),
    requestTimeoutMs: value("requestTimeoutMs"),
    keepAliveTimeoutMs: value("keepAliveTimeoutMs"),
    maxHeaderBytes: value("maxHeaderBytes"),
    idleTimeoutMs: value("idleTimeoutMs"),
    drainTimeoutMs: value("drainTimeoutMs"),
  };
  if (http.headersTimeoutMs > http.requestTimeoutMs)
    throw new RangeError("headersTimeoutMs must not be more than requestTimeoutMs");
  const { timeoutMs, streamKeepAliveMs } = limitsOf(options);
  // Three times: a connection may have to be opened, and what a token may run be asked for, before a command is sent.
  const longest = Math.max(3 * timeoutMs, 2 * streamKeepAliveMs, http.requestTimeoutMs);
  const least = longest + 2 * sweepOf(http.headersTimeoutMs);
  return { ...http, idleTimeoutMs: Math.min(Math.max(http.idleTimeoutMs, least), MAX_MS) };
}
