/** Messages that arrive during a turn: they are kept, and the running turn's successor gets them. */
import { fork } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Locks } from "../../../src/index.ts";
import { answerLost, fates, heldBack, onItsWay, unheard } from "../../../test/faults/faults.ts";
import { startWorld, TIMEOUT_MS } from "../../../test/faults/world.ts";
import { freshName, pause, useStack } from "../../../test/support/use-stack.ts";
import { type Collected, type CollectOptions, type CollectTurn, turn } from "../../src/index.ts";
import { client, gate } from "./stage.ts";

const stack = useStack({ warm: true });

const idsOf = ({ messages }: Pick<CollectTurn, "messages">): string[] => messages.map(({ id }) => id);
type More = Partial<Omit<CollectOptions<string>, "onBusy" | "id">>;

/** Delivers a message whose text is its ID. The work returns the IDs that it was given. */
const deliver = (
  locks: Locks,
  name: string,
  id: string,
  more: More = {},
  work: (turn: CollectTurn<string>) => unknown = () => {},
): Promise<Collected<string[]>> =>
  turn<string[], string>(
    locks,
    name,
    { onBusy: "collect", id, message: `the text of ${id}`, ...more },
    async (mine) => {
      for (const { id: each, message } of mine.messages) expect(message).toBe(`the text of ${each}`);
      await work(mine);
      return idsOf(mine);
    },
  );

/** A turn that runs until it is told to end. */
async function running(locks: Locks, name: string, id: string, more: More = {}) {
  const [begun, ended] = [gate<CollectTurn<string>>(), gate()];
  let turns = 0;
  const result = deliver(locks, name, id, more, async (mine) => {
    if (++turns > 1) return;
    begun.open(mine);
    await ended.opened;
  });
  // Whoever ends it reads what becomes of it.
  result.catch(() => {});
  const mine = await Promise.race([begun.opened, result.then(() => expect.unreachable("it did not begin"))]);
  return { mine, end: () => ended.open(), result };
}

