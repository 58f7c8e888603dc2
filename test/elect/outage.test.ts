import { expect, it } from "vitest";
import { elect } from "../../src/elect/index.ts";
import { createLocks } from "../../src/index.ts";
import { createTestRedis } from "../../testing/src/index.ts";

it("while Redis is away, a leader leads until its lease ends; one leads again after Redis has returned (54.10)", async () => {
  const redis = createTestRedis();
  const stop = new AbortController();
  const happened: string[] = [];
  const campaign = (who: string): Promise<void> =>
    elect(createLocks(redis.options), "scheduler", {
      lease: "15s",
      signal: stop.signal,
      async onGained({ signal }) {
        happened.push(`${who} leads`);
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      },
      onLost: ({ reason }) => void happened.push(`${who}: ${reason}`),
    });
  const ended = campaign("a");
  await redis.advance("1s");
  const other = campaign("b");
  const endOutage = redis.fault({ kind: "away", times: Infinity });
  await redis.advance("9s");
  expect(happened).toEqual(["a leads"]);
  await redis.advance("1m");
  expect(happened).toEqual(["a leads", "a: expired"]);
  endOutage();
  await redis.advance("30s");
  expect(happened).toEqual(["a leads", "a: expired", expect.stringMatching(/^[ab] leads$/)]);
  stop.abort(new Error("the test has ended"));
  await redis.advance("10s");
  await Promise.all([ended, other]);
});
