/**
 * Replaces the proxy that listens on a port: a proxy in virtual time, reached by its address through the global
 * `fetch`.
 */
import type { FaultProxy } from "../../test/support/book.ts";
import { createFetchProxy } from "../../test/support/fetch-proxy.ts";
import { reached } from "./use-stack.ts";

export * from "../../test/support/proxy.ts";

let count = 0;
export async function startProxy(target: string): Promise<FaultProxy> {
  const url = `https://p${++count}.invalid`;
  const proxy = createFetchProxy(target, (input, init) => fetch(input, init));
  reached.set(url, (input, init) => proxy.fetch(target + String(input).slice(url.length), init));
  return { ...proxy, url };
}
