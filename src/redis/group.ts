import { toText } from "../shared/checks.ts";
import { refuseMissing } from "../shared/identity.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";
import { type Connection, type ConnectionSource, connectionOf, withMembers } from "./connect.ts";

/** A view of a connection: every name that is used through it is a name of one group. */
export interface GroupConnection extends Connection {
  readonly group: string;
}

/** A group's view, or the result of `locks.group`, which has one. */
export type GroupSource = GroupConnection | { readonly connection: GroupConnection };

/**
 * The same connection for names of this group; undefined: for names of no group. What is learned through one view is
 * known to all.
 *
 * @throws TypeError or RangeError for an invalid name of a group.
 */
export function viewOf(connection: Connection, group: string | undefined): Connection {
  if (group === connection.group) return connection;
  return withMembers(connection, { group: group === undefined ? undefined : toText(group, "group") });
}

/**
 * Makes a view of a connection for the names of one group. Every function that takes a connection takes the view, and
 * finds its names in the group: `lock(group(connection, "cart:7"), "a")`. All names of a group share a slot of a Redis
 * cluster, and a `multiLock` of them is one request and has one token.
 *
 * The name `a` of a group is another name than `a` of another group, and than `a` of the connection itself: locks of
 * these do not exclude each other. Nothing is sent, and a view costs no connection.
 *
 * @example
 * ```ts
 * const cart = group(connection, "cart:7");
 * await multiLock(cart, ["items", "total"]).run(async ({ token }) => {
 *   await record(token);
 * });
 * ```
 *
 * @throws TypeError or RangeError for an invalid name, or for a view, since a group is in no other group.
 */
export const group = (source: ConnectionSource, name: string): GroupConnection =>
  inCall("group", () => {
    const connection = connectionOf(source);
    if (connection.group !== undefined)
      throw misuse(
        TypeError,
        `this is the view of the group ${shown(connection.group)}, and no group is in another: use the connection itself`,
      );
    return viewOf(connection, refuseMissing(toText(name, "name"), "name")) as GroupConnection;
  });
