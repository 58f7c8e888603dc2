import { type Acquirable, type AcquirableKind, acquirable, type Joinable, PARTS, type Part } from "../lease/acquire.ts";
import {
  LOCK_OPTIONS,
  TRY_OPTIONS,
  type TryOptions,
  WAIT_OPTIONS,
  without,
  withoutReplicas,
} from "../lease/acquire-options.ts";
import { HeldLease } from "../lease/held-lease.ts";
import { type HoldKind, holdCalls } from "../lease/hold.ts";
import type { Lease } from "../lease/lease.ts";
import type { Joint } from "../lease/record.ts";
import { resumeHold } from "../lease/resume.ts";
import { several } from "../lease/several-names.ts";
import { sharedRoutes } from "../redis/batch.ts";
import { type Connection, type ConnectionSource, connectionOf } from "../redis/connect.ts";
import type { GroupSource } from "../redis/group.ts";
import { runScript } from "../redis/run.ts";
import { groupAcquire, groupClose, groupExtend } from "../redis/scripts.gen.ts";
import { channelsOf, type Target, targetOf } from "../redis/target.ts";
import { checkOptions } from "../shared/checks.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";
import { type LockOptions, type LockState, lock, reentrantOf } from "./lock.ts";
import { countsOf, type PermitsByName, partSequence, settleParts } from "./part-sequence.ts";
import type { Semaphore } from "./semaphore.ts";

/**
 * The lease of several locks that do not share a slot. Each name has a token of its own, in `tokens`: pass each resource
 * the token of the name that guards it. There is no single `token`, because tokens of different names cannot be
 * compared. In events, the token is NaN.
 */
export interface MultiLease extends Omit<Lease, "token" | "ticket" | "toJSON"> {
  /** One ticket for each part, in the order of `name`. Resume each on the connection of its part. */
  tickets(): readonly string[];
  toJSON(): { name: string; holds: number; expiresAt: number };
}

/** The lease of several semaphores. */
export interface MultiSemaphoreLease extends MultiLease {
  /**
   * Spends permits of every semaphore for good, all or none, in one request, and ends the lease: the number of each
   * falls by its count, and its other permits return. `counts` has every name. If it throws, it can be called again, as
   * `spend` of a single semaphore's lease.
   *
   * @throws TypeError if the semaphores are not of one group of one connection; otherwise like `spend` there.
   */
  spend(counts: PermitsByName): Promise<void>;
}

/** Several locks of several slots, acquired together. */
export interface JoinedLock<L = MultiLease, More = unknown, Unused extends keyof TryOptions = never>
  extends MultiLock<L, unknown, Unused, More> {
  /**
   * Makes the lease of the tickets of its parts, in the order of `tickets()`, as `resume` does of one.
   *
   * @throws TypeError for anything else.
   */
  resume(tickets: readonly string[]): Promise<L>;
}

/** The options of a call of a multi-lock that has semaphores. */
interface PermitsOfParts {
  /** The number of permits of each semaphore, by its name. Default 1 of each; if it is given, it has every semaphore. */
  readonly permits?: PermitsByName | undefined;
}

/** What a multi-lock of these parts gives and takes. */
type Joined<P> = JoinedLock<
  [P] extends [Semaphore] ? MultiSemaphoreLease : MultiLease,
  [Extract<P, Semaphore>] extends [never] ? unknown : PermitsOfParts,
  UnusedBy<P> & keyof TryOptions
>;

/** The options that a multi-lock of these parts does not support. */
type UnusedBy<P> =
  | ([Extract<P, string>] extends [never] ? "reentrant" : never)
  | ([P] extends [Semaphore] ? "reentryKey" : never);

/**
 * Options of a multi-lock over several slots. `reentrant` applies to parts given as names; other locks have their own.
 * A multi-lock of only semaphores has no `reentryKey`.
 */
export type MultiLockOptions<P extends string | Joinable = string> = Omit<LockOptions, UnusedBy<P>>;

