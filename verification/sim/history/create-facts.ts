import type { World } from "../world.ts";
import { createClockSteps } from "./clock-steps.ts";
import { type Facts, type Hold, type Name, serverOf, type Violation } from "./facts.ts";
import { forget, keepFacts } from "./losses.ts";
import type { Sentence } from "./sentences.ts";

export type FactOptions = Pick<
  Facts,
  "world" | "majority" | "listens" | "requestTimeoutMs" | "retentionMs" | "clockOf"
>;

/** Notes whether the record of a name has expired. Its holds went with it, and do not return if the clock is set back. */
export function noteExpiry(name: Name, now: number): void {
  if (name.keptUntil === 0 || now <= name.keptUntil) return;
  name.wasForgotten = true;
  name.holds.clear();
  name.expired.clear();
  name.readsForcedAt = 0;
}

const nothing = (): Name => ({
  holds: new Map(),
  remains: new Map(),
  expired: new Map(),
  readsForcedAt: 0,
  over: new Map(),
  queue: new Map(),
  done: undefined,
  latch: undefined,
  setters: new Map(),
  counter: undefined,
  stock: undefined,
  inbox: undefined,
  fence: undefined,
  refused: new Set(),
  lastToken: 0,
  lostAt: -1,
  keptUntil: 0,
  wasForgotten: false,
  forcedAt: -1,
  takers: new Map(),
});

function createReports(world: World): Pick<Facts, "violations" | "excused" | "report"> {
  const violations: Violation[] = [];
  const excused = new Map<Sentence, number>();
  return {
    violations,
    excused,
    report(rule, text, excuse) {
      world.log(`${excuse ? `excused (${excuse})` : "VIOLATION"}: ${rule}: ${text}`);
      world.note({ type: "found", rule, text, excuse });
      if (excuse) excused.set(excuse, (excused.get(excuse) ?? 0) + 1);
      else violations.push({ rule, text });
    },
  };
}

export function createFacts({ world, majority, listens, requestTimeoutMs, retentionMs, clockOf }: FactOptions): Facts {
  const names = new Map<string, Name>();
  const steps = createClockSteps(() => world.now(), clockOf);

  function nameOf(full: string): Name {
    const name = names.get(full) ?? nothing();
    names.set(full, name);
    return name;
  }
  function lossSince(full: string, at: number): Sentence | undefined {
    const { lostAt, forcedAt } = nameOf(full);
    if (lostAt >= at || steps.forwardAt(full) >= at) return "A lease can end early";
    return forcedAt >= at ? "forced by an operator" : undefined;
  }
  function lost(server: string, key?: string): void {
    for (const [full, name] of names) {
      if (serverOf(full) !== server || (key !== undefined && !full.endsWith(key.replace(/%(crowd|inbox)$/, ""))))
        continue;
      forget(name, key);
      name.lostAt = world.now();
    }
  }
  const holdersOf = (full: string): Hold[] =>
    [...nameOf(full).holds.values()].filter(({ until }) => until > clockOf(serverOf(full)));
  function stepped(server: string, ms: number): void {
    const before = clockOf(server) - ms * 1000;
    for (const [full, name] of names) if (serverOf(full) === server) noteExpiry(name, before);
    steps.stepped(server, ms, before);
  }
  const facts: Facts = {
    world,
    names,
    handledBy: new Map(),
    holdersOf,
    ...createReports(world),
    majority,
    listens,
    requestTimeoutMs,
    retentionMs,
    clockOf,
    latestOf: steps.latestOf,
    nameOf,
    lossSince,
    lost,
    excuseOf(full, op) {
      if (op.copied || (op.isRepeated && op.outcome === "redis_error"))
        return "A refused `tryAcquire` is not remembered";
      if (steps.wasSetBack(full)) return "A late duplicate can run again";
      return lossSince(full, op.startedAt);
    },
    wasSetBack: steps.wasSetBack,
    keep: (server) => keepFacts(facts, server),
    stepped,
  };
  return facts;
}
