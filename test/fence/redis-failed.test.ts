import { afterAll, beforeAll, expect, it } from "vitest";
import { redisFence } from "../../src/fence/index.ts";
import { connect } from "../../src/index.ts";
import { type FaultProxy, startProxy } from "../support/proxy.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
let proxy: FaultProxy;
beforeAll(async () => {
  proxy = await startProxy(stack.url);
});
afterAll(async () => {
  await proxy.close();
});
const fence = () => redisFence(connect({ url: proxy.url, token: stack.token, requestTimeout: "20s" }));

it("a command that failed for another reason than its words is not run by a copy when that reason is gone", async () => {
  const name = freshName();
  const claimed = fence().call({ name, token: 1 }, "XCLAIM", name, "group", "me", 0, "0-1");
  await expect(claimed).rejects.toMatchObject({ code: "redis_error", message: expect.stringContaining("NOGROUP") });
  await stack.redis.command("XGROUP", "CREATE", name, "group", "$", "MKSTREAM");
  expect(new Set((await proxy.replay("fence-call")).filter((status) => !status.startsWith("error NOSCRIPT")))).toEqual(
    new Set(["failed"]),
  );
});

it("a command that failed since memory was full is not run by a copy when there is room", async () => {
  const name = freshName();
  await fence().claim({ name, token: 1 });
  await fence().call({ name, token: 1 }, "SET", `${name}:warm`, 1);
  await stack.redis.command("CONFIG", "SET", "maxmemory", "1");
  const write = fence().call({ name, token: 1 }, "SET", `${name}:value`, "x");
  await expect(write).rejects.toMatchObject({ code: "redis_error", message: expect.stringContaining("OOM") });
  await stack.redis.command("CONFIG", "SET", "maxmemory", "0");
  const copies = await proxy.replay((seen) => seen.body.includes(`${name}:value`));
  expect(copies).toEqual(["failed"]);
  expect(await stack.redis.command("EXISTS", `${name}:value`)).toContain(":0");
});
