import type { Connection } from "../redis/connect.ts";
import { viewOf } from "../redis/group.ts";
import { purposeOf } from "./purpose.ts";

/** A name as it is listed. */
interface Named {
  readonly name: string;
  readonly group?: string | undefined;
}

/**
 * The group of a name in no group that is stored beside the lock of its cron job: a slot, or the last run. It is the
 * lock's name, so that all of the job shares a slot of a cluster.
 */
function jobGroupOf(name: string): string | undefined {
  const { job } = purposeOf(name, "fence");
  const { job: slotted, slot } = purposeOf(name, "once");
  const found = job ?? (slot === undefined ? undefined : slotted);
  return found === undefined ? undefined : `cron:${found}`;
}

/** The view of a connection in which a listed name has its key. */
export const homeOf = (connection: Connection, { name, group }: Named): Connection =>
  viewOf(connection, group ?? jobGroupOf(name));

/** Whether a key in this group is that of a name in no group. */
export const isAtHome = ({ name, group }: Named): boolean => group !== undefined && jobGroupOf(name) === group;
