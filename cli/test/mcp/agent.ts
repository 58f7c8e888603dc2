/**
 * An agent in a process of its own: it claims tasks, does each as a commit on a branch of its own, pushes it and
 * releases the claim. It is careless, as agents are: it never checks its token, and pushes with --force. It dies by
 * SIGKILL, has its server killed, and oversleeps where its plan says so.
 *
 *   node agent.ts PLAN
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const STEPS = ["claimed", "worked", "pushed"] as const;

export interface Plan {
  readonly id: number;
  /** The folder of all agents. */
  readonly root: string;
  /** The agent's clone. */
  readonly clone: string;
  readonly branches: readonly string[];
  readonly leaseSeconds: number;
  /** Numbers of tasks, by the step after which their first agent is killed. */
  readonly kills: Readonly<Record<(typeof STEPS)[number], readonly number[]>>;
  /** Numbers of tasks whose first agent's server is killed and started again. */
  readonly restarts: readonly number[];
  /** Numbers of tasks whose first agent sleeps until another one has done them. */
  readonly oversleeps: readonly number[];
}

const plan = JSON.parse(process.argv[2] ?? "") as Plan;
const { id, root, clone, branches, leaseSeconds } = plan;

async function git(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)("git", [...args], { cwd: clone, env: { ...process.env, ...env } });
  return stdout.trim();
}

/** Whether this is the first time that anybody gets here. */
function isFirst(what: string): boolean {
  try {
    writeFileSync(join(root, what), "", { flag: "wx" });
    return true;
  } catch {
    return false;
  }
}

async function connect() {
  const transport = new StdioClientTransport({
    command: "leasehold",
    args: ["mcp", "--state", join(root, `claims-${id}`)],
    env: process.env as Record<string, string>,
    stderr: "inherit",
  });
  const client = new Client({ name: `agent ${id}`, version: "1.0.0" });
  await client.connect(transport);
  return { client, pid: transport.pid as number };
}

let server = await connect();

async function call(
  name: string,
  args: object,
): Promise<{ readonly isError: boolean; readonly data: Record<string, unknown> }> {
  const result = await server.client.callTool({ name, arguments: { ...args } });
  return { isError: result.isError ?? false, data: (result.structuredContent ?? {}) as Record<string, unknown> };
}

/** The host's own restart: the server is killed, and another one has to know the claim. */
async function restart(claim: unknown): Promise<void> {
  process.kill(server.pid, "SIGKILL");
  await server.client.close();
  server = await connect();
  const { isError } = await call("renew", { claim });
  if (isError) throw new Error("the restarted server does not know the claim");
}

const isDone = async (branch: string): Promise<boolean> => (await git(["ls-remote", "origin", branch])) !== "";

function dieAfter(step: (typeof STEPS)[number], task: number): void {
  if (plan.kills[step].includes(task) && isFirst(`killed-${task}`)) process.kill(process.pid, "SIGKILL");
}

/** Returns whether the task is done. */
async function attempt(task: number): Promise<boolean> {
  const branch = branches[task] as string;
  const { isError, data } = await call("claim", { name: branch, lease_seconds: leaseSeconds, note: `agent ${id}` });
  if (isError) return false;
  const { claim, token } = data;
  dieAfter("claimed", task);
  if (await isDone(branch)) {
    await call("release", { claim });
    return true;
  }
  const tree = await git(["hash-object", "-w", "-t", "tree", "/dev/null"]);
  const commit = await git(["commit-tree", tree, "-m", `token ${token} by agent ${id}`]);
  dieAfter("worked", task);
  if (plan.restarts.includes(task) && isFirst(`restarted-${task}`)) await restart(claim);
  const oversleeps = plan.oversleeps.includes(task) && isFirst(`overslept-${task}`);
  while (oversleeps && !(await isDone(branch))) await pause(200);
  const pushing = git(["push", "--force", "origin", `${commit}:${branch}`], { LEASEHOLD_TOKEN: `${token}` });
  const isPushed = await pushing.then(
    () => true,
    () => false,
  );
  if (oversleeps) writeFileSync(join(root, `overslept-${task}`), isPushed ? "pushed" : "refused");
  dieAfter("pushed", task);
  await call("release", { claim });
  return isPushed || oversleeps;
}

const open = new Set(branches.keys());
// Each begins elsewhere, and all of them want everything.
const from = Math.floor((id * branches.length) / 4);
const order = [...branches.keys()].map((task) => (task + from) % branches.length);
while (open.size > 0) {
  for (const task of order) if (open.has(task) && (await attempt(task))) open.delete(task);
  if (open.size > 0) await pause(300);
}
await server.client.close();
