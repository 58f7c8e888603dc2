import type { WaitUntil } from "../shared/wait-until.ts";

interface RequestContext {
  readonly waitUntil?: WaitUntil;
}

const CONTEXT = Symbol.for("@vercel/request-context");

/** Where Vercel keeps what belongs to the request; empty elsewhere. Another one for every request, so it is never kept. */
export function requestContext(): RequestContext {
  const kept = (globalThis as { [CONTEXT]?: { get?(): RequestContext | undefined } })[CONTEXT];
  const context = kept?.get?.();
  return typeof context?.waitUntil === "function" ? context : {};
}
