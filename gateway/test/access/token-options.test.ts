import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Key, keysTo, refuseAmbiguous } from "../../src/access/tokens.ts";
import type { TokenOptions } from "../../src/shared/options.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const keys = (options: object, to = "main"): Key<string>[] => keysTo(to, options as TokenOptions);

describe("the tokens in the options", () => {
  it.each<[options: object, message: string]>([
    [{ token: "" }, "token must be a non-empty string"],
    [{ token: 5 }, "token must be a non-empty string"],
    [{ token: ["good", null] }, "token must be a non-empty string"],
    [{ readOnlyToken: "" }, "readOnlyToken must be a non-empty string"],
    [{ token: "good", tokenSha256: "abc" }, "tokenSha256 must be a SHA-256 in hexadecimal: 64 digits"],
    [{ tokenSha256: 5 }, "tokenSha256 must be a SHA-256 in hexadecimal: 64 digits"],
    [{ readOnlyTokenSha256: `${sha256("x")}0` }, "readOnlyTokenSha256 must be a SHA-256 in hexadecimal: 64 digits"],
    [{ token: { name: "a b", token: "t" } }, "token: the name of a token must be 1 to 64 letters, digits, -, _ or ."],
    [{ token: { name: "a", token: "t", x: 1 } }, "token: the name of a token must be 1 to 64 letters"],
    // Everybody may know the SHA-256, which would be the token.
    [{ token: { name: "a", sha256: sha256("x") } }, "token: an object must be { name, token }"],
    [{ tokenSha256: { name: "a", token: sha256("x") } }, "tokenSha256: an object must be { name, sha256 }"],
  ])("%j are refused (B5)", (options, message) => {
    expect(() => keys(options)).toThrow(TypeError);
    expect(() => keys(options)).toThrow(message);
  });

  it("are the same as their SHA-256, in capitals too", () => {
    const [plain] = keys({ token: "secret" });
    const [hashed] = keys({ tokenSha256: sha256("secret").toUpperCase() });
    expect(hashed?.id).toBe(plain?.id);
  });

  it("open one database in one way", () => {
    const both = [...keys({ token: "a" }), ...keys({ token: "b", readOnlyToken: "c" }, "other")];
    expect(() => refuseAmbiguous(both)).not.toThrow();
    expect(() => refuseAmbiguous([...both, ...keys({ token: "a" }, "other")])).toThrow(
      "two databases have the same token: main and other",
    );
    for (const again of [{ readOnlyToken: "a" }, { readOnlyTokenSha256: sha256("a") }])
      expect(() => refuseAmbiguous([...both, ...keys(again)])).toThrow(
        "database main: the same token is given as full and as read-only",
      );
    // Twice in the same way is once.
    expect(() => refuseAmbiguous([...both, ...keys({ tokenSha256: sha256("a") })])).not.toThrow();
  });
});
