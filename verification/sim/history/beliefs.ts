import type { Facts, Hold, Op } from "./facts.ts";

/** A holder that relies on its lease. */
interface Belief {
  readonly op: Op;
  readonly token: number;
  readonly names: readonly string[];
  /** Whether the holder may rely on the lease now. */
  holds(): boolean;
  /** Whether it may only because its clock is stopped. */
  stands(): boolean;
}

export interface Beliefs {
  believe(belief: Belief): void;
  disbelieve(op: Op): void;
  /** Checks that no holder relies on a name that was granted to another one. */
  check(full: string, hold: Hold): void;
  /** The number of permits of a name that other operations rely on. */
  permitsOf(full: string, besides: Op | undefined): number;
}

/** The state of the rule. */
interface Known extends Pick<Facts, "world" | "majority" | "nameOf" | "lossSince" | "report"> {
  readonly beliefs: Set<Belief>;
  /** The tokens that a majority agreed on. */
  readonly agreed: { readonly token: number; readonly at: number; readonly names: readonly string[] }[];
}

function holdOf({ nameOf }: Known, full: string, op: Op): Hold | undefined {
  for (const hold of nameOf(full).holds.values()) if (hold.op === op) return hold;
  return undefined;
}

function check(known: Known, full: string, hold: Hold): void {
  const { majority, lossSince, report, beliefs } = known;
  if (majority > 1 || hold.mode === "permits") return;
  for (const belief of beliefs) {
    if (belief.op === hold.op || !belief.names.includes(full) || !belief.holds()) continue;
    const theirs = holdOf(known, full, belief.op);
    // The lease of names in several slots has no single token.
    if ((belief.token || theirs?.token) === hold.token) continue;
    if (theirs && theirs.until > hold.grantedAt) {
      if (theirs.mode === "shared" && hold.mode === "shared") continue;
      if (theirs.reentryKey !== "" && theirs.reentryKey === hold.reentryKey) continue;
    }
    report(
      "belief",
      `${belief.op.id} relies on ${full} under ${belief.token} while ${hold.op?.id} has it under ${hold.token}`,
      belief.stands() ? "On Workers the clock stands still between I/O" : lossSince(full, belief.op.startedAt),
    );
  }
}

/** No single server knows the state of a quorum lock: two holders must not rely on it, and its tokens must increase. */
function checkMajority({ world, nameOf, lossSince, report, beliefs, agreed }: Known, belief: Belief): void {
  for (const other of beliefs) {
    if (!other.names.some((full) => belief.names.includes(full)) || !other.holds() || !belief.holds()) continue;
    // A host that was frozen learns of its grant after later calls have learned of theirs.
    const since = Math.min(belief.op.startedAt, other.op.startedAt);
    const losses = belief.names.map((full) => lossSince(full, since));
    const excuse = losses.some((loss) => loss !== undefined) ? "A `quorumLock` needs discipline" : undefined;
    report("belief", `${belief.op.id} has ${belief.token} while ${other.op.id} relies on ${other.token}`, excuse);
  }
  for (const { token, at, names: theirs } of agreed) {
    if (at >= belief.op.startedAt || token < belief.token || theirs[0] !== belief.names[0]) continue;
    const isLost = belief.names.some((full) => nameOf(full).lostAt >= 0);
    const excuse = isLost ? "A `quorumLock` needs discipline" : undefined;
    report("tokens", `${belief.op.id} has ${belief.token} although ${token} was agreed on before`, excuse);
  }
  agreed.push({ token: belief.token, at: world.now(), names: belief.names });
}

/** The rule `belief`: no holder relies on a lease while another one has a later tenure. */
export function createBeliefs(facts: Facts): Beliefs {
  const { world, majority, nameOf } = facts;
  const beliefs = new Set<Belief>();
  const known: Known = { ...facts, beliefs, agreed: [] };
  return {
    check: (full, hold) => check(known, full, hold),
    believe(belief) {
      if (majority > 1) checkMajority(known, belief);
      beliefs.add(belief);
      world.note({ type: "relies", call: belief.op.id, token: belief.token, names: belief.names });
      for (const full of belief.names)
        for (const hold of nameOf(full).holds.values())
          if (hold.op !== belief.op && hold.token > belief.token && belief.holds()) check(known, full, hold);
    },
    disbelieve(op) {
      for (const belief of beliefs) {
        if (belief.op !== op) continue;
        beliefs.delete(belief);
        world.note({ type: "relies no more", call: op.id });
      }
    },
    permitsOf(full, besides) {
      const ops = new Set<Op>();
      for (const belief of beliefs)
        if (belief.op !== besides && belief.names.includes(full) && belief.holds()) ops.add(belief.op);
      return [...ops].reduce((sum, op) => sum + (holdOf(known, full, op)?.permits ?? 0), 0);
    },
  };
}
