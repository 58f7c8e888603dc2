/** The maximum characters of a name that are kept. */
const LONGEST = 120;

const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi;
/** Random texts and hashes in Base64, such as nanoid: small letters, capitals and digits. */
const RANDOM = /(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{20,}/g;
/** ULIDs, hashes in hex and the like. */
const LONG = /(?=[a-z]*\d)[\da-z]{16,}/gi;
const HEX = /(?=[a-f]*\d)[\da-f]{8,}/gi;

/**
 * Replaces everything in a name that looks like an ID with `*`, so that a metric has few values: UUIDs; runs of 20 or
 * more letters, digits, `-` and `_` with a small letter, a capital and a digit; runs of 16 or more letters and digits,
 * and of 8 or more hexadecimal digits, with a digit; and every other run of digits. The first 120 characters of the
 * rest are kept.
 *
 * @example
 * ```ts
 * withoutIds("invoice:42"); // "invoice:*"
 * withoutIds("tenant 6fa459ea-ee8a-3ca4-894e-db77e160355e"); // "tenant *"
 * ```
 */
export const withoutIds = (name: string): string =>
  name
    .slice(0, 10 * LONGEST)
    .replace(UUID, "*")
    .replace(RANDOM, "*")
    .replace(LONG, "*")
    .replace(HEX, "*")
    .replace(/\d+/g, "*")
    .slice(0, LONGEST);
