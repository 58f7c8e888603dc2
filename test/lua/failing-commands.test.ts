import { describe, expect, it } from "vitest";
import { FAILING, wrongAfterFailures } from "./cases/failing.ts";

describe("a command of a script that fails", () => {
  it.each(FAILING)(
    "%s grants nothing then, and a retry, a cancel and other clients go on (W6)",
    (script) => {
      const { calls, wrong } = wrongAfterFailures(script);
      expect(calls).toBeGreaterThan(0);
      expect(wrong).toEqual([]);
    },
    300_000,
  );
});
