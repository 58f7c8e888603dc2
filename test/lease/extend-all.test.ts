import { Redis } from "@upstash/redis";
import { describe, expect, it } from "vitest";
import { createLocks, extendAll, type Lease, type Locks, multiLock } from "../../src/index.ts";
import { MAX_BYTES, MAX_COMMANDS } from "../../src/redis/pipelines.ts";
import { createMemoryRedis } from "../../testing/src/index.ts";
import { answerLost, heldBack, instead, onItsWay, rateLimited, scriptsFlushed, unavailable } from "../faults/faults.ts";
import { startWorld, type World } from "../faults/world.ts";
import type { Fault } from "../support/proxy.ts";
import { TCP_CLIENTS } from "../support/tcp-clients.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack({ warm: true });
const make = (): Locks => createLocks({ url: stack.url, token: stack.token });

/** One lease of each kind, without a way to tell them apart by their scripts alone. */
async function oneOfEach(locks: Locks): Promise<Lease[]> {
  const group = freshName("group");
  const turn = await locks.once(freshName()).begin();
  if (turn.status !== "started") throw new Error(turn.status);
  return Promise.all([
    locks.lock(freshName()).acquire(),
    locks.fairLock(freshName()).acquire(),
    locks.readWriteLock(freshName()).read.acquire(),
    locks.semaphore(freshName(), { permits: 3 }).acquire({ permits: 2 }),
    locks.group(group).multiLock([freshName(), freshName()]).acquire(),
    turn.lease,
  ]);
}

const isPipeline = ({ path }: { path: string }): boolean => path.endsWith("/pipeline");
/** Locks over the proxy, and their leases for 5 s. */
async function held(world: World, count: number): Promise<Lease[]> {
  const names = Array.from({ length: count }, () => freshName());
  return Promise.all(names.map((name) => world.ours.lock(name).acquire({ lease: "5s" })));
}
const errorsOf = (results: readonly { error: { code: string } | undefined }[]): (string | undefined)[] =>
  results.map(({ error }) => error?.code);

