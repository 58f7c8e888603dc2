/** Events in the order of their time; those of one time in the order in which they were added. */
export interface Timeline {
  readonly now: number;
  after(ms: number, run: () => void): void;
  /** Runs the next event. Returns false if there is none. */
  next(): boolean;
}

interface Step {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

const isBefore = (one: Step, other: Step): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** A timeline on a binary heap. */
export function createTimeline(): Timeline {
  const heap: Step[] = [];
  let [now, added] = [0, 0];

  function swap(one: number, other: number): void {
    [heap[one], heap[other]] = [heap[other] as Step, heap[one] as Step];
  }
  function rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!isBefore(heap[at] as Step, heap[parent] as Step)) return;
      swap(at, parent);
      at = parent;
    }
  }
  function sink(): void {
    for (let at = 0; ; ) {
      let first = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < heap.length && isBefore(heap[child] as Step, heap[first] as Step)) first = child;
      if (first === at) return;
      swap(at, first);
      at = first;
    }
  }
  return {
    get now() {
      return now;
    },
    after(ms, run) {
      heap.push({ at: now + ms, order: added++, run });
      rise(heap.length - 1);
    },
    next() {
      const [step] = heap;
      const last = heap.pop();
      if (!step || !last) return false;
      if (heap.length > 0) {
        heap[0] = last;
        sink();
      }
      now = step.at;
      step.run();
      return true;
    },
  };
}
