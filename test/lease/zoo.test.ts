/** The default back-off under loads that others bring, in simulation. */
import { describe, expect, it } from "vitest";
import { LOADS } from "../../bench/waiting/loads.ts";
import { FAIR, OURS, PEERS, summarize } from "../../bench/waiting/zoo.ts";

const RUNS = 60;
/** The maximum of our idle time to that of a peer that sends no more commands. */
const MAX_RATIO = 1.5;
/** The idle time per acquisition of the back-off that was fitted to the two steady loads, in ms, with the same seeds. */
const FITTED_MS: Readonly<Record<string, number>> = { "steady, 10 × 40 ms": 3.1, "steady, 30 × 20 ms": 3.6 };

describe.each(LOADS.map((load) => [load.name, load] as const))("%s", (name, load) => {
  const [ours, fair, ...peers] = [OURS, FAIR, ...PEERS].map((subject) => ({
    label: subject.label,
    ...summarize(load, subject, RUNS),
  }));

  it("lets nobody time out for whom the name was free for half of the wait (49.1)", () => {
    expect(ours?.wronglyTimedOut).toBe(0);
    expect(fair?.wronglyTimedOut).toBe(0);
  });

  it("is not lost to a peer that sends no more commands (49.1)", () => {
    const better = peers.filter(
      ({ idleMs, commands }) => commands <= (ours?.commands ?? 0) && MAX_RATIO * idleMs < (ours?.idleMs ?? 0),
    );
    expect(better.map(({ label }) => label)).toEqual([]);
  });

  const fitted = FITTED_MS[name];
  if (fitted !== undefined)
    it("leaves the name free for no longer than the back-off that was fitted to it (49.1)", () => {
      expect(ours?.idleMs).toBeLessThan(1.1 * fitted);
    });
});