describe.concurrent("extendAll", () => {
  it("extends leases of all kinds in one request, and by one command each", async () => {
    await using world = await startWorld(stack);
    const leases = await oneOfEach(world.ours);
    // The scripts are named at their first use, whatever was computed before.
    const before = world.proxy.count();
    const results = await extendAll(leases, "10m");
    expect(results.map(({ lease }) => lease)).toEqual(leases);
    expect(errorsOf(results)).toEqual(leases.map(() => undefined));
    for (const { remaining } of leases) expect(remaining).toBeGreaterThan(9 * 60_000);
    expect(world.proxy.count()).toBe(before + 1);
    expect(world.proxy.count(isPipeline)).toBe(1);
    for (const lease of leases) expect(await lease.verify()).toBe(true);
  });

  it("sends one request for each connection, those of a multi-lock over two of them included", async () => {
    const counts = [0, 0];
    const [one, two] = counts.map((_, n) => {
      const fetched: typeof fetch = (...args) => {
        counts[n] = (counts[n] ?? 0) + 1;
        return fetch(...args);
      };
      return createLocks({ url: stack.url, token: stack.token, prefix: `${freshName()}:`, fetch: fetched });
    }) as [Locks, Locks];
    const both = await multiLock(one, [one.lock(freshName()), two.lock(freshName())]).acquire();
    const leases = [await one.lock(freshName()).acquire(), both, await two.lock(freshName()).acquire()];
    counts.fill(0);
    expect(errorsOf(await extendAll(leases, "10m"))).toEqual([undefined, undefined, undefined]);
    expect(counts).toEqual([1, 1]);
    for (const { remaining } of leases) expect(remaining).toBeGreaterThan(9 * 60_000);
  });

  it("works over @upstash/redis", async () => {
    const locks = createLocks({ redis: new Redis({ url: stack.url, token: stack.token, enableTelemetry: false }) });
    const leases = await oneOfEach(locks);
    expect(errorsOf(await extendAll(leases, "10m"))).toEqual(leases.map(() => undefined));
    for (const { remaining } of leases) expect(remaining).toBeGreaterThan(9 * 60_000);
  });

  it.each(["ioredis", "node-redis"] as const)("works over %s, one by one", async (way) => {
    const client = TCP_CLIENTS[way](stack.redis.url);
    const leases = await oneOfEach(createLocks({ redis: client.redis }));
    expect(errorsOf(await extendAll(leases, "10m"))).toEqual(leases.map(() => undefined));
    for (const { remaining } of leases) expect(remaining).toBeGreaterThan(9 * 60_000);
    client.close();
  });

  it("takes the length of each lease where none is given, and nothing from a lease that is longer", async () => {
    const locks = make();
    const leases = [
      await locks.lock(freshName()).acquire({ lease: "1m" }),
      await locks.lock(freshName()).acquire({ lease: "1h" }),
    ];
    await extendAll(leases);
    await extendAll(leases, "1s");
    expect(leases.map(({ remaining }) => Math.round(remaining / 60_000))).toEqual([1, 59]);
  });

  it("tells what was lost, and extends the others", async () => {
    const locks = make();
    const leases = await oneOfEach(locks);
    const [forced, released, , , grouped] = leases as [Lease, Lease, Lease, Lease, Lease];
    const expired = await locks.lock(freshName()).acquire({ lease: "50ms" });
    await locks.lock(forced.name).forceRelease();
    await released.release();
    await pause(80);
    const results = await extendAll([...leases, expired], "10m");
    const reasons = results.map(({ error }) => error?.reason);
    expect(reasons).toEqual(["forced", "released", undefined, undefined, undefined, undefined, "expired"]);
    expect(grouped.remaining).toBeGreaterThan(9 * 60_000);
    expect(await extendAll([])).toEqual([]);
  });

  it("refuses a duration that cannot be, and asks nobody about it", async () => {
    await using world = await startWorld(stack);
    await expect(extendAll([], "soon" as never)).rejects.toThrow(TypeError);
    await expect(extendAll([], -1)).rejects.toThrow(RangeError);
    expect(world.proxy.count()).toBe(0);
  });
});

