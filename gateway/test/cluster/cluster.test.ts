import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../../tools/redis.ts";
import { createGateway } from "../../src/index.ts";
import { repliesOf } from "../../src/redis/backend.ts";
import { slotOf } from "../../src/redis/cluster/slot.ts";
import { keyOf } from "../../src/redis/commands.ts";
import { createNodes } from "../../src/redis/nodes.ts";
import { A, B, C, clusterStage, NOT_SENT } from "../support/cluster.ts";
import { call, pause, TOKEN, until } from "../support/harness.ts";

const CROSSSLOT = "CROSSSLOT Keys in request don't hash to the same slot";

const it_ = clusterStage();
const { run, post, value, errors, serve } = it_;

describe("every command goes to the node of its slot", () => {
  it("in all 16384 slots, many at once and in order", async () => {
    const tags = new Map<number, string>();
    for (let i = 0; tags.size < 16_384; i++) tags.set(slotOf(String(i)), String(i));
    const before = await errors("MOVED");
    const all = [...tags.values()];
    for (let from = 0; from < all.length; from += 256) {
      const part = all.slice(from, from + 256);
      const commands = part.flatMap((tag) => [
        ["SET", `{${tag}}`, tag],
        ["GET", `{${tag}}`],
      ]);
      const { body } = await post("/pipeline", commands);
      expect(body).toEqual(part.flatMap((tag) => [{ result: "OK" }, { result: tag }]));
    }
    expect(await errors("MOVED")).toBe(before);
    const sizes = await Promise.all(it_.cluster.servers.slice(0, 3).map((server) => server.command("DBSIZE")));
    for (const size of sizes) expect(Number(size.slice(1))).toBeGreaterThan(5_000);
  });

  it("the slot of a key is the one that Redis finds, wherever its braces stand", async () => {
    for (const key of ["key", "{tag}key", "a{tag}b{c}", "{}{tag}", "a{}b", "a{b", "}{c}", "{{x}}", "é{ü}", ""])
      expect((await run("CLUSTER", "KEYSLOT", key)).body, key).toEqual({ result: slotOf(key) });
  });

  const first: [string[], string | undefined][] = [
    [["EVAL", "return 1", "1", B], B],
    [["EVALSHA_RO", "0".repeat(40), "2", B, `${B}2`, A], B],
    [["EVAL", "return 1", "0", B], undefined],
    [["EVAL", "return 1", "4294967296", B], B],
    [["FCALL", "f", "1", B], B],
    [["get", B], B],
    [["ZUNION", "1", B], B],
    [["LMPOP", "1", B, "LEFT"], B],
    [["XREAD", "COUNT", "1", "STREAMS", B, "0"], B],
    [["XREADGROUP", "GROUP", "g", "c", "streams", B, ">"], B],
    [["XINFO", "STREAM", B], B],
    [["OBJECT", "ENCODING", B], B],
    [["MEMORY", "USAGE", B], B],
    [["BITOP", "NOT", B, `${B}2`], B],
    [["PING", "text"], undefined],
    [["SCRIPT", "LOAD", "return 1"], undefined],
    [["PUBLISH", "channel", "text"], undefined],
    [["WAIT", "0", "0"], undefined],
    [["constructor"], undefined],
  ];
  it("the first key of a command is found, and Redis agrees", async () => {
    for (const [command, key] of first) {
      expect(keyOf(command as [string, ...string[]]), command.join(" ")).toBe(key);
      const before = await errors("MOVED");
      await run(...command);
      expect(await errors("MOVED"), command.join(" ")).toBe(before);
    }
  });

  it("and commands without a key to a primary, always the same while it is there", async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => run("CLUSTER", "MYID")));
    expect(new Set(ids.map(({ text }) => text)).size).toBe(1);
    expect((await run("ROLE")).text).toContain("master");
  });

  it("a command whose key nobody here knows is redirected", async () => {
    const before = await errors("MOVED");
    expect((await run("PFADD", `${A}hll`, "x")).body).toEqual({ result: 1 });
    // To the slot of the word that stands before the key, which is on the third primary.
    expect((await run("PFDEBUG", "ENCODING", `${A}hll`)).body).toEqual({ result: "sparse" });
    expect(await errors("MOVED")).toBe(before + 1);
  });
});

