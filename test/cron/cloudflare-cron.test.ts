import { beforeAll, expect, it } from "vitest";
import { cloudflareCron, lastRun } from "../../src/cron/index.ts";
import { createLocks, type Locks } from "../../src/index.ts";
import { useStack } from "../support/use-stack.ts";

const stack = useStack();
let locks: Locks;
beforeAll(async () => {
  locks = createLocks({ url: stack.url, token: stack.token });
});

const event = { cron: "*/15 9-17 1,15 * MON-FRI", scheduledTime: Date.UTC(2026, 10, 21, 3) };
const context = { waitUntil() {} };

it.each([["x".repeat(200)], ["ü".repeat(100)]])("the longest name there may be: %s", async (name) => {
  const slots: string[] = [];
  const scheduled = cloudflareCron({ locks, name }, ({ slot }) => void slots.push(slot));
  await scheduled(event, {}, context);
  await scheduled(event, {}, context);
  expect(slots).toEqual(["2026-11-21T03:00:00.000Z"]);
  expect(await lastRun(locks, `${name} ${event.cron}`)).toMatchObject({ outcome: "ran" });
});

it.each([
  [{ name: "x".repeat(201) }, "cloudflareCron: name has 201 bytes: 1 to 200 are allowed"],
  [{ name: "" }, "cloudflareCron: name is empty: 1 to 200 bytes"],
  [{ name: "nightly", lease: "301d" }, 'cloudflareCron: lease "301d" is too long: at most 300 days'],
  [{ name: "nightly", maxDuration: 300_000 }, "cloudflareCron: maxDuration 300000 must be 1 to 3600, in seconds"],
] as const)("what cannot be is said when it is made: %#", (options, message) => {
  expect(() => cloudflareCron({ locks, ...options }, () => {})).toThrow(message);
});
