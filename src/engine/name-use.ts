import type { Connection } from "../redis/connect.ts";
import type { Target } from "../redis/target.ts";

/** How a name is locked. Two locks that use one name in different ways do not exclude each other. */
type Way = "without a group" | "by a multi-lock in a group" | "on one server" | "on a majority of servers";

/** One way in which a lock uses a name over a connection. */
export interface NameUse {
  readonly connection: Connection;
  readonly name: string;
  /** What both ways share: the name, or its key. */
  readonly subject: string;
  readonly way: Way;
}

/** The maximum number of uses that a connection remembers; it keeps the latest ones. */
const MOST_USES = 2_000;

const ADVICE: Readonly<Record<Way, string>> = {
  "without a group": "Set the group on this lock too, or omit it everywhere",
  "by a multi-lock in a group": "Omit the group here, or set it on every lock of the name",
  "on one server": "Lock the name by a quorum lock everywhere",
  "on a majority of servers": "Lock the name by a quorum lock everywhere",
};

const useOfKey = (target: Target, n: number, way: Way): NameUse => ({
  connection: target.connection,
  name: target.names[n] as string,
  subject: `key ${target.keys[n]}`,
  way,
});

const useOfName = ({ connection }: Target, name: string, way: Way): NameUse => ({
  connection,
  name,
  subject: `name ${name}`,
  way,
});

/** The uses of a lock on one server. A group with a single name is not a mistake: it does not use the plain name. */
export function usesOf(target: Target): NameUse[] {
  const names = target.group === undefined ? target.names : [];
  return [
    ...names.map((name) => useOfName(target, name, "without a group")),
    ...target.names.map((_, n) => useOfKey(target, n, "on one server")),
  ];
}

/** The uses of a multi-lock in a group. */
export const usesOfGroup = (target: Target): NameUse[] => [
  ...target.names.map((name) => useOfName(target, name, "by a multi-lock in a group")),
  ...target.names.map((_, n) => useOfKey(target, n, "on one server")),
];

/** The uses of a lock on several servers. */
export const usesOfMajority = (targets: readonly Target[]): NameUse[] =>
  targets.flatMap((target) => [
    ...usesOf(target).filter(({ way }) => way === "without a group"),
    useOfKey(target, 0, targets.length === 1 ? "on one server" : "on a majority of servers"),
  ]);

/** @throws TypeError for a name that was locked in another way on the same connection. */
export function checkUses(uses: readonly NameUse[]): void {
  for (const { connection, name, subject, way } of uses) {
    const before = connection.state.uses.get(subject);
    if (before !== undefined && before !== way) {
      throw new TypeError(
        `"${name}" was locked ${before} on this connection, and is now locked ${way}: these are two locks, and neither excludes the other. ${ADVICE[way]}`,
      );
    }
  }
}

/** Remembers how names are locked. */
export function noteUses(uses: readonly NameUse[]): void {
  for (const { connection, subject, way } of uses) {
    const { uses: remembered } = connection.state;
    // Moves the use to the end: the least recently used one is forgotten first.
    remembered.delete(subject);
    remembered.set(subject, way);
    const [oldest] = remembered.keys();
    if (remembered.size > MOST_USES) remembered.delete(oldest as string);
  }
}
