import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createLocks, type Dialect } from "../../../src/index.ts";
import { buildAll, FLAG_LINE } from "../../../tools/lua-scripts.ts";
import { labelOf } from "../../src/redis/commands.ts";
import { stage, TOKEN } from "../support/harness.ts";

const it_ = stage();

/** What of the metrics was counted meanwhile, histograms and the gateway's prefix left out. */
async function counted(run: () => Promise<unknown>): Promise<Record<string, number>> {
  const read = async (): Promise<[name: string, value: number][]> => {
    const text = await (await fetch(`${it_.gateway.url}/metrics`)).text();
    return text
      .split("\n")
      .filter((line) => /_total\{/.test(line) && !line.includes("_gateway_token_"))
      .map((line) => line.replace("leasehold_gateway_", "").split(/ (?=\d+$)/))
      .map(([name = "", value]) => [name, Number(value)]);
  };
  const before = new Map(await read());
  await run();
  const gained = (await read()).map(([name, value]) => [name, value - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(gained.filter(([, value]) => value !== 0));
}

describe("a script of leasehold", () => {
  it.each<Dialect>(["plain", "flagged"])("has its name, and a cold one is no error: %s", async (dialect) => {
    await it_.redis.command("SCRIPT", "FLUSH");
    const lock = createLocks({ url: it_.gateway.url, token: TOKEN, dialect }).lock(`a ${dialect}`);
    const twice = async (): Promise<void> => {
      for (let round = 0; round < 2; round++) await (await lock.acquire()).release();
    };
    expect(await counted(twice)).toEqual({
      'commands_total{database="default",command="evalsha lock-acquire"}': 2,
      'commands_total{database="default",command="eval lock-acquire"}': 1,
      'commands_total{database="default",command="evalsha lock-close"}': 2,
      'commands_total{database="default",command="eval lock-close"}': 1,
      'script_misses_total{database="default"}': 2,
      'requests_total{route="command",status="200"}': 4,
      'requests_total{route="command",status="noscript"}': 2,
    });
  });

  it("is known by each SHA-1 and each text that may reach Redis", () => {
    for (const { name, lua, sha } of buildAll()) {
      const upper = sha[0].toUpperCase();
      for (const known of [...sha, upper, Buffer.from(sha[1])])
        expect(labelOf(["EVALSHA", known, "1", "key"])).toBe(`evalsha ${name}`);
      expect(labelOf(["eval", lua, "1", "key"])).toBe(`eval ${name}`);
      expect(labelOf(["EVAL_RO", Buffer.from(`\n${lua}`), "1", "key"])).toBe(`eval_ro ${name}`);
    }
  });
});

describe("a script that is not leasehold's", () => {
  it("has no name, and a cold one in any form is no error either", async () => {
    const text = "return 'of somebody else'";
    const sha = createHash("sha1").update(text).digest("hex");
    const made = [[sha], [text], [`${FLAG_LINE}${text}`], ["lock-acquire"], ["constructor"], []];
    for (const args of made) expect(labelOf(["EVALSHA", ...args])).toBe("evalsha");
    expect(labelOf(["EVAL", " ".repeat(3000), "0"])).toBe("eval");
    expect(labelOf(["SCRIPT", "LOAD", text])).toBe("script");

    const headers = { authorization: `Bearer ${TOKEN}`, "upstash-response-format": "resp2" };
    const init = { method: "POST", headers, body: JSON.stringify(["EVALSHA", sha, "0"]) };
    const cold = async (): Promise<void> => {
      expect((await it_.run("EVALSHA", sha, "0")).status).toBe(400);
      expect((await fetch(it_.gateway.url, init)).status).toBe(400);
      expect((await it_.post("/pipeline", [["EVALSHA", sha, "0"]])).status).toBe(200);
      expect((await it_.post("/multi-exec", [["EVALSHA", sha, "0"]])).status).toBe(200);
    };
    expect(await counted(cold)).toEqual({
      'commands_total{database="default",command="evalsha"}': 4,
      'script_misses_total{database="default"}': 4,
      'requests_total{route="command",status="noscript"}': 2,
      'requests_total{route="pipeline",status="200"}': 1,
      'requests_total{route="transaction",status="200"}': 1,
    });

    // What a script says of its own is one.
    expect(await counted(() => it_.run("EVAL", "return redis.error_reply('WRONGTYPE NOSCRIPT')", "0"))).toMatchObject({
      'redis_errors_total{database="default",code="WRONGTYPE"}': 1,
      'errors_total{kind="refused"}': 1,
    });
  });
});
