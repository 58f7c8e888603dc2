/**
 * The maximum number of names that are watched one by one. Redis compares every written key with every prefix, which
 * takes 20 ns each; with more names, a few broader prefixes cover all of them.
 */
const MAX_NAMES = 100;

/**
 * The part of a key that exactly the keys of its name share: up to the first closing brace. `undefined` for a key
 * without braces, which is not leasehold's. No such part is a prefix of another one, as Redis requires for the prefixes
 * of a connection.
 */
export function nameIn(key: string): string | undefined {
  const open = key.indexOf("{");
  const end = key.indexOf("}");
  return open === -1 || end < open ? undefined : key.slice(0, end + 1);
}

/** The part of a key that all names of its application share: up to the opening brace. */
const stemOf = (name: string): string => name.slice(0, name.indexOf("{") + 1);

/** The prefixes under which Redis reports the writes to all of these names. */
export function prefixesOf(names: ReadonlySet<string>): ReadonlySet<string> {
  return names.size <= MAX_NAMES ? names : new Set([...names].map(stemOf));
}
