import { expect, it } from "vitest";
import { createEngine } from "../src/index.ts";

it("keys that have expired are removed, though nobody asks for them (B4)", () => {
  let now = 1e12;
  const engine = createEngine({ dialect: "redis", now: () => now, random: () => 0.5 });
  const names = Array.from({ length: 20_000 }, (_, at) => `{job-${at}}`);
  for (const name of names) {
    now += 10;
    engine.run(["SET", name, "x", "PX", "1000"]);
  }
  const kept = names.filter((name) => engine.keys.peek(name) !== undefined);
  // A hundred of them have not expired.
  expect(kept.length).toBeLessThan(300);
  expect(kept).toEqual(expect.arrayContaining(names.slice(-100)));
});
