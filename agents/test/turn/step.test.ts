import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { startFrozen } from "../../../test/platforms/freeze/frozen.ts";
import { openLedger } from "../../../test/platforms/freeze/ledger.ts";
import { startProxy } from "../../../test/support/proxy.ts";
import { startStack } from "../../../test/support/stack.ts";
import { freshName, pause, useStack } from "../../../test/support/use-stack.ts";
import { turn } from "../../src/index.ts";
import { client, gate, untilOver } from "./stage.ts";

const stack = useStack({ warm: true });
const SUPERSEDE = { onBusy: "supersede" } as const;
const never = (): never => expect.unreachable("the step must not run");

describe.concurrent("a step of a turn", () => {
  it("runs once within the turn, also when two calls of it overlap, and gets the token of the turn", async () => {
    let runs = 0;
    const locks = client(stack);
    await turn(locks, freshName(), SUPERSEDE, async ({ step, token }) => {
      const book = () => step("book", (given) => ({ number: ++runs, token: given.token }));
      expect(await Promise.all([book(), book()])).toEqual([
        { number: 1, token },
        { number: 1, token },
      ]);
      expect(await book()).toEqual({ number: 1, token });
      expect(await step("pay", () => ++runs)).toBe(2);
    });
    expect(runs).toBe(2);
  });

  it("runs again in another turn, unless that has the same id", async () => {
    const locks = client(stack);
    const name = freshName();
    let runs = 0;
    const once = (id?: string) => turn(locks, name, { ...SUPERSEDE, id }, ({ step }) => step("book", () => ++runs));
    expect([await once(), await once(), await once("a"), await once("a"), await once("b")]).toEqual([1, 2, 3, 3, 4]);
  });

  it("is not repeated where an earlier turn of the same id failed after it", async () => {
    const locks = client(stack);
    const name = freshName();
    let [books, pays] = [0, 0];
    const options = { ...SUPERSEDE, id: "message 1" };
    const work = (fails: boolean) =>
      turn(locks, name, options, async ({ step }) => {
        await step("book", () => ++books);
        await step("pay", () => {
          pays++;
          if (fails) throw new Error("declined");
          return pays;
        });
      });
    await expect(work(true)).rejects.toThrow("declined");
    await work(false);
    expect([books, pays]).toEqual([1, 2]);
  });

  it("is refused as soon as the turn was overtaken, before the turn has noticed", async () => {
    const locks = client(stack);
    const name = freshName();
    const other = client(stack).fairLock(name);
    const overtaken = turn(locks, name, SUPERSEDE, async ({ step, signal }) => {
      await step("first", () => 1);
      await other.forceRelease();
      const refused = step("second", never);
      await expect(refused).rejects.toMatchObject({ code: "lease_lost", reason: "forced" });
      expect(signal.aborted).toBe(true);
      await expect(step("third", never)).rejects.toMatchObject({ code: "lease_lost" });
    });
    await expect(overtaken).rejects.toMatchObject({ code: "lease_lost" });
  });

  it("is refused at its end where the turn was overtaken during it, and its result is remembered", async () => {
    const name = freshName();
    const options = { ...SUPERSEDE, id: "message 1" };
    const overtaken = turn(client(stack), name, options, async ({ step }) => {
      await step("book", async (given) => {
        await client(stack).fairLock(name).forceRelease();
        await untilOver(given).catch(() => {});
        return "booked";
      });
    });
    await expect(overtaken).rejects.toMatchObject({ code: "lease_lost" });
    expect(await turn(client(stack), name, options, ({ step }) => step("book", never))).toBe("booked");
  });

  it("is refused once its turn has ended, and when nothing answers while the lease lasts", async () => {
    const begun = await turn(client(stack), freshName(), SUPERSEDE, (given) => given);
    await expect(begun.step("late", never)).rejects.toMatchObject({ code: "lease_lost", reason: "released" });
    let isAway = false;
    const fetch_: typeof fetch = (...args) => (isAway ? Promise.reject(new Error("away")) : fetch(...args));
    const locks = client(stack, { fetch: fetch_, requestTimeout: 1_500 });
    const alone = turn(locks, freshName(), { ...SUPERSEDE, lease: "2s" }, async ({ step }) => {
      isAway = true;
      await step("unasked", never);
    });
    await expect(alone).rejects.toMatchObject({ code: "lease_lost", reason: "expired" });
  });

  it.each([
    ["90 Chinese characters", "订".repeat(90)],
    ["512 bytes", "b".repeat(512)],
    ["512 bytes that a URL would escape", "/".repeat(512)],
  ])("has a name of %s, and is remembered under it (B28)", async (_what, long) => {
    const conversation = freshName("c".repeat(400)).slice(0, 512);
    const options = { ...SUPERSEDE, id: "m".repeat(512) };
    let runs = 0;
    const book = (name: string) => turn(client(stack), conversation, options, ({ step }) => step(name, () => ++runs));
    expect([await book(long), await book(long), await book(`${long.slice(1)}.`), await book(long)]).toEqual([
      1, 1, 2, 1,
    ]);
  });

  it("keeps the readable key of a short name, under which earlier releases stored results (B28)", async () => {
    const name = freshName();
    await turn(client(stack), name, { ...SUPERSEDE, id: "a/b" }, ({ step }) => step("book 8pm", () => 1));
    expect((await client(stack).group(name).once(`${name}/step/a%2Fb/book%208pm`).inspect()).state).toBe("done");
  });

  it("is remembered if an earlier release stored its result, under a key in another slot (50.3)", async () => {
    const name = freshName();
    await client(stack)
      .once(`${name}/step/a%2Fb/book%208pm`)
      .run(() => ({ seats: 2 }));
    for (let n = 0; n < 2; n++) {
      const found = await turn(client(stack), name, { ...SUPERSEDE, id: "a/b" }, ({ step }) =>
        step("book 8pm", (): { seats: number } => expect.unreachable("it was done")),
      );
      expect(found).toEqual({ seats: 2 });
    }
  });

  it("begins under its turn in one request, or not at all (50.3)", async () => {
    const name = freshName();
    const alone = await startStack();
    try {
      const count = async (id?: string): Promise<readonly [number, number]> => {
        await alone.redis.command("CONFIG", "RESETSTAT");
        const given = { ...SUPERSEDE, ...(id !== undefined && { id }) };
        await turn(client(alone), name, given, ({ step }) => step("book", () => 1));
        const { info, "config|resetstat": reset, quit, ...calls } = await alone.commandCalls();
        const all = Object.values(calls).reduce((sum, each) => sum + each, 0);
        return [calls["evalsha"] ?? 0, all];
      };
      for (const id of [undefined, "warm"]) await count(id);
      expect(await count()).toEqual([4, 16]);
      // What an earlier release stored is read by the same request.
      expect(await count("first")).toEqual([5, 19]);
      expect(await count("first")).toEqual([4, 14]);
    } finally {
      await alone.stop();
    }
    const refused = turn(client(stack), name, SUPERSEDE, async ({ step, signal }) => {
      await client(stack).fairLock(name).forceRelease();
      await expect(step("book", () => expect.unreachable("the turn is over"))).rejects.toMatchObject({
        code: "lease_lost",
        reason: "forced",
      });
      expect(signal.aborted).toBe(true);
    });
    await expect(refused).rejects.toMatchObject({ code: "lease_lost", reason: "forced" });
  });

  it("does not wait for itself: its own work is refused to call it, at once (B28)", async () => {
    const trace: string[] = [];
    const result = await turn(client(stack), freshName(), SUPERSEDE, async ({ step }) => {
      const inner = (): Promise<string> => step("book", () => "never");
      return step("book", async () => {
        await expect(inner()).rejects.toThrow(
          new TypeError('step: "book" was called by its own work, which it would wait for: choose another name'),
        );
        trace.push("refused");
        return "booked";
      });
    });
    expect([result, trace]).toEqual(["booked", ["refused"]]);
  });

  it("does not wait for itself through other steps (B28)", async () => {
    await turn(client(stack), freshName(), SUPERSEDE, async ({ step }) => {
      const refused = (): Promise<unknown> =>
        expect(step("outer", never)).rejects.toThrow(
          new TypeError('step: "outer" was called by the work of "inner", which it waits for'),
        );
      const inner = async (): Promise<number> => {
        await Promise.all([refused(), Promise.resolve().then(refused)]);
        return step("innermost", () => 1);
      };
      expect(await step("outer", () => step("inner", inner))).toBe(1);
    });
  });

  it("does not wait for a step that waits for it, though both were called at once (B28)", async () => {
    const [one, two] = [gate(), gate()];
    await turn(client(stack), freshName(), SUPERSEDE, async ({ step }) => {
      const first = step("first", async () => {
        one.open();
        await two.opened;
        return step("second", never);
      });
      const second = step("second", async () => {
        await one.opened;
        two.open();
        await pause(50);
        await expect(step("first", never)).rejects.toThrow('step: "first" was called by the work of "second"');
        return 2;
      });
      expect(await Promise.all([first, second])).toEqual([2, 2]);
    });
  });

  it("may be called again by work that an earlier step left running, and by another turn (B28)", async () => {
    const goOn = gate();
    await turn(client(stack), freshName(), SUPERSEDE, async ({ step }) => {
      let later: Promise<number> = Promise.resolve(0);
      await step("book", () => {
        later = goOn.opened.then(() => step("book", never));
        return 1;
      });
      goOn.open();
      expect(await later).toBe(1);
      const other = () => turn(client(stack), freshName(), SUPERSEDE, (inner) => inner.step("pay", () => 3));
      expect(await step("pay", other)).toBe(3);
    });
  });

  it("says what is wrong with its name or its work", async () => {
    await turn(client(stack), freshName(), SUPERSEDE, async ({ step }) => {
      await expect(step("", () => 1)).rejects.toThrow("step: name is empty");
      await expect(step("订".repeat(171), () => 1)).rejects.toThrow("step: name has 513 bytes: 1 to 512 are allowed");
      await expect(step("a", undefined as never)).rejects.toThrow("step: work is missing: step(name, work)");
    });
  });
});

