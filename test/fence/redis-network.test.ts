import { beforeAll, describe, expect, it } from "vitest";
import { redisFence } from "../../src/fence/index.ts";
import { type ConnectOptions, connect } from "../../src/index.ts";
import { answerLost, instead } from "../faults/faults.ts";
import { type FaultProxy, startProxy } from "../support/proxy.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack();
const open = (url = stack.url, more: Partial<ConnectOptions> = {}) =>
  connect({ url, token: stack.token, requestTimeout: "30s", ...more } as ConnectOptions);
beforeAll(async () => {
  // Faults are for the scripts, and not for the first sight of them.
  await redisFence(open()).claim({ name: "warm", token: 1 });
  await redisFence(open()).call({ name: "warm", token: 1 }, "INCR", "warm");
});

const get = async (key: string): Promise<string> => (await stack.redis.command("GET", key)).trim();
const numberAt = async (key: string): Promise<number> => Number((await get(key)).split("\n")[1]);

/** Later than anybody waits for. */
const later = { "retry-after": "60" };

/** A clock two minutes ahead of the server's. */
const ahead = { now: () => Date.now() + 120_000, monotonic: () => performance.now() };

/** More than a fence remembers. */
const MANY = 70;
const many = (name: string, token: number): Promise<unknown> => {
  const others = redisFence(open());
  return Promise.all(Array.from({ length: MANY }, () => others.call({ name, token }, "INCR", `${name}:n`)));
};

