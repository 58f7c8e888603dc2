import { afterAll, expect } from "vitest";
import { fairSites } from "../kinds/fair-lock/sites.ts";
import { latchSites } from "../kinds/latch/sites.ts";
import { lockSites } from "../kinds/lock/sites.ts";
import { oneSlotSites, severalSlotsSites } from "../kinds/multi-lock/sites.ts";
import { rwSites } from "../kinds/read-write-lock/sites.ts";
import { counterSites, semaphoreSites } from "../kinds/semaphore/sites.ts";
import { useStack } from "../support/use-stack.ts";
import type { Site } from "./site.ts";
import { overcomesAll } from "./suite.ts";

const stack = useStack({ warm: true, holds: true });

/** Calls that wait. The others ask no server to hold anything. */
const waiting = (sites: readonly Site[]): readonly Site[] =>
  sites.filter(({ name }) => /waiting|queue|while it waits|^wait$/.test(name));

const KINDS = {
  lock: lockSites,
  "fair lock": fairSites,
  rw: rwSites,
  latch: latchSites,
  semaphore: semaphoreSites,
  counter: counterSites,
  "multi-lock": [...oneSlotSites, ...severalSlotsSites],
};

for (const [kind, sites] of Object.entries(KINDS)) overcomesAll(kind, waiting(sites), stack);

afterAll(async () => {
  expect(await stack.heldSoFar()).toBeGreaterThan(Object.keys(KINDS).length);
});
