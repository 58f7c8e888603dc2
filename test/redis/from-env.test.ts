import { afterEach, describe, expect, it } from "vitest";
import {
  connect,
  createLocks,
  fairLock,
  fromEnv,
  type LeaseholdEvent,
  type Lock,
  lock,
  multiLock,
  once,
  quorumLock,
  semaphore,
} from "../../src/index.ts";
import { sha } from "../../src/redis/scripts/lock-acquire.gen.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
const NAMES = ["UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN", "KV_REST_API_URL", "KV_REST_API_TOKEN"] as const;
const before = NAMES.map((name) => [name, process.env[name]] as const);
afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

const away = "http://127.0.0.1:1";
const environment = () => ({
  both: { ...upstash(), KV_REST_API_URL: away, KV_REST_API_TOKEN: "x" },
  upstash: upstash(),
  kv: { KV_REST_API_URL: stack.url, KV_REST_API_TOKEN: stack.token },
  "half of Upstash's": { UPSTASH_REDIS_REST_URL: away, KV_REST_API_URL: stack.url, KV_REST_API_TOKEN: stack.token },
  "an empty one of Upstash's": {
    UPSTASH_REDIS_REST_URL: away,
    UPSTASH_REDIS_REST_TOKEN: "",
    KV_REST_API_URL: stack.url,
    KV_REST_API_TOKEN: stack.token,
  },
});
const upstash = () => ({ UPSTASH_REDIS_REST_URL: stack.url, UPSTASH_REDIS_REST_TOKEN: stack.token });

describe("fromEnv", () => {
  it.each(["both", "upstash", "kv", "half of Upstash's", "an empty one of Upstash's"] as const)(
    "finds the server: %s",
    async (which) => {
      const env = environment()[which];
      await lock(fromEnv(env), freshName()).run({ wait: 0 }, () => {});
      // As Deno.env is read.
      await lock(fromEnv({ get: (name: string) => Reflect.get(env, name) }), freshName()).run({ wait: 0 }, () => {});
      Object.assign(process.env, env);
      await lock(fromEnv(), freshName()).run({ wait: 0 }, () => {});
    },
  );

  it("reads nothing before the first request, whatever is made of it", async () => {
    for (const name of NAMES) delete process.env[name];
    const connection = fromEnv();
    const locks = createLocks(connection);
    // As at the top of a module that a build loads.
    const made: readonly Pick<Lock, "run">[] = [
      lock(connection, freshName()),
      fairLock(connection, freshName()),
      semaphore(connection, freshName(), { permits: 1 }),
      multiLock(connection, [freshName(), freshName()]) as never,
      locks.lock(freshName()),
    ];
    const error = expect.objectContaining({ name: "TypeError", message: expect.stringMatching(NAMES.join(".*")) });
    for (const one of made) await expect(one.run(() => "never")).rejects.toEqual(error);
    await expect(once(connection, freshName()).begin()).rejects.toEqual(error);
    const majority = quorumLock([connection, fromEnv({}), fromEnv({})], freshName());
    await expect(majority.run(() => "never")).rejects.toEqual(error);
    await expect(majority.run({ onUnavailable: "run" }, () => "never")).rejects.toEqual(error);
    await expect(majority.inspect()).rejects.toEqual(error);
    // Not a matter of time, so that work does not run without a lease for ever.
    await expect(made[0]?.run({ onUnavailable: "run" }, () => "never")).rejects.toEqual(error);
    Object.assign(process.env, upstash());
    for (const one of made) expect(await one.run({ wait: 0 }, () => "ran")).toBe("ran");
  });

  it("refuses settings at once, and takes them", async () => {
    expect(() => fromEnv({}, { lease: "soon" as "1s" })).toThrow(TypeError);
    expect(() => fromEnv({}, { leases: "1s" } as never)).toThrow('fromEnv: no option "leases": did you mean "lease"?');
    const events: LeaseholdEvent[] = [];
    const settings = { prefix: "elsewhere:", lease: "7s", onEvent: (event: LeaseholdEvent) => events.push(event) };
    const name = freshName();
    await using lease = await lock(fromEnv(upstash(), settings as never), name).acquire();
    expect(lease.remaining).toBeLessThanOrEqual(7000);
    expect(events.map(({ type }) => type)).toEqual(["request", "ended", "acquired"]);
    expect(await connectTo("elsewhere:", name)).toBe("held");
    expect(await connectTo("leasehold:", name)).toBe("free");
  });

  const connectTo = async (prefix: string, name: string): Promise<string> =>
    (await lock(connect({ url: stack.url, token: stack.token, prefix }), name).inspect()).state;

  it("sends flagged scripts to Upstash, from the first request on", async () => {
    let sent: string[] = [];
    const env = { UPSTASH_REDIS_REST_URL: "https://some-name-1.upstash.io", UPSTASH_REDIS_REST_TOKEN: stack.token };
    const send: typeof fetch = (_, init) => {
      sent.push(`${init?.body}`);
      return fetch(stack.url, init);
    };
    const named = { url: env.UPSTASH_REDIS_REST_URL, token: stack.token, fetch: send as never };
    const name = freshName();
    const first: unknown[] = [];
    for (const connection of [connect(named), fromEnv(env, { fetch: send as never })]) {
      sent = [];
      await (await lock(connection, name).acquire()).release();
      first.push(JSON.parse(sent[0] ?? "[]")[1]);
    }
    const [, flagged] = sha;
    expect(first).toEqual([flagged, flagged]);
  });

  it("an environment that may not be read is named as the cause", async () => {
    const denied = new Proxy({}, { get: () => expect.fail("NotCapable") });
    await expect((async () => lock(fromEnv(denied), "x").tryAcquire())()).rejects.toThrow(
      "the environment may not be read: run Deno with --allow-env (UPSTASH_REDIS_REST_URL,",
    );
  });

  it("names only the variables that may not be read (B34)", async () => {
    /** An environment of which some variables may be read. */
    const partly = (given: Record<string, string | undefined>) =>
      new Proxy(
        { get: undefined, ...given },
        { get: (all: Record<string, unknown>, name: string) => (name in all ? all[name] : expect.fail("NotCapable")) },
      );
    const problem = (env: object) => (async () => lock(fromEnv(env), "x").tryAcquire())();
    const [url, token, otherUrl, otherToken] = NAMES;
    await expect(problem(partly({ [url]: undefined, [token]: undefined }))).rejects.toThrow(
      `the environment may not be read: run Deno with --allow-env (${otherUrl},${otherToken})`,
    );
    await expect(problem(partly({ [url]: "http://127.0.0.1:1" }))).rejects.toThrow(
      `--allow-env (${token},${otherUrl},${otherToken})`,
    );
    await expect(problem(partly({ [url]: "http://127.0.0.1:1", [token]: "" }))).rejects.toThrow(
      `${token} is missing, and ${url} is set: set both`,
    );
  });

  it("names the host that cannot be reached, and tells servers apart", async () => {
    const env = { UPSTASH_REDIS_REST_URL: `${away}/path`, UPSTASH_REDIS_REST_TOKEN: "x" };
    const connection = fromEnv(env);
    expect(connection.server).toBe("127.0.0.1:1/path");
    await expect(lock(connection, "x").tryAcquire()).rejects.toMatchObject({ code: "unreachable" });
    await expect(lock(connection, "x").tryAcquire()).rejects.toThrow("127.0.0.1:1 ");
    expect(() => quorumLock([connection, fromEnv(env)], "x")).toThrow("another server");
  });
});
