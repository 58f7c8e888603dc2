import { Redis } from "@upstash/redis";
import { describe, expect, it } from "vitest";
import { type Connection, type ConnectionSettings, connect, fromEnv, quorumLock } from "../../../src/index.ts";

const token = "token-0123456789";
const at = (url: string, settings: ConnectionSettings & { readonly fetch?: typeof fetch } = {}): Connection =>
  connect({ url, token, ...settings });
const over = (url: string): Connection => connect({ redis: new Redis({ url, token }) });
const [a, b, c] = ["https://a.example", "https://b.example", "https://c.example"].map((url) => at(url)) as [
  Connection,
  Connection,
  Connection,
];

describe("every server of a quorum is another one", () => {
  const same: Record<string, readonly Connection[]> = {
    "one connection three times": [a, a, a],
    "three connections to one URL": [at("https://a.example"), at("https://a.example"), at("https://a.example")],
    "one of them twice": [a, b, at("https://a.example")],
    "one URL under three prefixes": [
      a,
      at("https://a.example", { prefix: "b:" }),
      at("https://a.example", { prefix: "c:" }),
    ],
    "one URL with and without a slash": [a, b, at("https://a.example/")],
    "one host in other letters and with its port": [a, b, at("https://A.EXAMPLE:443")],
    "one host by http and by https": [at("http://a.example"), b, a],
    "one URL, through a client of @upstash/redis": [a, b, over("https://a.example")],
    "two clients of @upstash/redis for one URL": [over("https://b.example"), a, over("https://b.example")],
  };

  it.each(Object.entries(same))("%s: a TypeError", (_, connections) => {
    expect(() => quorumLock(connections, "name")).toThrow(TypeError);
    expect(() => quorumLock(connections, "name")).toThrow(/another server/);
  });

  it("others are taken: other hosts, ports and paths, and what is not known", () => {
    const unknown = (): Connection => connect({ redis: new Redis({ url: "", token: "t" }) });
    for (const connections of [
      [a, b, c],
      [a, at("https://a.example:8080"), at("https://a.example:8081")],
      [at("https://a.example/one"), at("https://a.example/two"), b],
      [over("https://a.example"), over("https://b.example"), c],
      [unknown(), unknown(), unknown()],
    ])
      expect(quorumLock(connections, "name").name).toBe("name");
  });
});

it("an environment without a URL and token is reported as it is, and not as a missing majority", async () => {
  const connections = [fromEnv({}), fromEnv({}), fromEnv({})];
  await expect(quorumLock(connections, "name").tryAcquire()).rejects.toThrow(/^fromEnv: .* has no URL and token/);
});

it("servers that refuse every connection are given up soon, whatever requestTimeout is", async () => {
  const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED", syscall: "connect" });
  const fetch = () => Promise.reject(new TypeError("fetch failed", { cause }));
  const connections = ["a", "b", "c"].map((host) => at(`https://${host}.example`, { fetch, requestTimeout: "40s" }));
  const start = performance.now();
  await expect(quorumLock(connections, "name").tryAcquire()).rejects.toMatchObject({ code: "no_quorum" });
  expect(performance.now() - start).toBeLessThan(5000);
});
