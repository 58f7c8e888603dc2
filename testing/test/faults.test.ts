import { overcomesAll } from "../../test/faults/suite.ts";
import { fairSites } from "../../test/kinds/fair-lock/sites.ts";
import { latchSites } from "../../test/kinds/latch/sites.ts";
import { lockSites } from "../../test/kinds/lock/sites.ts";
import { oneSlotSites, severalSlotsSites } from "../../test/kinds/multi-lock/sites.ts";
import { onceSites } from "../../test/kinds/once/sites.ts";
import { rwSites } from "../../test/kinds/read-write-lock/sites.ts";
import { counterSites, semaphoreSites } from "../../test/kinds/semaphore/sites.ts";
import { useMemoryStack } from "./support/memory-stack.ts";

/** The whole suite takes minutes, most of it waiting; the short form has the acquisition of a lock and of permits. */
const isWhole = process.env["ENGINE_FAULTS"] === "all";
const stack = useMemoryStack();
const all = {
  lock: lockSites,
  "fair lock": fairSites,
  rw: rwSites,
  "multi-lock": [...oneSlotSites, ...severalSlotsSites],
  semaphore: semaphoreSites,
  counter: counterSites,
  latch: latchSites,
  once: onceSites,
};

if (isWhole) for (const [kind, sites] of Object.entries(all)) overcomesAll(`in memory, ${kind}`, sites, stack);
else
  for (const kind of ["lock", "semaphore"] as const) overcomesAll(`in memory, ${kind}`, all[kind].slice(0, 1), stack);
