import { describe, expect, it } from "vitest";
import type { Fault } from "../support/book.ts";
import { overcomesIn } from "./acts.ts";
import { answerLost, scriptsFlushed } from "./faults.ts";
import type { Site } from "./site.ts";
import type { World } from "./stage.ts";

/** Where the stories play. */
export interface Place {
  /** Makes a world of its own. */
  start(): Promise<World>;
  /** The server, which is told to forget its scripts. */
  readonly redis: { command(...args: string[]): Promise<string> };
}

/** Each call overcomes each of the faults, and what the faults leave on the way changes nothing later. */
export function overcomesEach(
  kind: string,
  sites: readonly Site[],
  faults: Readonly<Record<string, readonly Fault[]>>,
  place: Place,
): void {
  describe.concurrent.each(sites)(`${kind}: $name`, (site) => {
    it.each(Object.entries(faults))("overcomes: %s", async (_, list) => {
      await overcomesIn(await place.start(), site, list);
    });
  });

  // One after the other, so that nobody else teaches Redis the scripts that were just forgotten.
  describe("SCRIPT FLUSH in between", () => {
    it.each(sites)(`${kind}: $name`, async (site) => {
      const { redis } = place;
      const list = [scriptsFlushed(redis), answerLost, scriptsFlushed(redis)];
      const { proxy } = await overcomesIn(await place.start(), site, list);
      const sent = proxy.seen
        .filter(({ script }) => script === site.script)
        .map(({ verb, answers }) => [verb, ...answers]);
      expect(sent).toContainEqual(["EVALSHA", "error NOSCRIPT"]);
      expect(sent.filter(([verb]) => verb === "EVAL").length).toBeGreaterThan(1);
    });
  });
}
