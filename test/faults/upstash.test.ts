import { describe, it } from "vitest";
import { lockSites } from "../kinds/lock/sites.ts";
import { onceSites } from "../kinds/once/sites.ts";
import { useStack } from "../support/use-stack.ts";
import { scriptsFlushed, transient } from "./faults.ts";
import { overcomes } from "./play.ts";
import { TIMEOUT_MS } from "./world.ts";

const stack = useStack({ warm: true });
const faults = Object.entries(transient(TIMEOUT_MS));

// The client re-sends by itself after a network failure, behind our back and later than we wait for it.
describe.concurrent.each([...lockSites, ...onceSites])("@upstash/redis: $name", (site) => {
  it.each(faults)("overcomes: %s", async (_, list) => {
    await overcomes(stack, "@upstash/redis", site, list);
  });

  it("overcomes: SCRIPT FLUSH in between", async () => {
    await overcomes(stack, "@upstash/redis", site, [scriptsFlushed(stack.redis)]);
  });
});
