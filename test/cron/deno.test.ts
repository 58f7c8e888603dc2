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

it("refuses weekdays by number in Deno, whose cron counts them from Sunday = 1 (B21)", async () => {
  const program = `
    import { cronExpression, slotOf } from "leasehold/cron";
    const monday = new Date("2026-11-23T09:30:20Z");
    const outcomes = [];
    for (const schedule of Deno.args) {
      const stop = new AbortController();
      const outcome = [schedule];
      try {
        outcome.push(slotOf({ schedule: cronExpression(schedule) }, monday).toISOString());
      } catch (error) {
        outcome.push(error.name + ": " + error.message);
      }
      try {
        const registered = Deno.cron("job " + outcomes.length, schedule, { signal: stop.signal }, () => {});
        await new Promise((resolve) => setTimeout(resolve, 20));
        stop.abort();
        await registered;
        outcome.push("accepted");
      } catch {
        outcome.push("refused");
      }
      outcomes.push(outcome);
    }
    console.log(JSON.stringify(outcomes));`;
  const script = join(dir, "weekdays.mjs");
  writeFileSync(script, await bundle(program, "esm"));
  const refused = ["* 9 * * 2-6", "* 9 * * 7", "* 9 * * MON,3", "* 9 * * 2#1", "* 9 * * 6L"];
  const taken = [
    ["* 9 * * MON-FRI", "2026-11-23T09:30:00.000Z"],
    ["* 9 * * mon", "2026-11-23T09:30:00.000Z"],
    ["0 9 * * SUN", "2026-11-22T09:00:00.000Z"],
    ["0 9 * * SAT#3", "2026-11-21T09:00:00.000Z"],
    ["0 9 * * FRIL", "2026-10-30T09:00:00.000Z"],
    ["0 9 * * */2", "2026-11-22T09:00:00.000Z"],
    ["0 9 * * *", "2026-11-23T09:00:00.000Z"],
  ] as const;
  const schedules = [...refused, ...taken.map(([schedule]) => schedule)];
  const { stdout } = await promisify(execFile)(DENO, ["run", "-A", "--unstable-cron", script, ...schedules]);
  const outcomes: string[][] = JSON.parse(stdout);
  // Deno takes all of them.
  expect(outcomes.map(([, , registered]) => registered)).toEqual(schedules.map(() => "accepted"));
  for (const [schedule, outcome] of outcomes.slice(0, refused.length))
    expect([schedule, outcome]).toEqual([
      schedule,
      expect.stringMatching(/^TypeError: cronExpression: schedule .*Deno\.cron counts from Sunday = 1.*MON-FRI$/),
    ]);
  expect(outcomes.slice(refused.length).map(([schedule, slot]) => [schedule, slot])).toEqual(taken);
});

it("says which permission of Deno is missing where it may not read the secret (B34)", async () => {
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
  const error = "CRON_SECRET is unknown: the environment may not be read: run Deno with --allow-env (CRON_SECRET)";
  for (const [flag, state, problem] of [
    ["--deny-env", "denied", error],
    ["--allow-env=OTHER", "prompt", error],
    ["--allow-env", "granted", "CRON_SECRET is not set"],
  ] as const) {
    const { CRON_SECRET: _, ...env } = process.env;
    const { stdout } = await promisify(execFile)(DENO, ["run", "--no-prompt", flag, script], { env });
    expect(JSON.parse(stdout)).toEqual([
      state,
      [500, { status: "misconfigured", error: problem }],
      [401, { status: "unauthorized" }],
    ]);
  }
});