describe.concurrent("extendAll, when something goes wrong", () => {
  const whole: Record<string, readonly Fault[]> = {
    "the answer is lost": [answerLost],
    "it arrives after the caller sent it again": [onItsWay],
    "no answer comes": [heldBack],
    "503 before it ran": [instead(unavailable)],
    "429": [instead(rateLimited(0))],
    "half of the answers": [
      async ({ forward, answer }) => {
        const { status, headers, body } = await forward();
        answer({ status, headers, body: JSON.stringify((JSON.parse(body) as unknown[]).slice(0, 2)) });
      },
    ],
  };

  it.each(Object.entries(whole).slice(0, 5))("each lease overcomes by itself: %s (R3e)", async (_, faults) => {
    await using world = await startWorld(stack);
    const leases = await held(world, 4);
    world.proxy.next(isPipeline, ...faults);
    expect(errorsOf(await extendAll(leases, "1h"))).toEqual(leases.map(() => undefined));
    expect(world.proxy.unmet()).toBe(0);
    for (const { remaining } of leases) expect(remaining).toBeGreaterThan(3_500_000);
    await world.proxy.deliver();
    await world.proxy.replay();
    for (const lease of leases) expect([lease.remaining > 3_500_000, await lease.verify()]).toEqual([true, true]);
    for (const lease of leases) expect(await lease.release()).toBe(true);
    for (const status of await world.proxy.replay(isPipeline)) expect(["lost", "late"]).toContain(status);
  });

  const NOT_SENT = "CLUSTERDOWN Redis is not reachable: nothing was sent";
  const NO_ANSWER = "NOANSWER No answer from Redis: what was sent may have run";
  /** The commands for these leases ran, or were never sent, and each has an error of its own instead of an answer. */
  const without =
    (leases: readonly Lease[], error: string): Fault =>
    async ({ seen: { headers, body }, answer }) => {
      const commands = JSON.parse(body) as unknown[][];
      const fails = (command: unknown[]): boolean => leases.some(({ name }) => `${command[3]}`.includes(name));
      const sent = commands.map((command) => (fails(command) && error === NOT_SENT ? ["PING"] : command));
      const whole = await fetch(`${stack.url}/pipeline`, { method: "POST", headers, body: JSON.stringify(sent) });
      const answers = (await whole.json()) as unknown[];
      const seen = answers.map((each, at) => (fails(commands[at] ?? []) ? { error } : each));
      answer({ status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(seen) });
    };

  it.each([NOT_SENT, NO_ANSWER])("only the leases without an answer are retried: %s (47.3)", async (error) => {
    await using world = await startWorld(stack);
    const leases = await held(world, 4);
    world.proxy.next(isPipeline, without([leases[0], leases[2]] as Lease[], error));
    expect(errorsOf(await extendAll(leases, "1h"))).toEqual(leases.map(() => undefined));
    for (const { remaining } of leases) expect(remaining).toBeGreaterThan(3_500_000);
    const sizes = world.proxy.seen.filter(isPipeline).map(({ body }) => (JSON.parse(body) as unknown[]).length);
    expect(sizes).toEqual([4, 2]);
  });

  it("a lease whose extension is never answered is unknown, and the others are extended (47.3)", async () => {
    await using world = await startWorld(stack);
    const leases = await held(world, 3);
    const end = world.proxy.always(isPipeline, without(leases.slice(0, 1), NO_ANSWER));
    const results = await extendAll(leases, "1h");
    end();
    expect(errorsOf(results)).toEqual(["outcome_unknown", undefined, undefined]);
    for (const { remaining } of leases.slice(1)) expect(remaining).toBeGreaterThan(3_500_000);
  });

  it("a release ends the names that answer, and knows nothing of the others (47.3)", async () => {
    await using world = await startWorld(stack);
    const names = [freshName(), freshName(), freshName()];
    const lease = await world.ours.multiLock(names).acquire({ lease: "1m" });
    const silent = { name: names[1] } as Lease;
    const end = world.proxy.always(isPipeline, without([silent], NOT_SENT));
    await expect(lease.release()).rejects.toMatchObject({ code: "outcome_unknown" });
    end();
    const states = await Promise.all(names.map((name) => world.theirs.lock(name).inspect()));
    expect(states.map(({ state }) => state)).toEqual(["free", "held", "free"]);
  });

  it("an answer that is too short is nobody's", async () => {
    await using world = await startWorld(stack);
    const leases = await held(world, 3);
    world.proxy.next(isPipeline, ...(whole["half of the answers"] ?? []));
    expect(errorsOf(await extendAll(leases, "1h"))).toEqual(leases.map(() => "malformed_answer"));
    for (const lease of leases) expect(await lease.verify()).toBe(true);
  });

  it("without an answer until a lease is over, that lease is lost, and its late extension holds nothing (R4)", async () => {
    await using world = await startWorld(stack);
    const short = await world.ours.lock(world.name).acquire({ lease: "1s" });
    const [long] = (await held(world, 1)) as [Lease];
    const end = world.proxy.always(({ script }) => script === "hold-extend", heldBack);
    const both = extendAll([short, long], "1h");
    while (short.remaining > 0) await pause(20);
    end();
    const [first, second] = await both;
    expect([first?.error?.code, second?.error]).toEqual(["lease_lost", undefined]);
    await world.proxy.deliver();
    expect(await world.theirs.lock(world.name).tryAcquire()).not.toBeNull();
    world.keepsSecrets([first, second]);
  });
});

