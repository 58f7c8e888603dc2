import { type Connection, type ConnectionSource, connectionOf } from "../redis/connect.ts";
import type { Place } from "../redis/run.ts";
import { checkOptions, escapeName, toText } from "../shared/checks.ts";

/**
 * Where a name's record lives, or the records of several. All keys of a name share one hash tag; all names of a `group` share a slot.
 * A suffix begins with what no escaped name holds, so that none is another name's.
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
    emit: (event) => connection.emit({ kind, name, ...event }),
  };
}

/** The same for a kind that has a sorted set next to the record. */
export const withCrowd = (place: Place): Place => ({ ...place, keys: [...place.keys, `${place.keys[0]}%crowd`] });

/** Where the record of a name lives that a user gave: one name of a kind that `knows` these options. */
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
