import { describe, expect, it } from "vitest";
import type { Stack } from "../support/stack.ts";
import { useStack } from "../support/use-stack.ts";
import { answerLost, scriptsFlushed, transientOf } from "./faults.ts";
import { overcomes } from "./play.ts";
import type { Site } from "./site.ts";
import { TIMEOUT_MS } from "./world.ts";

/** Every call of a kind overcomes every passing fault, and what the faults leave on the way changes nothing later. */
export function overcomesAll(kind: string, sites: readonly Site[], stack: Stack = useStack({ warm: true })): void {
  const faults = Object.entries(transientOf(kind, TIMEOUT_MS));

  describe.concurrent.each(sites)(`${kind}: $name`, (site) => {
    it.each(faults)("overcomes: %s", async (_, list) => {
      await overcomes(stack, "own transport", site, list);
    });
  });

  // One after the other, so that nobody else teaches Redis the scripts that were just forgotten.
  describe("SCRIPT FLUSH in between", () => {
    it.each(sites)(`${kind}: $name`, async (site) => {
      const { redis } = stack;
      const list = [scriptsFlushed(redis), answerLost, scriptsFlushed(redis)];
      const { proxy } = await overcomes(stack, "own transport", site, list);
      const sent = proxy.seen
        .filter(({ script }) => script === site.script)
        .map(({ verb, answers }) => [verb, ...answers]);
      expect(sent).toContainEqual(["EVALSHA", "error NOSCRIPT"]);
      expect(sent.filter(([verb]) => verb === "EVAL").length).toBeGreaterThan(1);
    });
  });
}