describe("what one node must run as a whole", () => {
  it("a transaction in one slot runs; one over several is refused and nothing runs", async () => {
    await run("DEL", A);
    const good = await post("/multi-exec", [["SET", A, "1"], ["PING"], ["INCR", A]]);
    expect(good.body).toEqual([{ result: "OK" }, { result: "PONG" }, { result: 2 }]);
    for (const [one, two] of [
      [A, B],
      [A, `x${A.slice(1, -1)}`],
    ] as const) {
      const bad = await post("/multi-exec", [
        ["INCR", one],
        ["INCR", two],
      ]);
      expect(bad).toMatchObject({ status: 400, body: { error: CROSSSLOT } });
    }
    expect(await value(A)).toBe(2);
    expect(await run("MSET", A, "1", B, "1")).toMatchObject({ status: 400, body: { error: CROSSSLOT } });
  });

  it("a script is known to the node that has seen it, and to no other", async () => {
    const script = `return {KEYS[1], ARGV[1], '${crypto.randomUUID()}'}`;
    const [loaded] = (await post("/pipeline", [
      ["SCRIPT", "LOAD", script],
      ["GET", A],
    ]).then(({ body }) => body)) as [{ result: string }];
    const evalsha = (key: string) => run("EVALSHA", loaded.result, 1, key, "x");
    expect((await evalsha(A)).status).toBe(200);
    for (const key of [B, C]) {
      expect((await evalsha(key)).body).toEqual({ error: "NOSCRIPT No matching script. Please use EVAL." });
      expect((await run("EVAL", script, 1, key, "x")).body).toMatchObject({ result: [key, "x", expect.anything()] });
      expect((await evalsha(key)).status).toBe(200);
    }
    expect(await run("EVAL", script, 2, A, B)).toMatchObject({ status: 400, body: { error: CROSSSLOT } });
  });

  it("a pipeline with WAIT goes to the node of its writes, and is refused over several", async () => {
    for (const key of [A, B, C]) {
      const { body } = await post("/pipeline", [
        ["SET", key, "1"],
        ["ECHO", "x"],
        ["WAIT", 1, 500],
      ]);
      expect(body).toEqual([{ result: "OK" }, { result: "x" }, { result: 1 }]);
    }
    const over = [
      ["INCR", A],
      ["INCR", B],
      ["WAIT", 1, 500],
    ];
    expect(await post("/pipeline", over)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^ERR WAIT/) },
    });
    expect([await value(A), await value(B)]).toEqual([1, 1]);
  });

  it("a pipeline over several nodes answers each command in its place", async () => {
    await run("DEL", A);
    const commands = Array.from({ length: 300 }, (_, i) => [
      ["INCR", A],
      ["SET", B, i],
      ["GET", B],
      ["LPUSH", B, "x"],
      ["ECHO", `${i}`],
      ["SUBSCRIBE", C],
      ["STRLEN", `${C}${i}`],
    ]).flat();
    const { body } = await post("/pipeline", commands);
    const error = (text: string) => ({ error: expect.stringContaining(text) });
    expect(body).toEqual(
      Array.from({ length: 300 }, (_, i) => [
        { result: i + 1 },
        { result: "OK" },
        { result: `${i}` },
        error("WRONGTYPE"),
        { result: `${i}` },
        error("SUBSCRIBE"),
        { result: 0 },
      ]).flat(),
    );
  });
});

describe("a place that is no node of the cluster", () => {
  let stranger: Server;
  let port: number;
  const sockets = new Set<Socket>();
  let visits = 0;
  let questions = 0;
  /** What the stranger answers to CLUSTER SLOTS: that it has them all. */
  const everything = (): string =>
    `*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n$9\r\n127.0.0.1\r\n:${port}\r\n$40\r\n${"0".repeat(40)}\r\n`;
  const nodes = (): string => `${"0".repeat(40)} 127.0.0.1:${port}@1 myself,master - 0 0 0 connected 0-16383\n`;
  let delay = 0;

  beforeEach(async () => {
    visits = 0;
    questions = 0;
    stranger = createServer((socket) => {
      visits++;
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("data", async (bytes) => {
        const text = bytes.toString();
        if (text.includes("PING")) await pause(delay);
        if (text.includes("PING")) socket.write("+PONG\r\n");
        else if (text.includes("SLOTS")) {
          questions++;
          socket.write(`${everything()}$${nodes().length}\r\n${nodes()}\r\n`);
        } else socket.write("$8\r\nstranger\r\n");
      });
    });
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    port = (stranger.address() as AddressInfo).port;
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    stranger.close();
  });

  it("is not gone to when a script says so: its answer is passed on", async () => {
    for (const word of ["MOVED", "ASK"]) {
      const error = `${word} ${slotOf(A)} 127.0.0.1:${port}`;
      const script = `redis.call('INCR', KEYS[1]) return redis.error_reply('${error}')`;
      await run("DEL", A);
      expect(await run("EVAL", script, 1, A)).toMatchObject({ status: 400, body: { error } });
      expect(await value(A)).toBe(1);
    }
    expect(visits).toBe(0);
  });

  it("is another node of the cluster when a script says so: the script runs once, and the answer is 504 (W14)", async () => {
    const [, other] = it_.cluster.servers;
    for (const word of ["MOVED", "ASK"]) {
      const error = `${word} ${slotOf(A)} 127.0.0.1:${other?.port}`;
      await run("DEL", A);
      const { status } = await run("EVAL", `redis.call('INCR', KEYS[1]) return redis.error_reply('${error}')`, 1, A);
      expect([status, await value(A)]).toEqual([504, 1]);
    }
  });

  it("nor is a node believed that knows less than the others: one from before a failover", async () => {
    delay = 300;
    const other = await serve(`${it_.cluster.url},127.0.0.1:${port}`);
    await until(
      async () => questions,
      (count) => count > 0,
    );
    for (let i = 0; i < 40; i++, await pause(20))
      expect((await call(other.url, ["GET", `${B}none`])).body).toEqual({ result: null });
    await other.close();
  });
});

