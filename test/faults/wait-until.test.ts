import { expect, it } from "vitest";
import { isFree, staysFree } from "../kinds/lock/sites.ts";
import { pause, useStack } from "../support/use-stack.ts";
import { heldBack, slow, unheard } from "./faults.ts";
import { started } from "./site.ts";
import { startWorld } from "./world.ts";

const stack = useStack({ warm: true });

/** A `waitUntil` as people write it, which returns something after all, and what it was given. */
function background() {
  const given: Promise<unknown>[] = [];
  return { given, options: { waitUntil: (promise: Promise<unknown>) => given.push(promise) } };
}

it("the cancel of an unanswered try goes there, and the caller does not wait for it", async () => {
  await using world = await startWorld(stack);
  const { given, options } = background();
  world.proxy.always("lock-acquire", unheard);
  world.proxy.always("lock-close", slow(200));
  const error = await world.ours
    .lock(world.name)
    .tryAcquire(options)
    .catch((thrown: unknown) => thrown);
  // The cancel has not been answered, so nothing is known yet.
  expect(error).toMatchObject({ code: "outcome_unknown" });
  expect(given).toHaveLength(1);
  await Promise.all(given);
  await staysFree(world);
});

it("so does that of an abort, which rejects with its reason at once", async () => {
  await using world = await startWorld(stack);
  const { given, options } = background();
  const caller = new AbortController();
  world.proxy.always("lock-acquire", heldBack);
  let open: (() => void) | undefined;
  world.proxy.next("lock-close", async ({ forward, answer }) => {
    await new Promise<void>((resolve) => {
      open = resolve;
    });
    answer(await forward());
  });
  const outcome = world
    .client({ requestTimeout: "5s" })
    .lock(world.name)
    .tryAcquire({ ...options, signal: caller.signal });
  await world.proxy.arrived("lock-acquire");
  caller.abort("gone");
  await expect(outcome).rejects.toBe("gone");
  // Its cancel is still held up, so the caller cannot have waited for it.
  while (!open) await pause(2);
  open();
  await Promise.all(given);
  await world.proxy.deliver();
  await staysFree(world);
});

it("a cancel that fails there rejects nothing, and an event says so", async () => {
  await using world = await startWorld(stack);
  const { given, options } = background();
  world.proxy.always(() => true, unheard);
  const outcome = world.ours.lock(world.name).tryAcquire({ ...options, lease: 500 });
  await expect(outcome).rejects.toMatchObject({ code: "outcome_unknown" });
  await expect(Promise.all(given)).resolves.toHaveLength(1);
  expect(world.events).toContainEqual(expect.objectContaining({ type: "unanswered" }));
});

it("a wait that ends after an unanswered poll leaves its cancel there", async () => {
  await using world = await startWorld(stack);
  const { given, options } = background();
  const holder = await isFree(world);
  world.proxy.next("lock-acquire", heldBack);
  const outcome = world
    .client({ requestTimeout: 1_000 })
    .lock(world.name)
    .acquire({ ...options, wait: 2_000 });
  await expect(outcome).rejects.toMatchObject({ code: "lock_timeout" });
  expect(given).toHaveLength(1);
  await Promise.all(given);
  await holder.release();
  await world.proxy.deliver();
  await staysFree(world);
});

it("run and keepAlive leave their release there, answered or not", async () => {
  await using world = await startWorld(stack);
  const { given, options } = background();
  let open: (() => void) | undefined;
  world.proxy.next("lock-close", async ({ forward, answer }) => {
    await new Promise<void>((resolve) => {
      open = resolve;
    });
    answer(await forward());
  });
  expect(
    await world
      .client({ requestTimeout: "5s" })
      .lock(world.name)
      .run(options, () => "done"),
  ).toBe("done");
  while (!open) await pause(2);
  open();
  await Promise.all(given);
  await staysFree(world);

  const lease = await world.ours.lock(world.name).acquire({ lease: "2s" });
  world.proxy.always("lock-close", unheard);
  expect(await lease.keepAlive(options, () => "kept")).toBe("kept");
  await Promise.all(given);
  await staysFree(world);
});

it("once.run completes before it answers; only the fail goes there", async () => {
  await using world = await startWorld(stack);
  const { given, options } = background();
  world.proxy.next("once-complete", slow(50));
  const work = (): Promise<string> => Promise.resolve("result");
  expect(await world.ours.once(world.name).run(options, work)).toMatchObject({ status: "done", fresh: true });
  expect(await world.theirs.once(world.name).begin()).toMatchObject({ status: "done", result: "result" });

  const other = `${world.name}-fails`;
  world.proxy.next("once-close", slow(50));
  const failing = world.ours.once(other).run(options, () => Promise.reject(new Error("work")));
  await expect(failing).rejects.toThrow("work");
  await Promise.all(given);
  started(await world.theirs.once(other).begin());
});
