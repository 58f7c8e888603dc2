/** Options come before the function that a call runs, and a re-entry key is no name of a caller. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { turn } from "../../agents/src/index.ts";
import { cloudflareCron, cronRoute, runCron, vercelSchedule } from "../../src/cron/index.ts";
import { dedupe } from "../../src/http/index.ts";
import { createLocks, singleFlight } from "../../src/index.ts";
import { toExpress, toFastify } from "../../src/node/index.ts";
import { takeOver } from "../../src/queue/index.ts";

let sent = 0;
const locks = createLocks({
  url: "http://127.0.0.1:9",
  token: "token",
  requestTimeout: 50,
  fetch: async () => {
    sent++;
    throw new Error("nothing should be sent");
  },
});
const work = () => 1;
const any = (value: unknown): never => value as never;
const payload = btoa(JSON.stringify([3, "lock", ["a"], null, "a".repeat(36), 5, 30_000])).replace(/=+$/, "");
const ticketed = locks.resume(payload);
const routed = { locks, name: "n", every: "1h", secret: "s".repeat(32) } as const;

it.each<[call: string, order: string, missing: () => unknown, swapped?: () => unknown]>([
  [
    'once("k").run',
    "run(options, work)",
    () => locks.once("k").run(any({ wait: 1 })),
    () => locks.once("k").run(any(work), any({ wait: 1 })),
  ],
  ['once("k").run', "run(options, work)", () => locks.once("k").run(any(undefined))],
  [
    'lock("k").run',
    "run(options, work)",
    () => locks.lock("k").run({ wait: 1 }, any(undefined)),
    () => locks.lock("k").run(any(work), any({ wait: 1 })),
  ],
  [
    'semaphore("k").run',
    "run(options, work)",
    () => locks.semaphore("k").run(any({ permits: 1 })),
    () => locks.semaphore("k").run(any(work), any({ permits: 1 })),
  ],
  [
    'readWriteLock("k").read.run',
    "run(options, work)",
    () => locks.readWriteLock("k").read.run(any({})),
    () => locks.readWriteLock("k").read.run(any(work), any({})),
  ],
  [
    "request",
    "request(connection, name, options, work)",
    () => locks.request("k", any({})),
    () => locks.request("k", any(work), any({})),
  ],
  [
    "lease.keepAlive",
    "keepAlive({ waitUntil }, work, limits)",
    async () => (await ticketed).keepAlive({}, any(undefined)),
  ],
  [
    "dedupe",
    "dedupe(options, handler)",
    () => dedupe({ locks, key: () => "k" }, any(undefined)),
    () => dedupe(any(work), any({ locks, key: () => "k" })),
  ],
  [
    "cronRoute",
    "cronRoute(options, handler)",
    () => cronRoute(routed, any(undefined)),
    () => cronRoute(any(work), any(routed)),
  ],
  [
    "cloudflareCron",
    "cloudflareCron(options, handler)",
    () => cloudflareCron({ locks, name: "n" }, any(undefined)),
    () => cloudflareCron(any(work), any({ locks, name: "n" })),
  ],
  [
    "vercelSchedule",
    "vercelSchedule(options, handler)",
    () => vercelSchedule({ locks }, any(undefined)),
    () => vercelSchedule(any(work), any({ locks })),
  ],
  [
    "runCron",
    "runCron(options, work)",
    () => runCron({ locks, name: "a", slot: "s" }, any(undefined)),
    () => runCron(any(work), any({ locks, name: "a", slot: "s" })),
  ],
  [
    "takeOver",
    "takeOver(lock, ticket, options, work)",
    () => takeOver(locks.lock("a"), payload, any({ key: "k" })),
    () => takeOver(locks.lock("a"), payload, any(work), any({ key: "k" })),
  ],
  ["takeOver", "takeOver(lock, ticket, options, work)", () => takeOver(locks.lock("a"), payload, {}, any(undefined))],
  [
    "turn",
    "turn(connection, conversation, options, work)",
    () => turn(locks, "k", any({ onBusy: "queue" }), any(undefined)),
    () => turn(locks, "k", any(work), any({ onBusy: "queue" })),
  ],
  [
    "singleFlight",
    "singleFlight(connection, key, options, work)",
    () => singleFlight(locks, "k", { ttl: "1m" }, any(undefined)),
    () => singleFlight(locks, "k", any(work), any({ ttl: "1m" })),
  ],
  ["toExpress", "toExpress(handler)", () => toExpress(any(undefined))],
  ["toFastify", "toFastify(handler)", () => toFastify(any(undefined))],
])(
  "%s without its function, and with it in the wrong place, names the call and %s (E23)",
  async (name, order, ...calls) => {
    const [missing, swapped] = calls;
    const refusal = async (call: () => unknown): Promise<unknown> => call();
    const what = /handler/.test(order) ? "handler" : "work";
    await expect(refusal(missing)).rejects.toMatchObject({
      name: "TypeError",
      message: `${name}: ${what} is missing: ${order}`,
    });
    if (swapped)
      await expect(refusal(swapped)).rejects.toMatchObject({
        name: "TypeError",
        message: `${name}: the options come before ${what}: ${order}`,
      });
    expect(sent).toBe(0);
  },
);

it("runCron with the name and the slot before the work, as it was once, names the order", async () => {
  const old = runCron as unknown as (...given: unknown[]) => Promise<unknown>;
  const message = "runCron: work must be a function: runCron(options, work)";
  await expect(old("a", "slot", work, { locks })).rejects.toMatchObject({ name: "TypeError", message });
  expect(sent).toBe(0);
});

it("the old option owner is refused, and the error names reentryKey (E22)", async () => {
  const old = { owner: "worker-7" } as object;
  const message = 'no option "owner": did you mean "reentryKey"?';
  expect(() => locks.lock("a", old)).toThrow(message);
  expect(() => locks.fairLock("a", old)).toThrow(message);
  await expect(locks.lock("a").tryAcquire(old)).rejects.toThrow(message);
  await expect(locks.readWriteLock("a").write.run(old, work)).rejects.toThrow(message);
  await expect(locks.request("a", old, work)).rejects.toThrow(message);
  expect(() => locks.semaphore("a", old)).toThrow('no option "owner"');
  expect(sent).toBe(0);
});

it("no document shows a constant reentryKey, which lets every caller in (E22)", () => {
  const root = join(import.meta.dirname, "../..");
  const pages = globSync(["*.md", "docs/llms.txt", "docs/*.md", "src/**/*.ts", "workers/**/*.ts"], { cwd: root });
  expect(pages.length).toBeGreaterThan(100);
  const constant = pages.filter((page) => /reentryKey: ["'`]/.test(readFileSync(join(root, page), "utf8")));
  expect(constant).toEqual([]);
  expect(readFileSync(join(root, "docs/locks.md"), "utf8")).toMatch(/lets every caller in/);
});
