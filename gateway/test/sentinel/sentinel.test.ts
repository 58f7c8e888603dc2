import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort, type RedisServer } from "../../../tools/redis.ts";
import { type Sentinels, startSentinels } from "../../../tools/redis-sentinels.ts";
import { createGateway, type GatewayServer, type ServeOptions, serveGateway } from "../../src/index.ts";
import { type Answer, call, pause, TOKEN, until } from "../support/harness.ts";
import { startRawServer } from "../support/raw-server.ts";

const NOT_SENT = { status: 503, body: { error: "Redis is not reachable: nothing was sent" } };

let group: Sentinels;
const open: GatewayServer[] = [];

async function serve(redis: string, options: Partial<ServeOptions> = {}): Promise<GatewayServer> {
  const gateway = await serveGateway({ redis, token: TOKEN, port: 0, timeoutMs: 700, ...options });
  open.push(gateway);
  return gateway;
}

const run = (gateway: GatewayServer, ...command: unknown[]): Promise<Answer> => call(gateway.url, command);
const becomes = (gateway: GatewayServer, wanted: number, ...command: string[]): Promise<Answer> =>
  until(
    () => run(gateway, ...command),
    ({ status }) => status === wanted,
  );

async function portOf(gateway: GatewayServer): Promise<number> {
  const { body } = await run(gateway, "CONFIG", "GET", "port");
  return Number((body as { result: string[] }).result[1]);
}

function primary(): RedisServer {
  const [first] = group.servers;
  if (first === undefined) throw new Error("no primary");
  return first;
}

/** How often the primary was asked for its role. */
async function roleChecks(): Promise<number> {
  const [, calls = "0"] = /cmdstat_role:calls=(\d+)/.exec(await primary().command("INFO", "commandstats")) ?? [];
  return Number(calls);
}

beforeAll(async () => {
  group = await startSentinels();
});
afterAll(() => group?.stop());
afterEach(async () => {
  await Promise.all(open.splice(0).map((gateway) => gateway.close()));
});

describe("behind Sentinels", () => {
  it("commands go to the primary, and to the database of the URL", async () => {
    const gateway = await serve(`${group.url}/3`);
    expect((await run(gateway, "SET", "in-3", "x")).body).toEqual({ result: "OK" });
    expect(await portOf(gateway)).toBe(primary().port);
    expect(await primary().commands(["SELECT", "3"], ["GET", "in-3"])).toContain("$1\r\nx\r\n");
    const waited = await call(`${gateway.url}/pipeline`, [
      ["SET", "in-3", "y"],
      ["WAIT", "1", "500"],
    ]);
    expect(waited.body).toEqual([{ result: "OK" }, { result: 1 }]);
  });

  it("the primary's role is checked for a new connection only, not for each reply", async () => {
    const gateway = await serve(group.url);
    const before = await roleChecks();
    expect(before).toBeGreaterThan(0);
    for (let i = 0; i < 5; i++) await run(gateway, "INCR", "often");
    expect(await roleChecks()).toBe(before);
  });

  it("a transaction that Redis discards is answered with its error, and the next one runs", async () => {
    const gateway = await serve(group.url);
    const transact = (...commands: unknown[][]): Promise<Answer> => call(`${gateway.url}/multi-exec`, commands);
    const discarded = { status: 400, body: { error: expect.stringMatching(/^EXECABORT /) } };
    expect(await transact(["SET", "t", "1"], ["NO-SUCH-COMMAND"])).toMatchObject(discarded);
    expect((await transact(["SET", "t", "2"], ["GET", "t"])).body).toEqual([{ result: "OK" }, { result: "2" }]);
  });

  it("one Sentinel is enough to start, one that is not there does no harm, and without any it is 503 at once", async () => {
    const [one] = group.sentinels;
    const dead = await freePort();
    const some = await serve(`redis+sentinel://127.0.0.1:${dead},127.0.0.1:${one?.port}/${group.name}`);
    expect((await run(some, "PING")).status).toBe(200);
    const none = await serve(`redis+sentinel://127.0.0.1:${dead}/${group.name}`);
    expect(await run(none, "INCR", "n")).toMatchObject(NOT_SENT);
    expect(await call(`${none.url}/multi-exec`, [["INCR", "n"]])).toMatchObject(NOT_SENT);
    const unknown = await serve(group.url.replace(group.name, "another-name"));
    expect(await run(unknown, "INCR", "n")).toMatchObject(NOT_SENT);
  });

  it("it continues while all Sentinels are down, and finds them when they are back", async () => {
    const gateway = await serve(group.url);
    await Promise.all(group.sentinels.map((sentinel) => sentinel.kill()));
    await pause(300);
    expect((await run(gateway, "INCR", "alone")).body).toEqual({ result: 1 });
    const early = await serve(group.url);
    expect(await run(early, "INCR", "alone")).toMatchObject(NOT_SENT);
    await Promise.all(group.sentinels.map((sentinel) => sentinel.start()));
    await becomes(early, 200, "PING");
    expect((await run(early, "INCR", "alone")).body).toEqual({ result: 2 });
  });

  it("the Sentinels that are not in the URL are asked as well", async () => {
    const [first] = group.sentinels;
    const gateway = await serve(`redis+sentinel://127.0.0.1:${first?.port}/${group.name}`);
    // Each Sentinel has the gateway among its clients: the gateway learned of it from another.
    for (const sentinel of group.sentinels) {
      const clients = (): Promise<string> => sentinel.command("CLIENT", "LIST");
      await until(clients, (text) => /cmd=sentinel\|sentinels/.test(text));
    }
    expect((await run(gateway, "PING")).status).toBe(200);
  });
});

