/**
 * Four agents do tasks in a real repository, by the tools and the `pre-push` hook of docs/agent-locks.md. They are
 * killed at every step, their servers are killed, and some oversleep the end of their lease and push all the same.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blocksOf, ROOT, textOf } from "../../../test/documents/markdown.ts";
import { run } from "../../../test/support/command.ts";
import { useStack } from "../../../test/support/use-stack.ts";
import { SOURCES } from "../../../tools/sources.ts";
import type { Plan } from "./agent.ts";

const stack = useStack({ warm: true });
const AGENTS = 4;

let root: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "leasehold-agents-"));
  await build({
    entryPoints: [join(ROOT, "cli/src/main.ts")],
    outdir: join(root, "dist"),
    outExtension: { ".js": ".mjs" },
    ...{ bundle: true, splitting: true, format: "esm", platform: "node", logLevel: "error" },
    // Bundled, so that a check starts fast.
    external: ["ioredis"],
    alias: SOURCES,
  });
  writeFileSync(join(root, "package.json"), JSON.stringify({ version: "0.0.0" }));
  mkdirSync(join(root, "bin"));
  writeFileSync(join(root, "bin/leasehold"), `#!/bin/sh\nexec "${process.execPath}" "${root}/dist/main.mjs" "$@"\n`);
  chmodSync(join(root, "bin/leasehold"), 0o755);
});
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));

/** The hook of the page, unchanged. */
const hook = blocksOf(textOf("docs/agent-locks.md")).find(({ text }) => text.includes("# .git/hooks/pre-push"))?.text;

type Scenario = Pick<Plan, "leaseSeconds" | "kills" | "restarts" | "oversleeps"> & {
  readonly tasks: number;
  readonly hasHook: boolean;
};

/** What happened to a branch: the tokens of its results, in the order in which they arrived. */
type Results = readonly number[];

async function play({ tasks, hasHook, ...plan }: Scenario) {
  const folder = mkdtempSync(join(root, "play-"));
  const env = {
    ...process.env,
    PATH: `${join(root, "bin")}:${dirname(process.execPath)}:${process.env["PATH"]}`,
    UPSTASH_REDIS_REST_URL: stack.url,
    UPSTASH_REDIS_REST_TOKEN: stack.token,
    ...{ GIT_AUTHOR_NAME: "agent", GIT_AUTHOR_EMAIL: "agent@example.com" },
    ...{ GIT_COMMITTER_NAME: "agent", GIT_COMMITTER_EMAIL: "agent@example.com" },
    ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  };
  const git = (...args: string[]) => run("git", args, folder, env);
  await git("init", "--bare", "--quiet", "origin.git");
  await git("-C", "origin.git", "config", "core.logAllRefUpdates", "always");
  const branches = Array.from({ length: tasks }, (_, n) => `refs/heads/${randomUUID().slice(0, 8)}/task-${n}`);
  let killed = 0;
  const agents = Array.from({ length: AGENTS }, async (_, id) => {
    const clone = join(folder, `clone-${id}`);
    await git("clone", "--quiet", "origin.git", clone);
    if (hasHook) writeFileSync(join(clone, ".git/hooks/pre-push"), hook ?? "", { mode: 0o755 });
    const own: Plan = { id, root: folder, clone, branches, ...plan };
    for (;;) {
      const child = spawn(process.execPath, [join(import.meta.dirname, "agent.ts"), JSON.stringify(own)], {
        env: { ...env, NODE_NO_WARNINGS: "1" },
        stdio: ["ignore", "ignore", "inherit"],
      });
      const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
      if (signal !== "SIGKILL") {
        expect(code).toBe(0);
        return;
      }
      killed++;
    }
  });
  await Promise.all(agents);
  const tokens: Results[] = [];
  for (const branch of branches) {
    const log = readFileSync(join(folder, "origin.git/logs", branch), "utf8")
      .trim()
      .split("\n");
    const commits = log.map((line) => line.split(" ")[1] ?? "");
    const messages = await git("-C", "origin.git", "show", "--no-patch", "--format=%s", ...commits);
    tokens.push([...messages.matchAll(/^token (\d+)/gm)].map(([, token]) => Number(token)));
  }
  const marks = readdirSync(folder);
  return {
    ...{ killed, tokens },
    restarted: marks.filter((file) => file.startsWith("restarted-")).length,
    overslept: marks
      .filter((file) => file.startsWith("overslept-"))
      .map((file) => readFileSync(join(folder, file), "utf8")),
  };
}

/** Writes whose token is lower than one that arrived before. */
const staleIn = (results: readonly Results[]): number =>
  results.flatMap((tokens) => tokens.filter((token, at) => tokens.slice(0, at).some((earlier) => earlier > token)))
    .length;

/** Results beyond the first of each task. */
const doubleIn = (results: readonly Results[]): number => results.reduce((sum, { length }) => sum + length - 1, 0);

it("four agents do 100 tasks through kills: no double work, and no stale write past the hook (52.2)", async () => {
  const kills = { claimed: [1, 16, 31, 46], worked: [6, 21, 36, 51], pushed: [11, 26, 41, 56] };
  const { killed, restarted, tokens, overslept } = await play({
    ...{ tasks: 100, hasHook: true, leaseSeconds: 20, kills, restarts: [8, 33, 58, 83] },
    // Fewer than the agents: somebody has to be awake.
    oversleeps: [13, 38, 63],
  });
  expect({ killed, restarted }).toEqual({ killed: 12, restarted: 4 });
  expect(overslept).toEqual(["refused", "refused", "refused"]);
  expect(tokens).toHaveLength(100);
  expect({ double: doubleIn(tokens), stale: staleIn(tokens) }).toEqual({ double: 0, stale: 0 });
}, 300_000);

it("without the hook, each agent that oversleeps overwrites a newer result (52.2)", async () => {
  const { tokens, overslept } = await play({
    ...{ tasks: 8, hasHook: false, leaseSeconds: 5, restarts: [] },
    kills: { claimed: [], worked: [], pushed: [] },
    oversleeps: [2, 5],
  });
  expect(overslept).toEqual(["pushed", "pushed"]);
  expect(staleIn(tokens)).toBeGreaterThanOrEqual(2);
  expect(doubleIn(tokens)).toBeGreaterThanOrEqual(2);
}, 120_000);
