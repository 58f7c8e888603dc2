import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { redisFence } from "../../src/fence/index.ts";
import { connect } from "../../src/index.ts";
import { answerLost } from "../faults/faults.ts";
import { type FaultProxy, startProxy } from "../support/proxy.ts";
import { freshName, pause, type Stack, startStack } from "../support/stack.ts";

let stack: Stack;
const open = (url = stack.url) => connect({ url, token: stack.token, requestTimeout: "10s" });
beforeAll(async () => {
  stack = await startStack();
  // Faults are for the scripts, and not for the first sight of them.
  await redisFence(open()).claim({ name: "warm", token: 1 });
  await redisFence(open()).call({ name: "warm", token: 1 }, "INCR", "warm");
});
afterAll(() => stack.stop());

const get = async (key: string): Promise<string> => (await stack.redis.command("GET", key)).trim();

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
      const others = redisFence(open());
      const lease = { name: freshName(), token: 1 };
      const more = (count: number) =>
        Promise.all(Array.from({ length: count }, () => others.call(lease, "INCR", `${lease.name}:n`)));
      await others.claim(lease);
      proxy.next("fence-call", async ({ forward, cut }) => {
        await forward();
        await more(70);
        cut();
      });
      const lost = fence.call(lease, "INCR", `${lease.name}:n`);
      await expect(lost).rejects.toMatchObject({ code: "outcome_unknown" });
      expect(await get(`${lease.name}:n`)).toContain("71");
      // What was begun since is not mistaken for it.
      expect(await fence.call(lease, "INCR", `${lease.name}:n`)).toBe(72);
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

  it("a copy of a write does not undo the next one of the same holder", () =>
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
      const fence = redisFence(connect({ url: proxy.url, token: stack.token, requestTimeout: "150ms" }));
      const lease = { name: freshName(), token: 1 };
      const patient = redisFence(open());
      await patient.claim(lease);
      proxy.always(
        (seen) => seen.args.includes("=late"),
        (x) => x.keep(),
      );
      await expect(fence.write(lease, "late")).rejects.toMatchObject({ code: "outcome_unknown" });
      await pause(200);
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
      const ran = Number((await get(`${lease.name}:n`)).split("\n")[1]);
      expect(ran).toBeGreaterThanOrEqual(replies.length);
      expect(ran).toBeLessThanOrEqual(300);
    }));
});
