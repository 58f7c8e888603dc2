/** The commands, programs and hooks of docs/agent-locks.md, as they stand, with the packed package. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLocks } from "../../../src/index.ts";
import { blocksOf, textOf } from "../../../test/documents/markdown.ts";
import { packed } from "../../../test/platforms/package/packed.ts";
import { run } from "../../../test/support/command.ts";
import { useStack } from "../../../test/support/use-stack.ts";
import { freePort } from "../../../tools/redis.ts";
import { until } from "../command/support.ts";
import { type Agent, overHttp, overStdio } from "./support.ts";

const stack = useStack({ warm: true });
const blocks = blocksOf(textOf("docs/agent-locks.md"));

/** The only block with this text. */
function blockWith(text: string): string {
  const [found, ...others] = blocks.filter((block) => block.text.includes(text));
  if (!found || others.length > 0) throw new Error(`${others.length + 1} blocks of the page have ${text}`);
  return found.text;
}

let tarball: string;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  tarball = await packed("leasehold-cli");
  folder = mkdtempSync(join(tmpdir(), "leasehold-page-"));
  env = {
    PATH: [join(folder, "global/bin"), dirname(process.execPath), process.env["PATH"]].join(delimiter),
    HOME: folder,
    npm_config_prefix: join(folder, "global"),
    ...{ npm_config_prefer_offline: "true", npm_config_audit: "false", npm_config_fund: "false" },
    ...{ GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b.c", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b.c" },
    UPSTASH_REDIS_REST_URL: stack.url,
    UPSTASH_REDIS_REST_TOKEN: stack.token,
  };
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

/** Runs a block of the page. Only the package's name is replaced where npm installs it, since it is not published. */
const sh = (text: string, cwd: string, more: Record<string, string> = {}): Promise<string> =>
  run("sh", ["-ec", text.replace(/^(npm install .*)\bleasehold-cli\b/m, `$1${tarball}`)], cwd, { ...env, ...more });

