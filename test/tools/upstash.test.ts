import { expect, it } from "vitest";
import { ROOT, run } from "../support/command.ts";
import { useStack } from "../support/use-stack.ts";

const stack = useStack();
const smoke = (url: string, token: string): Promise<string> =>
  run(process.execPath, ["tools/upstash.ts"], ROOT, { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token });

it("the test on a database of Upstash runs against whatever speaks its protocol", async () => {
  const lines = (await smoke(stack.url, stack.token)).trim().split("\n");
  expect(lines.filter((line) => line.startsWith("ok "))).toHaveLength(5);
  expect(lines.filter((line) => !line.startsWith("ok ")).map((line) => line.trim())).toEqual([
    expect.stringMatching(/^polling: a waiter of 5 s had the lock \d+ ms after its release$/),
    expect.stringMatching(/^subscribe: a waiter of 5 s had the lock \d+ ms after its release$/),
    "subscribe: a stream without messages lives for longer than 10 s",
    expect.stringContaining("console of the database"),
  ]);
});

it("without an address it says that nothing was tested", async () => {
  expect(await smoke("", "")).toMatch(/^skipped: UPSTASH_REDIS_REST_URL .* are not set, so nothing was tested\n$/);
});
