import type { UpstashRedis } from "../../../src/index.ts";
import { contracts } from "../../contract/all.ts";
import { lockContract } from "../../contract/lock.ts";
import { type Result, runTests } from "./vitest.ts";

/** Whether all kinds take part, or the lock alone. The bundler knows. */
declare const EVERY_KIND: boolean;

export interface Endpoint {
  readonly url: string;
  readonly token: string;
}

/** A runtime's report on itself and on the suite. */
export interface Report {
  readonly runtime: string;
  readonly results: readonly Result[];
}

/**
 * The contract of every kind, or of the lock, over the SDK's own transport, and the lock's over the runtime's
 * `@upstash/redis`.
 * `runtime` is how it names itself, by its own means.
 */
export async function report(
  runtime: string,
  { url, token }: Endpoint,
  Redis: new (endpoint: Endpoint) => UpstashRedis,
): Promise<Report> {
  const results = await runTests(() => {
    (EVERY_KIND ? contracts : lockContract)("own transport", () => ({ url, token }));
    lockContract("@upstash/redis, pipelining true, deserialization true", () => ({ redis: new Redis({ url, token }) }));
  });
  return { runtime, results };
}
