import { expect, it } from "vitest";
import { connect, fairLock, type LeaseholdEvent, lock } from "../../src/index.ts";
import { gapAfter } from "../support/gap.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

// The gateway holds no requests, and has streams of messages, as Upstash has.
const stack = useStack();
const HOLD_MS = 1500;
/** Half of what a waiter pauses that a message will wake. */
const SOON_MS = 2500;
/** Without messages, a waiter would poll some 16 times meanwhile. */
const MAX_POLLS = 9;

/** A connection, and the paths of its requests. */
function open(more: object = {}) {
  const paths: string[] = [];
  const events: LeaseholdEvent[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    paths.push(new URL(`${input}`).pathname.split("/")[1] ?? "");
    return globalThis.fetch(input, init);
  };
  const { url, token } = stack;
  const onEvent = (event: LeaseholdEvent): unknown => events.push(event);
  return { connection: connect({ url, token, fetch, onEvent, ...more }), paths, events };
}

const streams = (paths: readonly string[]): number => paths.filter((path) => path === "subscribe").length;

for (const kind of [lock, fairLock]) {
  it(`wakes a waiter of a ${kind.name} by a stream of messages (49.3)`, async () => {
    const name = freshName();
    const { connection, paths, events } = open({ wake: "subscribe" });
    const hold = () => kind(open().connection, name).acquire();
    const wait = () => kind(connection, name).acquire({ wait: "20s" });
    expect(await gapAfter(hold, wait, HOLD_MS)).toBeLessThan(SOON_MS);
    expect(streams(paths)).toBe(1);
    // Its release, and its stream.
    expect(paths.length - 2).toBeLessThanOrEqual(MAX_POLLS);
    expect(events.filter(({ type }) => type === "not_woken")).toEqual([]);
  });
}

it("polls by default, and for a short wait (49.3)", async () => {
  const [byDefault, short] = [open(), open({ wake: "subscribe" })];
  for (const { connection, paths } of [byDefault, short]) {
    const name = freshName();
    await lock(connection, name).acquire();
    await expect(lock(connection, name).acquire({ wait: "200ms" })).rejects.toMatchObject({ code: "lock_timeout" });
    expect(streams(paths)).toBe(0);
  }
});

it("has one stream for each name, and its other waiters poll (49.3)", async () => {
  const name = freshName();
  const { connection, paths } = open({ wake: "subscribe" });
  const held = await lock(connection, name).acquire();
  const waiters = Array.from({ length: 5 }, () => lock(connection, name).run({ wait: "20s" }, async () => {}));
  await pause(HOLD_MS / 3);
  expect(streams(paths)).toBe(1);
  await held.release();
  await Promise.all(waiters);
});

it("polls at a server without such streams, and says so once (49.3)", async () => {
  const name = freshName();
  const events: LeaseholdEvent[] = [];
  const fetch: typeof globalThis.fetch = (input, init) =>
    `${input}`.includes("/subscribe/")
      ? Promise.resolve(new Response("no such page", { status: 404 }))
      : globalThis.fetch(input, init);
  const { url, token } = stack;
  const connection = connect({ url, token, fetch, wake: "subscribe", onEvent: (event) => events.push(event) });
  const held = await lock(connection, name).acquire();
  const waiters = [1, 2].map(() => lock(connection, name).run({ wait: "10s" }, async () => {}));
  await pause(HOLD_MS / 3);
  await held.release();
  await Promise.all(waiters);
  await expect(lock(connection, name).run({ wait: "1s" }, async () => {})).resolves.toBeUndefined();
  expect(events.filter(({ type }) => type === "not_woken")).toEqual([
    expect.objectContaining({ why: "no stream of messages: HTTP 404" }),
  ]);
});
