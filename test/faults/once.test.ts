import { describe, expect, it } from "vitest";
import { answerLost, scriptsFlushed, transient } from "./faults.ts";
import { onceSites } from "./once-sites.ts";
import { overcomes } from "./play.ts";
import { TIMEOUT_MS, useStack } from "./world.ts";

const use = useStack();
const faults = Object.entries(transient(TIMEOUT_MS));

describe.concurrent.each(onceSites)("once: $name", (site) => {
  it.each(faults)("overcomes: %s", async (_, list) => {
    await overcomes(use.stack, "own transport", site, list);
  });
});

// One after the other, so that nobody else teaches Redis the scripts that were just forgotten.
describe("SCRIPT FLUSH in between", () => {
  it.each(onceSites)("once: $name", async (site) => {
    const { redis } = use.stack;
    const list = [scriptsFlushed(redis), answerLost, scriptsFlushed(redis)];
    const { proxy } = await overcomes(use.stack, "own transport", site, list);
    const sent = proxy.seen
      .filter(({ script }) => script === site.script)
      .map(({ verb, answers }) => [verb, ...answers]);
    expect(sent).toContainEqual(["EVALSHA", "error NOSCRIPT"]);
    expect(sent.filter(([verb]) => verb === "EVAL").length).toBeGreaterThan(1);
  });
});
