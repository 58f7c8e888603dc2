import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ROOT, run } from "../support/command.ts";

/** Results of earlier runs would be taken for those of this one. */
const folder = mkdtempSync(join(tmpdir(), "leasehold-mutation-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SAMPLE = ["--files", "^lua/", "--sample", "40", "--seed", "7"];
const MAX_MS = 280_000;
const mutate = (...more: string[]): Promise<string> => {
  const env = { MUTATION_RESULTS: join(folder, `${more.join("")}.json`) };
  return run(
    process.execPath,
    ["--no-warnings", "verification/mutation/main.ts", ...SAMPLE, ...more],
    ROOT,
    env,
    MAX_MS,
  );
};

it("a sample of changes to the scripts is caught, and counted", { timeout: 300_000 }, async () => {
  expect(await mutate("--stages", "case,seed", "--caught", "90")).toMatch(/^\| all of `lua\/` \| 40 \| 40 \|/m);
});

it("a run fails if fewer are caught than it asks for", { timeout: 300_000 }, async () => {
  await expect(mutate("--stages", "case", "--caught", "101")).rejects.toThrow("are caught, less than 101 %");
});
