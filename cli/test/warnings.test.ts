import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { program, ROOT } from "../../test/support/command.ts";
import { freshName, useStack } from "../../test/support/use-stack.ts";
import { SOURCES } from "../../tools/sources.ts";
import { openStream } from "./ui/support.ts";

const stack = useStack({ warm: true });
const NAMES = 200;

let dir: string;
beforeAll(async () => {
  dir = join(mkdtempSync(join(tmpdir(), "leasehold-warnings-")), "dist");
  await build({
    entryPoints: [join(ROOT, "cli/src/main.ts")],
    outdir: dir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    // What speaks TCP is loaded on demand.
    splitting: true,
    format: "esm",
    platform: "node",
    external: ["ioredis"],
    alias: SOURCES,
    logLevel: "error",
  });
  symlinkSync(join(ROOT, "node_modules"), join(dir, "node_modules"));
  // Where the command reads its version.
  writeFileSync(join(dir, "../package.json"), JSON.stringify({ version: "0.0.0" }));
  mkdirSync(join(dir, "page"));
  for (const file of ["index.html", "style.css", "icon.svg", "page.js"]) writeFileSync(join(dir, "page", file), "x");
});
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(dirname(dir), { recursive: true, force: true });
});

/** Starts the command; nothing that our own runner is told reaches it. */
function start(node: string, ...args: string[]) {
  const env = { UPSTASH_REDIS_REST_URL: stack.url, UPSTASH_REDIS_REST_TOKEN: stack.token };
  const child = spawn(program(`${node}/bin/node`), [join(dir, "main.mjs"), ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  return { child, errors: text(child.stderr), ended: once(child, "exit") };
}

it.each(["node-20", "node-22", "node", "node-26"])(
  "the command prints no warning under %s, whatever it does (E16)",
  async (node) => {
    const prefix = `${freshName("cli")}:`;
    const locks = createLocks({ url: stack.url, token: stack.token, prefix });
    const names = Array.from({ length: NAMES }, (_, n) => `name ${n}`);
    await Promise.all(names.map((name) => locks.lock(name).acquire({ lease: "5m" })));
    const listed = start(node, "ls", "--json", "--key-prefix", prefix);
    const lines = await text(listed.child.stdout);
    expect(await listed.errors).toBe("");
    expect(lines.trim().split("\n")).toHaveLength(NAMES);

    const tcp = ["--redis", stack.redis.url];
    for (const args of [
      ...[
        ["inspect", "name 1"],
        ["watch", "--for", "1s", "--every", "100ms"],
        ["completion", "bash"],
      ],
      ...[["doctor"], ["bench", "--json", "--cycles", "30", "--hand-overs", "5"], ["release", "name 2", "--yes"]],
      ...[
        ["ls", ...tcp],
        ["watch", "--for", "1s", "--every", "100ms", ...tcp],
        ["release", "name 3", "--yes", ...tcp],
        // Its client is gone at once.
        ["mcp", "--memory", "--state", join(dir, "claims")],
      ],
    ]) {
      const run = start(node, ...args, "--key-prefix", prefix);
      run.child.stdout.resume();
      // The estimate of its cost is for people.
      expect((await run.errors).replace(/^http:.*: about .*\n/, ""), args.join(" ")).toBe("");
    }

    const page = start(node, "ui", "--json", "--key-prefix", prefix);
    const [line] = (await once(createInterface(page.child.stdout), "line")) as [string];
    const stream = await openStream(JSON.parse(line).url);
    const seen = new Set<string>();
    await stream.until("rows", ({ rows }) => {
      for (const { name } of rows) seen.add(name);
      return seen.size === NAMES;
    });
    stream.close();
    page.child.kill("SIGINT");
    await page.ended;
    expect(await page.errors).toBe("");
  },
  120_000,
);
