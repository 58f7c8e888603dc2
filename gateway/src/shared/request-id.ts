import { randomUUID } from "node:crypto";

/** The ids that are made of one random text. */
const RUN = 0x10000;
/** The digits of a byte. */
const DIGITS: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

let start = "";
let count = RUN;

/**
 * Makes an id for a request, in the form of a UUID. Nobody must be unable to guess it, so that only its first 106 bits
 * are random, and the last 16 count the requests: to write a random id takes longer than all headers of an answer.
 */
export function requestId(): string {
  if (count === RUN) {
    start = randomUUID().slice(0, -4);
    count = 0;
  }
  const at = count++;
  return start + DIGITS[at >> 8] + DIGITS[at & 255];
}
