import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

/** A process that takes longer is killed, so that it disturbs no other test. */
const MAX_MS = 180_000;

it(
  "the benchmark runs in its quick form, finds nothing wrong and gives its tables",
  async () => {
    const main = resolve(import.meta.dirname, "../../bench/main.ts");
    // It ends with 1 when two held at once, a token fell, or a fault was answered falsely.
    const limits = { timeout: MAX_MS, killSignal: "SIGKILL" } as const;
    const run = await promisify(execFile)(process.execPath, [main, "--quick"], limits).catch((error) => error);
    const { stdout, code = 0 } = run as { readonly stdout: string; readonly code?: number };
    expect({ code, end: code === 0 ? "" : stdout.slice(-2000) }).toEqual({ code: 0, end: "" });
    for (const heading of [
      "acquire + release |",
      "contention |",
      "one long tenure |",
      "fault in the request to",
      "acquire + release over TCP",
    ])
      expect(stdout).toContain(`| ${heading}`);
    expect(stdout).toContain("Nothing was wrong.");
  },
  MAX_MS + 10_000,
);
