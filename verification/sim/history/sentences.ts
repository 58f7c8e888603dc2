/** A seed in whose run a sentence is needed. */
interface Need {
  readonly kind: string;
  readonly seed: number;
}

const by = (kind: string, seed: number): Need => ({ kind, seed });

/**
 * The sentences of docs/guarantees.md under "Not guaranteed" that excuse findings of the checks, each with a seed that
 * needs it. A sentence that no run needs would promise less than the SDK keeps.
 */
export const SENTENCES = {
  "A lease can end early": by("lock", 1),
  "A frozen holder is not stopped": by("sql-fence", 1),
  "The first request of a client uses the client's clock": by("rw", 5),
  "A token can fall": by("sql-fence", 80),
  "On Workers the clock stands still between I/O": by("run", 1),
  "A name in a `group` is a separate lock": by("multi", 3),
  'Work with `onUnavailable: "run"` has no lease': by("run", 11),
  "A `lock` is not fair": by("lock", 1),
  "Holders that share a token are not fenced from each other": by("rw", 2),
  "`replicas` makes a loss by failover unlikely, not impossible": by("replicas", 14),
  "A late duplicate can run again": by("cluster", 1),
  "An expired permit can count again": by("fair-semaphore", 129),
  "A `quorumLock` needs discipline": by("quorum", 4),
  "A counter loses the permits of a dead process": by("counter", 509),
  "A refused `tryAcquire` is not remembered": by("cluster", 78),
  "With `waitUntil`, `run` releases after the response": by("run", 1),
} as const satisfies Readonly<Record<string, Need>>;

/** The reasons that excuse a finding: one of the sentences, or a release by force. */
export type Sentence = keyof typeof SENTENCES | "forced by an operator";
