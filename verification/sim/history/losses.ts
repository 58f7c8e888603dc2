/** What a server still has of its names after a loss of data. */
import { type Facts, type Hold, type Name, serverOf } from "./facts.ts";

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
function forgetMembers({ latch, counter, stock }: Name): void {
  stock?.seen.clear();
  stock?.spent.clear();
  counter?.seen.clear();
  counter?.taken.clear();
  const parties = latch ? [...latch.parties] : [];
  latch?.parties.clear();
  for (const party of parties) latch?.parties.add(`${party}, forgotten`);
}

/**
 * The number was in the record, and begins anew. The counted requests are in the crowd; what they took from the former
 * number is not returned to the new one.
 */
const withoutNumber = (counter: NonNullable<Name["counter"]>): Name["counter"] => ({
  ...counter,
  count: Number.NaN,
  taken: new Map(),
});

/** Removes what a server has lost of a name: everything, or one of its keys. */
export function forget(name: Name, key: string | undefined): void {
  if (key === undefined || key.endsWith("%inbox")) name.inbox = undefined;
  if (key?.endsWith("%inbox")) return;
  // A single holder is in the record, several are in the crowd.
  const kept = key?.endsWith("%crowd") ? [...name.holds].filter(([, { mode }]) => mode === "alone") : [];
  const remains = new Map(key === undefined ? [] : [...name.remains, ...name.holds]);
  name.refused.clear();
  Object.assign(name, {
    holds: new Map(kept),
    remains,
    expired: new Map(),
    readsForcedAt: 0,
    over: new Map(),
    queue: new Map(),
  });
  const { counter, stock } = name;
  if (key?.endsWith("%crowd")) forgetMembers(name);
  else
    Object.assign(name, {
      done: undefined,
      latch: undefined,
      setters: new Map(),
      counter: undefined,
      stock: undefined,
      fence: undefined,
    });
  // What was spent is in the crowd, and the number in the record.
  if (stock && key !== undefined)
    name.stock = key.endsWith("%crowd") ? stock : { ...stock, number: Number.NaN, isForgotten: true };
  if (counter && key !== undefined) name.counter = key.endsWith("%crowd") ? counter : withoutNumber(counter);
}

/** A hold that replicas have confirmed survives a failover to one of them. */
function checkReplicas({ nameOf, report }: Facts, full: string, before: readonly Hold[], isReplica: boolean): void {
  for (const { id, op } of before) {
    if (!op?.isReplicated || op.outcome !== "lease" || nameOf(full).holds.has(id)) continue;
    // An earlier failover brought it back, and this one returns to a state in which it had ended.
    if (nameOf(full).over.has(id)) continue;
    const excuse = isReplica ? undefined : "`replicas` makes a loss by failover unlikely, not impossible";
    report("replicas", `${op.id} has lost ${full}, which a replica had`, excuse);
  }
}

/** As {@link Facts.keep}. */
export function keepFacts(facts: Facts, server: string): (isReplica: boolean) => void {
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
