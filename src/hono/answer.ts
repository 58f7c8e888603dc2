import type { Context } from "hono";
import type { Bytes } from "../shared/crypto.ts";

/** What became of a request, in the header `Leasehold-Status`. */
export type DedupeStatus =
  | "processed"
  | "unconfirmed"
  | "failed"
  | "duplicate"
  | "running"
  | "exhausted"
  | "mismatch"
  | "stale"
  | "unavailable"
  | "unverified"
  | "malformed";

export const STATUS_HEADER = "Leasehold-Status";

interface Problem {
  readonly code: number;
  readonly title: string;
  readonly detail?: string;
  readonly retryAfterMs?: number | undefined;
}

/** A response, with the headers that other middleware has set on the context if there is one. */
export function respond(
  c: Context | undefined,
  code: number,
  body: Bytes | string | null,
  headers: Record<string, string>,
): Response {
  return c
    ? c.newResponse(body as string, { status: code as 200, headers })
    : new Response(body, { status: code, headers });
}

/** An answer of our own, as a problem document (RFC 9457). */
export function problem(
  c: Context | undefined,
  status: DedupeStatus,
  { code, title, detail, retryAfterMs }: Problem,
): Response {
  const body = JSON.stringify({ type: `urn:leasehold:dedupe:${status}`, title, status: code, detail });
  return respond(c, code, body, {
    "Content-Type": "application/problem+json",
    [STATUS_HEADER]: status,
    // Whole seconds, and never 0, which would be: at once.
    ...(retryAfterMs !== undefined && { "Retry-After": `${Math.max(1, Math.ceil(retryAfterMs / 1000))}` }),
  });
}

/** Puts another response in the place of the handler's, without the headers of that. */
export function replace(c: Context, response: Response): void {
  // Hono copies the headers of the response that it has already.
  c.res = undefined;
  c.res = response;
}

/** Marks the handler's response. */
export function mark(c: Context, status: DedupeStatus): void {
  // A switch of protocols cannot be made anew.
  if (c.res.status === 101) return;
  try {
    c.res.headers.set(STATUS_HEADER, status);
  } catch {
    // Of a response that came from `fetch` the headers are immutable.
    replace(c, new Response(c.res.body, c.res));
    c.res.headers.set(STATUS_HEADER, status);
  }
}
