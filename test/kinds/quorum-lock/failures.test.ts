import { describe, expect, it, type TestContext } from "vitest";
import { type Connection, type Lease, type LeaseholdEvent, lock, quorumLock } from "../../../src/index.ts";
import { freshName, pause, type StackOptions } from "../../support/stack.ts";
import { DURABLE, entered, type Settings, startQuorum } from "./quorum.ts";

const SERVER_MS = 300;
/** A busy machine may be that much late. */
const SLACK_MS = 900;

type Context = Pick<TestContext, "onTestFinished">;
async function start({ onTestFinished }: Context, size: number, options?: StackOptions) {
  const quorum = await startQuorum(size, options);
  onTestFinished(() => quorum.stop());
  const name = freshName();
  const events: LeaseholdEvent[] = [];
  const client = (settings: Settings = {}, on = name) =>
    quorumLock(quorum.connections({ onEvent: (event) => events.push(event), ...settings }), on, {
      serverTimeout: SERVER_MS,
    });
  // Connections are open and the scripts known.
  const warm = await client({}, freshName()).acquire();
  await warm.extend();
  await warm.release();
  const redis = (index: number) => {
    const stack = quorum.stacks[index];
    if (!stack) throw new Error("no such server");
    return stack.redis;
  };
  const allFree = async (on = name): Promise<void> => {
    for (const one of quorum.connections())
      expect(await lock(one, on).inspect(), one.server).toMatchObject({ state: "free" });
  };
  return { quorum, name, events, client, redis, allFree };
}
async function timed<T>(operation: () => Promise<T>): Promise<readonly [T, number]> {
  const begun = performance.now();
  return [await operation(), performance.now() - begun];
}

const ways = {
  frozen: { down: "freeze", up: "thaw" },
  killed: { down: "kill", up: "start" },
} as const;

describe.each(Object.entries(ways))("servers that are %s", (_, { down, up }) => {
  it("one of three: it continues, at most one server's time limit slower per step, and everything is free in the end", async (context) => {
    const { client, redis } = await start(context, 3, DURABLE);
    const before = await client().acquire();
    await redis(1)[down]();
    // One that was held before goes on.
    const [, extending] = await timed(() => before.extend("40s"));
    expect(before.remaining).toBeGreaterThan(30_000);
    expect(await before.verify()).toBe(true);
    const [refused, refusing] = await timed(() => client().tryAcquire());
    expect(refused).toBeNull();
    const [released, releasing] = await timed(() => before.release());
    expect(released).toBe(true);
    const [lease, acquiring] = await timed(() => client().acquire({ lease: "20s" }));
    expect(lease.token).toBeGreaterThan(before.token);
    expect(lease.remaining).toBeGreaterThan(20_000 - 3 * SERVER_MS - SLACK_MS);
    const state = await client().inspect();
    expect(state).toMatchObject({ state: "held", token: lease.token });
    expect(state.servers[1]).toMatchObject({ state: "unknown" });
    for (const took of [extending, refusing, releasing, acquiring]) expect(took).toBeLessThan(2 * SERVER_MS + SLACK_MS);
    expect(await lease.release()).toBe(true);
    await redis(1)[up]();
    await pause(300);
    const again = await client().acquire();
    expect(again.token).toBeGreaterThan(lease.token);
    expect(await again.release()).toBe(true);
  });

  it("two of three: it says so, and nothing stays held when they are back", async (context) => {
    const { client, redis, allFree, events } = await start(context, 3, DURABLE);
    await redis(0)[down]();
    await redis(2)[down]();
    const quick = { requestTimeout: 400 };
    const [error, took] = await timed(() =>
      client(quick)
        .tryAcquire({ lease: "30s" })
        .catch((thrown) => thrown),
    );
    expect(error).toMatchObject({ code: "no_quorum" });
    expect(took).toBeLessThan(800 + 2 * SERVER_MS + SLACK_MS);
    // Nobody said that it is held.
    expect(events.filter(({ type }) => type === "refused" || type === "polled")).toEqual([]);
    await expect(client(quick).inspect()).rejects.toMatchObject({ code: "no_quorum" });
    await expect(client(quick).forceRelease()).rejects.toMatchObject({ code: "no_quorum" });
    const waiting = client().acquire({ wait: "20s" });
    await pause(400);
    await redis(0)[up]();
    await redis(2)[up]();
    // It is back before the wait ends.
    expect(await (await waiting).release()).toBe(true);
    await pause(500);
    await allFree();
  });

  it("two of three while it is held: extending and releasing report it, and work again when the servers are back", async (context) => {
    const { client, redis, allFree } = await start(context, 3, DURABLE);
    const quick = { requestTimeout: 2000 };
    const lease = await client(quick).acquire({ lease: "20s" });
    await redis(0)[down]();
    await redis(1)[down]();
    await expect(lease.verify()).rejects.toMatchObject({ code: "no_quorum" });
    expect(lease.signal.aborted).toBe(false);
    const extending = lease.extend("30s");
    await pause(300);
    await redis(0)[up]();
    await extending;
    expect(lease.remaining).toBeGreaterThan(25_000);
    await redis(0)[down]();
    const releasing = lease.release();
    await pause(300);
    await redis(0)[up]();
    expect(await releasing).toBe(true);
    await redis(1)[up]();
    await pause(500);
    const next = await client().acquire({ wait: "1s" });
    expect(next.token).toBeGreaterThan(lease.token);
    await next.release();
    // The hold on a server that was down during the release is in nobody's way and ends with the lease.
    const state = await client().inspect();
    expect(state.state).toBe("free");
    await client().forceRelease();
    await allFree();
  });

  it("one of three, then another one while the first is back: a waiter continues with the two available ones", async (context) => {
    const { client, redis } = await start(context, 3, DURABLE);
    const holder = await client().acquire({ lease: "20s" });
    await redis(1)[down]();
    // It finds that the second one is silent, and waits.
    const waiting = client().acquire({ wait: "20s" });
    await pause(4 * SERVER_MS);
    await redis(1)[up]();
    await pause(2 * SERVER_MS);
    await redis(2)[down]();
    expect(await holder.release()).toBe(true);
    const lease = await waiting;
    expect(lease.token).toBeGreaterThan(holder.token);
    expect(await lease.release()).toBe(true);
    await redis(2)[up]();
  });

  it("two of five: it continues; three of five: it does not", async (context) => {
    const { client, redis } = await start(context, 5, DURABLE);
    await redis(0)[down]();
    await redis(3)[down]();
    const [lease, took] = await timed(() => client().acquire());
    expect(took).toBeLessThan(2 * SERVER_MS + SLACK_MS);
    await lease.extend();
    expect(await client().tryAcquire()).toBeNull();
    expect(await lease.release()).toBe(true);
    await redis(1)[down]();
    await expect(client({ requestTimeout: 400 }).tryAcquire()).rejects.toMatchObject({ code: "no_quorum" });
    await redis(3)[up]();
    const next = await client().acquire({ wait: "10s" });
    expect(next.token).toBeGreaterThan(lease.token);
    expect(await next.release()).toBe(true);
  });
});

