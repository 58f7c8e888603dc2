import { join } from "node:path";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import type { Resource } from "./deed.ts";
import type { Asked } from "./worker.ts";

/** An error of workerd, as it was there. */
class Passed extends Error {
  constructor(error: object) {
    super();
    Object.assign(this, error);
  }
}

export interface Workerd {
  readonly miniflare: Miniflare;
  /** One operation in workerd. Rejects with what went wrong there. */
  ask(on: Asked["on"], at: string, what: string, rest?: Partial<Asked>): Promise<unknown>;
  resource(on: Asked["on"], at: string): Resource;
  stop(): Promise<void>;
}

export async function startWorkerd(): Promise<Workerd> {
  const bundle = await build({
    entryPoints: [join(import.meta.dirname, "worker.ts")],
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions({
      modules: true,
      script: bundle.outputFiles[0]?.text ?? "",
      compatibilityDate: "2026-10-01",
      d1Databases: { DB: "db", HAND: "hand" },
      r2Buckets: { BUCKET: "bucket" },
      durableObjects: { SQLITE: { className: "Sqlite", useSQLite: true }, KV: { className: "Kv" } },
    }),
    cf: false,
  });
  await miniflare.ready;

  async function ask(on: Asked["on"], at: string, what: string, rest: Partial<Asked> = {}): Promise<unknown> {
    const body = JSON.stringify({ on, at, what, ...rest });
    const response = await miniflare.dispatchFetch("http://worker/", { method: "POST", body });
    const { value, error } = (await response.json()) as { value?: unknown; error?: object };
    if (error) throw new Passed(error);
    return value;
  }
  return {
    miniflare,
    ask,
    resource: (on, at) => ({
      claim: (lease) => ask(on, at, "claim", { lease }),
      write: (lease, value) => ask(on, at, "write", { lease, value }),
      values: async () => (await ask(on, at, "values")) as string[],
    }),
    stop: () => miniflare.dispose(),
  };
}
