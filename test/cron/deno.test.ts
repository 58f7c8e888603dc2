import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lastRun, runCron } from "../../src/cron/index.ts";
import { createLocks } from "../../src/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";
import { bundle } from "./bundle.ts";

const DENO = resolve("node_modules/.bin/deno");
const BUN = resolve("node_modules/.bin/bun");
const stack = useStack();
let dir: string;
let script: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "leasehold-cron-"));
  script = join(dir, "job.mjs");
  const program = `
    import { createLocks } from "leasehold";
    import { cronExpression, runCron, slotOf } from "leasehold/cron";
    const [url, token, name, slot] = globalThis.Deno?.args ?? process.argv.slice(2);
    const locks = createLocks({ url, token });
    const due = slot ?? slotOf({ schedule: cronExpression("0 3 * * *") });
    const job = () => runCron({ locks, name, slot: due }, ({ slot, token, attempt, signal }) => {
      if (signal.aborted) throw new Error("no lease");
      console.error(JSON.stringify({ slot, token, attempt }));
    });
    if (slot) console.log(JSON.stringify(await job()));
    else {
      // Registered as a deployment would; what is due at once is called by hand, since the next time is up to a minute
      // away.
      const stop = new AbortController();
      const registered = Deno.cron(name, "0 3 * * *", { signal: stop.signal }, job);
      console.log(JSON.stringify(await job()));
      stop.abort();
      await registered;
    }`;
  writeFileSync(script, await bundle(program, "esm"));
});
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true });
});

async function run(command: string, flags: readonly string[], name: string, slot?: string) {
  const args = [...flags, script, stack.url, stack.token, name, ...(slot === undefined ? [] : [slot])];
  const { stdout, stderr } = await promisify(execFile)(command, args, { env: { ...process.env, NO_COLOR: "1" } });
  return { report: JSON.parse(stdout), worked: stderr.includes('"attempt":1') };
}

describe.each([
  ["Deno", DENO, ["run", "-A"]],
  ["Bun", BUN, ["run"]],
] as const)("a script in %s", (_, command, flags) => {
  it("runs a slot once, and sees what ran elsewhere", async () => {
    const name = freshName("script");
    const slot = "2026-11-21T03:00:00Z";
    const both = await Promise.all([run(command, flags, name, slot), run(command, flags, name, slot)]);
    expect(both.filter(({ worked }) => worked)).toHaveLength(1);
    for (const { report, worked } of both) expect(report.status).toMatch(worked ? /^ran$/ : /^skipped: /);
    const locks = createLocks({ url: stack.url, token: stack.token });
    const here = await runCron({ locks, name, slot: new Date(slot) }, () => expect.unreachable());
    expect(here.status).toBe("skipped: already ran");
    expect(await lastRun(locks, name)).toMatchObject({ outcome: "ran" });
  });
});

it("goes into Deno.cron", async () => {
  const name = freshName("cron");
  const first = await run(DENO, ["run", "-A", "--unstable-cron"], name);
  expect(first).toMatchObject({
    worked: true,
    report: { status: "ran", slot: expect.stringMatching(/T03:00:00\.000Z$/) },
  });
  expect((await run(DENO, ["run", "-A", "--unstable-cron"], name)).report.status).toBe("skipped: already ran");
});

it("where Deno may not read the environment there is no secret, and that is what it answers", async () => {
  const program = `
    import { createLocks } from "leasehold";
    import { cronRoute } from "leasehold/cron";
    const locks = createLocks({ url: "http://127.0.0.1:9", token: "x" });
    const route = (secret) => cronRoute({ locks, name: "job", every: "1m", secret }, () => {});
    const answers = [route(), route("given")].map(async (answer) => {
      const response = await answer(new Request("https://app.example/cron", { headers: { authorization: "Bearer x" } }));
      return [response.status, await response.json()];
    });
    const denied = Deno.permissions.querySync({ name: "env" }).state;
    console.log(JSON.stringify([denied, ...(await Promise.all(answers))]));`;
  const script = join(dir, "route.mjs");
  writeFileSync(script, await bundle(program, "esm"));
  const { stdout } = await promisify(execFile)(DENO, ["run", "--no-prompt", "--deny-env", script]);
  expect(JSON.parse(stdout)).toEqual([
    "denied",
    [500, { status: "misconfigured", error: "CRON_SECRET is not set" }],
    [401, { status: "unauthorized" }],
  ]);
});
