import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort, type RedisServer, startRedis } from "../../../tools/redis.ts";
import { readConfig } from "../../src/cli/config.ts";
import { createGateway, type GatewayOptions, serveGateway } from "../../src/index.ts";
import { call, TOKEN, until } from "../support/harness.ts";
import { start, urlIn } from "../support/process.ts";

const folder = mkdtempSync(join(tmpdir(), "leasehold-first-use-"));
const PASSWORD = "p@ss/w:rd#1%?,x";
let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
  await redis.command("CONFIG", "SET", "requirepass", PASSWORD);
});
afterAll(async () => {
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
});

let files = 0;
function file(content: unknown): string {
  const path = join(folder, String(files++));
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}
const refusal = (options: Partial<GatewayOptions>): string => {
  try {
    createGateway({ redis: "redis://h", token: TOKEN, ...options }).close();
  } catch (error) {
    return error instanceof TypeError ? error.message : `no TypeError: ${error}`;
  }
  return "taken";
};
const mistake = (content: object, flags: Record<string, string> = {}): string => {
  try {
    readConfig({ config: file(content), ...flags }, {});
  } catch (error) {
    return error instanceof Error ? error.message : "no error";
  }
  return "taken";
};

describe("a password in a URL", () => {
  it("with characters of URLs is refused with what to write instead, and not repeated", () => {
    for (const url of [
      "redis://:p@ss@h",
      "redis://:p/hunter2@h",
      "redis://:hunter2#@h",
      "redis://:hunter2?@h",
      "redis://:hunter2%@h",
      "redis+sentinel://:p@hunter2@h/name",
    ]) {
      const message = refusal({ redis: url });
      expect(message).toMatch(
        /@ : \/ \? # and % .* as %40 %3A %2F %3F %23 and %25; .*--redis-username, --redis-password/,
      );
      expect(message).not.toMatch(/hunter2|p@ss/);
    }
  });

  it("is taken as it says, and so is one that is given apart", async () => {
    const { host } = new URL(redis.url);
    const written = PASSWORD.replace(/[@:/?#%]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`);
    for (const options of [{ redis: `redis://:${written}@${host}` }, { redis: redis.url, password: PASSWORD }]) {
      const gateway = await serveGateway({ ...options, token: TOKEN, port: 0 });
      expect((await call(gateway.url, ["PING"])).body).toEqual({ result: "PONG" });
      await gateway.close();
    }
  });
});

describe("a message says which flag, variable or line is meant", () => {
  it("when there is no token", async () => {
    const { code, err } = await start([]).ended;
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(
        /a token is required: --token \(LEASEHOLD_TOKEN, token in the config file\), or --token-file/,
      ),
    ]);
    const listed = { databases: [{ name: "shop", redis: "redis://h" }] };
    expect((await start(["--config", file(listed)]).ended).err).toMatch(
      /database shop: a token is required in its entry: token, tokenFile or tokenSha256/,
    );
  });

  it("when certificates are given for a URL without TLS", async () => {
    const flags = ["--redis-servername", "n", "--redis", "redis://h", "--token", "t"];
    const { code, err } = await start([...flags]).ended;
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(
        /tls needs a rediss:\/\/ URL: --redis-servername \(LEASEHOLD_REDIS_SERVERNAME, redisServername in the config file\)/,
      ),
    ]);
    expect(refusal({ tls: { cert: "c", key: "k" } })).toMatch(/--redis-cert-file \(.*\) and --redis-key-file \(/);
    expect(refusal({ redis: "rediss://h", tls: { cert: "c" } })).toMatch(/--redis-cert-file, --redis-key-file/);
  });

  it("when a login is for Sentinels, is given twice, or is for those who look after the gateway", async () => {
    expect(refusal({ sentinelPassword: "hunter2" })).toMatch(/--sentinel-password.* needs a redis\+sentinel:\/\/ URL/);
    expect(refusal({ redis: "redis+sentinel://h/n", sentinelTls: true })).toMatch(/^.*--sentinel-tls .*rediss\+sent/);
    expect(refusal({ redis: "redis://:x@h", password: "hunter2" })).toMatch(/--redis-password-file\), not both/);
    const serving = serveGateway({ redis: "redis://h", token: TOKEN, port: 0, adminToken: "é" });
    await expect(serving).rejects.toThrow(/^adminToken must be ASCII/);
  });

  it("when two databases have one token or one name", () => {
    const of = (name: string, more: object) => ({ name, redis: "redis://h", token: name, ...more });
    const both = (...databases: ReturnType<typeof of>[]): string => {
      try {
        createGateway({ databases }).close();
      } catch (error) {
        return String(error);
      }
      return "taken";
    };
    expect(both(of("a", {}), of("b", { token: "a" }))).toContain("two databases have the same token: a and b");
    expect(both(of("a", {}), of("a", { token: "c" }))).toContain("two databases have the same name: a");
    expect(both(of("a", { readOnlyToken: "a" }))).toContain("database a: the same token is given as full and as");
  });
});

