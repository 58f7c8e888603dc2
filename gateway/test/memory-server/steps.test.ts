import { expect, it } from "vitest";
import { createMemoryServer } from "../../src/memory/server.ts";
import { call, TOKEN } from "../support/client.ts";
import { start, urlIn } from "../support/process.ts";

it("a script that would never end is an error after a while, and SIGTERM ends the gateway as ever", async () => {
  const gateway = start(["--memory", "--port", "0", "--token", TOKEN]);
  const url = urlIn(await gateway.firstLine);
  const script = "return string.find(string.rep('a', 3000), string.rep('a-', 30) .. 'b')";
  const { status, text } = await call(url, ["EVAL", script, "0"]);
  expect([status, text]).toEqual([400, expect.stringMatching(/^\{"error":"ERR the script takes too many steps /)]);
  expect((await call(url, ["PING"])).body).toEqual({ result: "PONG" });
  const unanswered = call(url, ["EVAL", script, "0"]).catch(() => {});
  gateway.child.kill("SIGTERM");
  expect((await gateway.ended).code).toBe(0);
  await unanswered;
}, 60_000);

it("the commands of a pipeline share the steps of one request (B3)", async () => {
  const gateway = start(["--memory", "--port", "0", "--token", TOKEN]);
  const url = urlIn(await gateway.firstLine);
  const almostHalf = ["EVAL", "for i = 1, 4500000 do end return 1", "0"];
  const { body } = await call(
    `${url}/pipeline`,
    Array.from({ length: 5 }, () => almostHalf),
  );
  const refused = { error: expect.stringMatching(/takes too many steps/) };
  expect(body).toEqual([{ result: 1 }, { result: 1 }, refused, refused, refused]);
  // The next request has a budget of its own.
  expect((await call(url, almostHalf)).body).toEqual({ result: 1 });
  gateway.child.kill("SIGTERM");
  await gateway.ended;
}, 60_000);

it.each([
  ["messages", ["SUBSCRIBE", "c"], "redis.call('PUBLISH', 'c', s)"],
  ["messages of a pattern", ["PSUBSCRIBE", "*"], "redis.call('PUBLISH', 'c', s)"],
  ["lines of MONITOR", ["MONITOR"], "redis.call('ECHO', s)"],
])("a script cannot fill the memory with %s that nobody reads (B3)", async (_, words, body) => {
  const server = createMemoryServer();
  const feed = server.feed(words as [string, ...string[]]);
  let lines = 0;
  const listener = { onReply: () => lines++, onTooLarge() {}, onEnd() {} };
  expect(await feed.open(listener, { withinMs: 1_000, maxPending: 1e9 })).toBeUndefined();
  const script = `local s = string.rep('x', 100000) for i = 1, 3000 do ${body} end`;
  const reply = server.run(["EVAL", script, "0"], server.budget(), "values", undefined);
  expect(reply).toMatchObject({ message: expect.stringMatching(/^ERR the script takes too (many steps|much memory)/) });
  // What was sent before the end of the budget is the listener's.
  expect(lines).toBeLessThan(3_000);
  server.close();
});
