import { readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from "wrangler";
import type { Stack } from "../support/stack.ts";
import { bundle, ROOT } from "./bundle.ts";

export interface ExampleWorker {
  readonly mf: Miniflare;
  /** Its output. */
  readonly logs: readonly string[];
  fetch(path: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

export interface WorkerSettings {
  readonly vars?: Readonly<Record<string, string>>;
  /** The D1 binding whose tables `<name>.sql` makes. */
  readonly database?: string;
  /** Code behind the example's, for what only the test does to it. */
  readonly more?: string;
}

/** An example in workerd, with the bindings that its own configuration names. */
export async function startWorker(
  name: string,
  stack: Pick<Stack, "url" | "token">,
  { vars = {}, database, more = "" }: WorkerSettings = {},
): Promise<ExampleWorker> {
  const file = (extension: string): string => join(ROOT, "workers", `${name}.${extension}`);
  const { workerOptions } = unstable_getMiniflareWorkerOptions(file("toml"));
  const { compatibilityDate, d1Databases, r2Buckets, queueProducers, queueConsumers, durableObjects, bindings } =
    workerOptions as V4WorkerOptions;
  const logs: string[] = [];
  const mf = new Miniflare({
    ...convertV4MiniflareOptions({
      name,
      ...(compatibilityDate !== undefined && { compatibilityDate }),
      ...(d1Databases && { d1Databases }),
      ...(r2Buckets && { r2Buckets }),
      ...(queueProducers && { queueProducers }),
      ...(queueConsumers && { queueConsumers }),
      ...(durableObjects && { durableObjects }),
      modules: true,
      script: (await bundle(`${name}.ts`)) + more,
      bindings: {
        ...bindings,
        UPSTASH_REDIS_REST_URL: stack.url,
        UPSTASH_REDIS_REST_TOKEN: stack.token,
        ...vars,
      },
    }),
    cf: false,
    logRequests: false,
    // An error that a handler throws on purpose would be printed.
    log: new Log(LogLevel.NONE),
    handleStructuredLogs: ({ message }) => logs.push(message),
  });
  const { origin } = await mf.ready;
  if (database !== undefined) {
    const db = await mf.getD1Database(database);
    const statements = unstable_splitSqlQuery(readFileSync(file("sql"), "utf8"));
    await db.batch(statements.map((sql) => db.prepare(sql)));
  }
  return { mf, logs, fetch: (path, init) => fetch(origin + path, init), stop: () => mf.dispose() };
}
