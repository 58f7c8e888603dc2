import { fromRetryAfter } from "../shared/retry-after.ts";
import {
  type Answer,
  type Answered,
  answered,
  type Failed,
  failed,
  type Outcome,
  type Port,
  refused,
  type Unsent,
} from "./port.ts";
import { redactFailure } from "./redact.ts";

/** The part of `fetch` that is needed. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string; signal: AbortSignal; cache?: "no-store" },
) => Promise<Response>;

/** Statuses of a server or proxy that stopped waiting: the request may have been forwarded. */
const GAVE_UP: ReadonlySet<number> = new Set([408, 499]);

/** Cloudflare's errors, in front of a server or to a Worker, if it could not forward a request. */
const UNSENT: Readonly<Record<number, Unsent>> = {
  521: "refused",
  523: "unreachable",
  525: "no TLS",
  526: "not trusted",
  530: "not found",
};

/** The outcome of an answer that is not JSON: an error page, or half an answer. */
function withoutJson(status: number, retryAfterMs: number): Failed {
  const error = `HTTP ${status} without JSON`;
  const reason = UNSENT[status];
  if (reason !== undefined) return { type: "not sent", error: `HTTP ${status}`, reason };
  const isRefused = status >= 400 && status < 500 && !GAVE_UP.has(status);
  // The answer is not from a Redis endpoint: nothing ran.
  return isRefused ? refused(error, { code: "malformed_answer" }) : { type: "unknown", error, retryAfterMs };
}

/** The outcome of a JSON body with an error status. Redis's own errors have status 400. */
function failedWith(status: number, body: Answer, retryAfterMs: number): Failed {
  const error = body.error ?? `HTTP ${status}`;
  if (GAVE_UP.has(status)) return { type: "unknown", error, retryAfterMs };
  if (status < 500) return refused(error, { retryAfterMs, ...(!body.error && { code: "malformed_answer" }) });
  // The script may have run. A 500 or 501 is final; other 5xx are from an intermediary.
  return { type: "unknown", error, retryAfterMs, failsAgain: status <= 501 };
}

/** Parses JSON; undefined if it is invalid. A SyntaxError would only quote the body. */
function parse(text: string): Answer | undefined {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return undefined;
  }
}

/** The outcome of a response. @throws if it cannot be read. */
async function outcomeOf(response: Response, isPipeline: boolean, retryAfterMs: number): Promise<Outcome> {
  const { status, ok } = response;
  // Always read to the end: an unread body holds one of a Worker's six connections.
  const text = await response.text();
  if (status === 401 || status === 403) return refused("the API token was refused", { code: "unauthorized" });
  if (status === 429) return refused("too many requests", { code: "rate_limited", retryAfterMs });
  const body = parse(text);
  if (!body) return withoutJson(status, retryAfterMs);
  if (!ok) return failedWith(status, body, retryAfterMs);
  return answered(isPipeline && Array.isArray(body) ? body : [body]);
}

/**
 * Asks a server to hold the request (RFC 7240). `wait` is in whole seconds; servers that support `ms` use the exact
 * time.
 */
const preferenceFor = (parkMs: number): Record<string, string> =>
  parkMs > 0 ? { prefer: `wait=${Math.ceil(parkMs / 1000)}; ms=${parkMs}` } : {};

/** How long the server held a request, and whether it offers a grant, from its headers; nothing if it did not hold it. */
function holdOf({ headers }: Response): Pick<Answered, "parkedMs" | "isOffered"> {
  if (!/^wait\b/i.test(headers.get("preference-applied") ?? "")) return {};
  const timing = headers.get("server-timing") ?? "";
  const [, durationMs = 0] = /\bhold;dur=([\d.]+)/i.exec(timing) ?? [];
  return { parkedMs: Number(durationMs) || 0, isOffered: /,\s*offer\b/i.test(timing) };
}

/**
 * Next.js caches answers, also to a POST. A Worker with an older compatibility date lacks the field and would throw on
 * it.
 */
export const noStore = (): { readonly cache?: "no-store" } =>
  "cache" in Request.prototype ? { cache: "no-store" } : {};

/** The URL of a path below that of the server, before its query. */
export const below = (url: string, path: string): string =>
  url.replace(/\/?([?#].*)?$/, (_, rest = "") => `/${path}${rest}`);

/** Speaks the Upstash REST protocol over `fetch`: one command is one POST, several are a pipeline. */
export function fetchPort(url: string, token: string, fetch: Fetch): Port {
  const pipeline = below(url, "pipeline");
  const init = {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...noStore(),
  };
  async function post(body: string, signal: AbortSignal, isPipeline: boolean, parkMs: number): Promise<Outcome> {
    let retryAfterMs = 0;
    try {
      const headers = { ...init.headers, ...preferenceFor(parkMs) };
      const response = await fetch(isPipeline ? pipeline : url, { ...init, headers, body, signal });
      if (!response.ok) retryAfterMs = fromRetryAfter(response.headers.get("retry-after"));
      const outcome = await outcomeOf(response, isPipeline, retryAfterMs);
      return outcome.type === "answered" && parkMs > 0 ? { ...outcome, ...holdOf(response) } : outcome;
    } catch (error) {
      return { ...failed(error), retryAfterMs };
    }
  }
  return async (command, signal, behind, parkMs = 0) => {
    const body = JSON.stringify(behind ? [command, ...behind] : command);
    const outcome = await post(body, signal, behind !== undefined, parkMs);
    if (outcome.type === "answered") return outcome;
    return redactFailure(outcome, behind ? [command, ...behind] : [command], token);
  };
}