describe("at the worst moment", () => {
  it("a process that dies after a step has its result used by the next turn of the same id", async () => {
    await using agent = await startAgent();
    await agent.ask("begin");
    expect(await agent.ask("tool")).toBe(1);
    await agent.kill();
    const { name, ledger } = agent;
    await turn(client(stack), name, { ...SUPERSEDE, id: "message 1" }, async ({ step, token }) => {
      ledger.raise(token);
      expect(await step("tool", never)).toBe(1);
      expect(await step("another tool", (given) => ledger.write(given.token, "by the second"))).toBe(1);
    });
    expect(ledger.read().value).toBe("by the second");
  });

  it("a process that froze knows that it was overtaken when it wakes, and calls no more tools", async () => {
    await using agent = await startAgent();
    await agent.ask("begin");
    await agent.freeze();
    await overtake(agent);
    agent.wake();
    expect(await agent.ask("another")).toBe("lease_lost");
    expect(await agent.ask("look")).toBe(true);
    expect(await agent.ask("end")).toBe("lease_lost");
    expect(agent.ledger.read().value).toBe("by the second");
  });

  it("a process that froze on the line before its tool writes is stopped by the token alone", async () => {
    await using agent = await startAgent();
    await agent.ask("begin");
    const waking = agent.ask("freezeInTool");
    await agent.stopped();
    await overtake(agent);
    agent.wake();
    // The write changed no row. The step says so, or that the lease is lost, if that was noticed by then.
    expect([0, "lease_lost"]).toContain(await waking);
    expect(agent.ledger.read().value).toBe("by the second");
  });
});

