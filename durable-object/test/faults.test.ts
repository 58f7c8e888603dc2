import { overcomesAll } from "../../test/faults/suite.ts";
import { fairSites } from "../../test/kinds/fair-lock/sites.ts";
import { latchSites } from "../../test/kinds/latch/sites.ts";
import { lockSites } from "../../test/kinds/lock/sites.ts";
import { oneSlotSites, severalSlotsSites } from "../../test/kinds/multi-lock/sites.ts";
import { onceSites } from "../../test/kinds/once/sites.ts";
import { rwSites } from "../../test/kinds/read-write-lock/sites.ts";
import { counterSites, semaphoreSites } from "../../test/kinds/semaphore/sites.ts";
import { useStack } from "../../test/support/use-stack.ts";

// Requests that are lost, late and repeated on their way to objects in workerd. The long form has all kinds.
const stack = useStack({ warm: true, objects: true });

overcomesAll("lock", lockSites, stack);
overcomesAll("once", onceSites, stack);
if (process.env["EVERY_FAULT"]) {
  overcomesAll("fair lock", fairSites, stack);
  overcomesAll("rw", rwSites, stack);
  overcomesAll("latch", latchSites, stack);
  overcomesAll("semaphore", semaphoreSites, stack);
  overcomesAll("counter", counterSites, stack);
  overcomesAll("multi-lock", [...oneSlotSites, ...severalSlotsSites], stack);
}
