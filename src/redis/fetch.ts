import { limited, type Outcome, type Port } from "./port.ts";

/** The part of `fetch` that is used. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string; signal: AbortSignal },
) => Promise<Response>;

/** `Retry-After` in ms: seconds, or a date. */
function retryAfterMs(response: Response): number | undefined {
  const header = response.headers.get("retry-after");
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}

/** The kind of a failure without its text, which may quote a URL or a header. */
function nameOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  return typeof cause?.code === "string" ? `network error ${cause.code}` : "network error";
}

async function attempt(fetch: Fetch, url: string, token: string, body: string, signal: AbortSignal): Promise<Outcome> {
  let response: Response;
  let text: string;
  try {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    response = await fetch(url, { method: "POST", headers, body, signal });
    // Always read to the end: an unread body holds one of a Worker's six connections.
    text = await response.text();
  } catch (error) {
    return { type: "unanswered", why: nameOf(error) };
  }
  const { status } = response;
  if (status === 401 || status === 403) return { type: "refused", status: 401 };
  if (status === 429) return { type: "refused", status, retryAfterMs: retryAfterMs(response) };
  let answer: { result?: unknown; error?: unknown } | null | undefined;
  try {
    answer = JSON.parse(text);
  } catch {
    // An error page or half an answer: whoever wrote it was not Redis.
  }
  if (answer === undefined || (status >= 502 && status <= 504)) {
    return {
      type: "unanswered",
      why: `HTTP ${status}${answer ? "" : " without JSON"}`,
      retryAfterMs: retryAfterMs(response),
    };
  }
  if (typeof answer?.error === "string") return { type: "error", message: answer.error };
  return { type: "reply", value: response.ok ? answer?.result : undefined };
}

/** The Upstash REST protocol over plain `fetch`: one command, one POST. */
export function fetchPort(url: string, token: string, fetch: Fetch): Port {
  return {
    send: (command, limitMs, signal) =>
      limited<Outcome>(
        (ended) => attempt(fetch, url, token, JSON.stringify(command), ended),
        limitMs,
        (why) => ({ type: "unanswered", why }),
        signal,
      ),
  };
}
