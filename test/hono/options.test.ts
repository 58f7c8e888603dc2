import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DedupeOptions, dedupe, dedupeKey, github, idempotencyKey } from "../../src/hono/index.ts";
import { connect } from "../../src/index.ts";
import { byHeader } from "./apps.ts";

const locks = connect({ url: "http://127.0.0.1:1", token: "x" });

describe("the options of dedupe", () => {
  const refused: (readonly [what: string, options: object, error: typeof TypeError | typeof RangeError])[] = [
    ["no locks", { locks: undefined }, TypeError],
    ...[{}, [], null, { connection: {} }, "x"].map(
      (bad) => [`locks of ${JSON.stringify(bad)}`, { locks: bad }, TypeError] as const,
    ),
    ["no key", { key: undefined }, TypeError],
    ["a key that is no sender", { key: {} }, TypeError],
    ["idempotencyKey without a scope", { key: idempotencyKey() }, TypeError],
    ["an empty scope", { scope: "" }, TypeError],
    ["a scope of nothing", { scope: [] }, TypeError],
    ["a scope with half a character", { scope: ["\ud800"] }, TypeError],
    ["a lease that is no duration", { lease: "soon" }, TypeError],
    ["a lease that is too short", { lease: 1 }, RangeError],
    ["a ttl of nothing", { ttl: 0 }, RangeError],
    ["a maxHold of nothing", { maxHold: 0 }, RangeError],
    ["no attempts", { maxAttempts: 0 }, RangeError],
    ["half an attempt", { maxAttempts: 1.5 }, RangeError],
    ["a fingerprint that is no function", { fingerprint: "body" }, TypeError],
    ["an onRunning that is no function", { onRunning: 409 }, TypeError],
    ["an onExhausted that is no function", { onExhausted: 422 }, TypeError],
    ["an onMismatch that is no function", { onMismatch: 422 }, TypeError],
    ["a replay that is no option", { replay: "yes" }, TypeError],
    ["a replay of Set-Cookie", { replay: { headers: ["Set-Cookie"] } }, TypeError],
    ["a replay of hop-by-hop headers", { replay: { headers: ["Connection"] } }, TypeError],
    ["a replay of TE", { replay: { headers: ["TE"] } }, TypeError],
    ["a replay of the length", { replay: { headers: ["content-length"] } }, TypeError],
    ["a replay of the encoding", { replay: { headers: ["Content-Encoding"] } }, TypeError],
    ["a replay of what is no header", { replay: { headers: ["a b"] } }, TypeError],
    ["a replay of too much", { replay: { maxBytes: 256 * 1024 + 1 } }, RangeError],
    ["a replay of half a byte", { replay: { maxBytes: 0.5 } }, RangeError],
  ];

  it.each(refused)("refuse %s", (_what, wrong, error) => {
    expect(() => dedupe({ locks, key: byHeader, ...wrong } as DedupeOptions)).toThrow(error);
  });

  it("are needed, and so is verify", () => {
    expect(() => dedupe(undefined as unknown as DedupeOptions)).toThrow(TypeError);
    expect(() => github({} as never)).toThrow(TypeError);
    expect(() => idempotencyKey({ required: "no" as never })).toThrow(TypeError);
  });

  it("stay as they were given, and make a middleware with a name", () => {
    const options = Object.freeze({
      locks,
      key: idempotencyKey(),
      scope: Object.freeze(["a"]),
      replay: Object.freeze({ headers: Object.freeze(["X-A"]) }),
    });
    expect(dedupe(options).name).toBe("dedupe");
  });
});

describe("dedupeKey", () => {
  const part = fc.string({ unit: fc.constantFrom("a", "b", ":", "1", "2", "3"), maxLength: 6 });
  const some = part.filter((text) => text !== "");
  const parts = fc.record({
    sender: fc.constantFrom("github", "stripe", "custom"),
    scope: fc.oneof(fc.constant(undefined), fc.array(some, { minLength: 1, maxLength: 3 })),
    id: fc.oneof(part, fc.array(part, { minLength: 1, maxLength: 3 })),
  });
  const normal = ({
    sender,
    scope = [],
    id,
  }: {
    sender: string;
    scope?: string[] | undefined;
    id: string | string[];
  }) => JSON.stringify([sender, scope, typeof id === "string" ? [id] : id]);

  it("is the same for the same parts, and never for others", async () => {
    const seen = new Map<string, string>();
    await fc.assert(
      fc.asyncProperty(parts, async (given) => {
        const key = await dedupeKey(given);
        expect(seen.get(key) ?? normal(given)).toBe(normal(given));
        seen.set(key, normal(given));
        expect(key.length).toBeLessThan(100);
      }),
      { numRuns: 5000 },
    );
    expect(new Set(seen.values()).size).toBe(seen.size);
  });

  it("does not let parts run into each other, nor scope into id", async () => {
    const keys = await Promise.all([
      dedupeKey({ sender: "custom", scope: ["a:b", "c"], id: "x" }),
      dedupeKey({ sender: "custom", scope: ["a", "b:c"], id: "x" }),
      dedupeKey({ sender: "custom", scope: ["a"], id: ["b:c", "x"] }),
      dedupeKey({ sender: "custom", scope: ["a", "b:c", "x"], id: "" }),
      dedupeKey({ sender: "custom", id: "1:x" }),
      dedupeKey({ sender: "custom", scope: "x", id: "1:x" }),
    ]);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("holds of scope and id nothing but their hash, however long they are", async () => {
    const key = await dedupeKey({ sender: "github", scope: "s".repeat(5000), id: "i".repeat(5000) });
    expect(key).toMatch(/^github:[\w-]{43}$/);
  });

  it("refuses what would be the same bytes as another", async () => {
    await expect(dedupeKey({ sender: "custom", id: "\ud800" })).rejects.toThrow(TypeError);
    await expect(dedupeKey({ sender: "custom", scope: "\ud800", id: "a" })).rejects.toThrow(TypeError);
    await expect(dedupeKey({ sender: "", id: "a" })).rejects.toThrow(TypeError);
  });
});
