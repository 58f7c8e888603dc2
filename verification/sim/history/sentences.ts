/** A seed in whose run a sentence is needed. */
interface Need {
  readonly kind: string;
  readonly seed: number;
}

const by = (kind: string, seed: number): Need => ({ kind, seed });

/**
 * The sentences of docs/guarantees.md under "Not guaranteed" by which the checks excuse what they find, each with a
 * seed that needs it. A sentence that nothing needs would promise less than is kept.
 */
export const SENTENCES = {
  "A lease can end early": by("lock", 1),
  "A holder that froze is not stopped": by("sql-fence", 1),
  "The first request of a client": by("rw", 5),
  "A token can fall": by("sql-fence", 80),
  "On Workers the clock stands still between I/O": by("run", 1),
  "A name in a `group` is another lock": by("multi", 3),
  'Work with `onUnavailable: "run"` has no lease': by("run", 11),
  "A `lock` is not fair": by("lock", 1),
  "A shared token fences nothing inside the group that shares": by("rw", 2),
  "`replicas` makes a loss by failover unlikely, not impossible": by("replicas", 14),
  "A copy that came too late works again": by("cluster", 1),
  "A permit that expired counts again": by("fair-semaphore", 129),
  "A `quorumLock` needs discipline": by("quorum", 4),
  "A counter": by("counter", 509),
  "A try that does not wait is not remembered when it is refused": by("cluster", 5),
  "With `run` and a `waitUntil` the release happens after the response": by("run", 1),
} as const satisfies Readonly<Record<string, Need>>;

/** The reasons that excuse what a check finds: one of the sentences, or an operator who forces. */
export type Sentence = keyof typeof SENTENCES | "forced by an operator";
