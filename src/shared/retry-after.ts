/** Writes a `Retry-After`: whole seconds, rounded up, and never 0, which would mean immediately. */
export const toRetryAfter = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/**
 * Reads a `Retry-After`, which is seconds or a date, as milliseconds from now. Returns 0 if it is missing or invalid.
 */
export function fromRetryAfter(header: string | null): number {
  if (header === null) return 0;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? 0 : Math.max(ms, 0);
}