describe("a key of the config file that nobody knows", () => {
  it.each([
    [{ tokn: "t" }, "(key 1) is not a setting: is token meant?"],
    [{ token: "t", "max-in-flight": 1 }, "(key 2) is not a setting: is maxInFlight meant?"],
    [{ LEASEHOLD_PORT: 1 }, "(key 1) is not a setting: is port meant?"],
    [{ redisUrl: "redis://h" }, "(key 1) is not a setting: is redis meant?"],
    [{ password: "hunter2" }, "(key 1) is not a setting: is redisPassword meant?"],
    [{ timeout: 1 }, "(key 1) is not a setting: is timeoutMs meant?"],
    [{ database: [] }, "(key 1) is not a setting: is databases meant?"],
    [
      { databases: [{ name: "a", redis: "redis://h", tokens: ["hunter2"] }] },
      "databases[0].(key 3) is not a setting: is token",
    ],
    [{ hunter2: { srh_id: "x" } }, "(key 1) is not a setting"],
    [{ "5up3r-s3cr3t-hunter2": {} }, "(key 1) is not a setting"],
  ])("%j", (content, message) => {
    expect(mistake(content)).toContain(`the config file: ${message}`);
    expect(mistake(content)).not.toMatch(/hunter2|tokn|max-in/);
  });
});

describe("what does not answer", () => {
  it("is named by /ready", async () => {
    const gone = `redis://127.0.0.1:${await freePort()}`;
    const shop = { name: "shop", redis: redis.url, password: PASSWORD, token: "1" };
    const databases = [shop, { name: "stats", redis: gone, token: "2" }, { name: "more", redis: gone, token: "3" }];
    const gateway = await serveGateway({ databases, port: 0 });
    const ready = await fetch(`${gateway.url}/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: "Redis does not answer", databases: ["stats", "more"] },
    ]);
    gateway.reload({ databases: [shop] });
    const now = await fetch(`${gateway.url}/ready`);
    expect([now.status, await now.json()]).toEqual([200, { status: "ready" }]);
    await gateway.close();
  });
});

describe("a file with a password", () => {
  it("is read again on SIGHUP, and the log says whose connections are new", async () => {
    const own = await startRedis();
    await own.command("CONFIG", "SET", "requirepass", "first");
    const secret = file("first\n");
    const { child, firstLine, ended } = start(["--redis", own.url, "--redis-password-file", secret, "--port", "0"], {
      LEASEHOLD_TOKEN: TOKEN,
    });
    let err = "";
    child.stderr?.on("data", (chunk) => (err += chunk));
    const url = urlIn(await firstLine);
    const ping = () => call(url, ["PING"]);
    expect((await ping()).status).toBe(200);
    await own.commands(
      ["AUTH", "first"],
      ["CONFIG", "SET", "requirepass", "second"],
      ["CLIENT", "KILL", "TYPE", "normal"],
    );
    await until(ping, ({ status }) => status === 503);
    writeFileSync(secret, "\n");
    child.kill("SIGHUP");
    await until(
      async () => err,
      (text) => text.includes("--redis-password-file has no password in it"),
    );
    writeFileSync(secret, "second\n");
    child.kill("SIGHUP");
    await until(ping, ({ status }) => status === 200);
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
    expect(err).toMatch(/"database":"default"[^\n]*"opens new connections"/);
    expect(err).not.toMatch(/first|second/);
    await own.stop();
  });

  it("with nothing in it is no login without a password; the help says that it is read again", async () => {
    const flags = { token: ["t"], "redis-password-file": file("") };
    expect(() => readConfig(flags, {})).toThrow(/^--redis-password-file has no password in it$/);
    expect(() => readConfig({ config: file({ sentinelPasswordFile: file("\n") }) }, {})).toThrow(
      /sentinelPasswordFile has no password in it$/,
    );
    const { out } = await start(["--help"]).ended;
    expect(out).toMatch(/SIGHUP reloads .* tokens, passwords and certificates/);
    expect(out).toMatch(/--redis-password-file <file> +a file with the password, reloaded on SIGHUP/);
    expect(out).toMatch(/In user names and passwords, write @ : \/ \? # and %\s+as %40 %3A %2F %3F %23 and %25/);
  });
});
