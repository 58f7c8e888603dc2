import { AggregatorRegistry } from "prom-client";

type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly metricName?: string;
  readonly labels: Labels;
  readonly value: number;
}

/**
 * Numbers of which each request changes several. The library looks labels up anew for each change, which would be a tenth of what a
 * request costs; so they are kept here, and it gets them when somebody looks.
 */
export interface Tallies {
  /** A counter of a name; `of` gives the one with these labels, which is to be kept. */
  counter(name: string, help: string): { of(labels: Labels): Count };
  /** A histogram of seconds. */
  histogram(name: string, help: string, bounds: readonly number[]): { of(labels: Labels): Spread };
  /** All of them in Prometheus's text format. */
  text(): Promise<string>;
}

interface Count {
  add(): void;
}

interface Spread {
  observe(seconds: number): void;
}

/** What each set of labels counts. */
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
      add() {
        value++;
      },
    };
  });
}

function histogram(name: string, bounds: readonly number[]) {
  return keep<Spread>((labels, samples) => {
    // The last one is for what is more than all bounds.
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
