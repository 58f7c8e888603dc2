import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LeaseholdStub } from "../../../durable-object/src/namespace.ts";
import { durableObject } from "../../../durable-object/src/port.ts";
import { localNamespace } from "../../../durable-object/test/support/namespace.ts";
import { createLocks, type Locks } from "../../../src/index.ts";
import { answerLost, heldBack, instead, onItsWay, torn, unavailable } from "../../../test/faults/faults.ts";
import { startWorld } from "../../../test/faults/world.ts";
import { startFrozen } from "../../../test/platforms/freeze/frozen.ts";
import { openLedger } from "../../../test/platforms/freeze/ledger.ts";
import { freshName, useStack } from "../../../test/support/use-stack.ts";
import { type ChatState, chatState, fencingTokenOf } from "../../src/chat/index.ts";

const stack = useStack({ warm: true });
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "leasehold-chat-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function stateOf(locks: Locks): Promise<ChatState> {
  const state = chatState(locks);
  await state.connect();
  return state;
}
const direct = (): Promise<ChatState> => stateOf(createLocks({ url: stack.url, token: stack.token }));
const entry = (message: string) => ({ message, enqueuedAt: 1, expiresAt: Date.now() + 90_000 });
/** Long enough for a duplicate to be valid whenever the test delivers it. */
const PATIENT = { requestTimeout: "20s" } as const;
/** What becomes of a request whose caller hears nothing of it, or half of the answer. */
const LOST = { "is lost": answerLost, "breaks off": torn } as const;

describe.each(Object.entries(LOST))("where the answer %s", (_what, fault) => {
  const world = async () => {
    const made = await startWorld(stack);
    made.proxy.next("state-change", fault);
    return Object.assign(made, { state: await stateOf(made.client(PATIENT)) });
  };

  it.concurrent("a message is new, and not a duplicate of itself", async () => {
    await using here = await world();
    expect(await here.state.setIfNotExists(here.name, true, 60_000)).toBe(true);
    expect(await here.state.setIfNotExists(here.name, true, 60_000)).toBe(false);
  });

  it.concurrent("a message is queued once", async () => {
    await using here = await world();
    expect(await here.state.enqueue(here.name, entry("one"), 10)).toBe(1);
    expect(await here.state.queueDepth(here.name)).toBe(1);
  });

  it.concurrent("a message is taken from the queue, and the next one stays", async () => {
    await using here = await world();
    const theirs = await direct();
    for (const text of ["one", "two"]) await theirs.enqueue(here.name, entry(text), 10);
    expect(await here.state.dequeue(here.name)).toMatchObject({ message: "one" });
    expect(await theirs.queueDepth(here.name)).toBe(1);
  });

  it.concurrent("an item is appended once", async () => {
    await using here = await world();
    await here.state.appendToList(here.name, 1);
    expect(await here.state.getList(here.name)).toEqual([1]);
  });
});

it("an object whose answer is lost makes each change once", async () => {
  const objects = localNamespace();
  let isLost = false;
  const namespace = {
    idFromName: (name: string) => name,
    get: (id: unknown) => ({
      async run(...call: Parameters<LeaseholdStub["run"]>) {
        const result = await (objects.get(id as never) as LeaseholdStub).run(...call);
        isLost = !isLost;
        if (isLost) throw new Error("Network connection lost.");
        return result;
      },
    }),
  };
  const state = await stateOf(createLocks({ redis: durableObject(namespace) }));
  const lock = await state.acquireLock("slack:C1", 60_000);
  if (!lock) throw new Error("not locked");
  expect(await state.extendLock(lock, 60_000)).toBe(true);
  expect(await state.setIfNotExists("m1", true, 60_000)).toBe(true);
  for (const [at, text] of ["one", "two"].entries())
    expect(await state.enqueue("slack:C1", entry(text), 10)).toBe(at + 1);
  expect(await state.dequeue("slack:C1")).toMatchObject({ message: "one" });
  expect(await state.queueDepth("slack:C1")).toBe(1);
  await state.releaseLock(lock);
  expect(await state.acquireLock("slack:C1", 60_000)).not.toBeNull();
  // A thread with its lock and its queue is one object.
  expect([...objects.objects.keys()]).toHaveLength(2);
  objects.close();
});