/** What a raw Sentinel answers. */
interface Answers {
  /** The primary's port; `undefined` for an unknown name. */
  port: number | undefined;
  epoch: number;
  /** The ports of the other Sentinels. */
  others?: readonly number[];
}

async function startRawSentinel(answers: Answers) {
  const array = (items: readonly string[]): string => `*${items.length}\r\n${items.join("")}`;
  const list = (...texts: string[]): string => array(texts.map((text) => `$${text.length}\r\n${text}\r\n`));
  const server = await startRawServer();
  let polls = 0;
  server.answer("sentinel", ([, question]) => {
    if (question === "MASTER") return list("config-epoch", String(answers.epoch));
    if (question === "SENTINELS")
      return array((answers.others ?? []).map((port) => list("ip", "127.0.0.1", "port", String(port))));
    polls++;
    return answers.port === undefined ? "*-1\r\n" : list("127.0.0.1", String(answers.port));
  });
  return {
    port: Number(new URL(server.url).port),
    get polls() {
      return polls;
    },
    url: `${server.url.replace("redis:", "redis+sentinel:")}/${group.name}`,
    /** Resolves once the gateway has handled an answer to a later poll. */
    async polled(): Promise<void> {
      const before = polls;
      await until(
        async () => polls,
        (now) => now > before + 1,
      );
    },
    close: server.close,
  };
}

describe("answers of a Sentinel", () => {
  it("without a primary change nothing, even in a later epoch", async () => {
    const answers: Answers = { port: primary().port, epoch: 1 };
    const sentinel = await startRawSentinel(answers);
    try {
      const gateway = await serve(sentinel.url);
      const { text: connection } = await run(gateway, "CLIENT", "ID");
      Object.assign(answers, { port: undefined, epoch: 2 });
      await sentinel.polled();
      expect(await run(gateway, "CLIENT", "ID")).toMatchObject({ status: 200, text: connection });
    } finally {
      await sentinel.close();
    }
  });
});

describe("Sentinels that are known from another", () => {
  it("are dropped with that one", async () => {
    const answers: Answers = { port: primary().port, epoch: 1 };
    const third = await startRawSentinel(answers);
    const second = await startRawSentinel({ ...answers, others: [third.port] });
    const first = await startRawSentinel({ ...answers, others: [second.port] });
    try {
      await serve(first.url);
      await third.polled();
      await second.close();
      const pollsMeanwhile = async (): Promise<number> => {
        const before = third.polls;
        await first.polled();
        return third.polls - before;
      };
      await until(pollsMeanwhile, (polls) => polls === 0);
    } finally {
      await Promise.all([first, second, third].map((sentinel) => sentinel.close()));
    }
  });
});

