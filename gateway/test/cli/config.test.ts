import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/cli/config.ts";
import { ConfigError } from "../../src/cli/sources.ts";
import { SETTINGS } from "../../src/shared/settings.ts";

const folder = mkdtempSync(join(tmpdir(), "leasehold-config-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** A file with this content, and its path. */
function file(content: unknown): string {
  const path = join(folder, `${files++}`);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const others = SETTINGS.filter(
  ({ ofDatabase, key }) => !ofDatabase && !/File$|^adminToken|^tls/.test(key) && key !== "logLevel",
);

describe("each setting", () => {
  it.each(others)("$key comes from a flag, then from a variable, then from the file", ({ key, flag, env, kind }) => {
    const value = (digit: number): string => (kind === "number" ? String(digit) : `text-${digit}`);
    const out = (digit: number) => (kind === "number" ? digit : kind === "text" ? `text-${digit}` : [`text-${digit}`]);
    const inFile = file({ token: "t", [key]: kind === "number" ? 3 : "text-3" });
    const variables = { LEASEHOLD_CONFIG: inFile, [env[0] ?? ""]: value(2) };
    const given = { [flag]: kind === "tokens" || kind === "list" ? [value(1)] : value(1) };
    const of = (flags: Record<string, string | string[]>, variable: Record<string, string>) =>
      Object.entries(readConfig(flags, variable).server).find(([name]) => name === key)?.[1];
    expect(of(given, variables)).toEqual(out(1));
    expect(of({}, variables)).toEqual(out(2));
    expect(of({ config: inFile }, {})).toEqual(out(3));
    expect(of({}, {})).toBeUndefined();
    const empty = () => of({ [flag]: "" }, { ...variables, [env[0] ?? ""]: "" });
    // An empty one is none, but an empty secret would let everybody in.
    if (/token/i.test(key)) expect(empty).toThrow("is empty");
    else expect(empty()).toEqual(out(3));
  });

  it.each(SETTINGS)("$key of a wrong type in the file is refused by name, and not repeated", ({ key, kind }) => {
    const wrong = kind === "number" ? ["hunter2", -1, 1.5, 1e12] : kind === "boolean" ? ["hunter2"] : [7, "", {}, [{}]];
    for (const value of wrong) {
      expect(() => readConfig({ config: file({ [key]: value }) }, {})).toThrow(ConfigError);
      expect(() => readConfig({ config: file({ [key]: value }) }, {})).toThrow(`the config file: ${key} must be`);
      expect(() => readConfig({ config: file({ [key]: value }) }, {})).not.toThrow(/hunter2/);
    }
  });
});

it("takes PORT where there is no LEASEHOLD_PORT", () => {
  expect(readConfig({}, { PORT: "1" }).server.port).toBe(1);
  expect(readConfig({}, { PORT: "1", LEASEHOLD_PORT: "2" }).server.port).toBe(2);
});

describe("tokens", () => {
  const one = (flags: Record<string, string | string[]>, env: Record<string, string> = {}) =>
    readConfig(flags, env).databases[0];

  it("come from flags, variables and files, several at once", () => {
    const hex = ["a".repeat(64), "b".repeat(64)];
    expect(one({ token: ["a", "b"] })?.token).toEqual(["a", "b"]);
    expect(one({}, { LEASEHOLD_TOKEN: "a,b" })?.token).toEqual(["a,b"]);
    expect(one({ "token-sha256": hex })?.tokenSha256).toEqual(hex);
    expect(one({}, { LEASEHOLD_TOKEN_SHA256: hex.join(", ") })?.tokenSha256).toEqual(hex);
    expect(one({ "token-file": file("a\n\n b \r\nc") })?.token).toEqual(["a", "b", "c"]);
    expect(one({ "read-only-token-file": file("r\n") })?.readOnlyToken).toEqual(["r"]);
    expect(one({ config: file({ token: ["a", "b"], readOnlyToken: "c" }) })).toMatchObject({
      token: ["a", "b"],
      readOnlyToken: ["c"],
    });
  });

  it("of one kind all come from the first source that has any", () => {
    const env = { LEASEHOLD_TOKEN: "variable", LEASEHOLD_READ_ONLY_TOKEN: "reads" };
    const config = file({ token: "file", tokenFile: file("file-2") });
    expect(one({ "token-file": file("flag"), config }, env)).toMatchObject({
      token: ["flag"],
      readOnlyToken: ["reads"],
    });
    expect(one({ config }, env)?.token).toEqual(["variable"]);
    expect(one({ config })?.token).toEqual(["file", "file-2"]);
  });
});

describe("a mistake about rights is refused, and repeats no value", () => {
  const hex = "a".repeat(64);
  it.each([
    // The hash would be the token.
    [{ token: [{ name: "x", sha256: hex }] }, "the config file: token must be"],
    [{ tokenSha256: [{ name: "x", token: hex }] }, "the config file: tokenSha256 must be"],
    [{ token: [{ name: "x", token: "hunter2", readOnly: true }] }, "the config file: token must be"],
    [{ token: "hunter2", readonlyToken: "hunter2" }, "is readOnlyToken meant?"],
    [{ token: "" }, "the config file: token must be"],
  ])("in the file: %j (B5)", (given, says) => {
    const read = (): unknown => readConfig({ config: file(given) }, {});
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(says);
    expect(read).not.toThrow("hunter2");
  });

  it.each([
    ["LEASEHOLD_READONLY_TOKEN", "LEASEHOLD_READ_ONLY_TOKEN"],
    ["LEASEHOLD_TOKENS", "LEASEHOLD_TOKEN"],
    ["LEASEHOLD_ADMIN_TOKN", "LEASEHOLD_ADMIN_TOKEN"],
    ["LEASEHOLD_CORS_ORIGINS", "LEASEHOLD_CORS_ORIGIN"],
  ])("in the environment: %s (B5)", (name, meant) => {
    const read = (): unknown => readConfig({}, { LEASEHOLD_TOKEN: "t", [name]: "hunter2" });
    expect(read).toThrow(`there is no variable ${name}: is ${meant} meant?`);
    expect(read).not.toThrow("hunter2");
  });

  it.each(["LEASEHOLD_TOKEN", "LEASEHOLD_READ_ONLY_TOKEN", "LEASEHOLD_ADMIN_TOKEN", "LEASEHOLD_REDIS_PASSWORD"])(
    "an empty %s (B5)",
    (name) => {
      expect(() => readConfig({}, { LEASEHOLD_TOKEN: "t", [name]: "" })).toThrow(`${name} is empty`);
    },
  );

  it("not the variables that Kubernetes sets for services", () => {
    const own = {
      LEASEHOLD_SERVICE_HOST: "10.0.0.1",
      LEASEHOLD_SERVICE_PORT: "8080",
      LEASEHOLD_PORT_8080_TCP: "tcp://10.0.0.1:8080",
      LEASEHOLD_PORT_8080_TCP_ADDR: "10.0.0.1",
      LEASEHOLD_PORT_8080_TCP_PROTO: "tcp",
      LEASEHOLD_GATEWAY_PORT: "tcp://10.0.0.1:8080",
      LEASEHOLD_GATEWAY_SERVICE_PORT_HTTP: "8080",
    };
    expect(readConfig({}, { LEASEHOLD_TOKEN: "t", ...own }).databases[0]?.token).toEqual(["t"]);
  });
});

it("reads what is needed to reach Redis, secrets from files too", () => {
  const { databases } = readConfig(
    {
      "redis-username": "u",
      "redis-password-file": file("pa ss\n"),
      "redis-ca-file": file("ca"),
      "redis-servername": "n",
    },
    { LEASEHOLD_SENTINEL_PASSWORD: "s", LEASEHOLD_SENTINEL_TLS: "false", LEASEHOLD_TOKEN: "t" },
  );
  expect(databases).toEqual([
    {
      redis: "redis://127.0.0.1:6379",
      username: "u",
      password: "pa ss",
      tls: { ca: "ca", servername: "n" },
      sentinelPassword: "s",
      sentinelTls: false,
      token: ["t"],
      tokenSha256: [],
      readOnlyToken: [],
      readOnlyTokenSha256: [],
    },
  ]);
});

describe("several databases", () => {
  const a = { name: "a", redis: "redis://a", token: "1" };
  it("come from the file, with file names relative to it", () => {
    const beside = file("from-a-file");
    const name = beside.slice(beside.lastIndexOf("/") + 1);
    const { databases } = readConfig(
      { config: file({ databases: [a, { name: "b", redis: "redis://b", tokenFile: name }] }) },
      {},
    );
    expect(databases).toMatchObject([
      { name: "a", redis: "redis://a", token: ["1"] },
      { name: "b", redis: "redis://b", token: ["from-a-file"] },
    ]);
  });

  it("and one by itself do not go together, wherever it comes from", () => {
    const config = file({ databases: [a] });
    expect(() => readConfig({ config, token: ["hunter2"] }, {})).toThrow("--token belongs to one of the databases");
    expect(() => readConfig({ config }, { LEASEHOLD_REDIS_URL: "hunter2" })).toThrow("LEASEHOLD_REDIS_URL belongs to");
    expect(() => readConfig({ config: file({ databases: [a], token: "hunter2" }) }, {})).toThrow(
      "the config file: token belongs",
    );
  });
});

describe("a mistake is named, and no value is repeated", () => {
  const a = { name: "a", redis: "redis://a" };
  it.each<[string, string | object, RegExp]>([
    ["no JSON", '{"token":\n "hunter2" "hunter2"}', /not valid JSON: see line 2$/],
    ["cut JSON", '{"token": "hunter2', /not valid JSON/],
    ["no JSON at all", "hunter2", /not valid JSON/],
    ["no object", '["hunter2"]', /must hold a JSON object/],
    ["an unknown setting", { token: "t", hunter2: { srh_id: "x" } }, /^the config file: \(key 2\) is not a setting$/],
    [
      "an unknown setting of a database",
      { databases: [{ ...a, hunter2: 1 }] },
      /databases\[0\]\.\(key 3\) is not a setting/,
    ],
    ["databases that are no list", { databases: "hunter2" }, /databases must be a list/],
    ["no databases", { databases: [] }, /databases must be a list/],
    ["a database that is no object", { databases: ["hunter2"] }, /databases must be a list/],
    ["a database without a name", { databases: [{ redis: "hunter2" }] }, /databases\[0\]\.name must be/],
    ["a database without a URL", { databases: [a, { name: "hunter2" }] }, /databases\[1\]\.redis is missing/],
    [
      "a server's setting in a database",
      { databases: [{ ...a, port: 1 }] },
      /databases\[0\]\.port is not a setting here/,
    ],
    ["a bad token in a database", { databases: [{ ...a, token: 7 }] }, /databases\[0\]\.token must be/],
    ["a level that is none", { token: "t", logLevel: "hunter2" }, /logLevel must be silent, /],
    ["a token file that is not there", { tokenFile: "hunter2" }, /tokenFile cannot be read \(ENOENT\)/],
    ["a token file with nothing in it", { tokenFile: file("\n \n") }, /tokenFile has no token in it/],
  ])("%s", (_, content, message) => {
    const config = file(content);
    expect(() => readConfig({ config }, {})).toThrow(ConfigError);
    expect(() => readConfig({ config }, {})).toThrow(message);
    expect(() => readConfig({ config }, {})).not.toThrow(/hunter2/);
  });

  it("in a flag or a variable", () => {
    expect(() => readConfig({ "max-in-flight": "hunter2" }, {})).toThrow(/^--max-in-flight must be a whole number/);
    expect(() => readConfig({}, { LEASEHOLD_TIMEOUT_MS: "0" })).toThrow(/^LEASEHOLD_TIMEOUT_MS must be a whole number/);
    expect(() => readConfig({}, { LEASEHOLD_SENTINEL_TLS: "x" })).toThrow(/^LEASEHOLD_SENTINEL_TLS must be true or/);
    expect(() => readConfig({ config: join(folder, "none") }, {})).toThrow(
      /^the config file cannot be read \(ENOENT\)$/,
    );
  });
});
