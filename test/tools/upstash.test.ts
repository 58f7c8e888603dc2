import { expect, it } from "vitest";
import { ROOT, run } from "../support/command.ts";
import { useStack } from "../support/use-stack.ts";

const stack = useStack();
const smoke = (url: string, token: string): Promise<string> =>
  run(process.execPath, ["tools/upstash.ts"], ROOT, { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token });

it("the test on a database of Upstash runs against whatever speaks its protocol", async () => {
  const lines = (await smoke(stack.url, stack.token)).trim().split("\n");
  expect(lines).toHaveLength(5);
  expect(lines.filter((line) => !line.startsWith("ok "))).toEqual([]);
});

it("without an address it says that nothing was tested", async () => {
  expect(await smoke("", "")).toMatch(/^skipped: UPSTASH_REDIS_REST_URL .* are not set, so nothing was tested\n$/);
});
