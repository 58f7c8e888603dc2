import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { growthOf, type Measure, measure } from "../../verification/soak/measures.ts";

const root = join(import.meta.dirname, "../..");
const SECONDS = 24;
/** A higher rate than that of the long form, so that a leak for each request shows in seconds. */
const RATE = "24";
/** In seconds, the memory of a process grows by tens of MiB before V8 collects garbage. */
const ALLOWED_MIB = "100";
/** In seconds, the open files depend on how many visits are under way. A leak for each visit would make hundreds. */
const ALLOWED_FILES = "50";

/** Runs the command in a process of its own, since it measures its own heap as well. */
function runSoak(servers: string): Promise<{ readonly code: number; readonly output: string }> {
  const args = ["--import", "./tools/sources.ts", "verification/soak/main.ts", "--servers", servers];
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [
        ...args,
        ...["--minutes", String(SECONDS / 60), "--rate", RATE],
        ...["--allowed-mib", ALLOWED_MIB, "--allowed-files", ALLOWED_FILES],
      ],
      { cwd: root },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

const measuresOf = (memories: readonly number[], files: readonly number[]): readonly Measure[] =>
  memories.map((memoryBytes, index) => ({ seconds: index, memoryBytes, files: files[index] ?? 0 }));

it("a process that has ended cannot be measured, and the error says so", () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  expect(() => measure(pid, 1)).toThrow(`process ${pid} cannot be measured: it has ended`);
});

describe("growth", () => {
  const allowance = { share: 0.1, bytes: 10, files: 2 };
  const few = [5, 5, 5, 5];

  it("ignores the first quarter, and allows a share of the memory and some bytes and files", () => {
    expect(growthOf(measuresOf([10, 100, 100, 120], [1, 5, 6, 7]), allowance).isFlat).toBe(true);
  });

  it("is found in memory and in files", () => {
    expect(growthOf(measuresOf([10, 100, 100, 121], few), allowance).isFlat).toBe(false);
    expect(growthOf(measuresOf([100, 100, 100, 100], [5, 5, 5, 8]), allowance).isFlat).toBe(false);
  });

  it("needs four measures", () => {
    expect(() => growthOf(measuresOf([1, 1, 1], few), allowance)).toThrow(RangeError);
  });
});

// Measures are read from /proc.
describe.runIf(process.platform === "linux")("a short soak", () => {
  it("finds flat memory and open files on the gateway, the memory server and Durable Objects", {
    timeout: 120_000,
  }, async () => {
    const { code, output } = await runSoak("gateway,memory,objects");
    expect(code, output).toBe(0);
    expect(output.match(/^\| (gateway|memory|objects|clients) .* flat \|$/gm)).toHaveLength(4);
  });

  it("finds a planted leak of memory and files", { timeout: 120_000 }, async () => {
    const { code, output } = await runSoak("leaking");
    const [, row = ""] = /^\| leaking \|(.*)\| \*\*grows\*\* \|$/m.exec(output) ?? [];
    const [, memoryBefore, memoryAfter, , filesBefore, filesAfter] = row.split("|").map(Number);
    expect(Number(memoryAfter) - Number(memoryBefore), output).toBeGreaterThan(Number(ALLOWED_MIB));
    expect(Number(filesAfter) - Number(filesBefore), output).toBeGreaterThan(8);
    expect(code).toBe(1);
  });
});