describe.concurrent("redisFence over a bad network", () => {
  const through = async (work: (proxy: FaultProxy) => Promise<void>): Promise<void> => {
    await using proxy = await startProxy(stack.url);
    await work(proxy);
  };

  it("runs a command once whose answer is lost, and gives its reply", () =>
    through(async (proxy) => {
      const fence = redisFence(open(proxy.url));
      const lease = { name: freshName(), token: 1 };
      proxy.next("fence-call", async (x) => x.answer(await x.forward()), answerLost, answerLost);
      expect(await fence.call(lease, "INCRBY", `${lease.name}:n`, 5)).toBe(5);
      expect(await fence.call(lease, "INCRBY", `${lease.name}:n`, 5)).toBe(10);
      expect(proxy.unmet()).toBe(0);
      expect(await get(`${lease.name}:n`)).toContain("10");
      // Copies of all of them, in any order.
      expect(new Set(await proxy.replay("fence-call", "backward"))).not.toContain("stale");
      expect(await get(`${lease.name}:n`)).toContain("10");
    }));

  it("does not run a command again that may have run among many others since", () =>
    through(async (proxy) => {
      const fence = redisFence(open(proxy.url));
      const lease = { name: freshName(), token: 1 };
      await redisFence(open()).claim(lease);
      proxy.next("fence-call", async ({ forward, cut }) => {
        await forward();
        await many(lease.name, 1);
        cut();
      });
      const lost = fence.call(lease, "INCR", `${lease.name}:n`);
      await expect(lost).rejects.toMatchObject({ code: "outcome_unknown" });
      expect(await get(`${lease.name}:n`)).toContain("71");
      // A command that was begun since is not mistaken for it.
      expect(await fence.call(lease, "INCR", `${lease.name}:n`)).toBe(72);
    }));

  it("gives up a write that others overtake at each of its ten attempts", () =>
    through(async (proxy) => {
      const lease = { name: freshName(), token: 1 };
      await redisFence(open()).claim(lease);
      let attempts = 0;
      proxy.always("fence-write", async ({ forward, answer }) => {
        attempts++;
        if (attempts <= 10) await many(lease.name, 1);
        answer(await forward());
      });
      await expect(redisFence(open(proxy.url)).write(lease, "late")).rejects.toMatchObject({
        code: "redis_error",
        message: `too many writes at once under "${lease.name}"`,
      });
      expect(await redisFence(open()).read(lease.name)).toEqual({ token: 1, value: "" });
    }));

  it("tells the holder that its command ran, also when a newer one came before the answer", () =>
    through(async (proxy) => {
      const fence = redisFence(open(proxy.url));
      const { name, token } = { name: freshName(), token: 1 };
      proxy.next(
        (seen) => seen.args.includes("INCR"),
        async ({ forward, cut }) => {
          await forward();
          await redisFence(open()).claim({ name, token: 2 });
          cut();
        },
      );
      expect(await fence.call({ name, token }, "INCR", `${name}:n`)).toBe(1);
      await expect(fence.call({ name, token }, "INCR", `${name}:n`)).rejects.toMatchObject({ seen: 2 });
      expect(await fence.read(name)).toMatchObject({ token: 2 });
    }));

  it("never runs a command twice for a caller whose clock is ahead, and who learns it by the lost answer", () =>
    through(async (proxy) => {
      const lease = { name: freshName(), token: 1 };
      proxy.next("fence-call", async ({ forward, cut }) => {
        await forward();
        await many(lease.name, 1);
        cut();
      });
      const lost = redisFence(open(proxy.url, { clock: ahead })).call(lease, "INCRBY", `${lease.name}:n`, 1000);
      const ran = await lost.then(
        () => 1,
        (error) => expect(error).toMatchObject({ code: "outcome_unknown" }),
      );
      const value = await numberAt(`${lease.name}:n`);
      expect(ran === 1 ? [MANY + 1000] : [MANY, MANY + 1000]).toContain(value);
    }));

  it("runs a command of a caller whose clock is ahead once, whatever copies arrive among many others", () =>
    through(async (proxy) => {
      const lease = { name: freshName(), token: 1 };
      const fence = redisFence(open(proxy.url, { clock: ahead }));
      expect(await fence.call(lease, "INCRBY", `${lease.name}:n`, 1000)).toBe(1000);
      await many(lease.name, 1);
      expect(new Set(await proxy.replay("fence-call"))).toEqual(new Set(["forgotten"]));
      expect(await numberAt(`${lease.name}:n`)).toBe(MANY + 1000);
    }));

  it("asks once for a write, though the clock tells whole milliseconds and the answer comes within one", async () => {
    let asked = 0;
    const counting: typeof fetch = (input, init) => {
      asked++;
      return fetch(input, init);
    };
    const fence = redisFence(open(stack.url, { fetch: counting }));
    const lease = { name: freshName(), token: 1 };
    await fence.write(lease, "first");
    asked = 0;
    const writes = 500;
    for (let i = 0; i < writes; i++) await fence.write(lease, `${i}`);
    expect(asked).toBe(writes);
  });

  it("does nothing twice for a caller whose clock is a little ahead, when copies come as the server's has caught up", () =>
    through(async (proxy) => {
      const lease = { name: freshName(), token: 1 };
      const soon = { now: () => Date.now() + 300, monotonic: () => performance.now() };
      await redisFence(open(proxy.url, { clock: soon })).call(lease, "INCR", `${lease.name}:n`);
      await redisFence(open(proxy.url, { clock: soon })).write(lease, "first");
      await redisFence(open(proxy.url)).write(lease, "second");
      await pause(400);
      expect(new Set(await proxy.replay())).toEqual(new Set(["called", "written"]));
      expect(await numberAt(`${lease.name}:n`)).toBe(1);
      expect(await redisFence(open()).read(lease.name)).toEqual({ token: 1, value: "second" });
    }));

  it.each([
    ["that it asks too often", { status: 429, headers: later, body: '{"error":"ERR max requests"}' }],
    ["that it is loading", { status: 400, headers: later, body: '{"error":"LOADING Redis is loading"}' }],
    ["that its API token is no good", { status: 401, headers: {}, body: '{"error":"Unauthorized"}' }],
    ["that memory is full", { status: 400, headers: {}, body: '{"error":"OOM command not allowed"}' }],
  ])("does not take for refused what ran unanswered when the next attempt hears %s", (_, answer) =>
    through(async (proxy) => {
      const lease = { name: freshName(), token: 1 };
      proxy.next("fence-call", answerLost);
      proxy.always((seen) => seen !== proxy.seen[0], instead(answer));
      const fence = redisFence(open(proxy.url));
      const lost = fence.call(lease, "INCR", `${lease.name}:n`);
      await expect(lost).rejects.toMatchObject({ code: "outcome_unknown" });
      expect(await numberAt(`${lease.name}:n`)).toBe(1);
      // Without such an attempt the refusal is what it says.
      const refused = fence.call(lease, "INCR", `${lease.name}:n`);
      await expect(refused).rejects.not.toMatchObject({ code: "outcome_unknown" });
    }),
  );

  it("does not say stale, which is not run, of what ran unanswered before a newer holder's many", () =>
    through(async (proxy) => {
      const lease = { name: freshName(), token: 1 };
      const fence = redisFence(open(proxy.url));
      await fence.claim(lease);
      proxy.next("fence-call", async ({ forward, cut }) => {
        await forward();
        await many(lease.name, 2);
        cut();
      });
      const lost = fence.call(lease, "INCRBY", `${lease.name}:n`, 1000);
      await expect(lost).rejects.toMatchObject({ code: "outcome_unknown" });
      expect(await numberAt(`${lease.name}:n`)).toBe(MANY + 1000);
      await expect(fence.call(lease, "INCR", `${lease.name}:n`)).rejects.toMatchObject({
        code: "stale_token",
        seen: 2,
      });
    }));

  it("a duplicate of a call that Redis refused does not run once the cause has disappeared", () =>
    through(async (proxy) => {
      const fence = redisFence(open(proxy.url));
      const lease = { name: freshName(), token: 1 };
      const key = `${lease.name}:n`;
      for (const [wrong, command, why] of [
        [["SET", key, "text"], "INCRBY", /^ERR /],
        [["RPUSH", key, "item"], "INCRBY", /^WRONGTYPE /],
      ] as const) {
        const before = proxy.seen.length;
        await stack.redis.command(...wrong);
        const refused = fence.call(lease, command, key, 5);
        await expect(refused).rejects.toMatchObject({ code: "redis_error", message: expect.stringMatching(why) });
        await stack.redis.command("DEL", key);
        expect(await proxy.replay((seen) => proxy.seen.indexOf(seen) >= before)).toEqual(["failed"]);
        expect(await fence.call(lease, command, key, 5)).toBe(5);
        await proxy.replay((seen) => proxy.seen.indexOf(seen) >= before);
        expect(await numberAt(key)).toBe(5);
        await stack.redis.command("DEL", key);
      }
    }));

  it("says that a command ran whose long reply is lost", () =>
    through(async (proxy) => {
      const fence = redisFence(open(proxy.url));
      const lease = { name: freshName(), token: 1 };
      await fence.call(lease, "SET", `${lease.name}:s`, "x".repeat(300));
      proxy.next((seen) => seen.args.includes("GETSET"), answerLost);
      const lost = fence.call(lease, "GETSET", `${lease.name}:s`, "y");
      await expect(lost).rejects.toMatchObject({ code: "outcome_unknown" });
      expect(await get(`${lease.name}:s`)).toMatch(/y$/);
    }));

  it("a duplicate of a write does not undo the next one of the same holder", () =>
    through(async (proxy) => {
      const fence = redisFence(open(proxy.url));
      const lease = { name: freshName(), token: 1 };
      await fence.write(lease, "first");
      await fence.write(lease, "second");
      expect(await proxy.replay("fence-write")).toEqual(expect.arrayContaining(["written", "written"]));
      expect(await fence.read(lease.name)).toEqual({ token: 1, value: "second" });
    }));

  it("a request that arrives after its time is void", () =>
    through(async (proxy) => {
      const fence = redisFence(connect({ url: proxy.url, token: stack.token, requestTimeout: "500ms" }));
      const lease = { name: freshName(), token: 1 };
      const patient = redisFence(open());
      await patient.claim(lease);
      proxy.always(
        (seen) => seen.args.includes("=late"),
        (x) => x.keep(),
      );
      await expect(fence.write(lease, "late")).rejects.toMatchObject({ code: "outcome_unknown" });
      await pause(500);
      expect(new Set(await proxy.deliver())).toEqual(new Set(["late"]));
      expect(await patient.read(lease.name)).toMatchObject({ value: "" });
    }));

  it("runs 300 commands at once each once, with every tenth answer lost", () =>
    through(async (proxy) => {
      const fence = redisFence(open(proxy.url));
      const lease = { name: freshName(), token: 1 };
      let count = 0;
      proxy.always("fence-call", async (x) => {
        const answer = await x.forward();
        if (++count % 10 === 0) x.cut();
        else x.answer(answer);
      });
      const calls = Array.from({ length: 300 }, () => fence.call(lease, "INCR", `${lease.name}:n`));
      const outcomes = await Promise.allSettled(calls);
      const replies = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
      const unknown = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
      expect(replies.length).toBeGreaterThan(200);
      for (const error of unknown) expect(error).toMatchObject({ code: "outcome_unknown" });
      expect(new Set(replies).size).toBe(replies.length);
      const ran = await numberAt(`${lease.name}:n`);
      expect(ran).toBeGreaterThanOrEqual(replies.length);
      expect(ran).toBeLessThanOrEqual(300);
    }));
});
