import { describe, expect, it } from "vitest";
import { type Around, createLocks, type Locks } from "../../src/index.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack();
const make = (around: Around): Locks => createLocks({ url: stack.url, token: stack.token, around });

describe("a hook around work under a lease", () => {
  it("is called once for a lease, and its work ends with the release", async () => {
    const name = freshName();
    const seen: unknown[] = [];
    const locks = make(async (held, work) => {
      seen.push(held);
      await work();
      seen.push((await locks.lock(name).inspect()).state);
    });
    const token = await locks
      .lock(name)
      .run({ keepAlive: true }, (lease) => lease.keepAlive(async ({ token }) => token));
    while (seen.length < 2) await pause(1);
    expect(seen).toEqual([{ kind: "lock", name, token, heldMs: expect.any(Number) }, "free"]);
    const key = freshName();
    await locks.once(key).run({ keepAlive: true }, () => 1);
    await locks.once(key).run(() => 2);
    expect(seen.filter((held) => Object(held).kind === "once")).toHaveLength(1);
  });

  it.each<[string, Around]>([
    ["throws", () => expect.fail("broken")],
    ["rejects", () => Promise.reject(new Error("broken"))],
    ["throws after the work began", (_, work) => [work(), expect.fail("broken")]],
    ["never calls the work", () => {}],
    ["calls the work twice", (_, work) => Promise.all([work(), work()])],
    ["calls the work late", (_, work) => pause(20).then(work)],
    ["never ends", () => new Promise(() => {})],
  ])("that %s changes nothing", async (_, around) => {
    const locks = make(around);
    let runs = 0;
    const name = freshName();
    const work = (): number => {
      runs++;
      return 7;
    };
    expect(await locks.lock(name).run(work)).toBe(7);
    expect(await locks.once(name.concat("!")).run(work)).toMatchObject({ status: "done", result: 7 });
    const failing = locks.lock(name).run(() => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    expect(runs).toBe(2);
    expect(await locks.lock(name).inspect()).toMatchObject({ state: "free" });
  });

  it("sees no error of the work", async () => {
    const ends: unknown[] = [];
    const locks = make(async (_, work) => ends.push(await work().catch((error: unknown) => error)));
    const failing = locks.lock(freshName()).run(() => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    while (ends.length === 0) await pause(1);
    expect(ends).toEqual([undefined]);
  });

  it("must be a function", () => {
    expect(() => make("around" as never)).toThrow(TypeError);
  });
});
