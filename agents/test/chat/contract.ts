import type { Message, QueueEntry, StateAdapter } from "chat";
import { describe, expect, it } from "vitest";
import { freshName, pause } from "../../../test/support/names.ts";

export interface ContractOptions {
  /** Makes a state of the same server, which is connected. */
  make(): Promise<StateAdapter>;
  /** Whether every state that `make` returns has the same contents: not that of one process's memory. */
  readonly isShared: boolean;
}

/** An entry of a queue. What comes back is the message as JSON. */
const entryOf = (id: string, ms = 90_000): QueueEntry => {
  const now = Date.now();
  return { message: { id, text: `"quoted" 🔒 ${id}\n` } as Message, enqueuedAt: now, expiresAt: now + ms };
};

/** What `chat` expects of a state, on every server; its own state in memory has to pass it, too. */
export function stateContract(label: string, { make, isShared }: ContractOptions): void {
  describe.concurrent(`the state of a bot, ${label}`, () => {
    it("locks a thread once, until it is released", async () => {
      const state = await make();
      const thread = freshName("slack:C1");
      const before = Date.now();
      const lock = await state.acquireLock(thread, 20_000);
      expect(lock).toMatchObject({ threadId: thread, token: expect.stringMatching(/./) });
      expect(lock?.expiresAt).toBeGreaterThan(before + 10_000);
      expect(lock?.expiresAt).toBeLessThanOrEqual(Date.now() + 20_000);
      expect(await state.acquireLock(thread, 20_000)).toBeNull();
      expect(await state.acquireLock(freshName(), 20_000)).not.toBeNull();
      if (!lock) throw new Error("not locked");
      await state.releaseLock(lock);
      const next = await state.acquireLock(thread, 20_000);
      expect(next?.token).not.toBe(lock.token);
      // Released again, it takes nothing from the next one.
      await state.releaseLock(lock);
      expect(await state.acquireLock(thread, 20_000)).toBeNull();
    });

    it("refuses to extend or release a lock with the token of another", async () => {
      const state = await make();
      const [thread, other] = [freshName(), freshName()];
      const [lock, another] = [await state.acquireLock(thread, 20_000), await state.acquireLock(other, 20_000)];
      if (!lock || !another) throw new Error("not locked");
      for (const token of [another.token, "fake", "", "17.fake"]) {
        const forged = { ...lock, token };
        expect(await state.extendLock(forged, 20_000)).toBe(false);
        await state.releaseLock(forged);
      }
      expect(await state.acquireLock(thread, 20_000)).toBeNull();
      expect(await state.extendLock(lock, 20_000)).toBe(true);
      expect(await state.extendLock(another, 20_000)).toBe(true);
    });

    it("ends a lock at its time, and extends one that is still held", async () => {
      const state = await make();
      const [thread, extended] = [freshName(), freshName()];
      const [lock, kept] = [await state.acquireLock(thread, 3000), await state.acquireLock(extended, 3000)];
      if (!lock || !kept) throw new Error("not locked");
      expect(await state.extendLock(kept, 60_000)).toBe(true);
      await pause(3100);
      expect(await state.extendLock(lock, 60_000)).toBe(false);
      expect(await state.acquireLock(extended, 1000)).toBeNull();
      const next = await state.acquireLock(thread, 60_000);
      expect(next?.token).not.toBe(lock.token);
      // The one that expired came back too late.
      await state.releaseLock(lock);
      expect(await state.extendLock(lock, 60_000)).toBe(false);
      expect(await state.acquireLock(thread, 1000)).toBeNull();
    });

    it("frees a thread by force, and the former holder keeps nothing", async () => {
      const state = await make();
      const thread = freshName();
      expect(await state.forceReleaseLock(thread)).toBeUndefined();
      const lock = await state.acquireLock(thread, 20_000);
      if (!lock) throw new Error("not locked");
      await state.forceReleaseLock(thread);
      const next = await state.acquireLock(thread, 20_000);
      expect(next?.token).not.toBe(lock.token);
      expect(await state.extendLock(lock, 20_000)).toBe(false);
      await state.releaseLock(lock);
      expect(await state.acquireLock(thread, 20_000)).toBeNull();
    });

    it("remembers subscriptions, of each thread its own", async () => {
      const state = await make();
      const [thread, other] = [freshName(), freshName()];
      expect(await state.isSubscribed(thread)).toBe(false);
      await state.subscribe(thread);
      await state.subscribe(thread);
      expect(await state.isSubscribed(thread)).toBe(true);
      expect(await state.isSubscribed(other)).toBe(false);
      await state.unsubscribe(thread);
      await state.unsubscribe(other);
      expect(await state.isSubscribed(thread)).toBe(false);
    });

    it.each([null, 0, false, "", "text", "null", "17", { a: [1, { "": "🔒\n" }] }, [], 1795245806351390])(
      "returns a value as it was: %j",
      async (value) => {
        const state = await make();
        const key = freshName();
        expect(await state.get(key)).toBeNull();
        await state.set(key, "before");
        await state.set(key, value);
        expect(await state.get(key)).toEqual(value);
        await state.delete(key);
        await state.delete(key);
        expect(await state.get(key)).toBeNull();
      },
    );

    it("forgets a value at its time, and keeps one without a time", async () => {
      const state = await make();
      const [short, long] = [freshName(), freshName()];
      await state.set(short, 1, 50);
      await state.set(long, 1, 50);
      await state.set(long, 2);
      await pause(120);
      expect(await state.get(short)).toBeNull();
      expect(await state.get(long)).toBe(2);
    });

    it("sets a value only where there is none, one of many at once", async () => {
      const states = await Promise.all([make(), make(), make()]);
      const key = freshName();
      const state = states[0] as StateAdapter;
      const set = (value: unknown, ttlMs?: number) => (one: StateAdapter) => one.setIfNotExists(key, value, ttlMs);
      if (isShared) {
        const wins = await Promise.all(states.map(set(1, 2000)));
        expect(wins.filter(Boolean)).toHaveLength(1);
      } else {
        expect(await set(1, 2000)(state)).toBe(true);
      }
      expect(await set(2)(state)).toBe(false);
      expect(await state.get(key)).toBe(1);
      await pause(2100);
      expect(await state.get(key)).toBeNull();
      expect(await set(3)(state)).toBe(true);
      expect(await state.get(key)).toBe(3);
    });

    it("appends to a list, of which it keeps the newest items", async () => {
      const state = await make();
      const [list, all] = [freshName(), freshName()];
      expect(await state.getList(list)).toEqual([]);
      for (const id of [1, 2, 3, 4, 5]) {
        await state.appendToList(list, { id }, { maxLength: 3 });
        await state.appendToList(all, id);
      }
      expect(await state.getList(list)).toEqual([{ id: 3 }, { id: 4 }, { id: 5 }]);
      expect(await state.getList(all)).toEqual([1, 2, 3, 4, 5]);
    });

    it("forgets a list at its time, which each append sets anew", async () => {
      const state = await make();
      const [list, refreshed] = [freshName(), freshName()];
      await state.appendToList(list, 1, { ttlMs: 50 });
      await state.appendToList(refreshed, 1, { ttlMs: 1000 });
      await state.appendToList(refreshed, 2, { ttlMs: 60_000 });
      await pause(1100);
      expect(await state.getList(list)).toEqual([]);
      expect(await state.getList(refreshed)).toEqual([1, 2]);
      await state.appendToList(list, 2);
      expect(await state.getList(list)).toEqual([2]);
    });

    it("queues messages in their order, of each thread its own", async () => {
      const state = await make();
      const [thread, other] = [freshName(), freshName()];
      expect(await state.dequeue(thread)).toBeNull();
      expect(await state.queueDepth(thread)).toBe(0);
      const entries = ["m1", "m2", "m3"].map((id) => entryOf(id));
      const depths: number[] = [];
      for (const entry of entries) depths.push(await state.enqueue(thread, entry, 10));
      expect(depths).toEqual([1, 2, 3]);
      expect(await state.queueDepth(thread)).toBe(3);
      expect(await state.queueDepth(other)).toBe(0);
      for (const entry of entries) expect(await state.dequeue(thread)).toEqual(entry);
      expect(await state.dequeue(thread)).toBeNull();
    });

    it.each([1, 3])("keeps the newest %d messages of a queue", async (max) => {
      const state = await make();
      const thread = freshName();
      const ids = ["m1", "m2", "m3", "m4", "m5"];
      for (const id of ids) await state.enqueue(thread, entryOf(id), max);
      expect(await state.queueDepth(thread)).toBe(max);
      for (const id of ids.slice(-max)) expect((await state.dequeue(thread))?.message.id).toBe(id);
      expect(await state.queueDepth(thread)).toBe(0);
    });

    it("refuses everything before connect and after disconnect", async () => {
      const state = await make();
      await state.disconnect();
      await expect(state.subscribe(freshName())).rejects.toThrow("not connected");
      await expect(state.acquireLock(freshName(), 1000)).rejects.toThrow("not connected");
      await state.connect();
      expect(await state.isSubscribed(freshName())).toBe(false);
    });
  });

  if (!isShared) return;
  describe.concurrent(`the state of a bot, ${label}, for several processes`, () => {
    it("one extends and releases what another one has locked", async () => {
      const [one, two] = [await make(), await make()];
      const thread = freshName();
      const lock = await one.acquireLock(thread, 20_000);
      if (!lock) throw new Error("not locked");
      expect(await two.acquireLock(thread, 20_000)).toBeNull();
      const copy = structuredClone(lock);
      expect(await two.extendLock(copy, 20_000)).toBe(true);
      await two.releaseLock(copy);
      expect(await one.extendLock(lock, 20_000)).toBe(false);
      expect(await one.acquireLock(thread, 20_000)).not.toBeNull();
    });

    it("each message of a queue goes to one of them", async () => {
      const states = await Promise.all([make(), make(), make()]);
      const thread = freshName();
      const ids = Array.from({ length: 12 }, (_, at) => `m${at}`);
      for (const id of ids) await states[0]?.enqueue(thread, entryOf(id), 100);
      const taken = await Promise.all(
        states.flatMap((state) => [1, 2, 3, 4, 5].map(async () => (await state.dequeue(thread))?.message.id)),
      );
      expect(taken.filter((id) => id !== undefined).sort()).toEqual([...ids].sort());
    });
  });
}
