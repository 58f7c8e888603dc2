import type { Place } from "../redis/call.ts";
import { type Connection, type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { checkOptions, escapeName, toText } from "../shared/checks.ts";

/**
 * Finds the keys of a name's record, or of several names'. All keys of a name share one hash tag; all names of a
 * `group` share a slot. A suffix begins with a bare `%`, which no escaped name has, so that no two names share a key.
 */
export function placeOf(
  connection: Connection,
  kind: string,
  names: readonly string[],
  group: string | undefined,
): Place {
  const tag = group === undefined ? undefined : escapeName(toText(group, "group"));
  const keys = names.map((each) => {
    const own = escapeName(toText(each, "name"));
    return connection.prefix + (tag === undefined ? `{${own}}` : `{${tag}}/${own}`);
  });
  const name = names.join(", ");
  return {
    connection,
    kind,
    name,
    names,
    group,
    keys,
    emit: connection.emit && ((event) => connection.emit?.({ kind, name, ...event })),
  };
}

const MAKERS: Readonly<Record<string, string>> = { fair: "fairLock", rw: "readWriteLock" };

/** How a user made the object of a call, for errors: `lock("a")`. */
export const callOf = ({ kind, name }: Place): string => `${MAKERS[kind] ?? kind}("${name}")`;

/** Adds the key of the crowd, for a kind that has one. */
export const withCrowd = (place: Place): Place => ({ ...place, keys: [...place.keys, `${place.keys[0]}%crowd`] });

/** Checks a user's name and options, and finds the keys of the name. `knows` lists the options of the kind. */
export function openPlace(
  source: ConnectionSource,
  kind: string,
  name: string,
  options: { readonly group?: string | undefined },
  knows: string,
): Place {
  checkOptions(options, knows);
  return placeOf(connectionOf(source), kind, [name], options.group);
}