describe("failures", () => {
  it("contenders are not slowed down while one server is frozen", async (context) => {
    const { client, redis } = await start(context, 3);
    redis(0).freeze();
    const register = entered();
    const [, took] = await timed(() =>
      Promise.all(
        Array.from({ length: 4 }, async () => {
          const mine = client();
          for (let round = 0; round < 3; round++) {
            const lease = await mine.acquire({ wait: "25s" });
            await register.hold(lease, () => pause(5));
            await lease.release();
          }
        }),
      ),
    );
    expect(register).toMatchObject({ overlaps: 0, refused: 0 });
    expect(register.tokens).toHaveLength(12);
    expect(register.falls()).toEqual([]);
    expect(took).toBeLessThan(20_000);
  });

  it("a wrong API token or a foreign value on a majority is reported as such", async (context) => {
    const { quorum, redis, client } = await start(context, 3);
    const wrong = quorum.stacks.map(
      (): typeof fetch => (input, init) =>
        fetch(input, { ...init, headers: { ...(init?.headers as object), authorization: "Bearer another-token" } }),
    );
    await expect(client({ fetches: wrong }).tryAcquire()).rejects.toMatchObject({ code: "unauthorized" });
    const one = [wrong[0], fetch, fetch] as (typeof fetch)[];
    expect(await (await client({ fetches: one }).acquire()).release()).toBe(true);
    for (const index of [0, 1]) await redis(index).command("HSET", "leasehold:{theirs}", "field", "1");
    await expect(client({}, "theirs").tryAcquire()).rejects.toMatchObject({ code: "wrong_kind" });
    expect(await lock(quorum.connections()[2] as never, "theirs").inspect()).toMatchObject({ state: "free" });
  });

  it("a server that is slow all the time takes part as far as it is needed", async (context) => {
    const { client, quorum } = await start(context, 3);
    const slow: typeof fetch = async (input, init) => {
      await pause(200);
      return fetch(input, init);
    };
    const fetches = [fetch, slow, fetch] as const;
    const [lease, took] = await timed(() => client({ fetches }).acquire());
    expect(took).toBeLessThan(2 * SERVER_MS + SLACK_MS);
    // Its hold, whatever its token, goes with the others.
    await pause(300);
    const [released] = await timed(() => lease.release());
    expect(released).toBe(true);
    await pause(300);
    for (const one of quorum.connections())
      expect(await lock(one, lease.name).inspect()).toMatchObject({ state: "free" });
    // Needed, it is waited for.
    const gone: typeof fetch = () => Promise.reject(new Error("gone"));
    const needed = await client({ fetches: [fetch, slow, gone] }, freshName()).acquire();
    expect(await needed.verify()).toBe(true);
    expect(await needed.release()).toBe(true);
  });

  it("what is cancelled goes through waitUntil, and the caller does not wait for it", async (context) => {
    const { client, redis, allFree } = await start(context, 3);
    const holder = await client().acquire();
    redis(2).freeze();
    const background: Promise<unknown>[] = [];
    const waitUntil = (promise: Promise<unknown>): number => background.push(promise);
    const [refused] = await timed(() => client().tryAcquire({ waitUntil }));
    expect(refused).toBeNull();
    expect(background).toHaveLength(1);
    redis(2).thaw();
    await Promise.all(background);
    await holder.release();
    await allFree();
  });

  it("granted by a majority and then without one: unknown when it cannot be taken back, and free when it can", async (context) => {
    const { client, quorum, allFree } = await start(context, 3);
    let broken = true;
    // Every request after the first is lost on the way back.
    const breaking = (commits: boolean) =>
      quorum.stacks.map((): typeof fetch => {
        let asked = 0;
        return async (input, init) => {
          const first = asked++ === 0;
          if (!first && broken && !commits) throw new Error("gone");
          const response = await fetch(input, init);
          if (!first && broken) throw new Error("no answer");
          return response;
        };
      });
    const mine = client({ fetches: breaking(false), requestTimeout: 200 });
    await expect(mine.tryAcquire({ lease: "2s" })).rejects.toMatchObject({ code: "outcome_unknown" });
    // It ends with its lease.
    const next = await client().acquire({ wait: "10s" });
    await next.release();
    await expect(client({ fetches: breaking(true), requestTimeout: 200 }).tryAcquire()).rejects.toMatchObject({
      code: "outcome_unknown",
    });
    broken = false;
    await allFree();
  });

  it("extended by one of three only, just before the end of the lease: that one is free again", async (context) => {
    const { client, quorum, name } = await start(context, 3);
    let lease: Lease | undefined;
    // The answer leaves no time for a retry.
    const loading: typeof fetch = async (...request) => {
      if (!lease) return fetch(...request);
      await pause(lease.remaining - 30);
      return Response.json({ error: "LOADING Redis is loading" }, { status: 400 });
    };
    lease = await client({ fetches: [fetch, loading, loading], requestTimeout: "20s" }).acquire({ lease: "2s" });
    await expect(lease.extend("1h")).rejects.toMatchObject({ code: "redis_error" });
    const [first] = quorum.connections();
    expect(await lock(first as Connection, name).inspect()).toMatchObject({ state: "free" });
  });

  it("granted in two rounds: the lease has its full length nevertheless", async (context) => {
    const { quorum, name } = await start(context, 3);
    let requests = 0;
    const unheardOnce: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      return requests++ === 0 ? new Promise(() => {}) : response;
    };
    const gone: typeof fetch = () => Promise.reject(new Error("gone"));
    const connections = quorum.connections({ fetches: [fetch, unheardOnce, gone], requestTimeout: "20s" });
    const lease = await quorumLock(connections, name, { serverTimeout: 2000 }).acquire({ lease: "20s" });
    // The first round took two seconds.
    expect(lease.remaining).toBeGreaterThan(18_500);
    expect(await lease.release()).toBe(true);
  });

  it("a busy server gets no retry after the end of the round", async (context) => {
    const { client, quorum, name } = await start(context, 3);
    const others = quorum.connections();
    for (const one of others.slice(0, 2)) await lock(one, name).acquire();
    let over = false;
    let late = 0;
    const busy: typeof fetch = async (...request) => {
      if (over) late++;
      if (over) return fetch(...request);
      return Response.json({ error: "slow down" }, { status: 429, headers: { "retry-after": "0.2" } });
    };
    // It waits for longer than the others' answers and as long again take.
    expect(await client({ fetches: [fetch, fetch, busy] }).tryAcquire()).toBeNull();
    over = true;
    await pause(1_000);
    expect(await lock(others[2] as (typeof others)[0], name).inspect()).toMatchObject({ state: "free" });
    expect(late).toBe(0);
  });
});
