import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { freshName } from "../../support/names.ts";

interface Seen {
  readonly token: number;
  readonly entered: number;
  readonly left: number;
}

describe.each(["shared", "own"])("requests in one isolate, client %s", (client) => {
  it.each([2, 12])("%i at once exclude each other and all get through", async (count) => {
    const name = freshName();
    const seen = await Promise.all(
      Array.from({ length: count }, async () => {
        const url = `http://worker/run?client=${client}&ms=30&name=${encodeURIComponent(name)}`;
        const response = await (exports as unknown as { default: Fetcher }).default.fetch(url);
        expect(response.status).toBe(200);
        return (await response.json()) as Seen;
      }),
    );
    const inOrder = seen.sort((a, b) => a.token - b.token);
    expect(new Set(inOrder.map(({ token }) => token)).size).toBe(count);
    inOrder.slice(1).forEach((later, index) => {
      expect(later.entered).toBeGreaterThanOrEqual(inOrder[index]?.left ?? Number.POSITIVE_INFINITY);
    });
  });
});
