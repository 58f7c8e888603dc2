import type { LeaseholdError } from "../../../../src/shared/errors.ts";

/** What the prefixes of all examinations begin with. */
export const DOCTOR_PREFIX = "leasehold-doctor:";

/** What to do about an error that ended a check. */
export function adviceOn({ message }: LeaseholdError): string {
  if (/NOPERM .*\bkeys?\b/.test(message)) return `allow the user ~${DOCTOR_PREFIX}*, the keys of the checks`;
  if (/NOPERM/.test(message)) return "use a token that may write, or allow the user the command";
  return "see https://leasehold.github.io/leasehold/errors";
}
