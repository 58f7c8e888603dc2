import type { World } from "../world.ts";
import type { Sentence } from "./sentences.ts";

/** One call of the SDK, with its outcome. */
export interface Op {
  readonly id: string;
  readonly what: string;
  readonly startedAt: number;
  /** The names in which it may have been granted: keys of `names`. */
  readonly asked: Set<string>;
  /** The time of its last request so far. */
  sentAt?: number;
  /** When it ended, and its outcome: `lease`, `null`, or an error code. */
  endedAt?: number;
  outcome?: string;
  /** When its lease had ended as well. */
  overAt?: number;
  /** The number of requests sent. */
  requests: number;
  /** Whether a request of it was duplicated although it was answered. */
  copied: boolean;
  /** Whether it sent a request to a server whose clock its client did not know. */
  isFirst?: boolean;
  /** The acquisition whose lease this call refers to. */
  readonly of?: Op | undefined;
  /** Whether it acquires and releases several leases, so that its outcome is not the outcome of one of them. */
  readonly isComposite?: boolean;
  /** Whether it returns only after a replica has its hold. */
  readonly isReplicated?: boolean | undefined;
}

export interface Violation {
  readonly rule: string;
  readonly text: string;
}

export interface Hold {
  readonly id: string;
  readonly op: Op | undefined;
  readonly token: number;
  readonly reentryKey: string;
  readonly mode: "alone" | "shared" | "permits";
  permits: number;
  /** In µs by the server's clock. */
  until: number;
  readonly grantedAt: number;
  /** Whether it had ended at the server's last check: a clock set back may revive it. */
  wasOver?: boolean;
}

interface Waiter {
  readonly place: number;
  /** In µs by the server's clock: after this time it is dead. */
  readonly deadline: number;
  /** Whether it was late at the server's last check and may have been removed. */
  wasLate?: boolean;
}

/** Permits granted by a counter. */
interface Taken {
  readonly op: Op | undefined;
  readonly count: number;
  /** In µs by the server's clock. */
  readonly at: number;
}

/** Everything known about a name from the server's replies. */
export interface Name {
  holds: Map<string, Hold>;
  /** Holds of which one of two keys is lost: the other may still contain them. */
  remains: Map<string, Hold>;
  /** Expired holds: in a crowd they count again when the clock is set back, unless a script removed them. */
  expired: Map<string, Hold>;
  over: Map<string, string>;
  queue: Map<string, Waiter>;
  done: { readonly id: string; readonly until: number } | undefined;
  latch: { readonly id: string; readonly of: number; readonly parties: Set<string> } | undefined;
  /** The requests that set a latch, and when it was set anew or forced, in µs by the server's clock; 0 before. */
  setters: Map<string, number>;
  counter:
    | {
        count: number;
        /** Its number: the initial value, and the sums added and drained. */
        size: number;
        isUnsure?: boolean;
        /** The counted requests, with their times in µs by the server's clock. */
        readonly seen: Map<string, number>;
        readonly taken: Map<string, Taken>;
      }
    | undefined;
  fence: { token: number; value: string; readonly seen: Set<string> } | undefined;
  /** The callers that were refused by a lock that is not fair, and may retry. */
  readonly refused: Set<Op>;
  lastToken: number;
  lostAt: number;
  /** Until when its record is kept if nobody writes it, in µs by its server's clock; 0 before the first write. */
  keptUntil: number;
  /** Whether its record expired since the last token: the server no longer knows that token. */
  wasForgotten: boolean;
  forcedAt: number;
}

const nothing = (): Name => ({
  holds: new Map(),
  remains: new Map(),
  expired: new Map(),
  over: new Map(),
  queue: new Map(),
  done: undefined,
  latch: undefined,
  setters: new Map(),
  counter: undefined,
  fence: undefined,
  refused: new Set(),
  lastToken: 0,
  lostAt: -1,
  keptUntil: 0,
  wasForgotten: false,
  forcedAt: -1,
});

