import { escapeName, toText } from "./options.ts";
import type { Connection } from "./redis/connect.ts";
import type { Place } from "./redis/run.ts";

/** Where a name's record lives. All keys of a name share one hash tag; all names of a `group` share a slot. */
export function placeOf(connection: Connection, kind: string, name: string, group: string | undefined): Place {
  const own = escapeName(toText(name, "name"));
  const key = group === undefined ? `{${own}}` : `{${escapeName(toText(group, "group"))}}/${own}`;
  return {
    connection,
    kind,
    name,
    group,
    key: connection.prefix + key,
    emit: (event) => connection.emit({ kind, name, ...event }),
  };
}
