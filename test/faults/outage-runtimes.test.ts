import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { program, ROOT, run } from "../support/command.ts";

/** Tries once at an endpoint that is not there, and prints what came of it. */
const PROGRAM = `
  import { createLocks } from "./src/index.ts";
  const [url] = globalThis.Deno?.args ?? process.argv.slice(2);
  const retried = [];
  const locks = createLocks({ url, token: "t-1-2-3", requestTimeout: "30s", onEvent: (event) => event.type === "retried" && retried.push(event.operation) });
  const start = performance.now();
  const error = await locks.lock("a").tryAcquire().catch((thrown) => thrown);
  const { code, message, cause } = error;
  console.log(JSON.stringify({ code, message, cause: { ...cause, message: cause?.message }, ms: performance.now() - start, retried }));`;

let dir: string;
let script: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "leasehold-away-"));
  script = join(dir, "away.mjs");
  const stdin = { contents: PROGRAM, resolveDir: ROOT, loader: "ts" as const };
  const { outputFiles } = await build({ stdin, bundle: true, format: "esm", write: false });
  writeFileSync(script, outputFiles[0]?.text ?? "");
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Nobody has the port: it is none that a system gives away by itself. */
const NOBODY = "127.0.0.1:9999";
const NOWHERE = "no-such-host.invalid";

const runtimes: [name: string, file: string, args: readonly string[]][] = [
  ["Node 20", "node-20/bin/node", []],
  ["Node 24", "node/bin/node", []],
  ["Node 26", "node-26/bin/node", []],
  ["Bun", ".bin/bun", ["run"]],
  ["Deno", ".bin/deno", ["run", "--no-prompt", "--allow-net"]],
];

describe.each(runtimes)("C: in %s", (name, file, flags) => {
  it.each([
    ["nobody listens", NOBODY],
    ["the name is not found", NOWHERE],
  ])("a try ends soon when %s, and says where", async (_, host) => {
    const said = JSON.parse(await run(program(file), [...flags, script, `http://${host}`], dir, { NO_COLOR: "1" }));
    // Deno retries by itself, so its refusal proves nothing.
    const code = name === "Deno" ? "outcome_unknown" : "unreachable";
    expect(said).toMatchObject({ code, message: expect.stringContaining(host) });
    expect(said.cause.message).toMatch(/refused|ENOTFOUND|EAI_AGAIN|not known|lookup/i);
    // Long before its time limit.
    expect(said.ms).toBeLessThan(15_000);
    expect(said.retried.length).toBeLessThan(8);
    // Deno's is no proof, so that it tries to take it back.
    if (name !== "Deno") expect(said.retried).not.toContain("cancel");
  });
});

it("C: Deno's word that it may not use the network is the cause, and nothing is taken back", async () => {
  const args = ["run", "--no-prompt", script, `http://${NOBODY}/a-secret-path`];
  const said = JSON.parse(await run(program(".bin/deno"), args, dir, { NO_COLOR: "1" }));
  expect(said).toMatchObject({
    code: "unreachable",
    message: expect.stringContaining(NOBODY),
    cause: { name: "NotCapable", message: expect.stringContaining(`Requires net access to "${NOBODY}"`) },
  });
  expect(JSON.stringify(said)).not.toContain("a-secret-path");
  expect(said.retried).not.toContain("cancel");
  expect(said.ms).toBeLessThan(15_000);
});