describe.concurrent("a process that freezes during a step, and is overtaken by a turn of the same message (50.3)", () => {
  it.each([
    { at: "while its beginning is on its way", script: "held-begin", side: "before", runs: [0, 1] },
    { at: "while the answer to its beginning is on its way", script: "held-begin", side: "after", runs: [0, 1] },
    // Both use the tool: the first one froze for longer than its lease. The token is what stops it.
    { at: "while its completion is on its way", script: "once-complete", side: "before", runs: [1, 1] },
    { at: "while the answer to its completion is on its way", script: "once-complete", side: "after", runs: [1, 0] },
  ])("$at", async ({ script, side, runs: expected }) => {
    await using proxy = await startProxy(stack.url);
    await using agent = await startAgent(proxy.url);
    const { name, ledger } = agent;
    const token = (await agent.ask("begin")) as number;
    const [stopped, woken] = [gate(), gate()];
    proxy.next(script, async ({ forward, answer }) => {
      const early = side === "after" ? await forward() : undefined;
      await agent.freeze();
      stopped.open();
      await woken.opened;
      answer(early ?? (await forward()));
    });
    const waking = agent.ask("tool");
    expect(await Promise.race([stopped.opened, waking])).toBeUndefined();
    let runs = 0;
    const use = (): Promise<number> =>
      turn(client(stack), name, { ...SUPERSEDE, id: "message 1" }, (newer) => {
        expect(newer.token).toBeGreaterThan(token);
        ledger.raise(newer.token);
        return newer.step("tool", (given) => {
          runs++;
          return ledger.write(given.token, "by the second");
        });
      });
    expect(await use()).toBe(1);
    woken.open();
    agent.wake();
    // It may get the one result that is stored before it notices the loss of its turn.
    expect(await waking).toBeOneOf(
      side === "before" && script === "once-complete" ? ["lease_lost"] : [1, "lease_lost"],
    );
    expect(await agent.ask("end")).toBe("lease_lost");
    expect([await agent.ask("runs"), runs]).toEqual(expected);
    await proxy.replay();
    // What was stored is the result of each later turn.
    expect(await use()).toBe(1);
    expect([await agent.ask("runs"), runs]).toEqual(expected);
    expect(ledger.read().value).toBe(runs > 0 ? "by the second" : "by the first");
  });
});

/** A newer turn, which claims the ledger and writes. */
const overtake = ({ name, ledger }: Awaited<ReturnType<typeof startAgent>>): Promise<void> =>
  turn(client(stack), name, SUPERSEDE, ({ token }) => {
    ledger.raise(token);
    expect(ledger.write(token, "by the second")).toBe(1);
  });

/** An agent in a process of its own, and the row that it writes to. */
async function startAgent(url = stack.url) {
  const name = freshName("agent");
  const dir = mkdtempSync(join(tmpdir(), "leasehold-agent-"));
  const file = join(dir, "ledger.sqlite");
  const ledger = openLedger(file);
  const script = fileURLToPath(new URL("./agent.ts", import.meta.url));
  const frozen = await startFrozen(script, url, stack.token, name, file);
  let isGone = false;
  const kill = async (): Promise<void> => {
    if (!isGone) await frozen[Symbol.asyncDispose]();
    isGone = true;
  };
  return {
    ...frozen,
    name,
    ledger,
    kill,
    async [Symbol.asyncDispose]() {
      await kill();
      ledger.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
