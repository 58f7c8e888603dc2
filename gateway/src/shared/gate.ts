import { NotSent } from "./error-answers.ts";

/** A counter of requests or streams in flight, with a limit. */
export interface Gate {
  readonly inFlight: number;
  readonly isFull: boolean;
  /** @throws {NotSent} when the gate is full; whatever has entered must leave */
  enter(): void;
  leave(): void;
}

/**
 * @param most the limit; none by default
 * @param what the error's word for the things that are counted
 * @param onFull called for each one that is refused
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
    get isFull() {
      return inFlight >= most;
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
