import type { Port } from "./port.ts";

/** The part of an `@upstash/redis` client that is used. */
export interface UpstashRedis {
  pipeline(): {
    evalsha(sha: string, keys: string[], args: string[]): unknown;
    eval(script: string, keys: string[], args: string[]): unknown;
    exec(options: { keepErrors: true }): Promise<unknown>;
  };
}

/** An `@upstash/redis` client as a port, whatever its settings. Its own retries go on behind an attempt that we gave up. */
export function upstashPort(redis: UpstashRedis): Port {
  return async ([verb, script, , ...rest]) => {
    const [key, ...args] = rest.map(String) as [string];
    try {
      // A pipeline of our own, even for one command: auto-pipelining would put it into one request with those of other
      // invocations in the same isolate, and with `keepErrors` an error comes back as Redis wrote it, without the command.
      const pipeline = redis.pipeline();
      pipeline[verb === "EVAL" ? "eval" : "evalsha"](`${script}`, [key], args);
      const [answer] = (await pipeline.exec({ keepErrors: true })) as { error?: string; result?: unknown }[];
      return answer?.error ? { error: answer.error } : { value: answer?.result };
    } catch (thrown) {
      // Its message holds the whole command; only what stands before it is looked at. Other errors quote pages of whoever.
      const { name, message } = (thrown ?? {}) as Error;
      const error = name === "UpstashError" ? (message.split(", command was: ")[0] as string) : "";
      if (/unauthorized|^WRONGPASS|^NOAUTH/i.test(error)) return { status: 401, error: "the API token was refused" };
      if (/rate.?limit|too many|max requests/i.test(error)) return { status: 429, error: "too many requests" };
      // Redis writes its errors with a code in capitals; what has none came from in between.
      return /^[A-Z]+ /.test(error) ? { error } : { unsure: true, error: "failed request" };
    }
  };
}
