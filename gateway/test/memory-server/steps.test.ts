import { once } from "node:events";
import type { Duplex } from "node:stream";
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
  const send = (client: Duplex, ...command: readonly string[]): void =>
    void client.write(`*${command.length}\r\n${command.map((word) => `$${word.length}\r\n${word}\r\n`).join("")}`);
  const listener = server.connect("TOGETHER");
  send(listener, ...words);
  await once(listener, "readable");
  const client = server.connect("TOGETHER");
  send(client, "EVAL", `local s = string.rep('x', 100000) for i = 1, 3000 do ${body} end`, "0");
  const [answer] = (await once(client, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^-ERR the script takes too (many steps|much memory)/);
  for (const end of [listener, client]) end.destroy();
});
