import type { Place } from "../redis/call.ts";
import type { Connection } from "../redis/connect.ts";

/** How a name is locked. Locks of one name in two ways do not exclude each other. */
type Way = "without a group" | "by a multi-lock in a group" | "on one server" | "on a majority of servers";

/** One way in which a lock uses a name over a connection. */
export interface NameUse {
  readonly connection: Connection;
  readonly name: string;
  /** What the two ways have in common: the name, or the key of the name. */
  readonly subject: string;
  readonly way: Way;
}

/** The most uses that a connection remembers: the latest ones. */
const MOST_USES = 2_000;

const ADVICE: Readonly<Record<Way, string>> = {
  "without a group": "Give this lock the group too, or leave the group out everywhere",
  "by a multi-lock in a group": "Leave the group out here, or give it to every lock of the name",
  "on one server": "Lock the name by a quorum lock everywhere",
  "on a majority of servers": "Lock the name by a quorum lock everywhere",
};

const useOfKey = (place: Place, n: number, way: Way): NameUse => ({
  connection: place.connection,
  name: place.names[n] as string,
  subject: `key ${place.keys[n]}`,
  way,
});

const useOfName = ({ connection }: Place, name: string, way: Way): NameUse => ({
  connection,
  name,
  subject: `name ${name}`,
  way,
});

/**
 * The uses of a lock on one server. A group that was given for a single name is no mistake: it does not use the plain
 * name.
 */
export function usesOf(place: Place): NameUse[] {
  const names = place.group === undefined ? place.names : [];
  return [
    ...names.map((name) => useOfName(place, name, "without a group")),
    ...place.names.map((_, n) => useOfKey(place, n, "on one server")),
  ];
}

/** The uses of a multi-lock in a group. */
export const usesOfGroup = (place: Place): NameUse[] => [
  ...place.names.map((name) => useOfName(place, name, "by a multi-lock in a group")),
  ...place.names.map((_, n) => useOfKey(place, n, "on one server")),
];

/** The uses of a lock on several servers. */
export const usesOfMajority = (places: readonly Place[]): NameUse[] =>
  places.flatMap((place) => [
    ...usesOf(place).filter(({ way }) => way === "without a group"),
    useOfKey(place, 0, places.length === 1 ? "on one server" : "on a majority of servers"),
  ]);

/** @throws TypeError for a name that was locked in another way over the same connection. */
export function checkUses(uses: readonly NameUse[]): void {
  for (const { connection, name, subject, way } of uses) {
    const before = connection.state.uses.get(subject);
    if (before !== undefined && before !== way) {
      throw new TypeError(
        `"${name}" was locked ${before} over this connection, and is now locked ${way}: these are two locks, and neither excludes the other. ${ADVICE[way]}`,
      );
    }
  }
}

/** Remembers how names are locked. */
export function noteUses(uses: readonly NameUse[]): void {
  for (const { connection, subject, way } of uses) {
    const { uses: remembered } = connection.state;
    // Moves it behind all others: the one that was used longest ago is forgotten first.
    remembered.delete(subject);
    remembered.set(subject, way);
    const [oldest] = remembered.keys();
    if (remembered.size > MOST_USES) remembered.delete(oldest as string);
  }
}
