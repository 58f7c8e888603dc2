import type { WaitUntil } from "./wait-until.ts";

interface RequestContext {
  readonly waitUntil?: WaitUntil;
}

const CONTEXT = Symbol.for("@vercel/request-context");

/** Finds Vercel's context of the current request; empty elsewhere. Every request has its own, so it is never stored. */
export function requestContext(): RequestContext {
  const store = (globalThis as { [CONTEXT]?: { get?(): RequestContext | undefined } })[CONTEXT];
  const context = store?.get?.();
  return typeof context?.waitUntil === "function" ? context : {};
}