describe("logins", () => {
  it("at the Sentinels and at Redis are two", async () => {
    const users = {
      redis: ["an-app", ">p:w@1", "~*", "&*", "+@all"],
      sentinel: ["asker", ">s/w#2", "+sentinel|get-master-addr-by-name", "+acl"],
    };
    const setUser = (server: RedisServer, user: readonly string[]) => server.command("ACL", "SETUSER", ...user, "on");
    for (const server of group.servers) await setUser(server, users.redis);
    for (const sentinel of group.sentinels) {
      expect(await setUser(sentinel, users.sentinel)).toBe("+OK\r\n");
      expect(await sentinel.command("ACL", "SETUSER", "default", "resetpass", "off")).toBe("+OK\r\n");
    }
    try {
      const redis = group.url.replace("://", "://an-app:p%3Aw%401@");
      const server = { sentinelUsername: "asker", sentinelPassword: "s/w#2" };
      const gateway = await serve(redis, server);
      expect((await run(gateway, "ACL", "WHOAMI")).body).toEqual({ result: "an-app" });
      const without = await serve(redis);
      expect(await run(without, "PING")).toMatchObject(NOT_SENT);
      const wrong = await serve(redis, { ...server, sentinelPassword: "no" });
      expect(await run(wrong, "PING")).toMatchObject(NOT_SENT);
    } finally {
      const login = ["AUTH", "asker", "s/w#2"];
      const open = ["ACL", "SETUSER", "default", "on", "nopass"];
      for (const sentinel of group.sentinels) await sentinel.commands(login, open);
    }
  });

  it.each([
    "redis+sentinel://h",
    "redis+sentinel://h/",
    "redis+sentinel://h:1,/name",
    "redis+sentinel://h/name/x",
    "redis+sentinel://h/name/0/1",
    "redis+sentinel://h,u:p@g/name",
    "redis+sentinel://h/name?sentinelPassword=hunter3",
    "redis+sentinel:///name",
  ])("are not repeated when the URL is refused, as %j is", (redis) => {
    const text = redis.replace("://", "://user:hunter2@");
    expect(() => createGateway({ redis: text, token: TOKEN })).toThrow(TypeError);
    expect(() => createGateway({ redis: text, token: TOKEN })).not.toThrow(/hunter/);
  });

  it.each([
    ["redis://h", { sentinelPassword: "hunter2" }],
    ["redis+cluster://h", { sentinelTls: true }],
    ["redis+sentinel://h/name", { sentinelTls: true }],
    ["redis+sentinel://h/name", { tls: {} }],
    ["redis+sentinel://:p@h/name", { password: "hunter2" }],
  ])("and options that do not belong to %s are refused: %j", (redis, options) => {
    expect(() => createGateway({ redis, ...options, token: TOKEN })).toThrow(TypeError);
    expect(() => createGateway({ redis, ...options, token: TOKEN })).not.toThrow(/hunter/);
  });

  it.each(["redis+sentinel://h/name", "REDISS+SENTINEL://u:p@[::1]:7,h/a%20name/15"])("a URL may be %j", (redis) => {
    createGateway({ redis, token: TOKEN }).close();
  });
});

describe("a replica's error", () => {
  it("from a script that invents it does not end the connection that others share", async () => {
    const gateway = await serve(group.url);
    const before = (await run(gateway, "CLIENT", "ID")).text;
    for (let i = 0; i < 5; i++) {
      const answer = await run(gateway, "EVAL", "return redis.error_reply('READONLY so they say')", "0");
      expect(answer.body).toEqual({ error: "READONLY so they say" });
      await pause(20);
    }
    expect((await run(gateway, "CLIENT", "ID")).text).toBe(before);
  });

  it("to many requests at once does not check the server for each of them", async () => {
    const gateway = await serve(group.url, { timeoutMs: 5_000 });
    const before = await roleChecks();
    // Redis answers all requests of this time together.
    await primary().command("CLIENT", "PAUSE", "300", "WRITE");
    const requests = Array.from({ length: 20 }, () =>
      run(gateway, "EVAL", "return redis.error_reply('READONLY so they say')", "0"),
    );
    for (const { body } of await Promise.all(requests)) expect(body).toEqual({ error: "READONLY so they say" });
    const checks = (await roleChecks()) - before;
    expect(checks).toBeGreaterThan(0);
    // A request that was late has a check of its own.
    expect(checks).toBeLessThan(requests.length);
  });

  // The last ones: the Sentinels may make something else of the primary afterwards.
  it.each<[string, (gateway: GatewayServer) => Promise<Answer>, RegExp]>([
    ["a write", (gateway) => run(gateway, "SET", "k", "v"), /READONLY|not reachable/],
    ["a transaction", (gateway) => call(`${gateway.url}/multi-exec`, [["SET", "k", "v"]]), /EXECABORT|not reachable/],
  ])("to %s comes from a demoted primary: it gets no commands until it is promoted", async (_, write, error) => {
    const gateway = await serve(group.url);
    const answers = (status: number): Promise<Answer> =>
      until(
        () => write(gateway),
        (answer) => answer.status === status,
      );
    const replicaPort = String(group.servers[1]?.port);
    // Without the Sentinels, only the answer shows it.
    for (const sentinel of group.sentinels) sentinel.freeze();
    try {
      await primary().command("REPLICAOF", "127.0.0.1", replicaPort);
      expect((await write(gateway)).text).toMatch(error);
      // No other command is sent meanwhile.
      expect(await answers(503)).toMatchObject(NOT_SENT);
      await pause(300);
      expect((await run(gateway, "GET", "k")).status).toBe(503);
      await primary().command("REPLICAOF", "NO", "ONE");
      await answers(200);
    } finally {
      await primary().command("REPLICAOF", "NO", "ONE");
      for (const sentinel of group.sentinels) sentinel.thaw();
    }
  });
});
