import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { bundleWorker } from "../../../demo/bundle.ts";
import { createProgress, tableOf } from "../../../demo/report.ts";
import { type Outcome, runScenario, type Scenario } from "../../../demo/scenario.ts";
import { linesOf } from "../../../demo/story.ts";
import { faultsOf } from "../../../demo/verdict.ts";
import { chooseRedis } from "../../../tools/redis-choice.ts";

const FEW: Scenario = {
  deliveries: 12,
  copies: 3,
  instances: 2,
  inFlight: 4,
  leaseMs: 1_000,
  freezeMs: 3_000,
  cronInvocations: 40,
};

describe("the demo, with few deliveries", () => {
  let outcome: Outcome;
  beforeAll(async () => {
    outcome = await runScenario(FEW, await chooseRedis());
  });

  test("processes every delivery once, over two instances and one D1", () => {
    expect(faultsOf(outcome)).toEqual([]);
    expect(outcome.rows.map(({ writes }) => writes)).toEqual(new Array(12).fill(1));
  });

  test("tells in four lines, in their order, how the frozen handler was overtaken and refused", () => {
    const { frozeAtMs, overtakenAtMs, wokeAtMs, refusedAtMs, token, nextToken } = outcome.story;
    expect([frozeAtMs, overtakenAtMs, wokeAtMs, refusedAtMs].sort((a, b) => a - b)).toEqual([
      frozeAtMs,
      overtakenAtMs,
      wokeAtMs,
      refusedAtMs,
    ]);
    expect(nextToken).toBeGreaterThan(token);
    const lines = linesOf(outcome.story).split("\n");
    expect(lines).toHaveLength(4);
    for (const [n, words] of ["froze", "took over", "woke", `refused its write: ${token} < ${nextToken}`].entries())
      expect(lines[n]).toMatch(new RegExp(`^ +\\d+\\.\\d s  .*${words}`));
  });

  test("writes its progress in one line where there is no terminal", () => {
    const written: string[] = [];
    const { say, end } = createProgress({ write: (text: string) => written.push(text) } as never);
    for (const text of ["1 of 3", "2 of 3", "3 of 3"]) say(text);
    end();
    expect(written).toEqual(["3 of 3\n"]);
  });

  test("ends with a table", () => {
    const table = tableOf(outcome);
    expect(table).toMatch(/deliveries +12\n/);
    expect(table).toMatch(/processed +12 \(rows in D1: 12\)\n/);
    // On a busy machine another handler may be overtaken, too.
    expect(table).toMatch(/stale writes refused +[1-9]\d*\n/);
    expect(table).toMatch(/added latency, p99 \(1\) +\d+ ms\n/);
  });

  test("fails for a delivery that was processed twice, or not at all", () => {
    const [first, ...others] = outcome.rows;
    if (!first) throw new Error("no rows");
    const short = first.id.slice(0, 8);
    expect(faultsOf({ ...outcome, rows: others })).toContain(`delivery ${short} was not processed`);
    const unwritten = { ...first, processed_at: null, writes: 0 };
    expect(faultsOf({ ...outcome, rows: [unwritten, ...others] })).toContain(`delivery ${short} was not processed`);
    const twice = { ...first, writes: 2 };
    expect(faultsOf({ ...outcome, rows: [twice, ...others] })).toContain(`delivery ${short} was processed 2 times`);
  });

  test("runs the cron once for forty invocations of one occurrence at once, and once for the next", () => {
    const { runs, slots, last } = outcome.cron;
    expect(runs.map(({ slot }) => slot)).toEqual(slots);
    expect(last).toMatchObject({ outcome: "ran", slot: slots[1], token: runs[1]?.token });
    expect(tableOf(outcome)).toMatch(/cron: 40 invocations at once +1 run\n/);
  });

  test("fails when the cron ran twice, not at all, or is not recorded", () => {
    const { cron } = outcome;
    const [first, next] = cron.runs;
    if (!first || !next) throw new Error("no runs");
    const of = (changed: Partial<typeof cron>) => faultsOf({ ...outcome, cron: { ...cron, ...changed } });
    expect(of({ runs: [first, first, next] })).toEqual([
      `the cron of ${first.slot} ran 2 times for 40 invocations at once`,
    ]);
    expect(of({ runs: [next] })).toEqual([`the cron of ${first.slot} ran 0 times for 40 invocations at once`]);
    expect(of({ last: null })).toEqual(["the record of the cron's last run is not that of the newest run"]);
  });

  test("fails when the frozen handler was not refused", () => {
    const answers = outcome.answers.filter(({ status }) => status !== "stale");
    expect(faultsOf({ ...outcome, answers })).toEqual(["the write of the frozen handler was not refused"]);
  });
});

test("the Worker builds for deployment, and stays small", async () => {
  const dir = mkdtempSync(join(tmpdir(), "leasehold-bundle-"));
  try {
    const { path, output } = await bundleWorker(dir);
    const [, gzipKib] = /gzip: ([\d.]+) KiB/.exec(output) ?? [];
    console.info(`the example Worker: ${statSync(path).size} bytes, ${gzipKib} KiB gzipped`);
    // 66 KiB in November 2026, unminified as wrangler does it by default. Node's builtins would be far more.
    expect(Number(gzipKib)).toBeLessThan(80);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
