import type { Bytes } from "../shared/bytes.ts";
import { unsendable } from "../shared/handler-response.ts";
import { noop } from "../shared/wait-until.ts";
import type { Context } from "./exchange.ts";

/** The outcome of a request, as the header `Leasehold-Status` reports it. */
export type DedupeStatus =
  | "processed"
  | "unconfirmed"
  | "unprotected"
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
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * How the answers of `dedupe` itself differ for one sender, by status: another status code, further headers, or no
 * `Retry-After` (`retryAfterMs: undefined`).
 */
export type Forms = { readonly [Status in DedupeStatus]?: Partial<Problem> };

/** Makes a response; with a context it includes the headers that other middleware has set there. */
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

/** Makes a response of `dedupe` itself: a problem document (RFC 9457), in the form that the sender needs. */
export function problem(
  c: Context | undefined,
  status: DedupeStatus,
  given: Problem,
  settings?: { readonly sender: { readonly answers?: Forms | undefined } },
): Response {
  const { code, title, detail, retryAfterMs, headers }: Problem = { ...given, ...settings?.sender.answers?.[status] };
  const body = JSON.stringify({ type: `urn:leasehold:dedupe:${status}`, title, status: code, detail });
  return respond(c, code, body, {
    "Content-Type": "application/problem+json",
    [STATUS_HEADER]: status,
    // Whole seconds, and never 0, which would mean at once.
    ...(retryAfterMs !== undefined && { "Retry-After": `${Math.max(1, Math.ceil(retryAfterMs / 1000))}` }),
    ...headers,
  });
}

/** Replaces the handler's response, its headers included. */
export function replace(c: Context, response: Response): void {
  // Cleared first, since Hono copies the headers of a response that it already has.
  c.res = undefined;
  c.res = response;
}

/** Replaces the handler's response and drops its body, whose stream would hold a connection. */
export function overrule(c: Context, answer: Response): void {
  if (c.finalized) c.res.body?.cancel().catch(noop);
  replace(c, answer);
}

/** Sets the status header on the handler's response, if there is one. A response that cannot be sent becomes a 500. */
export function setStatus(c: Context, status: DedupeStatus): void {
  if (!c.finalized) return;
  const detail = unsendable(c.res);
  if (detail)
    overrule(c, problem(undefined, "failed", { code: 500, title: "The handler gave no valid answer", detail }));
  // A response that switches protocols cannot be rebuilt.
  if (c.res.status === 101) return;
  try {
    c.res.headers.set(STATUS_HEADER, status);
  } catch {
    // The headers of a response that came from `fetch` are immutable.
    replace(c, new Response(c.res.body, c.res));
    c.res.headers.set(STATUS_HEADER, status);
  }
}
