import { expect, it } from "vitest";
import { createLocks } from "../../../src/index.ts";
import { freshName, useStack } from "../../support/use-stack.ts";

const stack = useStack();

it("an unanswered grant, one of whose names was released by force, leaves none of the others held (R4)", async () => {
  const group = freshName("group");
  const locksOver = (options: object = {}) => createLocks({ url: stack.url, token: stack.token, ...options });
  const operator = locksOver();
  const names = ["a", "b"].map((name) => operator.lock(name, { group }));
  // So that the scripts are known.
  await (await operator.multiLock(["a", "b"], { group }).acquire()).release();
  let requests = 0;
  const deaf = async (...request: Parameters<typeof fetch>): Promise<Response> => {
    const answer = await fetch(...request);
    if (++requests > 1) return answer;
    await operator.lock("a", { group }).forceRelease();
    // The attempt is over before its answer comes, and void for the server.
    await new Promise((resolve) => request[1]?.signal?.addEventListener("abort", resolve));
    throw request[1]?.signal?.reason;
  };
  const caller = locksOver({ fetch: deaf as never, requestTimeout: 1000 });
  expect(await caller.multiLock(["a", "b"], { group }).tryAcquire({ lease: "1m" })).toBeNull();
  for (const one of names) expect((await one.inspect()).state).toBe("free");
});