/** Several locks, acquired together: all or none. */
export interface MultiLock<L = Lease, State = LockState, Unused extends keyof TryOptions = never, More = unknown>
  extends Acquirable<L, More, Unused> {
  /** Reads the state of each lock by name. The states are not read at the same moment. */
  inspect(): Promise<Readonly<Record<string, State>>>;
  /** Releases every lock by force. Returns true if at least one was held. */
  forceRelease(): Promise<boolean>;
}

const MAX_PARTS = 64;

/**
 * The key by which a part is sorted. It contains the name, so it is the same on every client, whatever the server's
 * address.
 */

/** The server of a part, by an ID that is the same on every client; empty if its connection has no `serverId`. */
const serverOf = ({ target }: Part): string => target.connection.serverId ?? "";

/** Compares by code units, so the result is the same in every locale. */
function compare(a: string, b: string): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

/** The order of acquisition: by key, and equal keys by server. */
const byKeyAndServer = (a: Part, b: Part): number =>
  compare(a.orderKey, b.orderKey) || compare(serverOf(a), serverOf(b));

/** Whether both are known to be on one server. */
const isOneServer = ({ target: a }: Part, { target: b }: Part): boolean =>
  a.connection.state === b.connection.state ||
  (a.connection.server !== "" && a.connection.server === b.connection.server);

/**
 * Rejects two neighbours that overlap, or whose order is not the same on every client.
 *
 * @throws TypeError that says what to do.
 */
function checkNeighbours(a: Part, b: Part): void {
  const [one, other] = [a.target, b.target];
  const both = `"${one.name}" and "${other.name}"`;
  if (a.orderKey === b.orderKey) {
    if (a.isSpread || b.isSpread || isOneServer(a, b))
      throw misuse(TypeError, `${both} overlap: pass each lock once, and names of one group in one multi-lock`);
    if (!serverOf(a) || serverOf(a) === serverOf(b)) {
      throw misuse(
        TypeError,
        `"${one.name}" is locked on several servers, which every client must acquire in one order: set the serverId of each connection, or lock the name on a majority by quorumLock, or use different names`,
      );
    }
  }
  // Several names are acquired together: another name of their group may sort between them.
  const { group, prefix } = one.connection;
  const isOneGroup = group !== undefined && group === other.connection.group && prefix === other.connection.prefix;
  if (isOneGroup && one.names.length + other.names.length > 2) {
    throw misuse(
      TypeError,
      isOneServer(a, b)
        ? `${both} overlap: name all names of a group in one multi-lock`
        : `${both} are in one group on several servers: use another group on each server`,
    );
  }
}

/** The names of all parts. Server and key distinguish equal names. */
function namesOf(parts: readonly Part[]): string[][] {
  const plain = parts.flatMap(({ target }) => target.names);
  return parts.map(({ target: { names, keys, connection } }) =>
    names.map((name, n) =>
      plain.indexOf(name) === plain.lastIndexOf(name) ? name : `${connection.serverId ?? connection.server}/${keys[n]}`,
    ),
  );
}

/** The parts of a lock or semaphore. @throws TypeError for anything else. */
function partsOf(each: Joinable): readonly Part[] {
  if (!each?.[PARTS]) throw misuse(TypeError, `a part must be a name or a lock, not ${shown(each)}`);
  return each[PARTS]();
}

/** The options of a call that acquires a part. */
const takesOf = ({ takes = TRY_OPTIONS }: Part): string => takes;

