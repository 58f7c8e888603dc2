import fc from "fast-check";
import { expect, it } from "vitest";
import { steps } from "../../engine/test/support/calls.ts";
import { type Compared, difference } from "../../engine/test/support/comparison.ts";
import { useRedis } from "../../engine/test/support/use-redis.ts";
import { createObjectServer, type ObjectServer } from "../src/server.ts";
import { openSqlite, type SqliteStorage } from "./support/sqlite-storage.ts";

/** How many commands and script calls are compared: some hundred, or as many as the variable says. */
const CALLS = Number(process.env["OBJECT_CALLS"] ?? 1000);
const MAX_STEPS = 60;

const real = useRedis();

/** An object that is thrown out of memory after each command, so that every answer comes from what is stored. */
function restarting(storage: SqliteStorage, now: () => number): Compared {
  const server = (): ObjectServer => createObjectServer({ storage, now });
  let isNew = true;
  return {
    isFull: false,
    async run(words) {
      // Scripts are compiled once for all objects, and stay known from one run to the next.
      if (isNew) await server().run([["SCRIPT", "FLUSH"]]);
      isNew = false;
      return (await server().run([words]))[0] ?? null;
    },
  };
}

it("answers and stores the same as a real Redis, restarted after each command", { timeout: 3_600_000 }, async () => {
  let calls = 0;
  const runs = steps(MAX_STEPS).map((run) => run.filter(({ text }) => text !== "FULL" && text !== "FREE"));
  const property = fc.asyncProperty(runs, async (run) => {
    calls += run.length;
    const storage = openSqlite();
    const found = await difference(real.client, run, real.isExact, (now) => restarting(storage, now));
    storage.close();
    expect(found).toBeUndefined();
  });
  await fc.assert(property, { numRuns: Math.ceil(CALLS / (MAX_STEPS * 0.4)) });
  console.log(`${calls} calls compared`);
  expect(calls).toBeGreaterThan(CALLS / 2);
});
