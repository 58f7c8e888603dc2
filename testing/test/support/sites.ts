import type { Site } from "../../../test/faults/site.ts";
import { fairSites } from "../../../test/kinds/fair-lock/sites.ts";
import { latchSites } from "../../../test/kinds/latch/sites.ts";
import { lockSites } from "../../../test/kinds/lock/sites.ts";
import { oneSlotSites, severalSlotsSites } from "../../../test/kinds/multi-lock/sites.ts";
import { onceSites } from "../../../test/kinds/once/sites.ts";
import { rwSites } from "../../../test/kinds/read-write-lock/sites.ts";
import { counterSites, semaphoreSites } from "../../../test/kinds/semaphore/sites.ts";

/** The calls of all kinds that meet faults. */
export const SITES: Readonly<Record<string, readonly Site[]>> = {
  lock: lockSites,
  "fair lock": fairSites,
  rw: rwSites,
  "multi-lock": [...oneSlotSites, ...severalSlotsSites],
  semaphore: semaphoreSites,
  counter: counterSites,
  latch: latchSites,
  once: onceSites,
};