describe("the lock of a thread", () => {
  it.concurrent("is acquired, extended and released where each answer is lost", async () => {
    await using world = await startWorld(stack);
    const state = await stateOf(world.client(PATIENT));
    for (const script of ["lock-acquire", "hold-extend", "lock-close"]) world.proxy.next(script, answerLost);
    const lock = await state.acquireLock(world.name, 60_000);
    if (!lock) throw new Error("not locked");
    expect(await state.extendLock(lock, 60_000)).toBe(true);
    await state.releaseLock(lock);
    expect(world.proxy.unmet()).toBe(0);
    expect(await (await direct()).acquireLock(world.name, 1000)).not.toBeNull();
  });

  it.concurrent("is not acquired again by a duplicate that arrives after its release", async () => {
    await using world = await startWorld(stack);
    const state = await stateOf(world.client(PATIENT));
    world.proxy.next("lock-acquire", onItsWay);
    const lock = await state.acquireLock(world.name, 60_000);
    if (lock) await state.releaseLock(lock);
    expect(await world.proxy.deliver()).toEqual(["closed"]);
    expect(await (await direct()).acquireLock(world.name, 1000)).not.toBeNull();
  });

  it.concurrent("without a server, extending throws and releasing does not", async () => {
    await using world = await startWorld(stack);
    const state = await stateOf(world.client({ requestTimeout: "1s" }));
    const lock = await state.acquireLock(world.name, 60_000);
    if (!lock) throw new Error("not locked");
    const heal = world.proxy.always(() => true, instead(unavailable));
    await expect(state.extendLock(lock, 60_000)).rejects.toMatchObject({ code: "outcome_unknown" });
    expect(await state.releaseLock(lock)).toBeUndefined();
    await expect(state.get("anything")).rejects.toMatchObject({ code: "outcome_unknown" });
    heal();
    expect(await state.extendLock(lock, 60_000)).toBe(true);
  });

  it.concurrent("shows no ticket in errors and events", async () => {
    await using world = await startWorld(stack);
    const state = await stateOf(world.client({ requestTimeout: "1s" }));
    const lock = await state.acquireLock(world.name, 60_000);
    if (!lock) throw new Error("not locked");
    world.proxy.always(() => true, heldBack);
    const error = await state.extendLock(lock, 60_000).catch((thrown: unknown) => thrown);
    const ticket = lock.token.replace(/^\d+\./, "");
    expect(ticket.length).toBeGreaterThan(40);
    for (const shown of [error, world.events]) {
      world.keepsSecrets(shown);
      expect(JSON.stringify(shown)).not.toContain(ticket);
    }
  });
});

describe("a duplicate", () => {
  it.concurrent("of a dequeue that found nothing takes no later message", async () => {
    await using world = await startWorld(stack);
    const state = await stateOf(world.client(PATIENT));
    expect(await state.dequeue(world.name)).toBeNull();
    await (await direct()).enqueue(world.name, entry("one"), 10);
    expect(await world.proxy.replay("state-change")).toEqual(["changed"]);
    expect(await state.dequeue(world.name)).toMatchObject({ message: "one" });
  });

  it.concurrent("of a change undoes no later one", async () => {
    await using world = await startWorld(stack);
    const [state, theirs] = [await stateOf(world.client(PATIENT)), await direct()];
    await state.set(world.name, "old");
    await state.subscribe(world.name);
    await state.enqueue(world.name, entry("one"), 10);
    await theirs.set(world.name, "new");
    await theirs.unsubscribe(world.name);
    expect(await theirs.dequeue(world.name)).toMatchObject({ message: "one" });
    await world.proxy.replay("state-change");
    await world.proxy.replay("state-change", "backward");
    expect(await theirs.get(world.name)).toBe("new");
    expect(await theirs.isSubscribed(world.name)).toBe(false);
    expect(await theirs.queueDepth(world.name)).toBe(0);
  });

  it.concurrent("that arrives after its caller gave up changes nothing", async () => {
    await using world = await startWorld(stack);
    const state = await stateOf(world.client({ requestTimeout: "1s" }));
    const heal = world.proxy.always("state-change", heldBack);
    await expect(state.enqueue(world.name, entry("one"), 10)).rejects.toMatchObject({ code: "outcome_unknown" });
    heal();
    // Its clock starts anew: what was sent before is late by now.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const answers = await world.proxy.deliver();
    expect([...new Set(answers)]).toEqual(["late"]);
    expect(await state.queueDepth(world.name)).toBe(0);
  });
});

