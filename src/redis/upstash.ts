import { limited, type Outcome, type Port } from "./port.ts";

/** The part of an `@upstash/redis` client that is used. */
export interface UpstashRedis {
  pipeline(): {
    evalsha(sha: string, keys: string[], args: string[]): unknown;
    eval(script: string, keys: string[], args: string[]): unknown;
    exec(options: { keepErrors: true }): Promise<unknown>;
  };
}

async function attempt(redis: UpstashRedis, command: readonly (string | number)[]): Promise<Outcome> {
  const [verb, script, count, ...rest] = command.map(String) as [string, string, string, ...string[]];
  const keys = rest.slice(0, Number(count));
  const args = rest.slice(Number(count));
  try {
    // A pipeline of our own, even for one command: auto-pipelining would put it into one request with those of other
    // invocations in the same isolate, and with `keepErrors` an error comes back as Redis wrote it, without the command.
    const pipeline = redis.pipeline();
    if (verb === "EVAL") pipeline.eval(script, keys, args);
    else pipeline.evalsha(script, keys, args);
    const answers = await pipeline.exec({ keepErrors: true });
    const [answer] = Array.isArray(answers) ? (answers as { error?: unknown; result?: unknown }[]) : [];
    if (typeof answer?.error === "string") return { type: "error", message: answer.error };
    return { type: "reply", value: answer?.result };
  } catch (error) {
    return failure(error);
  }
}

/** The client's errors hold the whole command behind ", command was: "; only what stands before it is looked at. */
function failure(error: unknown): Outcome {
  const { name, message } = error instanceof Error ? error : new Error();
  const text = message.split(", command was: ", 1)[0] as string;
  if (name === "UpstashJSONParseError") return { type: "unanswered", why: "an answer without JSON" };
  if (name !== "UpstashError") return { type: "unanswered", why: "network error" };
  if (/unauthori[sz]ed|^WRONGPASS|^NOAUTH|invalid.*token/i.test(text)) return { type: "refused", status: 401 };
  if (/rate.?limit|too many requests|max requests/i.test(text)) return { type: "refused", status: 429 };
  // Redis writes its errors with a code in capitals; what has none came from in between.
  return /^[A-Z]+ /.test(text) ? { type: "error", message: text } : { type: "unanswered", why: "HTTP error" };
}

/** An `@upstash/redis` client as a port, whatever its settings. Its own retries go on behind an attempt that we gave up. */
export function upstashPort(redis: UpstashRedis): Port {
  return {
    send: (command, limitMs, signal) =>
      limited<Outcome>(
        () => attempt(redis, command),
        limitMs,
        (why) => ({ type: "unanswered", why }),
        signal,
      ),
  };
}