describe.concurrent("a turn that collects", () => {
  it("gets the message of its delivery; a message that arrives meanwhile is for its successor (52.3)", async ({
    expect,
  }) => {
    const name = freshName();
    const first = await running(client(stack), name, "1");
    expect(idsOf(first.mine)).toEqual(["1"]);
    for (const id of ["2", "3"])
      expect(await deliver(client(stack), name, id)).toEqual({ status: "kept", results: [], left: 0 });
    first.end();
    expect(await first.result).toEqual({ status: "done", results: [["1"], ["2", "3"]], left: 0 });
    expect(await deliver(client(stack), name, "4")).toEqual({ status: "done", results: [["4"]], left: 0 });
    expect(await client(stack).fairLock(name).inspect()).toMatchObject({ state: "free" });
  });

  it("of a burst of 100, at most 2 turns are made, in order, each message once (52.3)", async ({ expect }) => {
    const name = freshName();
    const locks = client(stack, { requestTimeout: "20s" });
    let turns = 0;
    const ids = Array.from({ length: 100 }, (_, n) => `${n}`);
    const first = await running(locks, name, "0", { lease: "60s" });
    const others = ids.slice(1).map((id) => deliver(locks, name, id, {}, () => void turns++));
    expect((await Promise.all(others)).every(({ status }) => status === "kept")).toBe(true);
    first.end();
    const { results } = await first.result;
    expect(results.length).toBe(2);
    expect(turns).toBe(0);
    expect(results.flat().sort()).toEqual([...ids].sort());
  });

  it("a burst of 100 at once, with a first turn that works for a while, makes at most 2 turns (52.3)", async ({
    expect,
  }) => {
    const name = freshName();
    const locks = client(stack, { requestTimeout: "20s" });
    const delivered = Array.from({ length: 100 }, (_, n) =>
      deliver(locks, name, `${n}`, { lease: "60s" }, () => pause(3000)),
    );
    const turns = (await Promise.all(delivered)).flatMap(({ results }) => results);
    expect(turns.length).toBeLessThanOrEqual(2);
    expect(turns.flat().sort()).toEqual(Array.from({ length: 100 }, (_, n) => `${n}`).sort());
  });

  it("keeps the order in which messages reached the server (52.3)", async ({ expect }) => {
    const name = freshName();
    const first = await running(client(stack), name, "first");
    const ids = ["c", "a", "b", "d"];
    for (const id of ids) await deliver(client(stack), name, id);
    first.end();
    expect((await first.result).results).toEqual([["first"], ids]);
  });

  it("a message that is delivered again is kept once, and not at all after its turn (52.3)", async ({ expect }) => {
    const name = freshName();
    const first = await running(client(stack), name, "1");
    for (const id of ["1", "2", "2", "1"])
      expect(await deliver(client(stack), name, id)).toMatchObject({ status: "kept" });
    first.end();
    expect((await first.result).results).toEqual([["1"], ["2"]]);
    for (const id of ["1", "2"])
      expect(await deliver(client(stack), name, id)).toEqual({ status: "handled", results: [], left: 0 });
    const next = await running(client(stack), name, "3");
    expect(await deliver(client(stack), name, "2")).toEqual({ status: "handled", results: [], left: 0 });
    next.end();
    expect((await next.result).results).toEqual([["3"]]);
  });

  it("forgets the ids of handled messages after ttl (52.3)", async ({ expect }) => {
    const name = freshName();
    const more = { ttl: "200ms", maxHold: "200ms" } as const;
    await deliver(client(stack), name, "1", more);
    await pause(300);
    expect(await deliver(client(stack), name, "1", more)).toMatchObject({ status: "done" });
  });

  it("whose work throws keeps its messages for the next delivery, of the same message or another (52.3)", async ({
    expect,
  }) => {
    const name = freshName();
    const failing = (): never => {
      throw new Error("no model");
    };
    await expect(deliver(client(stack), name, "1", {}, failing)).rejects.toThrow("no model");
    expect(await deliver(client(stack), name, "2")).toMatchObject({ status: "done", results: [["1", "2"]] });
    await expect(deliver(client(stack), name, "3", {}, failing)).rejects.toThrow("no model");
    expect(await deliver(client(stack), name, "3")).toMatchObject({ status: "done", results: [["3"]] });
    // A known message also brings the turn that others were left without.
    await expect(deliver(client(stack), name, "4", {}, failing)).rejects.toThrow("no model");
    expect(await deliver(client(stack), name, "3")).toEqual({ status: "handled", results: [["4"]], left: 0 });
  });

  it("has the steps of the turn that crashed with the same first message (52.3)", async ({ expect }) => {
    const name = freshName();
    let books = 0;
    const work = (fails: boolean) => async (mine: CollectTurn<string>) => {
      await mine.step("book", () => ++books);
      if (fails) throw new Error("no model");
    };
    await expect(deliver(client(stack), name, "1", {}, work(true))).rejects.toThrow("no model");
    expect(await deliver(client(stack), name, "2", {}, work(false))).toMatchObject({ results: [["1", "2"]] });
    expect(books).toBe(1);
    await deliver(client(stack), name, "3", {}, work(false));
    expect(books).toBe(2);
  });

  it("has a larger token than the one before it, also in the same call (52.3)", async ({ expect }) => {
    const name = freshName();
    const tokens: number[] = [];
    const [begun, ended] = [gate(), gate()];
    const first = deliver(client(stack), name, "1", {}, async ({ token }) => {
      tokens.push(token);
      begun.open();
      if (tokens.length === 1) await ended.opened;
    });
    await begun.opened;
    await deliver(client(stack), name, "2");
    ended.open();
    await first;
    expect(tokens.length).toBe(2);
    expect(tokens[1]).toBeGreaterThan(tokens[0] ?? 0);
  });

  it("refuses the 101st message, and what is more than 256 kB in all, with a code (52.3)", async ({ expect }) => {
    const name = freshName();
    const locks = client(stack);
    const first = await running(locks, name, "0", { lease: "20s" });
    await Promise.all(Array.from({ length: 99 }, (_, n) => deliver(locks, name, `${n + 1}`)));
    await expect(deliver(locks, name, "100")).rejects.toMatchObject({
      code: "too_many_messages",
      name: "TooManyMessagesError",
      message: expect.stringMatching(
        /^100 messages, or 256 kB of them, wait in .*, and this one was not kept: deliver it again/,
      ),
      remainingMs: expect.any(Number),
    });
    // A message that is there already is no more.
    expect(await deliver(locks, name, "99")).toMatchObject({ status: "kept" });
    first.end();
    expect((await first.result).results.map(({ length }) => length)).toEqual([1, 99]);
    expect(await deliver(locks, name, "100")).toMatchObject({ status: "done" });

    const large = await running(locks, name, "a");
    const send = (id: string, bytes: number) =>
      turn(locks, name, { onBusy: "collect", id, message: "é".repeat(bytes / 2) }, () => {});
    expect(await send("b", 130_000)).toMatchObject({ status: "kept" });
    await expect(send("c", 132_200)).rejects.toMatchObject({ code: "too_many_messages" });
    expect(await send("d", 130_000)).toMatchObject({ status: "kept" });
    large.end();
    await large.result.catch(() => {});
  });

  it("begins with 100 messages that were left, and takes the one that found no room afterwards (52.3)", async ({
    expect,
  }) => {
    const name = freshName();
    const locks = client(stack);
    const first = await running(locks, name, "0");
    await Promise.all(Array.from({ length: 99 }, (_, n) => deliver(locks, name, `${n + 1}`)));
    await locks.fairLock(name).forceRelease();
    first.end();
    await expect(first.result).rejects.toMatchObject({ code: "lease_lost", reason: "forced" });
    const { status, results } = await deliver(locks, name, "100");
    expect(status).toBe("done");
    expect(results.map(({ length }) => length)).toEqual([100, 1]);
    expect(results[1]).toEqual(["100"]);
  });

  it("waits for a pause of `quiet`, and gets what arrives until then (52.3)", async ({ expect }) => {
    const name = freshName();
    const locks = client(stack);
    const since = performance.now();
    const first = deliver(locks, name, "1", { quiet: "1500ms" });
    await expect.poll(async () => (await locks.fairLock(name).inspect()).state).toBe("held");
    for (const id of ["2", "3"]) {
      await pause(400);
      expect(await deliver(locks, name, id, { quiet: "1500ms" })).toMatchObject({ status: "kept" });
    }
    expect((await first).results).toEqual([["1", "2", "3"]]);
    expect(performance.now() - since).toBeGreaterThan(2200);
  });

  it("begins after ten times `quiet` although messages still arrive (52.3)", async ({ expect }) => {
    const name = freshName();
    const locks = client(stack);
    const first = deliver(locks, name, "1", { quiet: "100ms" }, () => pause(500));
    const ids = Array.from({ length: 30 }, (_, n) => `${n + 2}`);
    for (const id of ids) {
      await pause(50);
      await deliver(locks, name, id, { quiet: "100ms" });
    }
    const { results } = await first;
    expect(results.length).toBeGreaterThan(1);
    expect(results.flat()).toEqual(["1", ...ids]);
  });

  it("extends its lease while it waits for a pause, and ends with its signal (52.3)", async ({ expect }) => {
    const name = freshName();
    const locks = client(stack);
    expect(await deliver(locks, name, "1", { quiet: "3s", lease: "2s" })).toMatchObject({ results: [["1"]] });
    const ending = new AbortController();
    const aborted = deliver(locks, name, "2", { quiet: "20s", signal: ending.signal });
    await expect.poll(async () => (await locks.fairLock(name).inspect()).state).toBe("held");
    ending.abort(new Error("enough"));
    await expect(aborted).rejects.toThrow("enough");
    await expect.poll(async () => (await locks.fairLock(name).inspect()).state).toBe("free");
    expect(await deliver(locks, name, "3")).toMatchObject({ results: [["2", "3"]] });
  });

  it("begins no further turn after its signal or maxHold, and says how many messages are left (52.3)", async ({
    expect,
  }) => {
    const name = freshName();
    const ending = new AbortController();
    const first = await running(client(stack), name, "1", { signal: ending.signal });
    await deliver(client(stack), name, "2");
    ending.abort(new Error("enough"));
    first.end();
    expect(await first.result).toEqual({ status: "done", results: [["1"]], left: 1 });
    const second = await running(client(stack), name, "3", { maxHold: "300ms", lease: "5s" });
    expect(idsOf(second.mine)).toEqual(["2", "3"]);
    await deliver(client(stack), name, "4");
    await pause(350);
    second.end();
    expect(await second.result).toEqual({ status: "done", results: [["2", "3"]], left: 1 });
    expect(await deliver(client(stack), name, "5")).toMatchObject({ results: [["4", "5"]] });
  });

  it("is refused while a turn or a lock that does not collect holds the conversation, and keeps nothing (52.3)", async ({
    expect,
  }) => {
    const name = freshName();
    const locks = client(stack);
    const other = await locks.fairLock(name).acquire({ label: "an editor", lease: "5s" });
    await expect(deliver(locks, name, "1")).rejects.toMatchObject({ code: "lock_timeout", label: "an editor" });
    await other.release();
    expect(await deliver(locks, name, "2")).toMatchObject({ results: [["2"]] });
    // Nor does it overtake a queue.
    const holder = await locks.fairLock(name).acquire({ lease: "1s" });
    const waiter = locks.fairLock(name).acquire({ wait: "10s", lease: "5s" });
    await expect.poll(async () => (await locks.fairLock(name).inspect()).waiters).toBe(1);
    await holder.release();
    await expect(deliver(locks, name, "3")).rejects.toMatchObject({ code: "lock_timeout" });
    await (await waiter).release();
  });

  it("wakes a waiter of the fair lock at its end (52.3)", async ({ expect }) => {
    const name = freshName();
    const first = await running(client(stack), name, "1");
    const waiter = client(stack).fairLock(name).acquire({ wait: "20s" });
    await expect.poll(async () => (await client(stack).fairLock(name).inspect()).waiters).toBe(1);
    first.end();
    await first.result;
    expect(await (await waiter).release()).toBe(true);
  });

  it("ends as lost if its lease was released by its work, and its messages stay (52.3)", async ({ expect }) => {
    const name = freshName();
    const released = deliver(client(stack), name, "1", {}, ({ lease }) => lease.release());
    await expect(released).rejects.toMatchObject({ code: "lease_lost", reason: "released" });
    expect(await deliver(client(stack), name, "2")).toMatchObject({ results: [["1", "2"]] });
  });

  it("in a group uses the group's slot (52.3)", async ({ expect }) => {
    const [group, name] = [freshName(), freshName()];
    const view = client(stack).group(group) as unknown as Locks;
    expect(await deliver(view, name, "1")).toMatchObject({ results: [["1"]] });
    expect(await stack.redis.command("EXISTS", `leasehold:{${group}}/${name}%inbox`)).toContain(":1");
    expect(await deliver(view, name, "1")).toMatchObject({ status: "handled" });
  });

  it("rejects options that cannot be meant (52.3)", async ({ expect }) => {
    const locks = client(stack);
    const none = (): void => {};
    const wrong = (options: object) => turn(locks, "a", options as CollectOptions, none);
    await expect(wrong({ onBusy: "collect" })).rejects.toThrow('turn: onBusy: "collect" needs an id');
    await expect(wrong({ onBusy: "collect", id: "" })).rejects.toThrow(RangeError);
    await expect(wrong({ onBusy: "collect", id: "1", quiet: "soon" })).rejects.toThrow(/quiet "soon"/);
    await expect(wrong({ onBusy: "queue", quiet: "2s" })).rejects.toThrow(
      'turn: no option "quiet" without onBusy: "collect"',
    );
    await expect(wrong({ onBusy: "queue", message: "2s" })).rejects.toThrow(
      'turn: no option "message" without onBusy: "collect"',
    );
    await expect(wrong({ onBusy: "collect", id: "1", message: new Map() })).rejects.toThrow(
      'turn: message is not JSON: an instance of Map at "message"',
    );
    const large = wrong({ onBusy: "collect", id: "1", message: "x".repeat(262_144) });
    await expect(large).rejects.toThrow(/turn: message has \d+ bytes of JSON; at most 262144 are stored/);
    await expect(wrong({ onBusy: "keep", id: "1" })).rejects.toThrow(/"reject" or "collect"/);
  });
});

