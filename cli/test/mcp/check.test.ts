import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshName, useStack } from "../../../test/support/use-stack.ts";
import { setUp, until } from "../command/support.ts";
import { overStdio } from "./support.ts";

const stack = useStack({ warm: true });
let state: string;
beforeAll(() => {
  state = mkdtempSync(join(tmpdir(), "leasehold-claims-"));
});
afterAll(() => rmSync(state, { recursive: true, force: true }));

it("exits with 0 only while the tenure of the token is live (52.2)", async () => {
  const { locks, run } = setUp(stack);
  const lease = await locks.lock("deploy").acquire({ lease: "1m" });
  const token = String(lease.token);
  expect(await run("check", "deploy", token)).toMatchObject({
    code: 0,
    out: expect.stringMatching(`^deploy is held by token ${token}, 5\\d s left\n$`),
    err: "",
  });
  expect(JSON.parse((await run("check", "deploy", token, "--json")).out)).toMatchObject({
    live: true,
    token: lease.token,
  });
  expect((await run("check", "deploy", token, "--left", "30s")).code).toBe(0);
  expect(await run("check", "deploy", token, "--left", "2m")).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringMatching(`^refused deploy: token ${token} has 5\\d s left: renew it first\n$`),
  });
  const over = String(lease.token + 1_000_000);
  expect((await run("check", "deploy", over)).err).toContain("the server never gave this token, or has lost its data");
  await lease.release();
  expect((await run("check", "deploy", token)).err).toContain("its lease has ended, and nobody holds it");
  const next = await locks.lock("deploy").acquire();
  expect(await run("check", "deploy", token)).toMatchObject({
    code: 1,
    err: `refused deploy: token ${token} does not hold it: another holder has it now, with token ${next.token}\n`,
  });
  expect((await run("check", "never-used", token)).code).toBe(1);
});

it("refuses an expired lease that nobody has taken over, and a forced one (52.2)", async () => {
  const { locks, run } = setUp(stack);
  const short = await locks.lock("short").acquire({ lease: "50ms" });
  await until(async () => (await locks.lock("short").inspect()).state === "free");
  expect((await run("check", "short", String(short.token))).code).toBe(1);
  const forced = await locks.lock("forced").acquire();
  await locks.lock("forced").forceRelease();
  expect((await run("check", "forced", String(forced.token))).code).toBe(1);
});

it("checks the holder of each kind, and no reader (52.2)", async () => {
  const { locks, run } = setUp(stack);
  const codeOf = async (name: string, token: number, ...flags: string[]) =>
    (await run("check", name, String(token), ...flags)).code;
  const rw = locks.readWriteLock("rw");
  const reader = await rw.read.acquire();
  expect(await run("check", "rw", String(reader.token))).toMatchObject({
    code: 1,
    err: expect.stringContaining("readers"),
  });
  await reader.release();
  expect(await codeOf("rw", (await rw.write.acquire()).token)).toBe(0);
  expect(await codeOf("fair", (await locks.fairLock("fair").acquire()).token)).toBe(0);
  const pool = locks.semaphore("pool", { permits: 2 });
  const [one, two] = [await pool.acquire(), await pool.acquire()];
  for (const { token } of [one, two]) expect(await codeOf("pool", token)).toBe(0);
  await one.release();
  expect([await codeOf("pool", one.token), await codeOf("pool", two.token)]).toEqual([1, 0]);
  const grouped = await locks.group("g").lock("a").acquire();
  expect([await codeOf("a", grouped.token), await codeOf("a", grouped.token, "--group", "g")]).toEqual([1, 0]);
});

it("takes the token of the claim that is kept in the folder (52.2)", async () => {
  const { run, flags, env } = setUp(stack);
  const name = freshName();
  const withState = (...args: string[]) => run("check", `agent:${name}`, "--state", state, ...args);
  expect(await withState()).toMatchObject({ code: 1, err: expect.stringContaining("no claim of it is kept here") });
  await using agent = await overStdio([...flags, "--state", state], env);
  const { claim, token } = (await agent.call("claim", { name })).data;
  expect(await withState()).toMatchObject({ code: 0, out: expect.stringContaining(`token ${token}`) });
  await agent.call("release", { claim });
  expect((await withState()).code).toBe(1);
});

it("exits with 3 without an answer, and with 2 for a wrong command line (52.2)", async () => {
  const { run } = setUp({ url: "http://127.0.0.1:1", token: stack.token });
  expect((await run("check", "a", "17")).code).toBe(3);
  for (const args of [[], ["a", "b"], ["a", "0"], ["a", "17", "b"], ["a", "17", "--left", "x"]])
    expect((await run("check", ...args)).code, args.join(" ")).toBe(2);
});
