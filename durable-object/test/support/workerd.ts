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
    alias: { ...SOURCES, leasehold: join(ROOT, "src/index.ts") },
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
  stop(): Promise<void>;
}

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
  const mf = new Miniflare({
    ...convertV4MiniflareOptions({
      name: "leasehold",
      modules: true,
      script: await bundle(entry),
      ...(compatibilityDate !== undefined && { compatibilityDate }),
      ...(durableObjects && { durableObjects }),
      bindings: { ...bindings },
    }),
    ...(persist !== undefined && { resourcePersistencePath: persist }),
    cf: false,
    logRequests: false,
    log: new Log(LogLevel.NONE),
  });
  const { origin } = await mf.ready;
  return { url: origin, mf, stop: () => mf.dispose() };
}
