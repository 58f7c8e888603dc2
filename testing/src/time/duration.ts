/** Milliseconds, or a number with its unit: `"500ms"`, `"31s"`, `"2m"`, `"24h"`, `"7d"`. */
export type Duration = number | string;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @throws TypeError for a value that is not a duration */
export function toMs(duration: Duration, name: string): number {
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(duration)) ?? [];
  const ms = typeof duration === "number" ? duration : Number(digits) * (UNITS[unit] ?? Number.NaN);
  if (!(ms >= 0 && Number.isFinite(ms))) throw new TypeError(`${name} must be milliseconds, or a text such as "31s"`);
  return ms;
}

/** Like {@link toMs}, but allows negative durations: `-500`, `"-10s"`. */
export function toSignedMs(duration: Duration, name: string): number {
  if (typeof duration === "number") return duration < 0 ? -toMs(-duration, name) : toMs(duration, name);
  return String(duration).startsWith("-") ? -toMs(duration.slice(1), name) : toMs(duration, name);
}
