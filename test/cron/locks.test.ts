import { beforeAll, expect, it } from "vitest";
import { cloudflareCron, cronRoute, runCron, vercelSchedule } from "../../src/cron/index.ts";
import { createLocks, type Locks } from "../../src/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
let locks: Locks;
beforeAll(() => {
  locks = createLocks({ url: stack.url, token: stack.token });
});

const request = new Request("https://app.example/api/cron", { headers: { Authorization: "Bearer s" } });
const context = { waitUntil: () => {} };

/** Each door with `locks` as a function, and what that function is called with. */
const doors: Readonly<Record<string, (name: string, locksOf: (...call: unknown[]) => Locks) => Promise<unknown>>> = {
  cronRoute: (name, locksOf) => cronRoute({ locks: locksOf, name, slot: () => "one", secret: "s" }, () => {})(request),
  vercelSchedule: (name, locksOf) =>
    vercelSchedule({ locks: locksOf }, () => {})({ name, scheduledAt: "2026-11-21T03:00:00Z" }),
  cloudflareCron: (name, locksOf) =>
    cloudflareCron({ locks: locksOf, name: () => name }, () => {})({ cron: "", scheduledTime: 0 }, { A: 1 }, context),
  runCron: (name, locksOf) => runCron({ locks: locksOf, name, slot: "one" }, () => {}),
};

it.each(Object.entries(doors))("locks of %s may be a function of the call", async (door, run) => {
  const name = freshName("locks");
  const calls: unknown[][] = [];
  await run(name, (...call) => {
    calls.push(call);
    return locks;
  });
  const expected = {
    cronRoute: [request],
    vercelSchedule: [{ name, scheduledAt: "2026-11-21T03:00:00Z" }],
    cloudflareCron: [{ A: 1 }],
    runCron: [],
  }[door];
  expect(calls).toEqual([expected]);
});

it.each(Object.entries(doors))("%s takes a Locks client as well as a connection", async (_, run) => {
  const name = freshName("both");
  await run(name, () => locks);
  await run(name, () => locks.connection as never);
  const keys = await stack.redis.command("KEYS", `*cron-last:${name}*`);
  expect(keys).toContain(name);
});