/** Joins parts of several slots, acquired in the order of their keys and then of their servers. */
function acrossSlots(connection: Connection, joined: readonly Joinable[], options: LockOptions): Acquirable {
  const parts = inCall("multiLock", () => joined.flatMap(partsOf)).sort(byKeyAndServer);
  inCall("multiLock", () => {
    for (const [n, part] of parts.entries()) if (n > 0) checkNeighbours(parts[n - 1] as Part, part);
  });
  const names = namesOf(parts).flat();
  const name = names.join(", ");
  const kind = "multi";
  const emit: Target["emit"] = connection.emit && ((event) => connection.emit?.({ kind, name, ...event }));
  const target: Target = { connection, kind, name, names, keys: [], emit };
  const labels = namesOf(parts).map((each) => each.join(", "));
  const start = () => partSequence(target, parts, labels);
  const isSpread = parts.some((part) => part.isSpread);
  const hasReentry = parts.some((part) => takesOf(part).split(" ").includes("reentryKey"));
  const common = isSpread ? withoutReplicas(TRY_OPTIONS) : TRY_OPTIONS;
  const takes = hasReentry ? common : without("reentryKey", common);
  inCall("multiLock", () => checkOptions(options, `${takes} ${WAIT_OPTIONS} reentrant`));
  const stocked = labels.filter((_, n) => parts[n]?.spending);
  /** The options of a call with the permits of each semaphore. */
  const own = ({ permits }: PermitsOfParts): PermitsByName | undefined => {
    if (permits === undefined) return undefined;
    const counts = countsOf(stocked, permits, 1, []);
    return Object.fromEntries(stocked.map((label, n) => [label, counts[n] as number]));
  };
  const calls = acquirable<PermitsByName | undefined>(
    { ...start(), takes: stocked.length > 0 ? `${takes} permits` : takes, own },
    options,
    { parts, start: start as never },
  );
  return {
    ...calls,
    async resume(tickets: readonly string[]) {
      const held = await resumeParts(target, parts, tickets);
      const { extend, close, leaves, adds } = partSequence(target, parts, labels, held);
      const leaseMs = Math.min(...held.map((each) => each.leaseMs));
      const hold = {
        target,
        extend,
        close,
        leaves,
        adds,
        id: "",
        token: Number.NaN,
        leaseMs,
        doubted: "another's" as const,
      };
      return new HeldLease(hold, undefined, () => "").lease;
    },
  } as Acquirable;
}

/** Reads the tickets of all parts. @throws TypeError for one that is not of its part. */
async function resumeParts({ name }: Target, parts: readonly Part[], tickets: readonly string[]) {
  if (!Array.isArray(tickets as unknown) || tickets.length !== parts.length)
    throw new TypeError(`resume: tickets must be a list of ${parts.length}, one for each part of ${shown(name)}`);
  const resumed = parts.map((part, n) => resumeHold(part.target.connection, tickets[n] as string, [], part));
  return (await Promise.all(resumed)).map(({ lease, id, leaseMs }, n) => ({
    ticket: tickets[n] as string,
    token: lease.token,
    id,
    leaseMs,
  }));
}

/** The holds of a lock of several names in one slot. */
export const LOCK_GROUP: HoldKind = { kind: "lock", extend: groupExtend, close: groupClose, several: true };

/** Joins names of one slot. */
function inGroup(target: Target, options: LockOptions): Acquirable {
  const { retentionMs } = target.connection;
  const reentrant = reentrantOf(target, options);
  const kind: AcquirableKind = {
    target,
    ...several(target, holdCalls(target, LOCK_GROUP)),
    channels: channelsOf(target),
    ask: ({ id, leaseMs, reentryKey, note, waitedMs, listensMs }, call) =>
      runScript(
        target,
        groupAcquire,
        [id, leaseMs, retentionMs, reentryKey, note, reentrant, waitedMs, listensMs],
        call,
      ),
  };
  return acquirable(kind, options);
}

/**
 * Makes a lock of several names of one group, over the view of the group (see `group`): it acquires all or none of them, in one
 * request and under one token. One lease extends and releases them all. Nothing is sent yet.
 *
 * It accepts 1 to 64 names, and no locks; duplicates are ignored. A part of a multi-lock over the connection itself may
 * be this lock.
 *
 * @example
 * ```ts
 * const transfer = multiLock(group(connection, "accounts"), ["account 1", "account 2"]);
 * await transfer.run(async ({ token }) => {
 *   await record(token);
 * });
 * ```
 *
 * @throws TypeError or RangeError for invalid names or options.
 */
