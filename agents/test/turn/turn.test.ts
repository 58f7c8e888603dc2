import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayServer, serveGateway } from "../../../gateway/src/index.ts";
import type { Locks } from "../../../src/index.ts";
import { freshName, pause, useStack } from "../../../test/support/use-stack.ts";
import { type AgentTurn, type TurnOptions, turn } from "../../src/index.ts";
import { client, gate, untilOver } from "./stage.ts";

const stack = useStack({ warm: true });
let holding: GatewayServer;
beforeAll(async () => {
  holding = await serveGateway({ redis: stack.redis.url, token: stack.token, port: 0 });
});
afterAll(() => holding?.close());

const SUPERSEDE = { onBusy: "supersede" } as const;
const QUEUE = { onBusy: "queue" } as const;
const REJECT = { onBusy: "reject" } as const;

/** A turn that runs until it is over, once it has begun. */
async function running(locks: Locks, name: string, options: TurnOptions, hear?: (turn: AgentTurn) => void) {
  const begun = gate<AgentTurn>();
  const ended = turn(locks, name, options, (mine) => {
    hear?.(mine);
    begun.open(mine);
    return untilOver(mine);
  }).catch((error: unknown) => error);
  return { turn: await begun.opened, ended };
}

describe.each(["polled", "holding"] as const)("turns of a conversation, over a %s server", (server) => {
  const make = (more?: object): Locks => {
    const url = server === "polled" ? stack.url : holding.url;
    return client({ url, token: stack.token }, more);
  };

  it("supersede: the newer turn begins at once, and the signal of the older one aborts long before its heartbeat", async () => {
    const name = freshName();
    // A heartbeat comes after 20 s.
    const first = await running(make(), name, { ...SUPERSEDE, lease: "60s" });
    const since = performance.now();
    const second = await turn(make(), name, SUPERSEDE, async ({ token, signal }) => {
      expect(token).toBeGreaterThan(first.turn.token);
      const error = await first.ended;
      expect(signal.aborted).toBe(false);
      return error;
    });
    expect(second).toMatchObject({ code: "lease_lost", reason: "forced" });
    expect(performance.now() - since).toBeLessThan(10_000);
    expect(first.turn.signal.reason).toBe(second);
  });

  it("supersede: of many concurrent turns one continues, and all others end", async () => {
    const name = freshName();
    const alive = new Set<number>();
    const ended = Array.from({ length: 5 }, (_, at) => {
      alive.add(at);
      const one = turn(make(), name, SUPERSEDE, untilOver);
      return one.catch((error: unknown) => {
        alive.delete(at);
        return error;
      });
    });
    await expect.poll(() => alive.size, { timeout: 15_000 }).toBe(1);
    const { token, state } = await make().fairLock(name).inspect();
    expect(state).toBe("held");
    expect(await turn(make(), name, SUPERSEDE, (mine) => mine.token)).toBeGreaterThan(token);
    for (const error of await Promise.all(ended)) expect(error).toMatchObject({ code: "lease_lost", reason: "forced" });
  });

  it("queue: turns run one after the other, in the order in which they came", async () => {
    const name = freshName();
    const first = gate();
    const order: number[] = [];
    const begun = gate();
    const one = turn(make(), name, QUEUE, async () => {
      begun.open();
      await first.opened;
      order.push(0);
    });
    await begun.opened;
    const others: Promise<unknown>[] = [];
    for (let at = 1; at <= 3; at++) {
      others.push(turn(make(), name, { ...QUEUE, wait: "30s" }, () => order.push(at)));
      await expect.poll(async () => (await make().fairLock(name).inspect()).waiters).toBe(at);
    }
    first.open();
    await Promise.all([one, ...others]);
    expect(order).toEqual([0, 1, 2, 3]);
  });

  it("reject: says who is running and for how long, and leaves it alone", async () => {
    const name = freshName();
    const first = await running(make(), name, { ...REJECT, label: "message 1 of alice" });
    const second = turn(make(), name, REJECT, () => expect.unreachable("the work must not run"));
    await expect(second).rejects.toMatchObject({ code: "lock_timeout", label: "message 1 of alice" });
    await expect(second).rejects.toThrow(/held by "message 1 of alice" for up to \d+ ms more/);
    expect(first.turn.signal.aborted).toBe(false);
    await make().fairLock(name).forceRelease();
    expect(await first.ended).toMatchObject({ code: "lease_lost" });
  });

  it("a turn that died keeps a queue out for its lease, and nobody who supersedes", async () => {
    const name = freshName();
    // Its process is gone: nothing extends or releases it.
    const dead = await make().fairLock(name).acquire({ lease: "2s" });
    const waited = await turn(make(), name, { ...QUEUE, wait: "20s" }, ({ token }) => token);
    expect(waited).toBeGreaterThan(dead.token);
    await make().fairLock(name).acquire({ lease: "60s" });
    expect(await turn(make(), name, SUPERSEDE, ({ token }) => token)).toBeGreaterThan(waited);
  });

  it("a turn outlasts its lease, and frees the conversation at its end", async () => {
    const name = freshName();
    const ended = await turn(make(), name, { ...QUEUE, lease: "1s" }, async ({ signal }) => {
      await pause(2500);
      return signal.aborted;
    });
    expect(ended).toBe(false);
    expect((await make().fairLock(name).inspect()).state).toBe("free");
  });

  it("passes on what the work throws, and the reason in the place of an AbortError", async () => {
    const name = freshName();
    const failing = turn(make(), name, QUEUE, () => Promise.reject(new Error("the model is down")));
    await expect(failing).rejects.toThrow("the model is down");
    const stop = new AbortController();
    const aborted = turn(make(), name, { ...QUEUE, signal: stop.signal }, async ({ signal }) => {
      stop.abort(new Error("the user left"));
      expect(signal.aborted).toBe(true);
      throw new DOMException("aborted", "AbortError");
    });
    await expect(aborted).rejects.toThrow("the user left");
    expect((await make().fairLock(name).inspect()).state).toBe("free");
  });

  it("sends nothing for a signal that has aborted, and leaves the queue with one that aborts", async () => {
    const name = freshName();
    const over = AbortSignal.abort(new Error("gone"));
    for (const onBusy of ["supersede", "queue", "reject"] as const)
      await expect(turn(make(), name, { onBusy, signal: over }, () => 1)).rejects.toThrow("gone");
    const first = await running(make(), name, QUEUE);
    const stop = new AbortController();
    const second = turn(make(), name, { ...QUEUE, signal: stop.signal }, () => 1);
    second.catch(() => {});
    await expect.poll(async () => (await make().fairLock(name).inspect()).waiters).toBe(1);
    stop.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    // Sooner than its place in the queue would end by itself.
    await expect.poll(async () => (await make().fairLock(name).inspect()).waiters, { timeout: 1_000 }).toBe(0);
    await make().fairLock(name).forceRelease();
    await first.ended;
  });
});