it("leads from an empty folder to the first claim in two minutes (52.2)", async () => {
  const project = join(folder, "project");
  mkdirSync(project);
  const start = performance.now();
  await sh(blockWith("npm init --yes"), project);
  writeFileSync(join(project, "claim.mjs"), blockWith("// claim.mjs"));
  // Without a server in the environment.
  const bare = { UPSTASH_REDIS_REST_URL: "", UPSTASH_REDIS_REST_TOKEN: "" };
  const out = await sh(blockWith("node claim.mjs"), project, bare);
  expect(performance.now() - start).toBeLessThan(120_000);
  const [, promised = ""] = /It prints what a model reads: `(.*?)`/.exec(textOf("docs/agent-locks.md")) ?? [];
  const [head = "", middle = ""] = promised.split("…");
  expect(out.startsWith(head)).toBe(true);
  expect(out).toContain(middle.trim());

  // The entry of a host.
  const { leasehold } = JSON.parse(blockWith('"mcpServers"')).mcpServers;
  const { command, args } = leasehold as { command: string; args: string[] };
  await using agent = await overStdio([], env, "modern", [command, ...args.slice(0, -1)], project);
  expect(args.at(-1)).toBe("mcp");
  expect((await agent.call("claim", { name: "of a host" })).isError).toBe(false);

  await sh(blockWith("cp -r node_modules"), project);
  const skill = readFileSync(join(project, ".claude/skills/leasehold/SKILL.md"), "utf8");
  expect(skill).toMatch(/^---\nname: leasehold\ndescription: .{50,}\n---\n/);
  const references = [...skill.matchAll(/\]\((references\/[\w-]+\.md)\)/g)].map(([, file = ""]) => file);
  expect(references).toHaveLength(2);
  for (const file of references) expect(existsSync(join(project, ".claude/skills/leasehold", file))).toBe(true);

  const port = await freePort();
  const serving = blockWith("--http --port 8750").replace("8750", String(port));
  const child = spawn("sh", ["-ec", serving.replace("\nnpx", "\nexec npx")], {
    cwd: project,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  try {
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    await until(() => said.includes("\n"));
    const [, token = ""] = /LEASEHOLD_MCP_TOKEN="(.*)"/.exec(serving) ?? [];
    expect(said).not.toContain(token);
    const url = `http://127.0.0.1:${port}/mcp`;
    expect(said).toContain(url);
    await using one = await overHttp(url, token);
    await using two = await overHttp(url, token);
    expect((await one.call("claim", { name: "task-17" })).isError).toBe(false);
    expect((await two.call("claim", { name: "task-17" })).meta).toMatchObject({ "leasehold/status": "held" });
  } finally {
    // npx and the server that it started.
    process.kill(-(child.pid as number), "SIGTERM");
  }
}, 240_000);

it("its hooks refuse a push and an edit without a live claim (52.2)", async () => {
  const work = join(folder, "work");
  await sh(blockWith("npm install --global leasehold-cli"), folder);
  await sh(`git init --quiet --bare origin.git && git clone --quiet origin.git work 2>&1`, folder);
  for (const name of [".git/hooks/pre-push", ".claude/hooks/claimed.sh"]) {
    mkdirSync(dirname(join(work, name)), { recursive: true });
    writeFileSync(join(work, name), blockWith(`# ${name}\n`), { mode: 0o755 });
  }
  const [settings] = JSON.parse(blockWith("PreToolUse")).hooks.PreToolUse;
  const edit = (): Promise<number> =>
    sh(`${settings.hooks[0].command} 2>/dev/null && code=0 || code=$?; echo $code`, work).then(Number);
  const push = (token: string): Promise<string> =>
    sh("git push --quiet origin HEAD:refs/heads/main 2>&1 && echo pushed || true", work, { LEASEHOLD_TOKEN: token });
  await sh("git checkout --quiet -b main && git commit --quiet --allow-empty --message one", work);

  const agent: Agent = await overStdio(["--state", join(work, ".leasehold")], env, "modern", [
    join(folder, "global/bin/leasehold"),
  ]);
  await using _closed = agent;
  const claimMain = async () => (await agent.call("claim", { name: "refs/heads/main", lease_seconds: 60 })).data;
  expect(await push("")).toContain("claim refs/heads/main, and set this to the token");
  expect(await edit()).toBe(2);
  const first = await claimMain();
  expect(await edit()).toBe(0);
  expect(await push(String(first["token"]))).toContain("pushed");
  await agent.call("release", { claim: first["claim"] });

  await sh("git commit --quiet --allow-empty --message two", work);
  expect(await edit()).toBe(2);
  expect(await push(String(first["token"]))).toMatch(/^refused agent:refs\/heads\/main: token \d+ does not hold it/);
  const second = await claimMain();
  expect(await push(String(first["token"]))).toContain(`another holder has it now, with token ${second["token"]}`);
  expect(await push(String(second["token"]))).toContain("pushed");
  // The scripts of the other pages.
  const fence = blocksOf(textOf("cli/skills/leasehold/references/fence.md"));
  expect(fence.map(({ text }) => text)).toContain(blockWith("# .git/hooks/pre-push"));
  writeFileSync(join(work, "deploy.sh"), "#!/bin/sh\necho deployed\n", { mode: 0o755 });
  const locks = createLocks({ url: stack.url, token: stack.token });
  for (const [name, page] of [
    ["deploy", blocksOf(textOf("docs/command-line.md"))],
    ["agent:deploy:production", fence],
  ] as const) {
    const script = page.find(({ text }) => text.startsWith(`leasehold check ${name} `))?.text ?? "";
    const lease = await locks.lock(name).acquire({ lease: "5m" });
    const token = String(lease.token);
    const deploy = () => sh(`${script.trim()} || true`, work, { TOKEN: token, LEASEHOLD_TOKEN: token });
    expect(await deploy()).toContain("deployed");
    await lease.release();
    expect(await deploy()).not.toContain("deployed");
  }
  // Without an answer, it is unknown who holds it.
  const unreachable = { LEASEHOLD_TOKEN: String(second["token"]), UPSTASH_REDIS_REST_URL: "http://127.0.0.1:1" };
  await sh("git commit --quiet --allow-empty --message three", work);
  const out = await sh("git push --quiet origin HEAD:refs/heads/main 2>&1 && echo pushed || true", work, unreachable);
  expect(out).not.toContain("pushed");
}, 240_000);
