import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { SOURCES } from "../../../tools/sources.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** A Worker of this package as one module. @param entry its file, from the root */
async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, entry)],
    alias: SOURCES,
    bundle: true,
    format: "esm",
    target: "es2024",
    external: ["cloudflare:*"],
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

export interface ReadyWorker {
  readonly url: string;
  readonly mf: Miniflare;
  /** Puts another version of the script in the place of this one, on the same URL, with the same storage. */
  deploy(): Promise<void>;
  /**
   * Kills the process. It is started anew on the same URL, with its storage where that is kept in a folder. Returns
   * `false` if it is not running.
   */
  kill(): boolean;
  stop(): Promise<void>;
}

/** The processes of workerd that this one has started. */
export const workerds = (): number[] =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, name]) => parent === String(process.pid) && name?.includes("workerd"))
    .map(([pid]) => Number(pid));

/**
 * Starts the ready Worker in workerd, with its own configuration.
 *
 * @param persist a folder that keeps the storage of its objects
 */
export const startReadyWorker = (bindings: Readonly<Record<string, string>>, persist?: string): Promise<ReadyWorker> =>
  startWorker("durable-object/worker/index.ts", bindings, persist);

/** As `startReadyWorker`, with another main module. */
export async function startWorker(
  entry: string,
  bindings: Readonly<Record<string, string>>,
  persist?: string,
): Promise<ReadyWorker> {
  const config = join(ROOT, "durable-object/worker/wrangler.toml");
  const { compatibilityDate, durableObjects } = unstable_getMiniflareWorkerOptions(config)
    .workerOptions as V4WorkerOptions;
  const script = await bundle(entry);
  let version = 1;
  let port: number | undefined;
  const options = (): ConstructorParameters<typeof Miniflare>[0] => ({
    ...convertV4MiniflareOptions({
      name: "leasehold",
      modules: true,
      script: `${script}\n// version ${version++}\n`,
      ...(compatibilityDate !== undefined && { compatibilityDate }),
      ...(durableObjects && { durableObjects }),
      bindings: { ...bindings },
    }),
    ...(persist !== undefined && { resourcePersistencePath: persist }),
    cf: false,
    // Where it is 0, a process that is started anew has another one.
    ...(port !== undefined && { port }),
    logRequests: false,
    log: new Log(LogLevel.NONE),
  });
  const mf = new Miniflare(options());
  const { origin } = await mf.ready;
  port = Number(new URL(origin).port);
  return {
    url: origin,
    mf,
    deploy: () => mf.setOptions(options()),
    kill() {
      const running = workerds();
      for (const pid of running) process.kill(pid, "SIGKILL");
      return running.length > 0;
    },
    stop: () => mf.dispose(),
  };
}
