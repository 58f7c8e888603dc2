import { fromRetryAfter } from "../shared/retry-after.ts";
import { answered, failed, type Outcome, type Port } from "./port.ts";
import { discreet } from "./redact.ts";

/** The part of `fetch` that is needed. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string; signal: AbortSignal; cache?: "no-store" },
) => Promise<Response>;

/** Speaks the Upstash REST protocol over `fetch`: one command is one POST, several are a pipeline. */
export function fetchPort(url: string, token: string, fetch: Fetch): Port {
  const pipeline = url.replace(/\/?([?#].*)?$/, "/pipeline$1");
  const init = {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    // Next.js caches answers, also to a POST. A Worker with an older compatibility date lacks the field and would throw
    // on it.
    ...("cache" in Request.prototype && { cache: "no-store" as const }),
  };
  const post: Port = async (command, signal, behind): Promise<Outcome> => {
    let retryAfterMs = 0;
    try {
      const body = JSON.stringify(behind ? [command, ...behind] : command);
      const response = await fetch(behind ? pipeline : url, { ...init, body, signal });
      const { status, ok } = response;
      if (!ok) retryAfterMs = fromRetryAfter(response.headers.get("retry-after"));
      // Always read to the end: an unread body holds one of a Worker's six connections.
      const text = await response.text();
      if (status === 401 || status === 403) return { status: 401, error: "the API token was refused" };
      if (status === 429) return { status, retryAfterMs, error: "too many requests" };
      // An error page or half an answer throws here: it does not come from Redis.
      const answer = JSON.parse(text) ?? {};
      // Redis's own answers are 200 or 400. Behind a 5xx the script may have run.
      return ok
        ? answered(behind && Array.isArray(answer) ? answer : [answer])
        : { error: answer.error ?? `HTTP ${status}`, unsure: status > 499, status, retryAfterMs };
    } catch (error) {
      // A SyntaxError of JSON tells nothing but the body.
      const unreadable = (error as Error)?.name === "SyntaxError";
      return {
        ...(unreadable ? { unsure: true, error: "an answer without JSON" } : failed(error)),
        retryAfterMs,
      };
    }
  };
  return discreet(post, token);
}
