import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { keysTo } from "../../src/access/tokens.ts";
import { readConfig } from "../../src/cli/config.ts";
import { createMetrics } from "../../src/metrics/metrics.ts";
import { call, stage, TOKEN, until } from "../support/harness.ts";
import { keepingLog } from "../support/log.ts";

const { log, lines } = keepingLog();
const it_ = stage({
  log,
  token: [TOKEN, { name: "shop", token: "shop-secret" }, { name: "shop", token: "shop-secret-2" }],
  readOnlyToken: "reading-secret",
});
const SHA256 = createHash("sha256").update("hashed-secret").digest("hex");

const metricsOf = async (): Promise<string> => (await fetch(`${it_.gateway.url}/metrics`)).text();

/** The value of a token's counter. */
async function count(name: string, token: string, more = ""): Promise<number> {
  const sample = `leasehold_gateway_token_${name}{database="default",token="${token}"${more}} `;
  const line = (await metricsOf()).split("\n").find((text) => text.startsWith(sample));
  return Number(line?.slice(sample.length) ?? 0);
}

const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

it("metrics and log tell requests by the name of their token, never by the token", async () => {
  const value = "x".repeat(1_000);
  const before = lines.length;
  await call(it_.gateway.url, ["SET", "named", value], as("shop-secret"));
  await call(it_.gateway.url, ["GET", "named"], as("shop-secret-2"));
  await call(it_.gateway.url, ["SET", "named", "no"], as("reading-secret"));
  await call(`${it_.gateway.url}/get/named`, undefined, as(TOKEN));
  expect(await count("requests_total", "shop")).toBe(2);
  expect(await count("received_bytes_total", "shop")).toBeGreaterThan(1_000);
  expect(await count("sent_bytes_total", "shop")).toBeGreaterThan(1_000);
  expect(await count("seconds_total", "shop")).toBeGreaterThan(0);
  expect(await count("refusals_total", "shop", ',status="400"')).toBe(0);
  expect(await count("refusals_total", "read-only-token-1", ',status="400"')).toBe(1);
  expect(await count("received_bytes_total", "token-1")).toBe("/get/named".length);
  const names = lines.slice(before).flatMap(({ fields }) => fields["token"] ?? []);
  expect(names).toEqual(["shop", "shop", "read-only-token-1", "token-1"]);
  expect(JSON.stringify(lines) + (await metricsOf())).not.toMatch(new RegExp(`secret|${TOKEN}`));
});

it("the bytes of a stream count as they go", async () => {
  const stream = await fetch(`${it_.gateway.url}/subscribe/named`, as("shop-secret"));
  const before = await count("sent_bytes_total", "shop");
  await it_.run("PUBLISH", "named", "y".repeat(500));
  await until(
    () => count("sent_bytes_total", "shop"),
    (sent) => sent > before + 500,
  );
  await stream.body?.cancel();
});

it("a name comes with its token from a flag, a variable, a file of tokens and the config file", () => {
  const folder = mkdtempSync(join(tmpdir(), "leasehold-names-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const named = { name: "shop", token: "secret=" };
  const config = { token: [named, "plain"], tokenSha256: { name: "hash", sha256: SHA256 } };
  const tokens = (flags: Record<string, string | string[]>, env = {}) => readConfig(flags, env).databases[0];
  expect(tokens({ token: ["shop secret=", "plain"] })?.token).toEqual([named, "plain"]);
  expect(tokens({}, { LEASEHOLD_TOKEN: "shop secret=" })?.token).toEqual([named]);
  expect(tokens({}, { LEASEHOLD_TOKEN_FILE: file("tokens", "shop\tsecret=\nplain\n") })?.token).toEqual([
    named,
    "plain",
  ]);
  const inFile = tokens({ config: file("config.json", JSON.stringify(config)) });
  expect(inFile).toMatchObject({ token: [named, "plain"], tokenSha256: [{ name: "hash", sha256: SHA256 }] });
  expect(tokens({}, { LEASEHOLD_READ_ONLY_TOKEN_SHA256: `hash ${SHA256}` })?.readOnlyTokenSha256).toEqual([
    { name: "hash", sha256: SHA256 },
  ]);
  for (const wrong of [{ name: "shop" }, { name: "a b", token: "hunter2" }, { ...named, more: 1 }])
    expect(() => readConfig({ config: file("wrong.json", JSON.stringify({ token: wrong })) }, {})).toThrow(
      "token must be a string",
    );
});

it("a token without a name gets one by its place, and a name that could not be a label is refused", () => {
  const keys = keysTo("db", {
    token: ["a", { name: "shop", token: "b" }],
    tokenSha256: SHA256,
    readOnlyToken: ["c", "d"],
  });
  expect(keys.map(({ name }) => name)).toEqual([
    "token-1",
    "shop",
    "token-3",
    "read-only-token-1",
    "read-only-token-2",
  ]);
  for (const name of ["", "a b", 'a"', "ü", "x".repeat(65), "a\nb"])
    expect(() => keysTo("db", { token: { name, token: "hunter2" } })).toThrow(/^token: the name of a token must be/);
});

it("names of tokens make a limited number of series, however often a gateway reloads", async () => {
  const metrics = createMetrics({
    inFlight: () => 0,
    heldBytes: () => ({}),
    streams: () => 0,
    waiting: () => 0,
    redis: async () => new Map(),
  });
  for (let at = 0; at < 1_000; at++)
    metrics.ofToken("default", `token-${at}`).request({ status: 200, seconds: 1, bytesIn: 1, bytesOut: 1 });
  const series = (await metrics.text())
    .split("\n")
    .filter((line) => line.startsWith("leasehold_gateway_token_requests_"));
  expect(series).toHaveLength(201);
  expect(series).toContain('leasehold_gateway_token_requests_total{database="default",token="other"} 800');
});
