import { expect, it } from "vitest";
import { requestId } from "../../src/shared/request-id.ts";

it("gives each of many requests another id, in the form of a UUID", () => {
  const ids = new Set(Array.from({ length: 140_000 }, requestId));
  expect(ids.size).toBe(140_000);
  for (const id of ids)
    if (!/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id)) expect(id).toBe("a UUID");
  // Two runs of ids have nothing in common.
  const starts = new Set([...ids].map((id) => id.slice(0, -4)));
  expect(starts.size).toBeGreaterThanOrEqual(3);
});
