/**
 * The most names that are watched one by one. Redis compares every key that anybody writes with every prefix, which
 * takes 20 ns each; so with more names, a few longer-winded prefixes stand for all of them.
 */
const MOST_NAMES = 100;

/**
 * The part of a key that it shares with the other keys of its name, and with those of no other name: up to the first
 * closing brace. `undefined` for a key without braces, which is none of leasehold's. No such part begins with another
 * one, and Redis wants that of the prefixes of a connection.
 */
export function nameIn(key: string): string | undefined {
  const open = key.indexOf("{");
  const end = key.indexOf("}");
  return open === -1 || end < open ? undefined : key.slice(0, end + 1);
}

/** The part of a name that it shares with the other names of its application: up to the opening brace. */
const stemOf = (name: string): string => name.slice(0, name.indexOf("{") + 1);

/** The prefixes under which Redis reports the writes to all of these names. */
export function prefixesOf(names: ReadonlySet<string>): ReadonlySet<string> {
  return names.size <= MOST_NAMES ? names : new Set([...names].map(stemOf));
}
