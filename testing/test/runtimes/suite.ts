import { contracts } from "../../../test/contract/all.ts";
import { lockContract } from "../../../test/contract/lock.ts";
import { transient } from "../../../test/faults/faults.ts";
import { overcomesEach } from "../../../test/faults/site-suite.ts";
import { createWorld, TIMEOUT_MS } from "../../../test/faults/stage.ts";
import { type Result, runTests } from "../../../test/platforms/runtime/vitest.ts";
import { createFetchProxy } from "../../../test/support/fetch-proxy.ts";
import { scripts } from "../../../test/support/scripts.ts";
import type { Stack } from "../../../test/support/stack.ts";
import { createMemoryRedis } from "../../src/index.ts";
import { SITES } from "../support/sites.ts";

/** These take no time-out to overcome. */
const QUICK = ["answer lost after it ran", "sent twice at once", "broken off, and arrives after the caller is done"];

/** An error with all that is in it, as text. */
const shown = (value: unknown): string =>
  value instanceof Error
    ? [value.message, value.stack, shown(value.cause), shown({ ...value })].join("\n")
    : (JSON.stringify(value) ?? "");

/** The fault stories, behind a proxy within the runtime. */
function faultStories(isWhole: boolean): void {
  const memory = createMemoryRedis();
  const { url, token } = memory;
  for (const { lua } of Object.values(scripts)) memory.command("SCRIPT", "LOAD", lua);
  const redis = { command: async (name: string, ...args: string[]) => String(memory.command(name, ...args)) };
  const stack = { url, token, redis } as Stack;
  const start = async () => {
    const proxy = createFetchProxy(url, memory.fetch);
    const clientOf = () => ({ url, token, fetch: proxy.fetch });
    return createWorld({ stack, proxy, clientOf, direct: { url, token, fetch: memory.fetch }, show: shown });
  };
  const all = transient(TIMEOUT_MS);
  const quick = Object.fromEntries(Object.entries(all).filter(([name]) => QUICK.includes(name)));
  for (const [kind, sites] of Object.entries(SITES))
    if (isWhole) overcomesEach(kind, sites, all, { start, redis });
    else if (kind === "lock") overcomesEach(kind, sites.slice(0, 1), quick, { start, redis });
}

/**
 * Runs the contract and the fault stories over a Redis in memory, inside the runtime that is to be shown: of the lock,
 * or of all kinds.
 */
export function report(isWhole: boolean): Promise<Result[]> {
  return runTests(() => {
    const { url, token, fetch } = createMemoryRedis();
    (isWhole ? contracts : lockContract)("in memory", () => ({ url, token, fetch }));
    faultStories(isWhole);
  });
}
