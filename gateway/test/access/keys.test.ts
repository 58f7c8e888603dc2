import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { garbageCollector } from "../../../tools/garbage.ts";
import { keyOf, keysTo } from "../../src/access/tokens.ts";
import type { HttpRequest } from "../../src/http/message.ts";

const bringing = (token: string, inQuery = false): HttpRequest => ({
  method: "GET",
  target: inQuery ? `/get/a?_token=${encodeURIComponent(token)}` : "/get/a",
  header: (name) => (name === "authorization" && !inQuery ? `Bearer ${token}` : undefined),
  body: () => Promise.reject(new Error("nobody reads it")),
  whenUnwanted: () => () => {},
});

const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const token = fc.oneof(
  fc.string({ unit: visible, minLength: 1, maxLength: 40 }),
  fc.string({ unit: visible, minLength: 250, maxLength: 260 }),
);
/** What is nearly the token: shorter, longer, padded, of other characters with the same last byte. */
const nearly = (right: string): string[] => [
  ...[right.slice(0, -1), right.slice(1), `${right}a`, `a${right}`, `${right}\0`, `${right} `, right + right],
  ...[
    right.toUpperCase(),
    right.toLowerCase(),
    right.replace(/.$/, (last) => String.fromCodePoint(last.charCodeAt(0) + 256)),
  ],
  ...[`${right}${"\0".repeat(300)}`, `${right}${"x".repeat(300)}`, "\u{1f600}", ""],
];
const sha = (text: string): string => createHash("sha256").update(text).digest("hex");

describe("a token", () => {
  it.each(["plain", "sha256"] as const)("opens what it is for, and nothing that is nearly it does: %s", (kind) => {
    fc.assert(
      fc.property(token, token, fc.boolean(), (right, other, inQuery) => {
        fc.pre(right !== other);
        const keys = [
          ...keysTo("ours", kind === "plain" ? { token: right } : { tokenSha256: sha(right) }),
          ...keysTo("theirs", { readOnlyToken: other }),
        ];
        expect(keyOf(keys, bringing(right, inQuery))).toMatchObject({ to: "ours", access: "full" });
        expect(keyOf(keys, bringing(other, inQuery))).toMatchObject({ to: "theirs", access: "read-only" });
        for (const wrong of nearly(right).filter((text) => text !== right && text !== other))
          expect(keyOf(keys, bringing(wrong, inQuery))).toBeUndefined();
      }),
    );
  });

  it("is not found where a request brings none", () => {
    const keys = keysTo("ours", { token: "right" });
    for (const header of [undefined, "", "Bearer", "Bearer ", "Basic right", "right", "Bearerright"])
      expect(keyOf(keys, { ...bringing(""), header: () => header })).toBeUndefined();
  });

  it("keeps no list of keys that a reload has replaced, though the head of the request is remembered", async () => {
    const collect = garbageCollector();
    const repeated = { ...bringing("right"), repeated: {} };
    const look = (): WeakRef<object> => {
      const keys = keysTo("ours", { token: "right" });
      expect(keyOf(keys, repeated)).toMatchObject({ to: "ours" });
      expect(keyOf(keys, repeated)).toMatchObject({ to: "ours" });
      return new WeakRef(keys);
    };
    const replaced = look();
    // A weak reference holds its target until the turn ends in which it was made.
    for (let turns = 0; turns < 10 && replaced.deref() !== undefined; turns++) {
      await pause(1);
      collect();
    }
    expect(replaced.deref()).toBeUndefined();
    expect(keyOf(keysTo("theirs", { token: "right" }), repeated)).toMatchObject({ to: "theirs" });
  });
});
