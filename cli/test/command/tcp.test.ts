import { afterAll, describe, expect, it } from "vitest";
import { useStack } from "../../../test/support/use-stack.ts";
import { startSentinels } from "../../../tools/redis-sentinels.ts";
import { startCluster } from "../../../tools/redis-topologies.ts";
import { command } from "../../../tools/run-command.ts";
import { setUp } from "./support.ts";

const stack = useStack();
const closing: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

const SECRET = "hunter2-hunter2";

describe("--redis", () => {
  it("finds, inspects and releases what clients over HTTP hold", async () => {
    const { locks, flags } = setUp(stack);
    const lease = await locks.lock("stuck").acquire({ lease: "1m", label: "nightly" });
    const server = ["--redis", stack.redis.url, ...flags];
    expect((await command(["ls", ...server])).out).toContain("stuck");
    expect((await command(["inspect", "stuck", ...server])).out).toContain("nightly");
    const released = await command(["release", "stuck", "--fencing-token", `${lease.token}`, "--yes", ...server]);
    expect(released).toMatchObject({ code: 0, out: "released stuck\n" });
    expect(await lease.verify()).toBe(false);
  });

  it("says that doctor finds the server fit for locks", async () => {
    const { code, out } = await command(["doctor", "--redis", stack.redis.url]);
    expect(out).toMatch(/^ok +exclusion /m);
    expect(code).toBe(0);
  });

  it("reaches the primary that Sentinels name", async () => {
    const sentinels = await startSentinels();
    closing.push(() => sentinels.stop());
    const found = await command(["doctor", "--json", "--redis", `${sentinels.url}`]);
    expect(found.out).toContain('"check":"exclusion","verdict":"ok"');
  });

  it("reads a name of a cluster, whichever node has it", async () => {
    const cluster = await startCluster();
    closing.push(() => cluster.stop());
    for (const name of ["a", "b", "c", "d"])
      expect(await command(["inspect", name, "--redis", cluster.url])).toMatchObject({
        code: 1,
        err: expect.any(String),
      });
  });

  it.each([
    ["another scheme", `http://u:${SECRET}@x`],
    ["no host", `redis://u:${SECRET}@`],
    ["a broken percent sign", "redis://u:%zz@x"],
    ["a database that is no number", `redis://u:${SECRET}@x/one`],
    ["a query", `redis://u:${SECRET}@x?db=1`],
    ["several hosts without +cluster", `redis://u:${SECRET}@x,y`],
    ["Sentinels without the primary's name", `redis+sentinel://u:${SECRET}@x`],
    ["more after the database of Sentinels", `redis+sentinel://u:${SECRET}@x/main/0/more`],
    ["a database of a cluster", `redis+cluster://u:${SECRET}@x/1`],
    ["a port that no server has", `redis://u:${SECRET}@x:65536`],
  ])("refuses a URL with %s before it connects, and repeats no value", async (_, url) => {
    const { code, err } = await command(["ls", "--redis", url]);
    expect(code).toBe(2);
    expect(err).toMatch(/--redis must be a URL like/);
    expect(err).not.toContain(SECRET);
  });
});
