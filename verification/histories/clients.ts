/** Clients in separate processes, which can be frozen and killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import type { Answer, Endpoint, Order } from "./orders.ts";

/**
 * The runtime of a client. `upstash` is Node with the client of `@upstash/redis`; `ioredis` and `node-redis` are Node
 * over TCP, without the gateway.
 */
export type Runtime = "node" | "node-26" | "upstash" | TcpRuntime | "deno" | "bun" | "workerd";
type TcpRuntime = "ioredis" | "node-redis";

export const isOverTcp = (runtime: string): boolean => runtime === "ioredis" || runtime === "node-redis";

const ROOT = join(import.meta.dirname, "../..");

const versionOf = (name: string): string =>
  (JSON.parse(readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8")) as { version: string }).version;

/** A runtime with its version and that of its client library. */
export function nameOf(runtime: Runtime): string {
  const node = `Node ${process.versions.node}`;
  if (runtime === "node") return node;
  if (runtime === "upstash") return `${node}, @upstash/redis ${versionOf("@upstash/redis")}`;
  if (runtime === "ioredis") return `${node}, ioredis ${versionOf("ioredis")} over TCP`;
  if (runtime === "node-redis") return `${node}, node-redis ${versionOf("redis")} over TCP`;
  const names = { "node-26": "Node", deno: "Deno", bun: "Bun", workerd: "workerd" };
  return `${names[runtime]} ${versionOf(runtime)}`;
}
/** The gateway's other package, from its sources. Longer names first. */
const ENGINE: Readonly<Record<string, string>> = {
  "leasehold-engine/holding": join(ROOT, "engine/src/holding/index.ts"),
  "leasehold-engine/rest": join(ROOT, "engine/src/rest/index.ts"),
  "leasehold-engine": join(ROOT, "engine/src/index.ts"),
};

export interface Client {
  readonly name: string;
  /** Incremented with each process: a new one has none of the previous one's leases. */
  readonly generation: number;
  /** Never rejects: the outcome of an order whose process died is `unknown`. */
  ask(order: Order): Promise<Answer>;
  freeze(): void;
  thaw(): void;
  /** Ends the process with SIGKILL and starts another. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The programs of the runtimes and the gateway, bundled into a separate folder to start faster. */
export interface Programs {
  readonly dir: string;
  remove(): void;
}

/** The package instead of the sources: Deno finds it in `node_modules`. */
const installed: Plugin = {
  name: "installed",
  setup({ onResolve }) {
    onResolve({ filter: /\/src\/index\.ts$/ }, () => ({ path: "leasehold", external: true }));
    onResolve({ filter: /\/src\/fence\/index\.ts$/ }, () => ({ path: "leasehold/fence", external: true }));
    onResolve({ filter: /\/src\/queue\/index\.ts$/ }, () => ({ path: "leasehold/queue", external: true }));
  },
};

export async function buildPrograms(runtimes: readonly Runtime[]): Promise<Programs> {
  const dir = mkdtempSync(join(tmpdir(), "leasehold-histories-"));
  const common = { bundle: true, format: "esm" as const, target: "es2022", logLevel: "silent" as const };
  const bundle = (entry: string, options: Parameters<typeof build>[0]) =>
    build({ ...common, entryPoints: [join(ROOT, "verification/histories/hosts", `${entry}.ts`)], ...options });
  // Some packages are CommonJS.
  const js = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
  const programs = { node: "verification/histories/hosts/node.ts", gateway: "gateway/src/cli/main.ts" };
  for (const [name, entry] of Object.entries(programs)) {
    const outfile = join(dir, `${name}.mjs`);
    await build({
      ...common,
      entryPoints: [join(ROOT, entry)],
      outfile,
      platform: "node",
      banner: { js },
      alias: ENGINE,
    });
  }
  if (runtimes.includes("deno")) {
    mkdirSync(join(dir, "node_modules"));
    symlinkSync(ROOT, join(dir, "node_modules/leasehold"));
    writeFileSync(join(dir, "deno.json"), JSON.stringify({ nodeModulesDir: "manual" }));
    writeFileSync(join(dir, "package.json"), JSON.stringify({ dependencies: { leasehold: "*" } }));
    await bundle("deno", { outfile: join(dir, "deno.mjs"), platform: "browser", plugins: [installed] });
  }
  if (runtimes.includes("workerd")) await bundle("worker", { outfile: join(dir, "worker.mjs"), platform: "browser" });
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

function commandOf(runtime: Runtime, dir: string, { url, token }: Endpoint): readonly [string, readonly string[]] {
  const program = join(dir, "node.mjs");
  if (runtime === "node" || runtime === "upstash" || isOverTcp(runtime))
    return [process.execPath, [program, url, token, runtime]];
  if (runtime === "node-26") return [join(ROOT, "node_modules/node-26/bin/node"), [program, url, token, runtime]];
  if (runtime === "bun") return [join(ROOT, "node_modules/.bin/bun"), ["run", program, url, token, runtime]];
  if (runtime === "workerd")
    return [
      process.execPath,
      [join(ROOT, "verification/histories/hosts/workerd.ts"), url, token, join(dir, "worker.mjs")],
    ];
  const limits = ["--no-prompt", "--cached-only", `--allow-net=${new URL(url).host}`];
  return [join(ROOT, "node_modules/.bin/deno"), ["run", ...limits, join(dir, "deno.mjs"), url, token]];
}

const groups = new Set<ChildProcess>();
let guarded = false;

/** Signals a process and its children. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // It has already exited.
  }
}

/** Processes in other process groups do not receive the terminal's Ctrl-C. */
function guardExit(): void {
  if (guarded) return;
  guarded = true;
  process.on("exit", () => {
    for (const child of groups) signal(child, "SIGKILL");
  });
}

/** Starts a program in its own process group, which is ended with this process. */
export function startGroup(file: string, args: readonly string[], dir: string): ChildProcess {
  guardExit();
  const env = { ...process.env, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
  const child = spawn(file, args, { cwd: dir, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin?.on("error", () => {});
  groups.add(child);
  child.once("exit", () => groups.delete(child));
  return child;
}

export function endGroup(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", () => resolve());
    signal(child, "SIGKILL");
  });
}

export const signalGroup: (child: ChildProcess, name: NodeJS.Signals) => void = signal;

export function startClient(name: string, runtime: Runtime, { dir }: Programs, endpoint: Endpoint): Client {
  const asked = new Map<number, (answer: Answer) => void>();
  let generation = 0;
  let isGone = false;
  let child = launch();

  function launch(): ChildProcess {
    generation++;
    const [file, args] = commandOf(runtime, dir, endpoint);
    const started = startGroup(file, args, dir);
    let rest = "";
    let said = "";
    started.stderr?.on("data", (text) => (said = `${said}${text}`.slice(-2000)));
    started.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const answer = JSON.parse(line) as Answer;
        asked.get(answer.id)?.(answer);
        asked.delete(answer.id);
      }
    });
    isGone = false;
    started.once("close", (code) => {
      isGone = true;
      for (const [id, answer] of asked) answer({ id, status: "unknown" });
      asked.clear();
      if (code !== null) console.error(`${name} ended with ${code}: ${said}`);
    });
    return started;
  }

  return {
    name,
    get generation() {
      return generation;
    },
    ask: (order) =>
      new Promise((resolve) => {
        if (isGone) return resolve({ id: order.id, status: "unknown" });
        asked.set(order.id, resolve);
        child.stdin?.write(`${JSON.stringify(order)}\n`);
      }),
    freeze: () => signal(child, "SIGSTOP"),
    thaw: () => signal(child, "SIGCONT"),
    async restart() {
      const closed = new Promise((resolve) => child.once("close", resolve));
      await endGroup(child);
      await closed;
      child = launch();
    },
    stop: () => endGroup(child),
  };
}
