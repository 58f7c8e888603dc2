import { describe, expect, it } from "vitest";
import { parseServers } from "../../src/redis/url.ts";

describe("the URL of Redis", () => {
  it.each<[url: string, servers: object]>([
    ["redis://h", { kind: "server", server: { host: "h", port: 6379, db: 0 } }],
    ["redis://h:7/3", { kind: "server", server: { host: "h", port: 7, db: 3 } }],
    ["redis://user:p%40ss@h", { kind: "server", server: { host: "h", username: "user", password: "p@ss" } }],
    ["redis://[::1]:7", { kind: "server", server: { host: "::1", port: 7 } }],
    [
      "redis+cluster://a,b:7",
      {
        kind: "cluster",
        seeds: [
          { host: "a", port: 6379 },
          { host: "b", port: 7 },
        ],
      },
    ],
    [
      "redis+sentinel://a,b:7/main/3",
      {
        kind: "sentinel",
        name: "main",
        sentinels: [
          { host: "a", port: 26_379, db: 0 },
          { host: "b", port: 7, db: 0 },
        ],
        access: { db: 3 },
      },
    ],
    ["redis+sentinel://a/main", { kind: "sentinel", name: "main", access: { db: 0 } }],
  ])("%s", (url, servers) => {
    expect(parseServers(url)).toMatchObject(servers);
  });

  it.each<[url: string, message: string]>([
    ["nonsense", "redis must be a URL like redis://"],
    ["http://h", "redis must be a URL like redis://"],
    ["redis://h/x", "the path ends with a database number"],
    ["redis+cluster://h/1", "a cluster has database 0 only"],
    ["redis+sentinel://h", "the path of a Sentinel URL is the name of the primary"],
    ["redis+sentinel://h/", "the path of a Sentinel URL is the name of the primary"],
    ["redis+sentinel://h/main/0/x", "the path of a Sentinel URL is the name of the primary"],
    ["redis+sentinel://h/main/x", "the path ends with a database number"],
  ])("%s is refused", (url, message) => {
    expect(() => parseServers(url)).toThrow(TypeError);
    expect(() => parseServers(url)).toThrow(message);
  });

  it.each(["redis://:7", "redis://h:65536", "redis+cluster://a,", "redis+sentinel://a,b:65536/main"])(
    "%s has no host and port",
    (url) => {
      expect(() => parseServers("redis://h:65535")).not.toThrow();
      expect(() => parseServers(url)).toThrow(TypeError);
    },
  );

  it("TLS options are refused without TLS, by their names if there are any", () => {
    expect(() => parseServers("redis://h", { tls: {} })).toThrow(/^tls needs a rediss:\/\/ URL$/);
    expect(() => parseServers("redis://h", { tls: { servername: "s" } })).toThrow(/: \S+ .*is for such a URL only$/);
  });

  it("troubles with each server are reported, and those with each Sentinel", () => {
    const onTrouble = (): void => {};
    expect(parseServers("redis://h", {}, onTrouble)).toMatchObject({ server: { onTrouble } });
    expect(parseServers("redis+cluster://a", {}, onTrouble)).toMatchObject({ seeds: [{ onTrouble }] });
    const both = { sentinels: [{ onTrouble }], access: { onTrouble } };
    expect(parseServers("redis+sentinel://h/main", {}, onTrouble)).toMatchObject(both);
  });

  it("Sentinels have a login and TLS of their own", () => {
    const login = { sentinelUsername: "watcher", sentinelPassword: "secret" };
    expect(parseServers("redis+sentinel://u:p@h/main", login)).toMatchObject({
      sentinels: [{ username: "watcher", password: "secret" }],
      access: { username: "u", password: "p" },
    });
    expect(() => parseServers("redis+sentinel://h/main", { sentinelTls: true })).toThrow(
      "need a rediss+sentinel:// URL",
    );
    expect(() => parseServers("redis://h", login)).toThrow("needs a redis+sentinel:// URL");
    expect(() => parseServers("redis://h", { sentinelTls: false })).toThrow("needs a redis+sentinel:// URL");
    const hasTls = (options: object): boolean => {
      const servers = parseServers("rediss+sentinel://h/main", options);
      return servers.kind === "sentinel" && servers.sentinels[0].tls !== undefined;
    };
    expect([hasTls({}), hasTls({ sentinelTls: true }), hasTls({ sentinelTls: false })]).toEqual([true, true, false]);
  });
});
