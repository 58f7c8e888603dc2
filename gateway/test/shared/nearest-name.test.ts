import { describe, expect, it } from "vitest";
import { misspelt, nearest } from "../../src/shared/nearest-name.ts";

describe("the name that is meant", () => {
  const NAMES = ["token", "tokenSha256", "readOnlyToken", "redisPassword", "timeoutMs", "ls", "release"];

  it.each([
    ["tokn", "token"],
    ["TOKEN", "token"],
    ["read-only-token", "readOnlyToken"],
    ["LEASEHOLD_TIMEOUT_MS", "timeoutMs"],
    ["timeout", "timeoutMs"],
    ["rel", "release"],
    ["password", "redisPassword"],
    ["tokenOfMine", "token"],
    ["lss", "ls"],
    ["relaese", "release"],
  ])("by %s is %s", (given, meant) => {
    expect(nearest(given, NAMES)).toBe(meant);
  });

  it.each(["", "l", "x", "wor", "something else", "x".repeat(1e6)])("is none by %.20s", (given) => {
    expect(nearest(given, NAMES)).toBeUndefined();
  });

  it("is the one with the fewest slips, and the first of several", () => {
    expect(nearest("tokens", ["tokem", "tokens1", "token"])).toBe("tokens1");
    expect(nearest("bash", ["bass", "base"])).toBe("bass");
    expect(nearest("bash", [])).toBeUndefined();
  });

  it("is not guessed from a part where a variable is misspelt", () => {
    const variables = ["LEASEHOLD_TOKEN", "LEASEHOLD_READ_ONLY_TOKEN"];
    expect(misspelt("LEASEHOLD_TOKNE", variables)).toBeUndefined();
    expect(misspelt("LEASEHOLD_TOKENS", variables)).toBe("LEASEHOLD_TOKEN");
    expect(misspelt("LEASEHOLD_READONLYTOKEM", variables)).toBe("LEASEHOLD_READ_ONLY_TOKEN");
    expect(misspelt("LEASEHOLD_ONLY_TOKEN", variables)).toBeUndefined();
  });
});
