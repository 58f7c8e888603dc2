import { expect, it } from "vitest";
import { longWaits } from "../../bench/scale/long-wait.ts";
import { textOf } from "../documents/markdown.ts";

/** How long the documented waits last, and a request that a server holds. */
const [DOCUMENTED_MS, HELD_REQUEST_MS] = [30_000, 4_500];
const SHORT_MS = 2_000;

it("a waiter makes as many requests on each server as docs/scale.md says (54.2)", { timeout: 60_000 }, async () => {
  const [, rows = ""] = /^\| a wait of 30 s \|.*\n.*\n((?:\|.*\n)+)/m.exec(textOf("docs/scale.md")) ?? [];
  const cells = rows
    .trim()
    .split("\n")
    .map((row) => row.slice(2, -2).split(" | "));
  const documented = new Map(cells.map(([label = "", ...figures]) => [label, figures.map(Number)]));
  const waits = await longWaits(SHORT_MS);
  expect(waits.map(({ label }) => label)).toEqual([...documented.keys()]);
  for (const { label, requests, commands } of waits) {
    const [stated = 0, statedCommands] = documented.get(label) ?? [];
    const isHeld = label.includes(": held");
    // An object grants by an offer, which takes one more request.
    const more = label.startsWith("Durable Objects") ? 1 : 0;
    if (isHeld) expect([requests, stated]).toEqual([1 + more, Math.ceil(DOCUMENTED_MS / HELD_REQUEST_MS) + more]);
    else expect(requests).toBeGreaterThan(2);
    // The first seconds take more polls than the others, so a short wait is no share of a long one.
    expect(requests).toBeLessThan(stated);
    if (commands === undefined) expect(statedCommands).toBeNaN();
    else expect(commands).toBeLessThan(statedCommands ?? 0);
  }
});
