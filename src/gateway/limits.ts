import { NotSent } from "./errors.ts";

/** How much one gateway takes on. */
export interface LimitOptions {
  /** How long Redis may take to answer, WAIT included, before a request ends with 504. Milliseconds, 5 000 by default, at least 1. */
  readonly timeoutMs?: number;
  /** The largest request body; a larger one ends with 413. Bytes, 10 MiB by default, at least 1. */
  readonly maxBodyBytes?: number;
  /** The longest pipeline or transaction; a longer one ends with 413. Commands, 10 000 by default, at least 1. */
  readonly maxPipeline?: number;
  /** Requests with a good token at once; one more ends with 503. 1 000 by default, at least 1. Open streams do not count. */
  readonly maxInFlight?: number;
  /** Subscriptions and monitors of a database at once; one more ends with 503. 256 by default, at least 1. */
  readonly maxStreams?: number;
  /** What the client of a stream may leave unread before the stream is broken off. Bytes, 1 MiB by default, at least 1. */
  readonly streamBufferBytes?: number;
  /** How often a stream gets a comment, so that nobody takes it for dead. Milliseconds, 15 000 by default, at least 1. */
  readonly streamKeepAliveMs?: number;
}

export type Limits = Readonly<Record<keyof LimitOptions, number>>;

export const LIMITS: Limits = Object.freeze({
  timeoutMs: 5_000,
  maxBodyBytes: 10 * 1024 * 1024,
  maxPipeline: 10_000,
  maxInFlight: 1_000,
  maxStreams: 256,
  streamBufferBytes: 1024 * 1024,
  streamKeepAliveMs: 15_000,
});

/** A number within bounds; `name` is what the error calls it. */
export function wholeNumber(name: string, value: number, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new RangeError(`${name} must be a whole number from ${least} to ${most}`);
}

/** The limits with their defaults filled in. */
export function limitsOf(options: LimitOptions): Limits {
  const limit = (name: keyof LimitOptions): number => wholeNumber(name, options[name] ?? LIMITS[name], 1, 2 ** 31 - 1);
  return {
    timeoutMs: limit("timeoutMs"),
    maxBodyBytes: limit("maxBodyBytes"),
    maxPipeline: limit("maxPipeline"),
    maxInFlight: limit("maxInFlight"),
    maxStreams: limit("maxStreams"),
    streamBufferBytes: limit("streamBufferBytes"),
    streamKeepAliveMs: limit("streamKeepAliveMs"),
  };
}

/** Counts what is in flight, and refuses what would be too much. */
export interface Gate {
  readonly inFlight: number;
  /** @throws {NotSent} when there is too much already */
  pass<T>(run: () => Promise<T>): Promise<T>;
}

export function createGate(most: number, onFull: () => void): Gate {
  let inFlight = 0;
  return {
    get inFlight() {
      return inFlight;
    },
    async pass(run) {
      if (inFlight >= most) {
        onFull();
        throw new NotSent(`more than ${most} requests at once`);
      }
      inFlight++;
      try {
        return await run();
      } finally {
        inFlight--;
      }
    },
  };
}
