import { describe, expect, it } from "vitest";
import { connect, lock } from "../../../src/index.ts";
import { createGateway, serveGateway } from "../../src/index.ts";
import { call, TOKEN, until } from "../support/client.ts";
import { listen } from "../support/listen.ts";

const ask = async (gateway: ReturnType<typeof createGateway>, ...command: string[]): Promise<unknown> => {
  const init = { method: "POST", body: JSON.stringify(command), headers: { authorization: `Bearer ${TOKEN}` } };
  return (await gateway.fetch("http://gateway", init)).json();
};

describe("a gateway over memory in one's own process", () => {
  it("answers without a port", async () => {
    const gateway = createGateway({ memory: true, token: TOKEN });
    await gateway.opened;
    expect(await gateway.isReady()).toBe(true);
    const redis = connect({ url: "http://gateway", token: TOKEN, fetch: gateway.fetch });
    expect(await lock(redis, "nightly").run({ lease: "5s" }, async ({ token }) => token > 0)).toBe(true);
    gateway.close();
    expect(await ask(gateway, "PING")).toMatchObject({
      error: expect.stringMatching(/not reachable|nothing was sent/),
    });
  });

  it("begins empty, and shares nothing with another one", async () => {
    const [one, other] = [0, 1].map(() => createGateway({ memory: true, token: TOKEN }));
    if (!one || !other) throw new Error("two gateways");
    await Promise.all([one.opened, other.opened]);
    expect(await ask(one, "SET", "a", "1")).toEqual({ result: "OK" });
    expect([await ask(one, "GET", "a"), await ask(other, "GET", "a")]).toEqual([{ result: "1" }, { result: null }]);
    // The same database after a reload, and another one by another name.
    one.reload({ memory: true, token: [TOKEN, "new"] });
    expect(await ask(one, "GET", "a")).toEqual({ result: "1" });
    one.reload({ name: "fresh", memory: true, token: TOKEN });
    await expect.poll(() => ask(one, "GET", "a")).toEqual({ result: null });
    one.close();
    other.close();
  });

  it("runs nothing of a read-only token's script for one that may write, or for another database (B1)", async () => {
    const database = (name: string) => ({
      name,
      memory: true,
      token: `${name}-${TOKEN}`,
      readOnlyToken: `${name}-reads`,
    });
    const gateway = createGateway({ databases: [database("one"), database("two")] });
    await gateway.opened;
    const run = async (token: string, ...command: string[]): Promise<unknown> => {
      const init = { method: "POST", body: JSON.stringify(command), headers: { authorization: `Bearer ${token}` } };
      return (await gateway.fetch("http://gateway", init)).json();
    };
    const look = (token: string): Promise<unknown> =>
      run(
        token,
        "EVAL",
        "local text = ARGV[1] return { text:upper(), tostring(text.left), text .. '', tostring({}), redis.call('GET', KEYS[1]) }",
        ...["1", "key", "secret"],
      );
    const untouched = { result: ["SECRET", "nil", "secret", "table: 0x000000000001", null] };
    const code = "function() redis.call('SET', KEYS[1], ARGV[1]) return 'left' end";
    const changes = ["__index", "__concat", "__metatable", "__tostring"].map(
      (name) => `pcall(function() getmetatable('').${name} = ${code} end)`,
    );
    const attack = `${changes.join(" ")} tostring({}) pcall(function() string.upper = ${code} end) return 'done'`;
    expect(await run("one-reads", "EVAL_RO", attack, "1", "key", "attack")).toEqual({ result: "done" });
    for (const name of ["one", "two"]) expect(await look(`${name}-${TOKEN}`)).toEqual(untouched);
    gateway.close();
  });

  it("listens on a port, too", async () => {
    const server = await serveGateway({ memory: true, token: TOKEN, port: 0 });
    expect((await call(server.url, ["PING"])).body).toEqual({ result: "PONG" });
    await server.close();
  });

  it("keeps streams alive until it closes", async () => {
    const server = await serveGateway({ memory: true, token: TOKEN, port: 0, streamKeepAliveMs: 30 });
    const heard = await listen(`${server.url}/psubscribe/a*`);
    await until(
      async () => heard.comments,
      (count) => count >= 3,
    );
    await call(server.url, ["PUBLISH", "ab", "hello"]);
    expect(await heard.first(2)).toEqual(["psubscribe,a*,1", "pmessage,a*,ab,hello"]);
    expect(heard.end).toBeUndefined();
    await server.close();
    expect(await heard.ended()).toBe("done");
  });

  it("is refused beside a server, and when it is neither", () => {
    const create = (options: object) => () => createGateway({ token: TOKEN, ...options }).close();
    expect(create({ memory: true, redis: "redis://h" })).toThrow(/^--memory .* excludes --redis /);
    expect(create({ memory: true, tls: { cert: "c", key: "k" } })).toThrow(/excludes --redis-cert-file .*--redis-key/);
    expect(create({ memory: "yes" })).toThrow(/^memory must be true or false$/);
    expect(create({ memory: false })).toThrow(/^redis must be a URL$/);
    expect(create({})).toThrow(/^redis must be a URL$/);
  });
});
