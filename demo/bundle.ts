/** An example Worker as `wrangler deploy` would upload it. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const ROOT: string = fileURLToPath(new URL("..", import.meta.url));
export const CONFIG: string = join(ROOT, "wrangler.toml");
export const CRON_CONFIG: string = join(ROOT, "workers/cloudflare-cron.toml");
export const WRANGLER: string = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
/** Wrangler without questions, banner, statistics or network access. */
export const QUIET: NodeJS.ProcessEnv = {
  CI: "1",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_SEND_METRICS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

export interface Bundle {
  /** The module that would be uploaded. */
  readonly path: string;
  /** The output of wrangler, which includes the size. */
  readonly output: string;
}

export async function bundleWorker(outDir: string, config: string = CONFIG): Promise<Bundle> {
  const args = [WRANGLER, "deploy", "--dry-run", "--outdir", outDir, "--config", config];
  const env = { ...process.env, ...QUIET };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
    const [file = ""] = readdirSync(outDir).filter((name) => name.endsWith(".js"));
    return { path: join(outDir, file), output: stdout };
  } catch (error) {
    throw new Error(`wrangler could not build the Worker: ${(error as { stderr?: string }).stderr ?? error}`);
  }
}