describe("a process of a bot", () => {
  const HOLDER = fileURLToPath(new URL("./holder.ts", import.meta.url));
  const stage = async () => {
    const thread = freshName();
    const file = join(dir, `${thread.replace(/\W/g, "-")}.sqlite`);
    const holder = await startFrozen(HOLDER, stack.url, stack.token, thread, file);
    return { thread, holder, ledger: openLedger(file), state: await direct() };
  };
  /** Locks the thread as soon as it is free. */
  const locked = async (state: ChatState, thread: string) => {
    for (;;) {
      const lock = await state.acquireLock(thread, 60_000);
      if (lock) return lock;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  it("that froze for longer than its lock cannot extend or release the next one, nor write", async () => {
    const { thread, holder, ledger, state } = await stage();
    await using _holder = holder;
    expect(await holder.ask("lock", 2000)).toBe(1);
    await holder.freeze();
    const next = await locked(state, thread);
    expect(ledger.raise(fencingTokenOf(next))).toBe(1);
    holder.wake();
    expect(await holder.ask("write")).toBe(0);
    expect(await holder.ask("extend", 60_000)).toBe(false);
    expect(await holder.ask("release")).toBeNull();
    expect(await state.extendLock(next, 60_000)).toBe(true);
    expect(await state.acquireLock(thread, 1000)).toBeNull();
    expect(ledger.read()).toEqual({ token: fencingTokenOf(next), value: "" });
    ledger.close();
  });

  it("that is killed leaves the thread to the next one at its time, and its queue as it was", async () => {
    const { thread, holder, ledger, state } = await stage();
    for (const text of ["one", "two"]) await state.enqueue(thread, entry(text), 10);
    expect(await holder.ask("lock", 2000)).toBe(1);
    expect(await holder.ask("dequeue")).toBe("one");
    await holder[Symbol.asyncDispose]();
    expect(await state.acquireLock(thread, 1000)).toBeNull();
    const next = await locked(state, thread);
    expect(ledger.raise(fencingTokenOf(next))).toBe(1);
    expect(await state.dequeue(thread)).toMatchObject({ message: "two" });
    expect(await state.dequeue(thread)).toBeNull();
    ledger.close();
  });
});

it("takes one request for each call, and as many commands as its page says", async () => {
  const state = await direct();
  const name = freshName();
  const calls = {
    lock: () => state.acquireLock(name, 60_000),
    subscribe: () => state.subscribe(name),
    isSubscribed: () => state.isSubscribed(name),
    set: () => state.set(name, 1, 60_000),
    get: () => state.get(name),
    setIfNotExists: () => state.setIfNotExists(freshName(), 1, 60_000),
    delete: () => state.delete(name),
    appendToList: () => state.appendToList(name, 1, { maxLength: 1, ttlMs: 60_000 }),
    getList: () => state.getList(name),
    enqueue: () => state.enqueue(name, entry("one"), 1),
    dequeue: () => state.dequeue(name),
    queueDepth: () => state.queueDepth(name),
  };
  const commands: Record<string, number> = {};
  for (const call of Object.values(calls)) await call();
  for (const [what, call] of Object.entries(calls)) commands[what] = await stack.commandsOf(call);
  expect(commands).toEqual({
    ...{ lock: 3, subscribe: 5, isSubscribed: 1, set: 5, get: 1, setIfNotExists: 6, delete: 5 },
    ...{ appendToList: 7, getList: 1, enqueue: 6, dequeue: 5, queueDepth: 1 },
  });
});

it("what another program wrote is an error, and misuse is one at the call", async () => {
  const state = await direct();
  const name = freshName();
  await stack.redis.command("SET", `leasehold:{chat:${name}}%value`, "hello");
  await expect(state.get(name)).rejects.toMatchObject({ code: "malformed_answer" });
  await expect(state.appendToList(name, undefined)).rejects.toThrow("must be JSON");
  await expect(state.set(name, 1, Number.NaN)).rejects.toThrow("ttlMs must be a number of 0 or more");
  await expect(state.get("")).rejects.toThrow("key is empty");
  expect(() => chatState({} as never)).toThrow("chatState: a connection is missing");
  expect(() => chatState(createLocks({ url: stack.url, token: stack.token }), { keyPrefix: "a" } as never)).toThrow(
    'did you mean "prefix"?',
  );
  expect(() => fencingTokenOf({ token: "redis_1" })).toThrow("this is not a lock of leasehold-agents/chat");
});
