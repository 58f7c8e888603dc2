import fc from "fast-check";
import { Counter, Histogram, Registry } from "prom-client";
import { expect, it } from "vitest";
import { createTallies } from "../../src/metrics/tally.ts";

const BOUNDS = [0.001, 0.25, 1, 10];
/** On a bound, between two, beyond the last, and nothing. */
const SECONDS = fc.constantFrom(0, 0.0005, 0.001, 0.0011, 0.25, 0.9, 1, 10, 10.5, 1e6);
const ROUTES = fc.constantFrom("path", "command", "stream");

const sorted = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .sort();

it("says what the library would say of the same numbers", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(ROUTES, SECONDS), { minLength: 1 }), async (seen) => {
      const registry = new Registry();
      const histogram = new Histogram({
        ...{ name: "took_seconds", help: "How long.", labelNames: ["route"], buckets: BOUNDS },
        registers: [registry],
      });
      const counter = new Counter({ name: "n_total", help: "How many.", labelNames: ["route"], registers: [registry] });
      const tallies = createTallies();
      const took = tallies.histogram("took_seconds", "How long.", BOUNDS);
      const count = tallies.counter("n_total", "How many.");
      const of = new Map([...new Set(seen.map(([route]) => route))].map((route) => [route, took.of({ route })]));
      const counts = new Map([...of.keys()].map((route) => [route, count.of({ route })]));
      for (const [route, seconds] of seen) {
        histogram.observe({ route }, seconds);
        counter.inc({ route });
        of.get(route)?.observe(seconds);
        counts.get(route)?.add();
      }
      expect(sorted(await tallies.text())).toEqual(sorted(await registry.metrics()));
    }),
  );
});
