import { describe, it } from "vitest";
import { lockSites } from "../kinds/lock/sites.ts";
import { onceSites } from "../kinds/once/sites.ts";
import { scriptsFlushed, transient } from "./faults.ts";
import { overcomes } from "./play.ts";
import { TIMEOUT_MS, useStack } from "./world.ts";

const use = useStack();
const faults = Object.entries(transient(TIMEOUT_MS));

// The client re-sends by itself after a network failure, behind our back and later than we wait for it.
describe.concurrent.each([...lockSites, ...onceSites])("@upstash/redis: $name", (site) => {
  it.each(faults)("overcomes: %s", async (_, list) => {
    await overcomes(use.stack, "@upstash/redis", site, list);
  });

  it("overcomes: SCRIPT FLUSH in between", async () => {
    await overcomes(use.stack, "@upstash/redis", site, [scriptsFlushed(use.stack.redis)]);
  });
});
