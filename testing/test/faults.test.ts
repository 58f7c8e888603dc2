import { overcomesAll } from "../../test/faults/suite.ts";
import { useMemoryStack } from "./support/memory-stack.ts";
import { SITES } from "./support/sites.ts";

/** The whole suite takes minutes, most of it waiting; the short form has the acquisition of a lock and of permits. */
const isWhole = process.env["ENGINE_FAULTS"] === "all";
const stack = useMemoryStack();
if (isWhole) for (const [kind, sites] of Object.entries(SITES)) overcomesAll(`in memory, ${kind}`, sites, stack);
else
  for (const kind of ["lock", "semaphore"] as const)
    overcomesAll(`in memory, ${kind}`, (SITES[kind] ?? []).slice(0, 1), stack);
