/**
 * The example Workers in several workerd processes that share a D1 database per Worker, as in several locations of
 * Cloudflare's network.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Log, LogLevel, Miniflare, type MiniflareOptions } from "miniflare";
import { unstable_readConfig, unstable_splitSqlQuery } from "wrangler";
import { type Bundle, bundleWorker, CONFIG, CRON_CONFIG, ROOT } from "./bundle.ts";

/** D1 from Node, which Miniflare passes to workerd. */
export type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

export interface Workers {
  /** Where each instance listens. */
  readonly urls: readonly string[];
  readonly db: Database;
  /** The Worker with the Cron Trigger, if requested. */
  readonly cron: Cron | undefined;
  readonly bundle: Bundle;
  dispose(): Promise<void>;
}

export interface Cron {
  readonly db: Database;
  /** Like Cloudflare, in the instance with that number. */
  invoke(instance: number, scheduledTime: Date, cron?: string): Promise<void>;
}

/** The schedule in its configuration. */
export const CRON = "0 * * * *";

const MIGRATIONS = join(ROOT, "workers/migrations");

/** The bindings in the Worker's `env`, in addition to D1. */
export type Vars = Readonly<Record<string, string>>;
/** Receives the Worker's output, which is otherwise printed. */
export type OnLog = (message: string) => void;

type WorkerOptions = NonNullable<MiniflareOptions["workers"]>[number];

/** A Worker with its configuration, its own database and these variables. */
function workerOptions(configPath: string, bundle: Bundle, vars: Vars): WorkerOptions {
  const config = unstable_readConfig({ config: configPath }, { hideWarnings: true });
  const name = config.name ?? "";
  const env: Record<string, { type: "text"; value: string } | { type: "d1"; id: string }> = {};
  for (const [key, value] of Object.entries({ ...config.vars, ...vars }))
    env[key] = { type: "text", value: `${value}` };
  for (const { binding } of config.d1_databases as { binding: string }[]) env[binding] = { type: "d1", id: name };
  const module = { type: "esm", contents: readFileSync(bundle.path, "utf8") } as const;
  const manifest = {
    mainModule: "worker.js",
    modulesRoot: dirname(bundle.path),
    modules: { "worker.js": module },
  };
  return { config: { name, compatibilityDate: config.compatibility_date ?? "", env, manifest } };
}

const instanceOptions = (
  dir: string,
  name: string,
  workers: WorkerOptions[],
  onLog: OnLog | undefined,
): MiniflareOptions => ({
  workers,
  cf: false,
  logRequests: false,
  log: new Log(LogLevel.ERROR),
  ...(onLog && { handleStructuredLogs: ({ message }) => onLog(message) }),
  // One shared D1: the first process owns the database, and the others send it their queries. Two processes that open
  // its file would not see each other's transactions.
  unsafeEnableSharedStorage: true,
  unsafeDevRegistryPath: join(dir, "registry"),
  resourcePersistencePath: join(dir, "shared"),
  isolatedResourcePersistencePath: join(dir, name),
});

async function migrate(db: Database, ...files: string[]): Promise<void> {
  const statements = files.flatMap((file) => unstable_splitSqlQuery(readFileSync(file, "utf8")));
  await db.batch(statements.map((sql) => db.prepare(sql)));
}

async function openCron(instances: readonly Miniflare[], owner: Miniflare, name: string): Promise<Cron> {
  const db = await owner.getD1Database("DB", name);
  await migrate(db, join(ROOT, "workers/cloudflare-cron.sql"));
  return {
    db,
    async invoke(instance, scheduledTime, cron = CRON) {
      const worker = await (instances[instance] ?? owner).getWorker(name);
      const { outcome } = await worker.scheduled({ cron, scheduledTime });
      if (outcome !== "ok") throw new Error(`the cron ended with ${outcome}`);
    },
  };
}

/** `withCron`: the Worker with the Cron Trigger also runs in the same instances. */
export async function startWorkers(count: number, vars: Vars, onLog?: OnLog, withCron = false): Promise<Workers> {
  const dir = mkdtempSync(join(tmpdir(), "leasehold-workers-"));
  const clean = (): void => rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
  process.once("exit", clean);
  const instances: Miniflare[] = [];
  const dispose = async (): Promise<void> => {
    await Promise.all(instances.map((instance) => instance.dispose()));
    process.off("exit", clean);
    clean();
  };
  try {
    const [bundle, cronBundle] = await Promise.all([
      bundleWorker(join(dir, "webhook")),
      withCron ? bundleWorker(join(dir, "cron"), CRON_CONFIG) : undefined,
    ]);
    const webhook = workerOptions(CONFIG, bundle, vars);
    const cron = cronBundle && workerOptions(CRON_CONFIG, cronBundle, vars);
    const urls: string[] = [];
    for (let at = 0; at < count; at++) {
      const workers = cron ? [webhook, cron] : [webhook];
      const instance = new Miniflare(instanceOptions(dir, `instance-${at + 1}`, workers, onLog));
      instances.push(instance);
      // One by one, so that the first is known as the owner of the databases when the next starts.
      urls.push((await instance.ready).origin);
    }
    const [owner] = instances;
    if (!owner) throw new RangeError("at least one instance");
    const db = await owner.getD1Database("DB", webhook.config.name);
    await migrate(
      db,
      ...readdirSync(MIGRATIONS)
        .sort()
        .map((file) => join(MIGRATIONS, file)),
    );
    return { urls, db, bundle, cron: cron && (await openCron(instances, owner, cron.config.name)), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
