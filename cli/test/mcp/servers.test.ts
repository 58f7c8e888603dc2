/** `leasehold mcp` over each kind of server. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshName, useStack } from "../../../test/support/use-stack.ts";
import type { Env } from "../../../tools/run-command.ts";
import { overHttp, startHttp } from "./support.ts";

const stack = useStack({ warm: true });
const objects = useStack({ warm: true, objects: true });
const envOf = ({ url, token }: { readonly url: string; readonly token: string }): Env => ({
  UPSTASH_REDIS_REST_URL: url,
  UPSTASH_REDIS_REST_TOKEN: token,
});

let state: string;
beforeAll(() => {
  state = mkdtempSync(join(tmpdir(), "leasehold-claims-"));
});
afterAll(() => rmSync(state, { recursive: true, force: true }));

const SERVERS: readonly (readonly [title: string, reach: () => readonly [flags: readonly string[], env: Env]])[] = [
  ["a Redis in memory", () => [["--memory"], {}]],
  ["a Redis over TCP", () => [["--redis", stack.redis.url], {}]],
  ["Durable Objects", () => [[], envOf(objects)]],
];

describe.each(SERVERS)("leasehold mcp over %s", (_title, reach) => {
  it("hands a name from one agent to the one that waits (52.2)", async () => {
    const [flags, env] = reach();
    await using server = await startHttp([...flags, "--state", state], env);
    const token = server.token ?? "";
    await using one = await overHttp(server.url, token);
    await using two = await overHttp(server.url, token);
    const name = freshName();
    const first = (await one.call("claim", { name, note: "one" })).data;
    expect((await two.call("claim", { name })).text).toContain('is held by "one" for up to');
    const waiting = two.call("wait", { name, wait_seconds: 20 });
    expect((await one.call("check", { name, token: first["token"] })).data).toMatchObject({ live: true });
    expect((await one.call("who", { name })).data["names"]).toMatchObject([{ name, held: true, note: "one" }]);
    expect((await one.call("renew", { claim: first["claim"] })).isError).toBe(false);
    expect((await one.call("release", { claim: first["claim"] })).data).toEqual({ name, released: true });
    const second = (await waiting).data;
    expect(second["token"]).toBeGreaterThan(first["token"] as number);
    expect((await one.call("check", { name, token: first["token"] })).data).toMatchObject({ live: false });
    await two.call("release", { claim: second["claim"] });
  });
});
