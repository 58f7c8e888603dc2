import { describe, expect, it } from "vitest";
import { createAccess } from "../src/access.ts";

const token = "t".repeat(64);
const other = "u".repeat(64);

describe("tokens that would have other rights than were meant", () => {
  it.each([
    [undefined, "tokens must be a list"],
    [[], "a token is missing"],
    [[null], "tokens[0] must be an object"],
    [[token], "tokens[0] must be an object"],
    [[{ token: "short" }], "tokens[0]: the token must have at least 16 characters"],
    [[{ token: undefined }], "tokens[0]: the token must have at least 16 characters"],
    [[{ token: `${token}\n` }], "tokens[0]: the token must be visible ASCII characters"],
    [[{ token, tenant: "a\0b" }], "tokens[0]: the tenant must be well-formed text without NUL"],
    [[{ token, tenant: "a\ud800" }], "tokens[0]: the tenant must be well-formed text without NUL"],
    [[{ token, tenant: "" }], "tokens[0]: the tenant must be a string that is not empty"],
    [[{ token, tenant: null }], "tokens[0]: the tenant must be a string that is not empty"],
    [[{ token, tenent: "a" }], 'tokens[0]: there is no "tenent"; known are token, tenant, readOnly'],
    [[{ token, readonly: true }], 'tokens[0]: there is no "readonly"; known are token, tenant, readOnly'],
    [[{ token, readOnly: "true" }], "tokens[0]: readOnly must be true or false"],
    [[{ token, admin: true }], 'tokens[0]: there is no "admin"; known are token, tenant, readOnly'],
    [[{ token }, { token, readOnly: true }], "tokens[0] and tokens[1] have the same token, and different permissions"],
    [
      [
        { token: other, tenant: "a" },
        { token, tenant: "a" },
        { token, tenant: "b" },
      ],
      "tokens[1] and tokens[2] have the same token, and different permissions",
    ],
  ])("%j (B5)", (tokens, message) => {
    const create = (): unknown => createAccess(tokens as never);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
    expect(create).not.toThrow(token);
  });

  it("are not repeated, also where one is a member's name (B5)", () => {
    expect(() => createAccess([{ [token]: "acme" }] as never)).toThrow(/^tokens\[0\]: member 1 is unknown/);
  });
});

it("only the tokens of the list have access", async () => {
  const access = createAccess([
    { token, readOnly: true },
    // The same one twice does no harm.
    { token, readOnly: true, tenant: undefined },
  ]);
  expect(await access(token)).toMatchObject({ readOnly: true });
  expect(await access(`${token}t`)).toBeUndefined();
  expect(await access(undefined)).toBeUndefined();
});