/** The facts about all names and servers, and the violations found: shared by all checks. */
export interface Facts {
  readonly world: World;
  /** The number of servers that must agree: 1 except for a quorum lock. */
  readonly majority: number;
  readonly requestTimeoutMs: number;
  readonly retentionMs: number;
  readonly violations: readonly Violation[];
  readonly excused: ReadonlyMap<Sentence, number>;
  report(rule: string, text: string, excuse?: Sentence): void;
  /** A server's clock in µs. */
  clockOf(server: string): number;
  /** The facts about a name: by its server, `/` and its key. */
  nameOf(full: string): Name;
  /** The reason why a state at an earlier time may have ended. */
  lossSince(full: string, at: number): Sentence | undefined;
  /** The reason why a request may still take effect although its operation has ended. */
  excuseOf(full: string, op: Op): Sentence | undefined;
  /** Whether the clock of a name's server was set back. */
  wasSetBack(full: string): boolean;
  /** All names, by their server, `/` and their key. */
  readonly names: ReadonlyMap<string, Name>;
  /** The holders of a name by its server's clock. */
  holdersOf(full: string): readonly Hold[];
  /** A server has lost its data of all names, or of one key. */
  lost(server: string, key?: string): void;
  /**
   * Saves the facts about a server's names; returns a function that restores them, as after a loss. Its argument says
   * whether the new primary is a replica that had every confirmed write.
   */
  keep(server: string): (isReplica: boolean) => void;
  stepped(server: string, ms: number): void;
}

/** The number of permits requested by an id: `id#n`, followed by a note. */
export const permitsOf = (id: string): number => Number(/^.{36}#(\d+)/.exec(id)?.[1] ?? 1);

export const serverOf = (full: string): string => full.slice(0, full.indexOf("/"));

/** Copies maps, sets and plain objects two levels deep; operations are shared. */
function copyOf<T extends object>(state: T): T {
  const copy = (value: unknown, depth: number): unknown => {
    if (depth === 0 || typeof value !== "object" || value === null) return value;
    if (value instanceof Map) return new Map([...value].map(([key, each]) => [key, copy(each, depth - 1)]));
    if (value instanceof Set) return new Set(value);
    if ("startedAt" in value) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copy(each, depth - 1)]));
  };
  return copy(state, 4) as T;
}

/** The numbers are in the record: without the crowd, the counted requests are unknown. */
function forgetMembers({ latch, counter }: Name): void {
  counter?.seen.clear();
  counter?.taken.clear();
  const parties = latch ? [...latch.parties] : [];
  latch?.parties.clear();
  for (const party of parties) latch?.parties.add(`${party}, forgotten`);
}

/** Removes what a server has lost of a name: everything, or one of its keys. */
function forget(name: Name, key: string | undefined): void {
  // A single holder is in the record, several are in the crowd.
  const kept = key?.endsWith("%crowd") ? [...name.holds].filter(([, { mode }]) => mode === "alone") : [];
  const remains = new Map(key === undefined ? [] : [...name.remains, ...name.holds]);
  name.refused.clear();
  Object.assign(name, { holds: new Map(kept), remains, expired: new Map(), over: new Map(), queue: new Map() });
  const { counter } = name;
  if (key?.endsWith("%crowd")) forgetMembers(name);
  else
    Object.assign(name, {
      done: undefined,
      latch: undefined,
      setters: new Map(),
      counter: undefined,
      fence: undefined,
    });
  // The number was in the record, and begins anew; the counted requests are in the crowd.
  if (counter && key !== undefined)
    name.counter = { ...counter, count: key.endsWith("%crowd") ? counter.count : Number.NaN };
}

