import { AggregatorRegistry } from "prom-client";

type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly metricName?: string;
  readonly labels: Labels;
  readonly value: number;
}

/**
 * Counters that every request changes. The library looks up labels for each change, which would be a tenth of a
 * request's cost; so the counters are kept here, and passed to the library when the metrics are read.
 */
export interface Tallies {
  /** Adds a counter; `of` creates it for a set of labels, and must be called once for each set. */
  counter(name: string, help: string): { of(labels: Labels): Count };
  /** Adds a histogram of seconds; `of` is as for {@link Tallies.counter}. */
  histogram(name: string, help: string, bounds: readonly number[]): { of(labels: Labels): Spread };
  /** All of them in Prometheus's text format. */
  text(): Promise<string>;
}

interface Count {
  /** Adds a number to the counter, 1 by default. */
  add(more?: number): void;
}

interface Spread {
  observe(seconds: number): void;
}

/** Keeps the counters of one name, one for each set of labels. */
function keep<T extends Count | Spread>(make: (labels: Labels, samples: (() => Sample[])[]) => T) {
  const samples: (() => Sample[])[] = [];
  return {
    of: (labels: Labels): T => make(labels, samples),
    all: (): Sample[] => samples.flatMap((sample) => sample()),
  };
}

function counter() {
  return keep<Count>((labels, samples) => {
    let value = 0;
    samples.push(() => [{ labels, value }]);
    return {
      add(more = 1) {
        value += more;
      },
    };
  });
}

function histogram(name: string, bounds: readonly number[]) {
  return keep<Spread>((labels, samples) => {
    // The last count is for values above all bounds.
    const counts = new Array<number>(bounds.length + 1).fill(0);
    let sum = 0;
    samples.push(() => {
      let count = 0;
      const buckets = counts.map((within, at): Sample => {
        count += within;
        return { metricName: `${name}_bucket`, labels: { le: String(bounds[at] ?? "+Inf"), ...labels }, value: count };
      });
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
    return {
      observe(seconds) {
        let at = 0;
        while (seconds > (bounds[at] ?? Number.POSITIVE_INFINITY)) at++;
        counts[at] = (counts[at] ?? 0) + 1;
        sum += seconds;
      },
    };
  });
}

export function createTallies(): Tallies {
  const metrics: (() => object)[] = [];
  return {
    counter(name, help) {
      const { of, all } = counter();
      metrics.push(() => ({ name, help, type: "counter", aggregator: "sum", values: all() }));
      return { of };
    },
    histogram(name, help, bounds) {
      const { of, all } = histogram(name, bounds);
      metrics.push(() => ({ name, help, type: "histogram", aggregator: "sum", values: all() }));
      return { of };
    },
    text: () => AggregatorRegistry.aggregate([metrics.map((metric) => metric())]).metrics(),
  };
}

/** Wraps `make`, so that it is called once for each key; the values are kept. */
export function memoized<K, T>(make: (key: K) => T): (key: K) => T {
  const known = new Map<K, T>();
  return (key) => {
    const found = known.get(key) ?? make(key);
    known.set(key, found);
    return found;
  };
}
