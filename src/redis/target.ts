import { checkOptions, escapeName, toText } from "../shared/checks.ts";
import type { Happening } from "../shared/events.ts";
import { inCall, shown } from "../shared/misuse.ts";
import { offsetOf } from "./clock.ts";
import { type Connection, type ConnectionSource, connectionOf, DEFAULT_PREFIX } from "./connect.ts";

/** The name or names that a script is run for, and their keys. */
export interface Target {
  readonly connection: Connection;
  readonly kind: string;
  /** The name for people; several names are joined. */
  readonly name: string;
  readonly names: readonly string[];
  /** The keys of the records, followed by the key of the crowd for a kind that has one. */
  readonly keys: readonly string[];
  /** Notifies listeners of events of the name. */
  readonly emit: ((event: Happening) => unknown) | undefined;
}

/**
 * Finds the keys of the records of one or several names, in the group of the connection's view. All keys of a name share
 * one hash tag; all names of a group share a slot. A suffix begins with a bare `%`, which no escaped name contains, so
 * no two names share a key.
 */
export function targetOf(connection: Connection, kind: string, names: readonly string[]): Target {
  const tag = connection.group === undefined ? undefined : escapeName(connection.group);
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
    keys,
    emit: connection.emit && ((event) => connection.emit?.({ kind, name, ...event })),
  };
}

const MAKERS: Readonly<Record<string, string>> = {
  fair: "fairLock",
  rw: "readWriteLock",
  multi: "multiLock",
  quorum: "quorumLock",
};

const makerOf = (kind: string, name: unknown): string =>
  typeof name === "string" ? `${MAKERS[kind] ?? kind}(${shown(name)})` : (MAKERS[kind] ?? kind);

/** The user's code that made the object of a call, for errors: `lock("a")`. */
export const callOf = ({ kind, name, names }: Pick<Target, "kind" | "name" | "names">): string =>
  makerOf(names.length > 1 ? "multi" : kind, name);

/**
 * The name as a text that no other name of any group or prefix has: for records outside of Redis. The plain name if that
 * is unambiguous, and otherwise its key, which contains a brace.
 */
export function distinctName({ connection, name, keys }: Target): string {
  const isPlain = connection.group === undefined && connection.prefix === DEFAULT_PREFIX && !name.includes("{");
  return isPlain ? name : (keys[0] as string);
}

/** Adds the key of the crowd, for a kind that has one. */
export const withCrowd = (target: Target): Target => ({ ...target, keys: [...target.keys, `${target.keys[0]}%crowd`] });

/** The channels on which the releases of the names are told: those of their records. */
export const channelsOf = ({ keys, names }: Target): readonly string[] => keys.slice(0, names.length);

/**
 * Checks a user's name and options, and finds the keys of the name. `knows` lists the options of the kind.
 *
 * @throws TypeError or RangeError that names the call.
 */
export function toTarget(source: ConnectionSource, kind: string, name: string, options: object, knows: string): Target {
  return inCall(
    () => makerOf(kind, name),
    () => {
      const connection = connectionOf(source);
      checkOptions(options, knows);
      return targetOf(connection, kind, [name]);
    },
  );
}

/** The server time (µs) after which every request of this client so far is void. */
export function dueOf(target: Target): number {
  const { clock, state, requestTimeoutMs } = target.connection;
  const offsetMs = offsetOf(state.offsets, target.keys[0] as string);
  return Math.max(state.due, Math.ceil((clock.now() + offsetMs + requestTimeoutMs) * 1000));
}
