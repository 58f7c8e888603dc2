import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RedisServer } from "../../../tools/redis.ts";
import { startNode } from "../../../tools/redis-topologies.ts";
import { slotOf } from "../../src/redis/cluster/slot.ts";
import {
  A,
  B,
  C,
  clusterStage,
  idOf,
  NO_ANSWER,
  NO_ANSWER_ALONE,
  NOT_SENT,
  NOT_SENT_ALONE,
  tagIn,
} from "../support/cluster.ts";
import { type Answer, pause, until } from "../support/harness.ts";

const it_ = clusterStage();
const { run, post, value, errors } = it_;

describe("a slot that moves", () => {
  const SLOT = 4_000;
  const T = tagIn(SLOT);
  let from: RedisServer;
  let to: RedisServer;
  let joined: RedisServer;

  // It must be 2 s old to serve anything: started before the first test, it is so when its test comes. And it shall not
  // become a replica when it gives its last slot away.
  beforeAll(async () => {
    joined = await startNode(["--cluster-allow-replica-migration", "no"]);
  });
  afterAll(() => joined?.stop());

  const tell = async (server: RedisServer, ...command: string[]): Promise<void> => {
    const reply = await server.command(...command);
    if (!/^\+(OK|NOKEY)/.test(reply)) throw new Error(reply);
  };
  const setSlot = async (server: RedisServer, state: string, other: RedisServer): Promise<void> =>
    tell(server, "CLUSTER", "SETSLOT", String(SLOT), state, await idOf(other));
  const move = (key: string): Promise<void> => tell(from, "MIGRATE", "127.0.0.1", String(to.port), key, "0", "1000");
  /** From here on the slot is on its way: what is there is served there, what is not is asked for elsewhere. */
  const begin = async (): Promise<void> => {
    await setSlot(to, "IMPORTING", from);
    await setSlot(from, "MIGRATING", to);
  };
  /** All keys of the slot must have moved by now. */
  const finish = async (): Promise<void> => {
    for (const server of [to, from]) await setSlot(server, "NODE", to);
  };

  beforeEach(async () => {
    from = await it_.cluster.ownerOf(SLOT);
    const others = await Promise.all([8_000, 16_000].map((slot) => it_.cluster.ownerOf(slot)));
    to = others.find((server) => server !== from) as RedisServer;
    await run("DEL", `${T}a`);
    await run("DEL", `${T}b`);
  });

  it("is followed by MOVED, command by command, and nothing runs twice", async () => {
    await run("SET", `${T}a`, "0");
    await begin();
    await move(`${T}a`);
    await finish();
    const before = await errors("MOVED");
    const { body } = await post("/pipeline", [
      ["INCR", `${T}a`],
      ["INCR", A],
      ["INCR", `${T}a`],
      ["INCR", `${T}b`],
      ["PING"],
    ]);
    expect(body).toEqual([
      { result: 1 },
      { result: expect.anything() },
      { result: 2 },
      { result: 1 },
      { result: "PONG" },
    ]);
    expect(await errors("MOVED")).toBe(before + 3);
    expect(await value(`${T}a`)).toBe(2);
    // The table was read anew.
    await pause(100);
    expect((await run("INCR", `${T}a`)).body).toEqual({ result: 3 });
    expect(await errors("MOVED")).toBe(before + 3);
  });

  it("is followed by a transaction as a whole, and by a pipeline together with its WAIT", async () => {
    await begin();
    await finish();
    const pipeline = await post("/pipeline", [
      ["INCR", `${T}a`],
      ["WAIT", 1, 500],
      ["INCR", `${T}a`],
    ]);
    expect(pipeline.body).toEqual([{ result: 1 }, { result: 1 }, { result: 2 }]);
    await it_.renew();
    [from, to] = [to, from];
    await begin();
    await move(`${T}a`);
    await finish();
    const before = await errors("MOVED");
    const { body } = await post("/multi-exec", [["INCR", `${T}a`], ["PING"], ["INCR", `${T}a`]]);
    expect(body).toEqual([{ result: 3 }, { result: "PONG" }, { result: 4 }]);
    expect(await errors("MOVED")).toBeGreaterThan(before);
    expect(await value(`${T}a`)).toBe(4);
  });

  it("is asked on both sides while it is on its way, each key where it is", async () => {
    await run("SET", `${T}a`, "10");
    await begin();
    const both = [
      ["INCR", `${T}a`],
      ["INCR", `${T}b`],
    ];
    expect((await post("/pipeline", both)).body).toEqual([{ result: 11 }, { result: 1 }]);
    expect(
      (
        await post("/multi-exec", [
          ["INCR", `${T}b`],
          ["INCR", `${T}b`],
        ])
      ).body,
    ).toEqual([{ result: 2 }, { result: 3 }]);
    // One key here and one there: Redis says so, and so do we.
    const split = await run("EVAL", "return redis.call('MGET', KEYS[1], KEYS[2])", 2, `${T}a`, `${T}b`);
    expect(split).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^TRYAGAIN/) } });
    // A number of replicas that would be true of one write and not of the other.
    expect(await post("/pipeline", [...both, ["WAIT", 1, 100]])).toMatchObject(NO_ANSWER);
    expect(
      (
        await post("/pipeline", [
          ["INCR", `${T}b`],
          ["WAIT", 1, 500],
        ])
      ).body,
    ).toEqual([{ result: 4 }, { result: 1 }]);
    await move(`${T}a`);
    expect((await run("INCR", `${T}a`)).body).toEqual({ result: 13 });
    await finish();
    expect((await post("/pipeline", both)).body).toEqual([{ result: 14 }, { result: 5 }]);
  });

  it("loses no command and runs none twice, under load, to and fro", async () => {
    const keys = Array.from({ length: 20 }, (_, i) => `${T}load${i}-${crypto.randomUUID()}`);
    const counts = new Map(keys.map((key) => [key, 0]));
    let done = false;
    const workers = Array.from({ length: 8 }, async (_, worker) => {
      for (let i = worker; !done; i += 3) {
        const key = keys[i % keys.length] as string;
        const [answer, times] =
          i % 2 === 0
            ? ([await run("INCR", key), 1] as const)
            : ([
                await post("/multi-exec", [
                  ["INCR", key],
                  ["INCR", key],
                ]),
                2,
              ] as const);
        expect(answer).toMatchObject({ status: 200 });
        counts.set(key, (counts.get(key) ?? 0) + times);
      }
    });
    const worked = Promise.all(workers);
    // Taken below, once everything has moved.
    worked.catch(() => {});
    const moving = (async () => {
      for (let i = 0; i < 4; i++, [from, to] = [to, from]) {
        await begin();
        for (const key of keys) await move(key);
        await finish();
        await pause(30);
      }
    })();
    await moving.finally(() => {
      done = true;
    });
    await worked;
    for (const key of keys) expect([key, await value(key)]).toEqual([key, counts.get(key)]);
    await post(
      "/pipeline",
      keys.map((key) => ["DEL", key]),
    );
  });

  it("goes to a node that has just joined, which the gateway does not know yet", async () => {
    const owner = from;
    await it_.renew();
    await joined.command("CLUSTER", "MEET", "127.0.0.1", String(owner.port));
    await until(
      async () => [await owner.command("CLUSTER", "NODES"), await joined.command("CLUSTER", "INFO")] as const,
      ([nodes, info]) => nodes.includes(`:${joined.port}@`) && info.includes("cluster_state:ok"),
    );
    await run("SET", `${T}a`, "1");
    to = joined;
    await begin();
    expect((await run("INCR", `${T}b`)).body).toEqual({ result: 1 });
    await move(`${T}a`);
    await finish();
    expect((await run("INCR", `${T}a`)).body).toEqual({ result: 2 });
    expect(await joined.command("DBSIZE")).toBe(":2\r\n");
    [from, to] = [joined, owner];
    await begin();
    for (const key of ["a", "b"]) await move(`${T}${key}`);
    await finish();
    expect((await run("INCR", `${T}a`)).body).toEqual({ result: 3 });
  });

  it("to a node that is gone: nothing of what is redirected was sent, and the rest ran (47.3)", async () => {
    const owner = from;
    to = joined;
    expect((await run("SET", `${T}a`, "0")).status).toBe(200);
    await begin();
    await joined.kill();
    expect(await run("INCR", `${T}b`)).toMatchObject(NOT_SENT);
    expect(await post("/multi-exec", [["INCR", `${T}b`]])).toMatchObject(NOT_SENT);
    const part = [
      ["INCR", `${T}b`],
      ["INCR", `${T}a`],
    ];
    expect((await post("/pipeline", part)).body).toEqual([NOT_SENT_ALONE, { result: 1 }]);
    expect(await value(`${T}a`)).toBe(1);
    await owner.command("CLUSTER", "SETSLOT", String(SLOT), "STABLE");
    expect((await run("INCR", `${T}b`)).body).toEqual({ result: 1 });
  });
});

