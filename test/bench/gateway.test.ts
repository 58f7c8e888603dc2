import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { canPin } from "../../bench/gateway/subjects.ts";
import { missing } from "../../tools/webdis.ts";

// Where neither can be had, there is nothing to compare with; the benchmark itself says so.
const canRun = canPin() && missing(["webdis", "wrk"]).length === 0;

it.skipIf(!canRun)(
  "the gateway's benchmark runs in its quick form, finds nothing wrong and gives its tables",
  async () => {
    const main = resolve(import.meta.dirname, "../../bench/gateway/main.ts");
    // It ends with 1 when an answer was wrong or memory grew.
    const { stdout } = await promisify(execFile)(process.execPath, [main, "--quick"]);
    const lines = stdout.split("\n");
    for (const name of ["GET in the path", "GET in the body", "EVALSHA (a lock's acquire)", "pipeline of 100 GET"])
      expect(lines.find((line) => line.startsWith(`| ${name}: gateway ÷ webdis |`))).toMatch(/ \d+\.\d\d × /);
    expect(stdout).toContain("| requests, all kinds by turns |");
    expect(stdout).toContain("Nothing was wrong.");
  },
  120_000,
);
