import { unsendable } from "../shared/handler-response.ts";
import { toRetryAfter } from "../shared/retry-after.ts";
import { noop } from "../shared/wait-until.ts";
import { bareResponse, type MakeResponse } from "./exchange.ts";

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
 * How `dedupe`'s own answers differ for one sender, by status: another status code, further headers, or no
 * `Retry-After` (`retryAfterMs: undefined`).
 */
export type Forms = { readonly [Status in DedupeStatus]?: Partial<Problem> };

/** Makes one of `dedupe`'s own responses: a problem document (RFC 9457), in the form that the sender needs. */
export function problem(
  newResponse: MakeResponse,
  status: DedupeStatus,
  options: Problem,
  settings?: { readonly sender: { readonly answers?: Forms | undefined } },
): Response {
  const { code, title, detail, retryAfterMs, headers }: Problem = { ...options, ...settings?.sender.answers?.[status] };
  const body = JSON.stringify({ type: `urn:leasehold:dedupe:${status}`, title, status: code, detail });
  return newResponse(body, {
    status: code,
    headers: {
      "Content-Type": "application/problem+json",
      [STATUS_HEADER]: status,
      ...(retryAfterMs !== undefined && { "Retry-After": `${toRetryAfter(retryAfterMs)}` }),
      ...headers,
    },
  });
}

/** Drops a response that is not sent, since its body would hold a connection. */
export function drop(response: Response | undefined): void {
  response?.body?.cancel().catch(noop);
}

/** Sets the status header on the handler's response. A response that cannot be sent becomes a 500. */
export function mark(original: Response, status: DedupeStatus): Response {
  const detail = unsendable(original);
  let response = original;
  if (detail !== undefined) {
    drop(original);
    response = problem(bareResponse, "failed", { code: 500, title: "The handler gave no valid answer", detail });
  }
  // A response that switches protocols cannot be rebuilt.
  if (response.status === 101) return response;
  try {
    response.headers.set(STATUS_HEADER, status);
  } catch {
    // The headers of a response from `fetch` are immutable.
    response = new Response(response.body, response);
    response.headers.set(STATUS_HEADER, status);
  }
  return response;
}
