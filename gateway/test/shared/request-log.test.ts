import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks } from "../../../src/index.ts";
import { type GatewayServer, type ServeOptions, serveGateway } from "../../src/index.ts";
import { call, pause, stage, TOKEN, until } from "../support/harness.ts";
import { keepingLog } from "../support/log.ts";

const { log, lines } = keepingLog();
const it_ = stage({ log, slowRequestMs: 0 });
const PAUSE_MS = 500;

/** A gateway with a log of its own, whose lines of slow requests come without those of other tests. */
async function gatewayWith(options: Partial<ServeOptions>): Promise<GatewayServer> {
  lines.length = 0;
  return serveGateway({ redis: it_.redis.url, token: TOKEN, port: 0, log, ...options });
}
/** Redis answers nobody before a request has waited for long. */
async function whilePaused<T>(ask: () => Promise<T>): Promise<T> {
  it_.redis.freeze();
  const answer = ask();
  await pause(PAUSE_MS);
  it_.redis.thaw();
  return answer;
}
const slow = () => lines.filter(({ level, message }) => level === "warn" && message === "slow request");

describe("a slow request", () => {
  let gateway: GatewayServer;
  beforeAll(async () => {
    gateway = await gatewayWith({ slowRequestMs: 100 });
  });
  afterAll(() => gateway?.close());

  it("is logged with the name of its script and the number of its keys, and with no key and no argument", async () => {
    const secret = { label: "secret-label", reentryKey: "secret-owner" };
    const locksOver = (url: string) => createLocks({ url, token: TOKEN });
    // Known to Redis from here on.
    await (await locksOver(it_.gateway.url).lock("secret-first").acquire(secret)).release();
    lines.length = 0;
    const lease = await whilePaused(() => locksOver(gateway.url).lock("secret-name").acquire(secret));
    expect(slow().map(({ fields }) => fields)).toEqual([
      {
        ...{
          id: expect.any(String),
          route: "command",
          database: "default",
          token: "token-1",
          access: "full",
          status: 200,
        },
        ...{ command: "evalsha lock-acquire", keys: 1, args: expect.any(Number), overMs: 100 },
        ...{ ms: expect.any(Number), redisMs: expect.any(Number) },
      },
    ]);
    const [{ ms, redisMs } = {}] = slow().map(({ fields }) => fields as { ms: number; redisMs: number });
    expect(ms).toBeGreaterThanOrEqual(100);
    expect(redisMs).toBeLessThanOrEqual(ms ?? 0);
    await lease.release();
    expect(JSON.stringify(lines)).not.toContain("secret");
  });

  it("of several commands has their names and numbers", async () => {
    lines.length = 0;
    const scripts = Array.from({ length: 3 }, () => ["EVAL", "return 'secret-text'", "2", "secret-a", "secret-b", "x"]);
    const others = [
      ["SET", "secret-key", "secret-value"],
      ["no-such", "secret"],
    ];
    await whilePaused(() => call(`${gateway.url}/pipeline`, [...scripts, ...others]));
    expect(slow().map(({ fields }) => fields)).toEqual([
      expect.objectContaining({ command: "pipeline", commands: 5, names: ["eval", "set", "other"], keys: 6, args: 18 }),
    ]);
    expect(JSON.stringify(lines)).not.toContain("secret");
  });

  it("is logged once in an interval for each command, with a count of the others", async () => {
    const own = await gatewayWith({ slowRequestMs: 100 });
    const commands = [...Array.from({ length: 5 }, () => ["GET", "a"]), ["SET", "a", "1"]];
    await whilePaused(() => Promise.all(commands.map((command) => call(own.url, command))));
    expect(
      slow()
        .map(({ fields }) => fields["command"])
        .sort(),
    ).toEqual(["get", "set"]);
    await own.close();
    const alike = { database: "default", command: "get", overMs: 100 };
    expect(lines).toContainEqual({ level: "warn", message: "more such requests", fields: { ...alike, count: 4 } });
  });

  it("has nothing of a command that nothing was sent of", async () => {
    lines.length = 0;
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(Buffer.from('["SUBS'));
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        controller.enqueue(Buffer.from('CRIBE","secret"'));
        controller.close();
      },
    });
    const headers = { authorization: `Bearer ${TOKEN}` };
    const init = { method: "POST", headers, body, duplex: "half" };
    expect((await fetch(gateway.url, init as RequestInit)).status).toBe(400);
    const numbers = { id: expect.any(String), ms: expect.any(Number), overMs: 100 };
    const known = { route: "command", database: "default", token: "token-1", access: "full", status: 400 };
    expect(slow().map(({ fields }) => fields)).toEqual([{ ...numbers, ...known }]);
  });

  it.each([0, 60_000])("is not logged if it is none: %d ms", async (slowRequestMs) => {
    const patient = await gatewayWith({ slowRequestMs });
    expect((await whilePaused(() => call(patient.url, ["GET", "a"]))).status).toBe(200);
    await patient.close();
    expect(slow()).toEqual([]);
  });

  it.each([-1, 1.5, Number.NaN, 2 ** 31])("is no time of %d ms", async (slowRequestMs) => {
    await expect(gatewayWith({ slowRequestMs })).rejects.toThrow(RangeError);
  });
});

it("a request without an answer is logged with its command", async () => {
  const impatient = await gatewayWith({ timeoutMs: 50 });
  const command = ["EVAL", "return KEYS[1]", "1", "secret-key"];
  expect((await whilePaused(() => call(impatient.url, command))).status).toBe(504);
  await impatient.close();
  const found = lines.filter(({ message }) => message === "request").map(({ fields }) => fields);
  expect(found).toEqual([expect.objectContaining({ status: 504, command: "eval", keys: 1, args: 3 })]);
  expect(JSON.stringify(lines)).not.toContain("secret");
  await until(
    () => it_.run("PING"),
    ({ status }) => status === 200,
  );
});

describe("the caller's traceparent", () => {
  const of = async (traceparent: string): Promise<unknown> => {
    lines.length = 0;
    await call(it_.gateway.url, ["PING"], { headers: { traceparent } });
    return lines.at(-1)?.fields["traceparent"];
  };
  const [trace, span] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];

  it.each([`00-${trace}-${span}-01`, `01-${trace}-${span}-00`])("is in the log: %s", async (traceparent) => {
    expect(await of(traceparent)).toBe(traceparent);
  });

  it.each([
    "secret",
    `ff-${trace}-${span}-01`,
    `00-${"0".repeat(32)}-${span}-01`,
    `00-${trace}-${"0".repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace}-${span}-01-secret`,
  ])("is not, if it is not well-formed: %s", async (traceparent) => {
    expect(await of(traceparent)).toBeUndefined();
    expect(JSON.stringify(lines)).not.toContain("secret");
  });
});
