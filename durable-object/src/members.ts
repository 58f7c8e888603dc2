/** A member's name that is shorter cannot be a token. */
const MIN_TOKEN = 16;

/**
 * Checks that a value is an object with known members only.
 *
 * @param where what the object is, for errors
 * @param isSecret whether an unknown member may be a token in the wrong place, which is not repeated
 * @throws TypeError that names the member, and all known ones
 */
export function checkMembers(value: unknown, known: readonly string[], where: string, isSecret = false): void {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError(`${where} must be an object`);
  for (const [at, name] of Object.keys(value).entries()) {
    if (known.includes(name)) continue;
    const named = isSecret && name.length >= MIN_TOKEN ? `member ${at + 1} is unknown` : `there is no "${name}"`;
    throw new TypeError(`${where}: ${named}; known are ${known.join(", ")}`);
  }
}