describe.concurrent("one request", () => {
  it("is sent for a message that finds a turn running, and one for each change of turns (52.3)", async ({ expect }) => {
    await using world = await startWorld(stack);
    const { name, ours, theirs, proxy } = world;
    const first = await running(theirs, name, "1");
    expect(await deliver(ours, name, "2")).toMatchObject({ status: "kept" });
    expect(proxy.count()).toBe(1);
    first.end();
    await first.result;
    expect(await deliver(ours, name, "3")).toMatchObject({ status: "done" });
    expect(proxy.count()).toBe(3);
    const next = await running(ours, name, "4");
    await deliver(theirs, name, "5");
    next.end();
    expect((await next.result).results).toEqual([["4"], ["5"]]);
    expect(proxy.count("fair-collect")).toBe(6);
  });
});

/** What becomes of a request, at each place of the protocol. */
describe.concurrent.each(Object.entries(fates(TIMEOUT_MS)))("where a request meets: %s", (_, faults) => {
  it("the delivery that begins a turn: the turn has each message once (52.3)", async ({ expect }) => {
    await using world = await startWorld(stack);
    const { name, ours, theirs, proxy } = world;
    proxy.next("fair-collect", ...faults);
    expect(await deliver(ours, name, "1")).toMatchObject({ status: "done", results: [["1"]] });
    for (const late of [() => proxy.deliver(), () => proxy.replay("fair-collect")]) {
      await late();
      expect(await theirs.fairLock(name).inspect()).toMatchObject({ state: "free" });
    }
    expect(await deliver(theirs, name, "2")).toMatchObject({ results: [["2"]] });
  });

  it("the delivery that finds a turn running: its message is in one turn (52.3)", async ({ expect }) => {
    await using world = await startWorld(stack);
    const { name, ours, theirs, proxy } = world;
    const first = await running(theirs, name, "1", { lease: "20s" });
    proxy.next("fair-collect", ...faults);
    expect(await deliver(ours, name, "2")).toEqual({ status: "kept", results: [], left: 0 });
    await proxy.deliver();
    first.end();
    expect((await first.result).results).toEqual([["1"], ["2"]]);
    await proxy.replay("fair-collect");
    expect(await deliver(theirs, name, "3")).toMatchObject({ results: [["3"]] });
  });

  it("the end of a turn: its successor has the others, each once (52.3)", async ({ expect }) => {
    await using world = await startWorld(stack);
    const { name, ours, theirs, proxy } = world;
    const first = await running(ours, name, "1", { lease: "20s" });
    await deliver(theirs, name, "2");
    proxy.next("fair-collect", ...faults);
    first.end();
    expect(await first.result).toEqual({ status: "done", results: [["1"], ["2"]], left: 0 });
    for (const late of [() => proxy.deliver(), () => proxy.replay("fair-collect")]) {
      await late();
      expect(await theirs.fairLock(name).inspect()).toMatchObject({ state: "free" });
    }
    expect(await deliver(theirs, name, "3")).toMatchObject({ results: [["3"]] });
  });

  it("the last end of a turn: nothing is left, and the conversation is free (52.3)", async ({ expect }) => {
    await using world = await startWorld(stack);
    const { name, ours, theirs, proxy } = world;
    const first = await running(ours, name, "1", { lease: "20s" });
    proxy.next("fair-collect", ...faults);
    first.end();
    expect(await first.result).toEqual({ status: "done", results: [["1"]], left: 0 });
    await proxy.deliver();
    expect(await deliver(theirs, name, "1")).toEqual({ status: "handled", results: [], left: 0 });
    expect(await theirs.fairLock(name).inspect()).toMatchObject({ state: "free" });
  });

  it("a look whether the pause has lasted: the turn begins once (52.3)", async ({ expect }) => {
    await using world = await startWorld(stack);
    const { name, ours, theirs, proxy } = world;
    const first = deliver(ours, name, "1", { quiet: "300ms", lease: "20s" });
    await proxy.arrived("fair-collect");
    proxy.next("fair-collect", ...faults);
    await deliver(theirs, name, "2");
    expect(await first).toMatchObject({ results: [["1", "2"]] });
    await proxy.deliver();
    expect(await deliver(theirs, name, "3")).toMatchObject({ results: [["3"]] });
  });
});

