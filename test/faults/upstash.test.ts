import { describe, it } from "vitest";
import { lockSites } from "../kinds/lock/sites.ts";
import { onceSites } from "../kinds/once/sites.ts";
import { useStack } from "../support/use-stack.ts";
import { scriptsFlushed, transientOf } from "./faults.ts";
import { overcomes } from "./play.ts";
import { TIMEOUT_MS } from "./world.ts";

const stack = useStack({ warm: true });
/** The stories of the lock show how the client is told; in the long form those of `once` do, too. */
const kinds = [
  ...lockSites.map((site) => ({ ...site, faults: Object.entries(transientOf("lock", TIMEOUT_MS)) })),
  ...onceSites.map((site) => ({ ...site, faults: Object.entries(transientOf("once", TIMEOUT_MS)) })),
];

// The client re-sends by itself after a network failure, behind our back and later than we wait for it.
describe.concurrent.each(kinds)("@upstash/redis: $name", (site) => {
  it.each(site.faults)("overcomes: %s", async (_, list) => {
    await overcomes(stack, "@upstash/redis", site, list);
  });

  it("overcomes: SCRIPT FLUSH in between", async () => {
    await overcomes(stack, "@upstash/redis", site, [scriptsFlushed(stack.redis)]);
  });
});
