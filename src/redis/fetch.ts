import type { Outcome, Port } from "./port.ts";

/** The part of `fetch` that is used. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string; signal: AbortSignal },
) => Promise<Response>;

/** The Upstash REST protocol over plain `fetch`: one command, one POST. */
export function fetchPort(url: string, token: string, fetch: Fetch): Port {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return async (command, signal): Promise<Outcome> => {
    let retryAfterMs = 0;
    try {
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(command), signal });
      const { status, ok } = response;
      const retryAfter = response.headers.get("retry-after");
      // Seconds, or a date; a bare "0" is a date too, long ago.
      retryAfterMs = retryAfter ? Math.max(+retryAfter * 1000 || Date.parse(retryAfter) - Date.now() || 0, 0) : 0;
      // Always read to the end: an unread body holds one of a Worker's six connections.
      const text = await response.text();
      if (status === 401 || status === 403) return { status: 401, error: "the API token was refused" };
      if (status === 429) return { status, retryAfterMs, error: "too many requests" };
      // An error page or half an answer throws: whoever wrote it was not Redis.
      const { error = ok ? undefined : `HTTP ${status}`, result } = JSON.parse(text) ?? {};
      // Redis answers with 200 or 400; behind a 5xx the script may have run.
      return error === undefined
        ? { value: result }
        : { error: `${error}`, unsure: status > 499, status, retryAfterMs };
    } catch (error) {
      // Its kind at most: the text of a failure may quote a URL or a header.
      const { name, cause } = error as { name?: string; cause?: { code?: string } };
      return {
        unsure: true,
        error: name === "SyntaxError" ? "an answer without JSON" : (cause?.code ?? name ?? "failed request"),
        retryAfterMs,
      };
    }
  };
}