describe("a node that fails", () => {
  type Counts = Record<"ok" | "unknown" | "refused" | "down", number>;

  /** Counts up on all three nodes until told to stop. */
  function load(): { stop(): Promise<Map<string, Counts>> } {
    let done = false;
    const counts = new Map([A, B, C].map((tag) => [tag, { ok: 0, unknown: 0, refused: 0, down: 0 }]));
    const workers = [...counts].flatMap(([tag, count]) =>
      Array.from({ length: 2 }, async () => {
        while (!done) {
          const { status, text } = await run("INCR", `${tag}count`);
          if (status === 200) count.ok++;
          else if (status === 503) count.refused++;
          // Redis' own word for the time until the failover, on every node.
          else if (text.includes("CLUSTERDOWN")) count.down++;
          // Everything else is not known to have failed.
          else count.unknown++;
          await pause(5);
        }
      }),
    );
    return {
      async stop() {
        done = true;
        await Promise.all(workers);
        return counts;
      },
    };
  }
  const isBack = (key: string): Promise<Answer> =>
    until(
      () => run("GET", key),
      ({ status }) => status === 200,
    );
  async function judge(counts: Map<string, Counts>, failed: string) {
    for (const [tag, { ok, unknown, refused }] of counts) {
      const total = await value(`${tag}count`);
      // Redis may have lost the last writes of a primary that died; it has none that nobody sent.
      expect(total).toBeLessThanOrEqual(ok + unknown);
      if (tag !== failed) expect([total, unknown, refused]).toEqual([ok, 0, 0]);
      else expect(refused).toBeGreaterThan(0);
    }
  }

  beforeEach(() =>
    post(
      "/pipeline",
      [A, B, C].flatMap((tag) => ["count", "beside"].map((key) => ["DEL", tag + key])),
    ),
  );

  it("is 504 for sent requests and 503 for new ones, immediately; the others continue; it is back after the failover", async () => {
    const victim = await it_.cluster.ownerOf(slotOf(A));
    await post("/pipeline", [
      ["SET", `${A}held`, "0"],
      ["WAIT", 1, 500],
    ]);
    const loaded = load();
    await victim.command("CLIENT", "PAUSE", "60000", "WRITE");
    const asked = [
      run("INCR", `${A}held`),
      post("/multi-exec", [["INCR", `${A}held`]]),
      post("/pipeline", [
        ["INCR", `${B}beside`],
        ["INCR", `${A}held`],
      ]),
    ];
    await pause(100);
    const start = performance.now();
    await victim.kill();
    const [one, several, some] = await Promise.all(asked);
    expect([one, several]).toMatchObject([NO_ANSWER, NO_ANSWER]);
    expect(some?.body).toEqual([{ result: 1 }, NO_ANSWER_ALONE]);
    expect(performance.now() - start).toBeLessThan(650);
    for (let i = 0; i < 10; i++) expect(await run("INCR", `${A}held`)).toMatchObject(NOT_SENT);
    const over = [
      ["INCR", `${C}beside`],
      ["INCR", `${A}held`],
    ];
    expect((await post("/pipeline", over)).body).toEqual([{ result: 1 }, NOT_SENT_ALONE]);
    expect(await post("/multi-exec", [["INCR", `${A}held`]])).toMatchObject(NOT_SENT);
    expect((await run("PING")).status).toBe(200);
    await isBack(`${A}held`);
    await judge(await loaded.stop(), A);
    // The writes that were held never ran, and none of those of the time without a primary.
    expect(await value(`${A}held`)).toBe(0);
    expect((await run("INCR", `${A}held`)).body).toEqual({ result: 1 });
    await victim.start();
  });

  it("and freezes: 504, then 503, then its replica; when it resumes it gets no requests", async () => {
    const victim = await it_.cluster.ownerOf(slotOf(B));
    const loaded = load();
    victim.freeze();
    try {
      expect(await run("INCR", `${B}still`)).toMatchObject(NO_ANSWER);
      await until(
        () => run("INCR", `${B}still`),
        ({ status }) => status === 503,
      );
      await isBack(`${B}still`);
      await run("SET", `${B}after`, "0");
    } finally {
      victim.thaw();
    }
    for (let i = 1; i <= 100; i++) expect((await run("INCR", `${B}after`)).body).toEqual({ result: i });
    await judge(await loaded.stop(), B);
  });
});