describe.concurrent("a caller that gave up", () => {
  it("leaves no turn and keeps no message by a request that arrives later (52.3)", async ({ expect }) => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    const impatient = world.client({ requestTimeout: 2000 });
    const heal = proxy.always("fair-collect", heldBack);
    const lost = deliver(impatient, name, "1", { wait: 0 });
    await expect(lost).rejects.toMatchObject({ code: "lock_timeout" });
    heal();
    await proxy.deliver();
    expect(await theirs.fairLock(name).inspect()).toMatchObject({ state: "free" });
    expect(await deliver(theirs, name, "2")).toMatchObject({ results: [["2"]] });
  });

  it("has its message kept if the request had run, and a turn gets it (52.3)", async ({ expect }) => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    const impatient = world.client({ requestTimeout: 2000 });
    const heal = proxy.always("fair-collect", unheard);
    await expect(deliver(impatient, name, "1", { wait: 0 })).rejects.toMatchObject({ code: "lock_timeout" });
    heal();
    expect(await theirs.fairLock(name).inspect()).toMatchObject({ state: "free" });
    expect(await deliver(theirs, name, "1")).toMatchObject({ status: "done", results: [["1"]] });
  });

  it("at the end of its turn is told that the outcome is unknown, and no message is in two ended turns (52.3)", async ({
    expect,
  }) => {
    for (const fault of [heldBack, unheard, onItsWay, answerLost]) {
      await using world = await startWorld(stack);
      const { name, theirs, proxy } = world;
      const impatient = world.client({ requestTimeout: 2000 });
      const first = await running(impatient, name, "1", { wait: 0, lease: "4s" });
      await deliver(theirs, name, "2");
      const heal = proxy.always("fair-collect", fault);
      first.end();
      await expect(first.result).rejects.toMatchObject({ code: "outcome_unknown" });
      heal();
      // A request that arrives after the cancel of the next turn ends nothing.
      await proxy.deliver();
      const hasRun = fault === unheard || fault === answerLost;
      await expect.poll(async () => (await theirs.fairLock(name).inspect()).state).toBe("free");
      const { results } = await deliver(theirs, name, "3");
      expect(results).toEqual([hasRun ? ["2", "3"] : ["1", "2", "3"]]);
    }
  });
});

