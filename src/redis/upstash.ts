import type { Port } from "./port.ts";

/** The part of an `@upstash/redis` client that is used. */
export interface UpstashRedis {
  pipeline(): {
    evalsha(sha: string, keys: string[], args: string[]): unknown;
    eval(script: string, keys: string[], args: string[]): unknown;
    exec(options: { keepErrors: true }): Promise<unknown>;
  };
}

/** What takes any command, and is not in the client's public types. */
interface Chain {
  chain(command: { command: readonly (string | number)[]; deserialize: (result: unknown) => unknown }): void;
}

/** An `@upstash/redis` client as a port, whatever its settings. Its own retries go on behind an attempt that we gave up. */
export function upstashPort(redis: UpstashRedis): Port {
  return async ([verb, script, count = 0, ...rest], _, behind) => {
    const args = rest.map(String);
    const keys = args.splice(0, +count);
    try {
      // A pipeline of our own, even for one command: auto-pipelining would put it into one request with those of other
      // invocations in the same isolate, and with `keepErrors` an error comes back as Redis wrote it, without the command.
      const pipeline = redis.pipeline();
      pipeline[verb === "EVAL" ? "eval" : "evalsha"](`${script}`, keys, args);
      if (behind) (pipeline as unknown as Chain).chain({ command: behind, deserialize: (result) => result });
      const [answer, second] = (await pipeline.exec({ keepErrors: true })) as { error?: string; result?: unknown }[];
      const error = answer?.error ?? second?.error;
      return error ? { error } : { value: answer?.result, followed: second?.result };
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
