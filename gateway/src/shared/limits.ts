import { NotSent } from "./errors.ts";
import type { LimitOptions } from "./options.ts";

export type Limits = Readonly<Record<keyof LimitOptions, number>>;

export const LIMITS: Limits = Object.freeze({
  timeoutMs: 5_000,
  maxBodyBytes: 10 * 1024 * 1024,
  maxPipeline: 10_000,
  maxInFlight: 1_000,
  bodyBudgetBytes: 128 * 1024 * 1024,
  replyBudgetBytes: 256 * 1024 * 1024,
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
  const maxBodyBytes = limit("maxBodyBytes");
  const least = 2 * maxBodyBytes;
  const bodyBudgetBytes = limit("bodyBudgetBytes");
  if (options.bodyBudgetBytes !== undefined && bodyBudgetBytes < least)
    throw new RangeError("bodyBudgetBytes must be at least twice maxBodyBytes");
  return {
    timeoutMs: limit("timeoutMs"),
    maxBodyBytes,
    // Room for one of the largest at least: nobody gets more than a half.
    bodyBudgetBytes: Math.max(bodyBudgetBytes, least),
    replyBudgetBytes: limit("replyBudgetBytes"),
    maxPipeline: limit("maxPipeline"),
    maxInFlight: limit("maxInFlight"),
    maxStreams: limit("maxStreams"),
    streamBufferBytes: limit("streamBufferBytes"),
    streamKeepAliveMs: limit("streamKeepAliveMs"),
  };
}

/** Counts what is in flight. */
export interface Gate {
  readonly inFlight: number;
  /** @throws {NotSent} when there is too much already; what has entered must leave */
  enter(): void;
  leave(): void;
}

/**
 * @param most at once; any number by default
 * @param what they are called in the error
 */
export function createGate(
  most: number = Number.POSITIVE_INFINITY,
  what = "requests",
  onFull: () => void = () => {},
): Gate {
  let inFlight = 0;
  return {
    get inFlight() {
      return inFlight;
    },
    enter() {
      if (inFlight >= most) {
        onFull();
        throw new NotSent(`more than ${most} ${what} at once`);
      }
      inFlight++;
    },
    leave() {
      inFlight--;
    },
  };
}
