import { describe, expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";

/** 500 in `npm run test:long`. */
const ROUNDS = Number(process.env["ROUNDS"] ?? 50);

const stack = useStack();

/** Clients that read, add and write a plain counter in Redis, one request each, under the lock. */
async function count(clients: number, rounds: number): Promise<number> {
  const [lockName, counter] = [freshName("lock"), freshName("counter")];
  const command = async (...args: (string | number)[]): Promise<unknown> => {
    const headers = { authorization: `Bearer ${stack.token}` };
    const response = await fetch(stack.url, { method: "POST", headers, body: JSON.stringify(args) });
    return ((await response.json()) as { result: unknown }).result;
  };
  const client = async (): Promise<void> => {
    const lock = createLocks({ url: stack.url, token: stack.token }).lock(lockName, { wait: "2m" });
    for (let round = 0; round < rounds; round++) {
      await lock.run(async () => {
        const read = Number(await command("GET", counter));
        await command("SET", counter, read + 1);
      });
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return Number(await command("GET", counter));
}

describe("mutual exclusion on a plain counter", () => {
  it(`16 clients of ${ROUNDS} rounds each end at the exact sum`, async () => {
    expect(await count(16, ROUNDS)).toBe(16 * ROUNDS);
  }, 120_000);

  it("100 clients at once end at the exact sum", async () => {
    expect(await count(100, 1)).toBe(100);
  }, 60_000);
});
