/** Short runs of `npm run failover` on real servers: what must be at 0, and faults that it must find. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Row } from "../../verification/failover/table.ts";
import { ROOT } from "../support/command.ts";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "leasehold-failover-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly row: Row;
}

/** Runs the program for one set-up. */
function failover(setUp: string, kills: number): Promise<Ended> {
  const log = join(dir, `${setUp}.jsonl`);
  const args = ["--import", "./tools/sources.ts", "verification/failover/main.ts"];
  const options = ["--only", setUp, "--kills", String(kills), "--seed", "55", "--log", log];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...args, ...options], { cwd: ROOT }, (_, stdout, stderr) => {
      const row = JSON.parse(readFileSync(log, "utf8")) as Row;
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr, row });
    });
  });
}

const CLEAN = { lostEarly: 0, twoHolders: 0, tokensFell: 0, onceAgain: 0, starved: 0 };
const KILLS = 8;

describe("a short run", { timeout: 120_000 }, () => {
  it("finds nothing where every write is on disk before its answer", async () => {
    const { code, output, row } = await failover("always", KILLS);
    expect(code, output).toBe(0);
    const { faults, nextMs, tenures, verdict } = row.played;
    expect(verdict).toEqual(CLEAN);
    expect(faults.kill + faults.freeze + faults.partition).toBe(KILLS);
    // Three names in use, all of which are granted again after each fault.
    expect(nextMs).toHaveLength(3 * KILLS);
    expect(tenures).toBeGreaterThan(nextMs.length);
    expect(output).toMatch(
      /\| \*\*AOF `always`\*\* \| (Redis|Valkey) [\d.]+ \| 8 \| 0 \| 0 \| 0 \| 0 \| 0 \| [\d.]+, /,
    );
  });

  it("finds two holders and lost leases where a restart is empty, and tokens rise nevertheless", async () => {
    const { code, output, row } = await failover("none", KILLS);
    expect(code, output).toBe(0);
    expect(row.played.verdict.lostEarly).toBeGreaterThan(0);
    expect(row.played.verdict.twoHolders).toBeGreaterThan(0);
    expect(row.played.verdict.onceAgain).toBeGreaterThan(0);
    expect(row.played.verdict.tokensFell).toBe(0);
  });

  it("finds two holders after the promotion of a replica that had not received the last grants", async () => {
    const { code, output, row } = await failover("lagging", KILLS);
    expect(code, output).toBe(0);
    expect(row.played.verdict.lostEarly).toBeGreaterThan(0);
    expect(row.played.verdict.twoHolders).toBeGreaterThan(0);
  });

  it("fails if a set-up that is said to be durable is not", async () => {
    const { code, output } = await failover("planted", KILLS);
    expect(code).toBe(1);
    expect(output).toContain("FAULT of planted");
  });
});