export function multiLock(view: GroupSource, names: readonly string[], options?: LockOptions): MultiLock;
/**
 * Makes a lock of several locks and semaphores: names of the connection itself, and locks of any kind, group or server.
 * One lease extends and releases them all. Nothing is sent yet.
 *
 * The parts are acquired one by one, sorted by their keys. This order is the same on every client, whatever the
 * addresses of the servers, so clients do not deadlock. One name on several servers needs a `serverId` for each
 * connection. While a part is waited for, the previous parts stay held; if the wait ends without all parts, they are
 * released. `maxPolls` counts the refusals of all parts: the request that a part is granted by is no poll. A part's own
 * `reentryKey` and `label` apply if none are given here. `reentrant` applies to the parts that are names. A multi-lock
 * of only semaphores accepts no `reentryKey`.
 *
 * It accepts 1 to 64 parts; duplicates are ignored.
 *
 * @example
 * ```ts
 * const both = multiLock(connection, ["account 1", locks.fairLock("printer")]);
 * await both.run({ wait: "5s" }, async ({ tokens }) => {
 *   await record(tokens["account 1"] ?? 0);
 * });
 * ```
 *
 * @throws TypeError or RangeError for invalid parts or options, and for parts that overlap.
 */
export function multiLock<P extends string | Joinable>(
  connection: ConnectionSource,
  parts: readonly P[],
  options?: MultiLockOptions<P>,
): Joined<P>;
export function multiLock(
  source: ConnectionSource,
  members: readonly (string | Joinable)[],
  options: LockOptions = {},
): MultiLock<never, never, never, never> & Pick<JoinedLock<never>, "resume"> {
  const [connection, unique] = inCall("multiLock", () => {
    checkOptions(options, LOCK_OPTIONS);
    // A string is also iterable.
    if (!Array.isArray(members as unknown))
      throw misuse(TypeError, `parts must be a list of names and locks, not ${shown(members)}`);
    const parts = [...new Set(members)];
    if (!(parts.length > 0 && parts.length <= MAX_PARTS))
      throw misuse(RangeError, `parts has ${parts.length} names and locks: 1 to ${MAX_PARTS} are allowed`);
    if (options.reentrant !== undefined && !parts.some((part) => typeof part === "string"))
      throw misuse(TypeError, "reentrant is for parts that are names: set it on each lock");
    const own = connectionOf(source);
    const other = parts.find((part) => typeof part !== "string");
    if (own.group !== undefined && other !== undefined)
      throw misuse(
        TypeError,
        `a multi-lock of the group ${shown(own.group)} has only names, not ${shown(other)}: join locks by multiLock of the connection itself`,
      );
    return [own, parts];
  });
  const joined = unique.map((each) => (typeof each === "string" ? lock(connection, each, options) : each));
  const all =
    connection.group === undefined
      ? acrossSlots(connection, joined, options)
      : inGroup(
          inCall("multiLock", () => targetOf(connection, "lock", unique as string[])),
          options,
        );
  const labels = namesOf(joined.flatMap(partsOf));
  return {
    ...(all as Acquirable<never, never, never> & Pick<JoinedLock<never>, "resume">),
    async inspect(joint: Joint = { routes: sharedRoutes() }) {
      const rest = [...labels];
      const states = joined.map(async (each) => {
        const label = rest.splice(0, partsOf(each).length).flat().join(", ");
        return [label, (await each.inspect?.(joint)) as never] as const;
      });
      return Object.fromEntries(await Promise.all(states));
    },
    async forceRelease(joint: Joint = { routes: sharedRoutes() }) {
      const forced = joined.map(async (each) => each.forceRelease?.(joint));
      const held = await settleParts(labels.flat().join(", "), forced, { operation: "forceRelease" });
      return held.includes(true);
    },
  };
}
