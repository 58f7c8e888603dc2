import type { HttpOptions, LimitOptions } from "./options.ts";

/** The bounds of a number, both included. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** A limit: a whole number with a default. */
export interface Limit extends Bounds {
  readonly unit: "ms" | "bytes" | "count";
  readonly fallback: number;
  readonly help: string;
}

/** The maximum time of a Node timer, which also bounds the other limits. */
export const MAX_LIMIT: number = 2 ** 31 - 1;

const limit = (unit: Limit["unit"], fallback: number, help: string): Limit => ({
  unit,
  fallback,
  help,
  min: 1,
  max: MAX_LIMIT,
});

const KIB = 1024;
const MIB = 1024 * KIB;

/** How much one gateway takes on. */
export const LIMITS: Readonly<Record<keyof LimitOptions, Limit>> = {
  timeoutMs: limit("ms", 5_000, "the time limit for Redis to answer; then 504"),
  maxBodyBytes: limit("bytes", 8 * MIB, "maximum size of a request body; larger ones get 413"),
  maxReplyBytes: limit("bytes", 64 * MIB, "maximum memory for the replies of one request; more get 504"),
  maxPipeline: limit("count", 10_000, "maximum commands in one request; more get 413"),
  maxRequestsPerSecond: {
    ...limit("count", 0, "maximum requests per second and token; more get 429; 0: no limit"),
    min: 0,
  },
  maxInFlight: limit("count", 1_000, "maximum concurrent requests per token; more get 503"),
  maxHeld: {
    ...limit("count", 1_000, "maximum held requests per token; others are answered at once; 0: none"),
    min: 0,
  },
  maxHeldInAll: {
    ...limit(
      "count",
      2_000,
      "maximum held requests of all tokens together; one token gets at most what it leaves free",
    ),
    min: 0,
  },
  bodyBudgetBytes: limit("bytes", 128 * MIB, "memory for request bodies of all tokens; 503 if it is full"),
  replyBudgetBytes: limit("bytes", 256 * MIB, "memory for replies of all tokens; 504 or 503 if it is full"),
  maxStreams: limit("count", 256, "maximum concurrent streams per token; more get 503"),
  streamBufferBytes: limit("bytes", MIB, "maximum unread data of a stream; then it is closed"),
  streamKeepAliveMs: limit("ms", 15_000, "the interval between keep-alive comments in a stream"),
};

/** The time-outs of the HTTP server. */
export const HTTP_LIMITS: Readonly<Record<keyof HttpOptions, Limit>> = {
  maxConnections: limit("count", 10_000, "maximum client connections; others are closed at once"),
  headersTimeoutMs: limit("ms", 10_000, "the time limit for a request's headers to arrive; then 408"),
  requestTimeoutMs: limit("ms", 30_000, "the time limit for a whole request to arrive; then 408"),
  keepAliveTimeoutMs: limit("ms", 65_000, "the time that a connection stays open between requests"),
  maxHeaderBytes: limit("bytes", 16 * KIB, "maximum size of the headers, request line included; larger ones get 431"),
  idleTimeoutMs: limit(
    "ms",
    60_000,
    "the time that a client may stop reading its answer; then its connection is closed",
  ),
  drainTimeoutMs: limit("ms", 9_000, "the time that a shutdown waits for requests in flight"),
};

/** Says what is wrong with a number called `name`; `undefined` if it is a whole number within the bounds. */
export function flawOf(name: string, value: number, { min, max }: Bounds): string | undefined {
  const isFine = Number.isSafeInteger(value) && value >= min && value <= max;
  return isFine ? undefined : `${name} must be a whole number from ${min} to ${max}`;
}

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
  const min = 2 * limits.maxBodyBytes;
  if (options.bodyBudgetBytes !== undefined && limits.bodyBudgetBytes < min)
    throw new RangeError("bodyBudgetBytes must be at least twice maxBodyBytes");
  // One token gets at most half of the budget, which must have room for one body of the largest size.
  return { ...limits, bodyBudgetBytes: Math.max(limits.bodyBudgetBytes, min) };
}

/**
 * The interval at which Node's server checks for late requests, in ms. Its default of 30 s would be added to every
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
  const min = longest + 2 * sweepOf(http.headersTimeoutMs);
  return { ...http, idleTimeoutMs: Math.min(Math.max(http.idleTimeoutMs, min), MAX_LIMIT) };
}
