import { Readable } from "node:stream";
import { from, Observable } from "rxjs";
import { describe, expect, it } from "vitest";
import { turn } from "../../agents/src/index.ts";
import { idempotentTool } from "../../agents/src/mcp/index.ts";
import { runCron } from "../../src/cron/index.ts";
import { createLocks, request, singleFlight } from "../../src/index.ts";
import { takeOver } from "../../src/queue/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack({ warm: true });
const locks = () => createLocks({ url: stack.url, token: stack.token });

/** Work that has not begun when its function returns, and what its refusal calls it. */
const unstarted: [string, (begun: () => void) => object][] = [
  [
    "an Observable",
    (begun) =>
      new Observable((subscriber) => {
        begun();
        subscriber.complete();
      }),
  ],
  [
    "a generator",
    async function* (begun) {
      begun();
      yield 1;
    },
  ],
  [
    "a generator",
    function* (begun) {
      begun();
      yield 1;
    },
  ],
];

/** Every call that runs work under a lease. */
const runners: Record<string, (work: () => unknown) => Promise<unknown>> = {
  "lock.run": (work) => locks().lock(freshName()).run(work),
  "lock.run with keepAlive": (work) => locks().lock(freshName()).run({ keepAlive: true }, work),
  "semaphore.run": (work) => locks().semaphore(freshName(), { permits: 1 }).run(work),
  "lease.keepAlive": async (work) => (await locks().lock(freshName()).acquire()).keepAlive(work),
  "once.run": (work) =>
    locks()
      .once(freshName())
      .run(work as () => null),
  "once.run with keepAlive": (work) =>
    locks()
      .once(freshName())
      .run({ keepAlive: true }, work as () => null),
  singleFlight: (work) => singleFlight(locks(), freshName(), { ttl: "1m" }, work as () => null),
  request: (work) => request(locks(), freshName(), work),
  turn: (work) => turn(locks(), freshName(), { onBusy: "queue" }, work),
  "a step": (work) => turn(locks(), freshName(), { onBusy: "queue" }, ({ step }) => step("a", work as () => null)),
  takeOver: async (work) => {
    const lock = locks().lock(freshName());
    return takeOver(lock, (await lock.acquire()).ticket(), work as () => null);
  },
  runCron: (work) => runCron({ locks: locks(), name: freshName(), slot: "a" }, work),
  idempotentTool: async (work) => {
    const options = { name: freshName(), key: () => "k", scope: "a" };
    const context = { requestId: 1, signal: new AbortController().signal };
    return idempotentTool(locks(), options, work as () => object)({}, context as never);
  },
};

describe.each(Object.entries(runners))("%s", (_runner, run) => {
  it.each(unstarted)("refuses %s, whose work would begin when the lease has ended (B26)", async (what, make) => {
    let begun = 0;
    for (const work of [() => make(() => begun++), async () => make(() => begun++)]) {
      const running = run(work);
      await expect(running).rejects.toThrow(TypeError);
      await expect(running).rejects.toThrow(`the work returned ${what}, which has not run: `);
    }
    expect(begun).toBe(0);
  });
});

it("a lock is free after such work, and once has forgotten it (B26)", async () => {
  const { lock, once } = { lock: locks().lock(freshName()), once: locks().once(freshName()) };
  const work = async () => from([1]);
  await expect(lock.run(work)).rejects.toThrow(/^lock\(".*"\): the work returned an Observable/);
  await expect(once.run(work as never)).rejects.toThrow(/^once\(".*"\): the work returned an Observable/);
  expect(await lock.inspect()).toMatchObject({ state: "free" });
  expect(await once.run(() => 1)).toMatchObject({ status: "done", result: 1 });
});

it.each<[string, () => object]>([
  ["a stream", () => Readable.from(["a"])],
  ["a web stream", () => new Blob(["a"]).stream()],
  ["a response", () => new Response("a")],
  ["entries", () => new Map([[1, 2]]).entries()],
  ["a list", () => [1]],
  ["a client with subscribe", () => ({ subscribe() {} })],
])("passes on %s, which is no work", async (_what, make) => {
  const value = make();
  expect(
    await locks()
      .lock(freshName())
      .run(async () => value),
  ).toBe(value);
});
