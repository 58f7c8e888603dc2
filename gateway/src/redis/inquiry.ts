import type { ClusterNode, Nodes } from "./nodes.ts";

const ASK_MS = 500;
/** How long an answer that is older than the current one is not trusted. */
const BEHIND_MS = 10_000;

/** Asks nodes about the topology they belong to. */
export interface Inquiry {
  /** Asks a node, unless a question is already pending; resolves when its answer, if any, has been handled. */
  ask(node: ClusterNode): Promise<void>;
  /** Asks every seed as soon as the first attempt to reach it has ended. */
  askSeeds(): Promise<void>[];
}

/**
 * @param timeoutMs how long a node may take to answer, 500 ms at most
 * @param question asks one node; `undefined` if no usable answer arrives in time
 * @param take is called with each answer
 */
export function createInquiry<T>(
  nodes: Nodes,
  timeoutMs: number,
  question: (node: ClusterNode, withinMs: number) => Promise<T | undefined>,
  take: (answer: T, node: ClusterNode) => void | Promise<void>,
): Inquiry {
  const asking = new Map<ClusterNode, Promise<void>>();

  function ask(node: ClusterNode): Promise<void> {
    const running = asking.get(node);
    if (running !== undefined) return running;
    const answered = question(node, Math.min(ASK_MS, timeoutMs))
      .then((answer) => (answer === undefined ? undefined : take(answer, node)))
      // An answer that cannot be used is none: nobody waits for it, and it must not end the process.
      .catch(() => {})
      .finally(() => asking.delete(node));
    asking.set(node, answered);
    return answered;
  }

  return {
    ask,
    askSeeds: () =>
      nodes.seeds.map(async (seed) => {
        await seed.backend.opened;
        if (seed.backend.isReady) await ask(seed);
      }),
  };
}

/** The age of the current answer, and its configuration epoch; epochs rise with every failover. */
export interface Belief {
  /** Milliseconds since {@link Belief.renew}; infinite before its first call. */
  readonly ageMs: number;
  /**
   * Compares the epoch of an answer with the current one. A node that was disconnected or frozen returns an outdated
   * answer. After 10 s without a renewal, every answer counts as newer.
   */
  compare(epoch: number): "behind" | "same" | "ahead";
  /** Sets the epoch of an answer that is trusted from now on. */
  renew(epoch: number): void;
}

export function createBelief(): Belief {
  let current = 0;
  let takenAt = Number.NEGATIVE_INFINITY;
  const age = (): number => performance.now() - takenAt;
  return {
    get ageMs() {
      return age();
    },
    compare(epoch) {
      if (epoch > current || age() > BEHIND_MS) return "ahead";
      return epoch === current ? "same" : "behind";
    },
    renew(epoch) {
      current = epoch;
      takenAt = performance.now();
    },
  };
}