it("where the server holds requests, a running turn polls it rarely", async () => {
  let requests = 0;
  const counting: typeof fetch = (...args) => {
    requests++;
    return fetch(...args);
  };
  const locks = client({ url: holding.url, token: stack.token }, { fetch: counting });
  await turn(locks, freshName(), { ...SUPERSEDE, checkEvery: "50ms" }, () => pause(3000));
  // The acquisition, one request that is held, the release.
  expect(requests).toBeLessThan(6);
});

it("a mistake is reported at the call, in words", async () => {
  const locks = client(stack);
  const work = (): number => 1;
  const wrong = (options: unknown, given: unknown = work): Promise<unknown> =>
    turn(locks, "a", options as never, given as never);
  await expect(wrong({})).rejects.toThrow(
    new TypeError('turn: onBusy undefined must be "supersede" or "queue" or "reject" or "collect"'),
  );
  await expect(wrong({ onBusy: "cancel" })).rejects.toThrow('turn: onBusy "cancel" must be');
  await expect(wrong({ ...QUEUE, timeout: 1 })).rejects.toThrow('turn: no option "timeout": did you mean "wait"?');
  await expect(wrong({ ...QUEUE, lease: 5 })).rejects.toThrow("turn: lease 5 is too short");
  await expect(wrong({ ...QUEUE, checkEvery: "1 s" })).rejects.toThrow('turn: checkEvery "1 s" is not a duration');
  await expect(wrong({ ...QUEUE, id: "" })).rejects.toThrow("turn: id is empty");
  await expect(wrong(work, QUEUE)).rejects.toThrow("turn: the options come before work: turn(connection,");
  await expect(wrong(undefined)).rejects.toThrow("turn: options must be an object, not undefined");
});