/** Locks that note the size of each body and the number of its commands. */
function weighed(): { locks: Locks; bodies: { bytes: number; commands: number; texts: number }[] } {
  const bodies: { bytes: number; commands: number; texts: number }[] = [];
  const noting: typeof fetch = (input, init) => {
    const body = `${init?.body}`;
    const texts = body.split('"EVAL"').length - 1;
    bodies.push({ bytes: Buffer.byteLength(body), commands: (JSON.parse(body) as unknown[]).length, texts });
    return fetch(input, init);
  };
  const prefix = `${freshName("weighed")}:`;
  return {
    locks: createLocks({ url: stack.url, token: stack.token, prefix, fetch: noting, requestTimeout: "25s" }),
    bodies,
  };
}

// Alone, so that nobody else meets scripts that were forgotten.
it("2500 leases are extended by requests below a stated size, and bring each script once (E24)", async () => {
  const { locks, bodies } = weighed();
  const leases: Lease[] = [];
  for (let n = 0; n < 25; n++) {
    const some = Array.from({ length: 100 }, (_, m) =>
      locks.lock(`${n} ${m} `.padEnd(250, "é")).acquire({ lease: "5m" }),
    );
    leases.push(...(await Promise.all(some)));
  }
  bodies.length = 0;
  await stack.redis.command("SCRIPT", "FLUSH");
  const results = await extendAll(leases, "1h");
  expect(new Set(errorsOf(results))).toEqual(new Set([undefined]));
  for (const { remaining } of leases) expect(remaining).toBeGreaterThan(3_000_000);
  for (const { bytes, commands, texts } of bodies) {
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES + 2);
    expect(commands).toBeLessThanOrEqual(MAX_COMMANDS);
    expect(texts).toBeLessThanOrEqual(1);
  }
  expect(Math.max(...bodies.map(({ bytes }) => bytes))).toBeGreaterThan(0.9 * MAX_BYTES);
}, 120_000);

it("a pipeline has no more than the stated number of commands (E24)", async () => {
  const { locks, bodies } = weighed();
  const [lease] = [await locks.lock("one").acquire({ lease: "5m" })];
  bodies.length = 0;
  const results = await extendAll(
    Array.from({ length: MAX_COMMANDS + 1 }, () => lease),
    "10m",
  );
  expect(new Set(errorsOf(results))).toEqual(new Set([undefined]));
  expect(Math.max(...bodies.map(({ commands }) => commands))).toBe(MAX_COMMANDS);
}, 120_000);

it("each brings its script where the first command did not make it known to the others (E24)", async () => {
  const { url, token, fetch, command } = createMemoryRedis();
  let isForgetful = false;
  const forgetful: typeof fetch = async (input, init) => {
    const commands = JSON.parse(`${init?.body}`) as string[][];
    if (!isForgetful || !Array.isArray(commands[0])) return fetch(input, init);
    // As if every command went to another server.
    const answers: unknown[] = [];
    for (const each of commands) {
      command("SCRIPT", "FLUSH");
      answers.push(await (await fetch(url, { ...init, body: JSON.stringify(each) })).json());
    }
    return Response.json(answers);
  };
  const locks = createLocks({ url, token, fetch: forgetful });
  const leases = await Promise.all(["a", "b", "c"].map((name) => locks.lock(name).acquire({ lease: "1m" })));
  isForgetful = true;
  expect(errorsOf(await extendAll(leases, "1h"))).toEqual([undefined, undefined, undefined]);
  for (const { remaining } of leases) expect(remaining).toBeGreaterThan(3_000_000);
});

// Alone, so that nobody else meets scripts that were forgotten.
it("extendAll sends scripts that the server has forgotten once more, together", async () => {
  await using world = await startWorld(stack);
  const leases = await held(world, 20);
  world.proxy.next(isPipeline, scriptsFlushed(stack.redis));
  expect(errorsOf(await extendAll(leases, "1h"))).toEqual(leases.map(() => undefined));
  expect(world.proxy.count(isPipeline)).toBe(2);
});
