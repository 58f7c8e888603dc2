import { type Acquirable, acquirable, type Joinable, PARTS, type Part } from "../engine/acquire.ts";
import { LOCK_OPTIONS, TRY_OPTIONS, withoutReplicas } from "../engine/acquire-options.ts";
import { type HoldKind, holding, type Lease } from "../engine/hold.ts";
import { usesOfGroup } from "../engine/name-use.ts";
import { placeOf } from "../engine/place.ts";
import { several } from "../engine/several-names.ts";
import { type Connection, type ConnectionSource, connectionOf } from "../redis/connect.ts";
import type { Place } from "../redis/run.ts";
import { groupAcquire, groupClose, groupExtend, type lockAcquire } from "../redis/scripts.gen.ts";
import { checkOptions } from "../shared/checks.ts";
import { type LockOptions, type LockState, lock, lockOf } from "./lock.ts";
import { partSequence } from "./part-sequence.ts";

/**
 * The lease of locks that do not share a slot. It has no `token` of its own, since the largest of its tokens could
 * overtake a later token of another name: give each resource the token of its name, from `tokens`. In events the token
 * is NaN.
 */
export interface MultiLease extends Omit<Lease, "token" | "ticket" | "toJSON"> {
  /** One ticket for each part, in the order of `name`. Resume each over the connection of its part. */
  tickets(): readonly string[];
  toJSON(): { name: string; holds: number; expiresAt: number };
}

/** Several locks that are held together, or not at all. */
export interface MultiLock<L = Lease, State = LockState> extends Acquirable<L> {
  /** Reads the state of each lock by name, not all at one moment. */
  inspect(): Promise<Readonly<Record<string, State>>>;
  /** Frees every lock, whoever holds it. True when at least one was held. */
  forceRelease(): Promise<boolean>;
}

/** The place of a part in the order of acquisition: compared by code units, so the same in every locale. */
const orderOf = ({ place }: Part): string => `${place.keys[0]}\n${place.connection.server}`;
const slotOf = ({ place }: Part): string => `${place.keys[0]}`.split("}", 1)[0] as string;

/** Joins parts of several slots, acquired in the order of their keys and then of their servers. */
function acrossSlots(connection: Connection, joined: readonly Joinable[], options: LockOptions): Acquirable {
  const parts = joined
    .flatMap((each) => {
      if (!each?.[PARTS]) throw new TypeError("a multi-lock is made of names and locks");
      return each[PARTS]();
    })
    .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : +(orderOf(a) > orderOf(b))));
  parts.reduce((a, b) => {
    const [one, other] = [a.place, b.place];
    const same = orderOf(a) === orderOf(b) && (one.connection.server || one.connection === other.connection);
    // A third name between two names of one part would be out of order.
    if (same || (slotOf(a) === slotOf(b) && one.names.length + other.names.length > 2))
      throw new TypeError(`"${one.name}" and "${other.name}" overlap: name them together, in one group`);
    return b;
  });
  const plain = parts.flatMap(({ place }) => place.names);
  // Equal names are told apart by server and key.
  const names = parts
    .flatMap(({ place }) =>
      place.names.map((name, n) => [name, `${place.connection.server}/${place.keys[n]}`] as const),
    )
    .map(([name, full]) => (plain.indexOf(name) === plain.lastIndexOf(name) ? name : full));
  const name = names.join(", ");
  const kind = "multi";
  const emit: Place["emit"] = connection.emit && ((event) => connection.emit?.({ kind, name, ...event }));
  const anew = () => partSequence({ connection, kind, name, names, group: undefined, keys: [], emit }, parts);
  if (!parts.some((part) => part.isSpread)) return acquirable({ ...anew(), parts, anew }, options);
  checkOptions(options, withoutReplicas(LOCK_OPTIONS));
  return acquirable({ ...anew(), parts, anew, takes: withoutReplicas(TRY_OPTIONS), isSpread: true }, options);
}

/** The holds of a lock of several names in one slot. */
export const LOCK_GROUP: HoldKind = { kind: "lock", extend: groupExtend, close: groupClose, several: true };

/** Joins names of one slot. */
function inGroup(place: Place, options: LockOptions): Acquirable {
  // It takes the arguments of a single lock's script, and has no use for the last one.
  const script = groupAcquire as unknown as typeof lockAcquire;
  const held = several(place, holding(place, LOCK_GROUP));
  return lockOf(place, options, script, { ...held, uses: usesOfGroup(place) });
}

/**
 * Acquires several names of one `group` as one lock: all or none of them, in one request and under one token. One lease
 * extends and releases them all. Nothing is sent yet.
 *
 * It takes 1 to 64 names; a name that is given twice is taken once. A name in a group is another lock than the same
 * name without: neither excludes the other. Over one connection such a mix is a `TypeError`; other connections and
 * other processes do not notice it.
 *
 * @example
 * ```ts
 * const transfer = multiLock(connection, ["account 1", "account 2"], { group: "accounts" });
 * await transfer.run(async ({ token }) => {
 *   await record(token);
 * });
 * ```
 *
 * @throws TypeError or RangeError for names or options that are not valid.
 */
export function multiLock(
  connection: ConnectionSource,
  names: readonly string[],
  options: LockOptions & { readonly group: string },
): MultiLock;
/**
 * Acquires several locks and semaphores as one: names without a group, and locks of any kind, group or server. One
 * lease extends and releases them all. Nothing is sent yet.
 *
 * The parts are acquired one after the other, in an order that is the same on every client, so that no circle of
 * waiters forms. The wait for a part goes on with the parts before it held; when the wait ends without all of them,
 * they are given back. `maxPolls` counts the requests for all parts. A part's own `reentryKey` and `label` apply where
 * none are given here.
 *
 * It takes 1 to 64 parts; a part that is given twice is taken once.
 *
 * @example
 * ```ts
 * const both = multiLock(connection, ["account 1", locks.fairLock("printer")]);
 * await both.run({ wait: "5s" }, async ({ tokens }) => {
 *   await record(tokens["account 1"] ?? 0);
 * });
 * ```
 *
 * @throws TypeError or RangeError for parts or options that are not valid, and for parts that overlap.
 */
export function multiLock(
  connection: ConnectionSource,
  parts: readonly (string | Joinable)[],
  options?: LockOptions,
): MultiLock<MultiLease, unknown>;
export function multiLock(
  source: ConnectionSource,
  given: readonly (string | Joinable)[],
  options: LockOptions = {},
): MultiLock<never, never> {
  const connection = connectionOf(source);
  checkOptions(options, LOCK_OPTIONS);
  // A string is iterable too.
  if (!Array.isArray(given as unknown)) throw new TypeError("a multi-lock takes a list of names and locks");
  const unique = [...new Set(given)];
  if (!(unique.length > 0 && unique.length < 65)) throw new RangeError("a multi-lock has from 1 to 64 parts");
  const { group } = options;
  const joined = unique.map((each) => (typeof each === "string" ? lock(connection, each, options) : each));
  const all =
    group === undefined
      ? acrossSlots(connection, joined, options)
      : inGroup(placeOf(connection, "lock", unique as string[], group), options);
  return {
    ...(all as Acquirable<never>),
    inspect: async () =>
      Object.fromEntries(
        await Promise.all(
          joined.map(async (each) => [
            each[PARTS]()
              .map(({ place }) => place.name)
              .join(", "),
            await each.inspect?.(),
          ]),
        ),
      ),
    forceRelease: async () => (await Promise.all(joined.map((each) => each.forceRelease?.()))).includes(true),
  };
}