describe("the URL of a cluster", () => {
  it("needs one node that is there; without one 503, and nothing is kept", async () => {
    const dead = await freePort();
    const nowhere = await serve(`redis+cluster://127.0.0.1:${dead}`);
    expect(await call(nowhere.url, ["INCR", `${A}never`])).toMatchObject(NOT_SENT);
    await nowhere.close();
    const some = await serve(`redis+cluster://127.0.0.1:${dead},127.0.0.1:${it_.cluster.ports[4]}`);
    for (const key of [A, B, C]) expect((await call(some.url, ["EXISTS", `${key}never`])).body).toEqual({ result: 0 });
    await some.close();
    expect(await call(some.url, ["PING"]).catch(() => "closed")).toBe("closed");
  });

  it("has a login, for all nodes", async () => {
    for (const server of it_.cluster.servers)
      await server.command("ACL", "SETUSER", "an@user", "on", ">p@ss%w", "~*", "&*", "+@all");
    const hosts = it_.cluster.ports.slice(0, 1).map((port) => `127.0.0.1:${port}`);
    const other = await serve(`redis+cluster://an%40user:p%40ss%25w@${hosts.join(",")}`);
    for (const key of [A, B, C]) {
      const answer = await call(`${other.url}/pipeline`, [
        ["ACL", "WHOAMI"],
        ["EXISTS", `${key}none`],
      ]);
      expect(answer.body).toEqual([{ result: "an@user" }, { result: 0 }]);
    }
    await other.close();
  });

  it.each([
    "redis+cluster://",
    "redis+cluster://h:1,",
    "redis+cluster://h:1,,g:2",
    "redis+cluster://h:1,g:x",
    "redis+cluster://h:1,g:2/1",
    "redis+cluster://h:1,u:p@g:2",
    "redis+cluster://h:1?slotsRefreshTimeout=1",
    "redis+sentinel://h:1",
    "http+cluster://h:1",
  ])("is refused when it is %j, and not repeated", (redis) => {
    const text = redis.replace("://", "://user:hunter2@");
    expect(() => createGateway({ redis: text, token: TOKEN })).toThrow(TypeError);
    expect(() => createGateway({ redis: text, token: TOKEN })).not.toThrow(/hunter2|slotsRefresh/);
  });

  it.each(["redis+cluster://127.0.0.1", "REDISS+CLUSTER://u@[::1]:7,h/0", "redis+cluster://h:1,g/"])(
    "may be %j",
    (redis) => {
      createGateway({ redis, token: TOKEN }).close();
    },
  );
});

it("a node that has left is let go of, after its last answers; a seed is not", async () => {
  const [seed = 0, other = 0] = it_.cluster.ports;
  const nodes = createNodes([{ host: "127.0.0.1", port: seed, db: 0 }], 100);
  const [first, second] = [seed, other].map((port) => nodes.at(`127.0.0.1:${port}`));
  await Promise.all([first?.backend.opened, second?.backend.opened]);
  nodes.keep(new Set());
  expect(nodes.ready()).toEqual([first]);
  expect(second && (await repliesOf(second.backend, [["PING"]]))).toEqual([Buffer.from("PONG")]);
  await until(
    async () => second?.backend.isReady,
    (ready) => ready === false,
  );
  expect(first?.backend.isReady).toBe(true);
  nodes.close();
});
