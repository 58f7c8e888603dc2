import { expect, it } from "vitest";
import { createLocks, type Lock } from "../../../src/index.ts";
import { freshName, useStack } from "../../support/use-stack.ts";

const stack = useStack();

const command = (...words: string[]): Promise<unknown> =>
  fetch(stack.url, {
    method: "POST",
    headers: { Authorization: `Bearer ${stack.token}` },
    body: JSON.stringify(words),
  }).then((response) => response.json());

it.each([
  ["released by force", (one: Lock) => one.forceRelease()],
  ["evicted", (_: Lock, key: string) => command("DEL", key)],
])("an unanswered grant, one of whose names was %s, leaves none of the others held (R4)", async (_, lose) => {
  const group = freshName("group");
  const locksOver = (options: object = {}) => createLocks({ url: stack.url, token: stack.token, ...options });
  const operator = locksOver();
  const names = ["a", "b"].map((name) => operator.group(group).lock(name));
  // So that the scripts are known.
  await (await operator.group(group).multiLock(["a", "b"]).acquire()).release();
  let requests = 0;
  const deaf = async (...request: Parameters<typeof fetch>): Promise<Response> => {
    const answer = await fetch(...request);
    if (++requests > 1) return answer;
    await lose(operator.group(group).lock("a"), `leasehold:{${group}}/a`);
    // The attempt is over before its answer comes, and void for the server.
    await new Promise((resolve) => request[1]?.signal?.addEventListener("abort", resolve));
    throw request[1]?.signal?.reason;
  };
  const caller = locksOver({ fetch: deaf as never, requestTimeout: 1000 });
  expect(await caller.group(group).multiLock(["a", "b"]).tryAcquire({ lease: "1m" })).toBeNull();
  for (const one of names) expect((await one.inspect()).state).toBe("free");
});
