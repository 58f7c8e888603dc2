import { expect, it } from "vitest";
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
