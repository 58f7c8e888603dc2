import { describe, expect, it } from "vitest";
import { createAccess } from "../src/access.ts";

const token = "t".repeat(64);

describe("tokens that would let anybody in", () => {
  it.each([
    [[], "a token is missing"],
    [[{ token: "short" }], "a token must have at least"],
    [[{ token: undefined as never }], "a token must have at least"],
    [[{ token, tenant: "a\0b" }], "a tenant must be without NUL"],
  ])("%j", (tokens, message) => {
    expect(() => createAccess(tokens)).toThrow(new RegExp(`^${message}`));
  });
});

it("only the tokens of the list have access", async () => {
  const access = createAccess([{ token, readOnly: true }]);
  expect(await access(token)).toMatchObject({ readOnly: true });
  expect(await access(`${token}t`)).toBeUndefined();
  expect(await access(undefined)).toBeUndefined();
});
