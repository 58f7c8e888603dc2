import { failed, type Outcome, type Port } from "./port.ts";

/** The part of `fetch` that is used. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string; signal: AbortSignal; cache?: "no-store" },
) => Promise<Response>;

/** The Upstash REST protocol over plain `fetch`: one command, one POST; two of them as a pipeline. */
export function fetchPort(url: string, token: string, fetch: Fetch): Port {
  const pipeline = url.replace(/\/?([?#].*)?$/, "/pipeline$1");
  const init = {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    // Next.js keeps answers, to a POST too. A Worker of an older compatibility date throws on the field, and does not have it.
    ...("cache" in Request.prototype && { cache: "no-store" as const }),
  };
  return async (command, signal, behind): Promise<Outcome> => {
    let retryAfterMs = 0;
    try {
      const body = JSON.stringify(behind ? [command, behind] : command);
      const response = await fetch(behind ? pipeline : url, { ...init, body, signal });
      const { status, ok } = response;
      const retryAfter = `${response.headers.get("retry-after")}`;
      // Seconds, or a date; a bare "0" is a date too, long ago.
      retryAfterMs = Math.max(+retryAfter * 1000 || Date.parse(retryAfter) - Date.now() || 0, 0);
      // Always read to the end: an unread body holds one of a Worker's six connections.
      const text = await response.text();
      if (status === 401 || status === 403) return { status: 401, error: "the API token was refused" };
      if (status === 429) return { status, retryAfterMs, error: "too many requests" };
      // An error page or half an answer throws: whoever wrote it was not Redis.
      const answer = JSON.parse(text) ?? {};
      const [first, second] = behind && Array.isArray(answer) ? answer : [answer];
      const { error = second?.error ?? (ok ? undefined : `HTTP ${status}`), result } = first;
      // Redis answers with 200 or 400; behind a 5xx the script may have run.
      return error === undefined
        ? { value: result, replicas: second?.result }
        : { error: `${error}`, unsure: status > 499, status, retryAfterMs };
    } catch (error) {
      // That of JSON quotes what came.
      const unreadable = (error as Error)?.name === "SyntaxError";
      return {
        ...(unreadable ? { unsure: true, error: "an answer without JSON" } : failed(error, token, command)),
        retryAfterMs,
      };
    }
  };
}
