import type { World } from "../world.ts";
import type { Sentence } from "./sentences.ts";

/** One call of the SDK, and what came of it. */
export interface Op {
  readonly id: string;
  readonly what: string;
  readonly startedAt: number;
  /** Where it may have been granted: keys of `names`. */
  readonly asked: Set<string>;
  /** When it sent its last request so far. */
  sentAt?: number;
  /** When it ended, and how: `lease`, `null`, or an error's code. */
  endedAt?: number;
  outcome?: string;
  /** When its lease was over too. */
  overAt?: number;
  /** How many requests it sent. */
  requests: number;
  /** Whether a request of it came twice although it was answered. */
  copied: boolean;
  /** Whether it sent a request to a server whose clock its client did not know. */
  isFirst?: boolean;
  /** The acquisition that this call is about the lease of. */
  readonly of?: Op | undefined;
  /** Whether it acquires and gives back several things, so that its outcome is not that of one of them. */
  readonly isComposite?: boolean;
  /** Whether it returns only when a replica has its hold. */
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
  /** Whether it was over when the server last looked: set back, its clock may bring it back, and need not. */
  wasOver?: boolean;
}

interface Waiter {
  readonly place: number;
  /** In µs by the server's clock: later than that it is dead. */
  readonly deadline: number;
  /** Whether it was late when the server last looked, and may have been removed. */
  wasLate?: boolean;
}

/** Permits that a counter gave. */
interface Taken {
  readonly op: Op | undefined;
  readonly count: number;
  /** In µs by the server's clock. */
  readonly at: number;
}

/** Everything about a name, as the server's replies have told it. */
export interface Name {
  holds: Map<string, Hold>;
  /** Holds of which one key of two is lost: the other may still have them. */
  remains: Map<string, Hold>;
  /** Holds that have expired: in a crowd they count again when the clock is set back, unless a script removed them. */
  expired: Map<string, Hold>;
  over: Map<string, string>;
  queue: Map<string, Waiter>;
  done: { readonly id: string; readonly until: number } | undefined;
  latch: { readonly id: string; readonly of: number; readonly parties: Set<string> } | undefined;
  /** The requests that set a latch, and when it was set anew or forced, in µs by the server's clock; 0 until then. */
  setters: Map<string, number>;
  counter:
    | {
        count: number;
        /** Its number: what it began with, and what was added and drained. */
        size: number;
        isUnsure?: boolean;
        /** The requests that were counted, and when, in µs by the server's clock. */
        readonly seen: Map<string, number>;
        readonly taken: Map<string, Taken>;
      }
    | undefined;
  fence: { token: number; value: string; readonly seen: Set<string> } | undefined;
  /** The callers that were refused a lock that is not fair, and may ask again. */
  readonly refused: Set<Op>;
  lastToken: number;
  lostAt: number;
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
  forcedAt: -1,
});

/** The facts about all names and servers, and the violations found: shared by all checks. */
export interface Facts {
  readonly world: World;
  /** How many servers must agree: 1 but for a quorum lock. */
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
  /** The reason why what was so at a time may have ended. */
  lossSince(full: string, at: number): Sentence | undefined;
  /** The reason why a request of an operation may work although the operation has ended. */
  excuseOf(full: string, op: Op): Sentence | undefined;
  /** Whether the clock of a name's server was set back. */
  wasSetBack(full: string): boolean;
  /** All names, by their server, `/` and their key. */
  readonly names: ReadonlyMap<string, Name>;
  /** The holders of a name by its server's clock. */
  holdersOf(full: string): readonly Hold[];
  /** A server has lost what it had about all names, or one key. */
  lost(server: string, key?: string): void;
  /**
   * Keeps the facts about a server's names; the function that it gives brings them back, as after a loss. It is told
   * whether a replica that had every write that was waited for has taken over.
   */
  keep(server: string): (isReplica: boolean) => void;
  stepped(server: string, ms: number): void;
}

/** How many permits an id asks for: `id#n`, and a note behind it. */
export const permitsOf = (id: string): number => Number(/^.{36}#(\d+)/.exec(id)?.[1] ?? 1);

export const serverOf = (full: string): string => full.slice(0, full.indexOf("/"));

/** Copies maps, sets and plain objects two levels deep; operations stay the same. */
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

/** The numbers stand in the record: without the crowd it is not known any more who was counted. */
function forgetMembers({ latch, counter }: Name): void {
  counter?.seen.clear();
  counter?.taken.clear();
  const parties = latch ? [...latch.parties] : [];
  latch?.parties.clear();
  for (const party of parties) latch?.parties.add(`${party}, forgotten`);
}

/** Forgets what a server has lost of a name: everything, or one of its keys. */
function forget(name: Name, key: string | undefined): void {
  // Holders that are alone stand in the record, all others in the crowd.
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
  // The number stood in the record, and begins anew; whose requests were counted stands in the crowd.
  if (counter && key !== undefined)
    name.counter = { ...counter, count: key.endsWith("%crowd") ? counter.count : Number.NaN };
}

/** A hold that replicas have confirmed outlives a failover to one of them. */
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
      const known = stepsOf(`${server}/`);
      steps.set(server, ms > 0 ? { ...known, forwardAt: world.now() } : { ...known, backAt: world.now() });
    },
  };
  return facts;
}
