import type { ClusterNode, Nodes } from "./nodes.ts";

const ASK_MS = 500;
/** An answer that is behind the current one is not believed for so long. */
const BEHIND_MS = 10_000;

/** Asks nodes about the whole of which they are a part. */
export interface Inquiry {
  /** Asks a node, unless it is being asked already; resolves when its answer, if any, has been taken. */
  ask(node: ClusterNode): Promise<void>;
  /** Asks every seed as soon as the first attempt to reach it has ended. */
  askSeeds(): Promise<void>[];
}

/**
 * @param timeoutMs how long a node may take to answer, 500 ms at most
 * @param question asks one node; `undefined` when no usable answer arrives in time
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
    const answered = question(node, Math.min(ASK_MS, timeoutMs)).then((answer) => {
      asking.delete(node);
      return answer === undefined ? undefined : take(answer, node);
    });
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

/** The age of the current answer, and the configuration epoch that it came with: epochs rise with every failover. */
export interface Belief {
  /** Milliseconds since {@link Belief.renew}; infinite before it was called. */
  readonly ageMs: number;
  /**
   * Compares the epoch of an answer with the current one. A node that was cut off or stood still comes back with an
   * answer from before. After 10 s without a renewal every answer counts as ahead.
   */
  compare(epoch: number): "behind" | "same" | "ahead";
  /** Takes the epoch of an answer that is believed from now on. */
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