/** A hold that replicas have confirmed survives a failover to one of them. */
function checkReplicas({ nameOf, report }: Facts, full: string, before: readonly Hold[], isReplica: boolean): void {
  for (const { id, op } of before) {
    if (!op?.isReplicated || op.outcome !== "lease" || nameOf(full).holds.has(id)) continue;
    const excuse = isReplica ? undefined : "`replicas` makes a loss by failover unlikely, not impossible";
    report("replicas", `${op.id} has lost ${full}, which a replica had`, excuse);
  }
}

/** As {@link Facts.keep}. */
function keepFacts(facts: Facts, server: string): (isReplica: boolean) => void {
  const { names, nameOf, holdersOf, lost } = facts;
  const kept = [...names]
    .filter(([full]) => serverOf(full) === server)
    .map(([full, { lastToken, lostAt, forcedAt, refused, ...rest }]) => [full, copyOf(rest)] as const);
  return (isReplica) => {
    const before = [...names.keys()].map((full) => [full, holdersOf(full)] as const);
    lost(server);
    for (const [full, state] of kept) Object.assign(nameOf(full), state);
    for (const [full, holds] of before) checkReplicas(facts, full, holds, isReplica);
  };
}

export type FactOptions = Pick<Facts, "world" | "majority" | "requestTimeoutMs" | "retentionMs" | "clockOf">;

/** Notes whether the record of a name has expired. */
export function noteExpiry(name: Name, now: number): void {
  if (name.keptUntil > 0 && now > name.keptUntil) name.wasForgotten = true;
}

export function createFacts({ world, majority, requestTimeoutMs, retentionMs, clockOf }: FactOptions): Facts {
  const violations: Violation[] = [];
  const excused = new Map<Sentence, number>();
  const names = new Map<string, Name>();
  const steps = new Map<string, { forwardAt: number; backAt: number }>();
  const stepsOf = (full: string) => steps.get(serverOf(full)) ?? { forwardAt: -1, backAt: -1 };

  function nameOf(full: string): Name {
    const name = names.get(full) ?? nothing();
    names.set(full, name);
    return name;
  }
  function lossSince(full: string, at: number): Sentence | undefined {
    const { lostAt, forcedAt } = nameOf(full);
    if (lostAt >= at || stepsOf(full).forwardAt >= at) return "A lease can end early";
    return forcedAt >= at ? "forced by an operator" : undefined;
  }
  function lost(server: string, key?: string): void {
    for (const [full, name] of names) {
      if (serverOf(full) !== server || (key !== undefined && !full.endsWith(key.replace(/%crowd$/, "")))) continue;
      forget(name, key);
      name.lostAt = world.now();
    }
  }
  const holdersOf = (full: string): Hold[] =>
    [...nameOf(full).holds.values()].filter(({ until }) => until > clockOf(serverOf(full)));
  function report(rule: string, text: string, excuse?: Sentence): void {
    world.log(`${excuse ? `excused (${excuse})` : "VIOLATION"}: ${rule}: ${text}`);
    if (excuse) excused.set(excuse, (excused.get(excuse) ?? 0) + 1);
    else violations.push({ rule, text });
  }
  const facts: Facts = {
    world,
    names,
    holdersOf,
    report,
    majority,
    requestTimeoutMs,
    retentionMs,
    violations,
    excused,
    clockOf,
    nameOf,
    lossSince,
    lost,
    excuseOf(full, op) {
      if (op.copied) return "A refused `tryAcquire` is not remembered";
      if (stepsOf(full).backAt >= 0) return "A late duplicate can run again";
      return lossSince(full, op.startedAt);
    },
    wasSetBack: (full) => stepsOf(full).backAt >= 0,
    keep: (server) => keepFacts(facts, server),
    stepped(server, ms) {
      for (const [full, name] of names) if (serverOf(full) === server) noteExpiry(name, clockOf(server) - ms * 1000);
      steps.set(server, { ...stepsOf(`${server}/`), [ms > 0 ? "forwardAt" : "backAt"]: world.now() });
    },
  };
  return facts;
}
