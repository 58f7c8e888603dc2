/** Whether the server's version has a vulnerability that scripts trigger. */
import { type Check, isObjects, ok, skip, warn } from "./finding.ts";

/** The first fixed version of each release line, and the first line that was never affected. */
interface Repair {
  readonly patched: readonly string[];
  readonly clean: string;
  /** The first affected line. */
  readonly since: string;
}

/**
 * CVE-2026-23631: while a replica loads a full data set, a long-running script uses freed memory. Redis:
 * https://github.com/redis/redis/security/advisories; Valkey: the release notes of the versions below.
 */
const REDIS: Repair = { since: "7.0", patched: ["7.2.14", "7.4.9", "8.2.6", "8.4.3", "8.6.3"], clean: "8.8" };
const VALKEY: Repair = { since: "7.2", patched: ["7.2.13", "8.0.8", "8.1.7", "9.0.4"], clean: "9.1" };

const numbers = (version: string): number[] => version.split(".").map((part) => Number.parseInt(part, 10) || 0);

function isBefore(version: string, other: string): boolean {
  const [these, those] = [numbers(version), numbers(other)];
  for (const [at, part] of those.entries()) {
    const own = these[at] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}

const lineOf = (version: string): string => version.split(".").slice(0, 2).join(".");

function hasFault(version: string, { since, patched, clean }: Repair): boolean {
  if (isBefore(version, since) || !isBefore(version, clean)) return false;
  const repaired = patched.find((each) => lineOf(each) === lineOf(version));
  return repaired === undefined || isBefore(version, repaired);
}

/** The sentence about an affected server, by the fields of INFO; undefined for others. */
export function faultOf(facts: ReadonlyMap<string, string>): string | undefined {
  const valkey = facts.get("valkey_version");
  const version = valkey ?? facts.get("redis_version") ?? "";
  const [name, repair] = valkey === undefined ? ["Redis", REDIS] : ["Valkey", VALKEY];
  if (!hasFault(version, repair)) return undefined;
  return `${name} ${version} has CVE-2026-23631, unless it was patched under the same number`;
}

export const vulnerabilities: Check = {
  name: "security",
  async run({ facts }) {
    if (isObjects(facts)) return skip("objects run no Redis");
    if (!facts.has("redis_version")) return skip("the server does not report its version");
    // Upstash has its own server, which reports the version that it is compatible with.
    if (facts.has("upstash_version")) return skip("Upstash runs a server of its own");
    const fault = faultOf(facts);
    if (fault === undefined) return ok("CVE-2026-23631 is fixed, or was never in this version");
    const { patched, clean } = facts.has("valkey_version") ? VALKEY : REDIS;
    const fixed = `${patched.join(", ")} or ${clean}`;
    return warn(fault, `update to ${fixed}, or check whether your distribution has patched this one`);
  },
};
