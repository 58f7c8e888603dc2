/** The example Worker in several workerd processes over one D1 database, as in several places of Cloudflare's network. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Log, LogLevel, Miniflare, type MiniflareOptions } from "miniflare";
import { unstable_readConfig, unstable_splitSqlQuery } from "wrangler";
import { type Bundle, bundleWorker, CONFIG, ROOT } from "./bundle.ts";

/** D1 as Node sees it, which Miniflare passes on to workerd. */
export type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

export interface Workers {
  /** Where each instance listens. */
  readonly urls: readonly string[];
  readonly db: Database;
  readonly bundle: Bundle;
  dispose(): Promise<void>;
}

const MIGRATIONS = join(ROOT, "workers/migrations");

/** What the Worker finds in `env`, besides D1. */
export type Vars = Readonly<Record<string, string>>;
/** Takes what the Worker prints, which otherwise goes to our own output. */
export type OnLog = (message: string) => void;

function instanceOptions(dir: string, name: string, bundle: Bundle, vars: Vars, onLog?: OnLog): MiniflareOptions {
  const config = unstable_readConfig({ config: CONFIG }, { hideWarnings: true });
  const env: Record<string, { type: "text"; value: string } | { type: "d1"; id: string }> = {};
  for (const [key, value] of Object.entries({ ...config.vars, ...vars }))
    env[key] = { type: "text", value: `${value}` };
  for (const { binding, database_id } of config.d1_databases as { binding: string; database_id: string }[]) {
    env[binding] = { type: "d1", id: database_id };
  }
  const module = { type: "esm", contents: readFileSync(bundle.path, "utf8") } as const;
  return {
    workers: [
      {
        config: {
          name,
          compatibilityDate: config.compatibility_date ?? "",
          env,
          manifest: { mainModule: "worker.js", modulesRoot: dir, modules: { "worker.js": module } },
        },
      },
    ],
    cf: false,
    logRequests: false,
    log: new Log(LogLevel.ERROR),
    ...(onLog && { handleStructuredLogs: ({ message }) => onLog(message) }),
    // One D1 and not one each: the process that started first owns the database and the others send it their queries. Two that opened
    // its file themselves would not see each other's transactions.
    unsafeEnableSharedStorage: true,
    unsafeDevRegistryPath: join(dir, "registry"),
    resourcePersistencePath: join(dir, "shared"),
    isolatedResourcePersistencePath: join(dir, name),
  };
}

async function migrate(db: Database): Promise<void> {
  for (const file of readdirSync(MIGRATIONS).sort()) {
    const statements = unstable_splitSqlQuery(readFileSync(join(MIGRATIONS, file), "utf8"));
    await db.batch(statements.map((sql) => db.prepare(sql)));
  }
}

export async function startWorkers(count: number, vars: Vars, onLog?: OnLog): Promise<Workers> {
  const dir = mkdtempSync(join(tmpdir(), "leasehold-workers-"));
  const clean = (): void => rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  process.once("exit", clean);
  const instances: Miniflare[] = [];
  const dispose = async (): Promise<void> => {
    await Promise.all(instances.map((instance) => instance.dispose()));
    process.off("exit", clean);
    clean();
  };
  try {
    const bundle = await bundleWorker(join(dir, "bundle"));
    const urls: string[] = [];
    for (let at = 0; at < count; at++) {
      const instance = new Miniflare(instanceOptions(dir, `instance-${at + 1}`, bundle, vars, onLog));
      instances.push(instance);
      // One after the other, so that the first is known as the owner of the database when the next starts.
      urls.push((await instance.ready).origin);
    }
    const [owner] = instances;
    if (!owner) throw new RangeError("at least one instance");
    const db = await owner.getD1Database("DB");
    await migrate(db);
    return { urls, db, bundle, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