describe.concurrent("a turn that is over before it ends", () => {
  it("by its lease, in a frozen process, removes nothing: the next delivery gets its messages (52.3)", async ({
    expect,
  }) => {
    const name = freshName();
    const file = join(mkdtempSync(join(tmpdir(), "collect-")), "ledger");
    const agent = fork(new URL("./agent.ts", import.meta.url), [stack.url, stack.token, name, file]);
    const ask = (step: string): Promise<unknown> =>
      new Promise((resolve) => {
        agent.once("message", ({ result }: { result: unknown }) => resolve(result));
        agent.send({ step });
      });
    try {
      await new Promise((resolve) => agent.once("message", resolve));
      expect(await ask("collect")).toEqual(["1"]);
      expect(await deliver(client(stack), name, "2")).toMatchObject({ status: "kept" });
      agent.kill("SIGSTOP");
      await pause(1500);
      expect(await deliver(client(stack), name, "3")).toMatchObject({ status: "done", results: [["1", "2", "3"]] });
      agent.kill("SIGCONT");
      expect(await ask("endCollect")).toBe("lease_lost");
      expect(await deliver(client(stack), name, "1")).toMatchObject({ status: "handled", results: [] });
    } finally {
      agent.kill("SIGKILL");
    }
  });

  it("by a kill: the next delivery gets its messages, and those that were kept (52.3)", async ({ expect }) => {
    const name = freshName();
    const file = join(mkdtempSync(join(tmpdir(), "collect-")), "ledger");
    const agent = fork(new URL("./agent.ts", import.meta.url), [stack.url, stack.token, name, file]);
    await new Promise((resolve) => agent.once("message", resolve));
    const begun = new Promise((resolve) => agent.once("message", resolve));
    agent.send({ step: "collect" });
    await begun;
    await deliver(client(stack), name, "2");
    agent.kill("SIGKILL");
    expect(await deliver(client(stack), name, "3")).toMatchObject({ status: "kept" });
    await pause(1500);
    expect(await deliver(client(stack), name, "3")).toMatchObject({ status: "done", results: [["1", "2", "3"]] });
  });

  it("by force: its end is refused, and others keep what they got (52.3)", async ({ expect }) => {
    const name = freshName();
    const first = await running(client(stack), name, "1");
    await deliver(client(stack), name, "2");
    await client(stack).fairLock(name).forceRelease();
    const second = await running(client(stack), name, "3");
    expect(idsOf(second.mine)).toEqual(["1", "2", "3"]);
    first.end();
    await expect(first.result).rejects.toMatchObject({ code: "lease_lost" });
    second.end();
    expect((await second.result).results).toEqual([["1", "2", "3"]]);
  });
});

describe.concurrent("a server that loses the messages", () => {
  it("ends a turn that waits for a pause with an error, and the message can be delivered again (52.3)", async ({
    expect,
  }) => {
    const name = freshName();
    const waiting = deliver(client(stack), name, "1", { quiet: "500ms" });
    await expect.poll(async () => (await client(stack).fairLock(name).inspect()).state).toBe("held");
    await stack.redis.command("DEL", `leasehold:{${name}}%inbox`);
    await expect(waiting).rejects.toMatchObject({ code: "state_lost" });
    expect(await deliver(client(stack), name, "1")).toMatchObject({ status: "done", results: [["1"]] });
  });
});
