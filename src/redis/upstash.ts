import { type Answer, answered, type Command, failed, type Port } from "./port.ts";

/** The part of an `@upstash/redis` client that is needed. */
export interface UpstashRedis {
  pipeline(): { exec(options: { keepErrors: true }): Promise<unknown> };
}

/** The client's own HTTP client. */
interface Client {
  readonly headers?: { readonly authorization?: string };
  readonly retry?: object;
}

/** Members of a pipeline that are not in the client's public types: `chain` takes any command, `client` sends it. */
interface Pipeline extends ReturnType<UpstashRedis["pipeline"]> {
  chain(command: { command: Command; deserialize: (result: unknown) => unknown }): void;
  client?: Client;
}

/** Makes a port of an `@upstash/redis` client, whatever its settings. */
export function upstashPort(redis: UpstashRedis): Port {
  return async (command, _, behind = []) => {
    let client: Client | undefined;
    try {
      // A pipeline of our own, even for one command: auto-pipelining would put it into one request with those of other
      // invocations in the same isolate, and with `keepErrors` an error comes back as Redis wrote it, without the
      // command.
      const pipeline = redis.pipeline() as Pipeline;
      client = pipeline.client;
      // The client's own retries would go on behind an attempt that we gave up, and report only the last one.
      if (client?.retry)
        pipeline.client = new Proxy(client, {
          get: (own, key) => (key === "retry" ? { attempts: 0 } : own[key as keyof Client]),
        });
      for (const each of [command, ...behind]) pipeline.chain({ command: each, deserialize: (result) => result });
      return answered((await pipeline.exec({ keepErrors: true })) as Answer[]);
    } catch (thrown) {
      const { name, message } = Object(thrown) as Error;
      if (!/^Upstash/.test(name)) {
        const outcome = failed(thrown, client?.headers?.authorization?.slice(7), command);
        // The last of several attempts does not tell the outcome of the others.
        return client?.retry ? outcome : { ...outcome, unsure: true };
      }
      // The message of an UpstashError ends with the whole command, so only its beginning is read. Others quote any
      // page.
      const error = name === "UpstashError" ? (message.split(", command was: ")[0] as string) : "failed request";
      if (/unauthorized|^WRONGPASS|^NOAUTH/i.test(error)) return { status: 401, error: "the API token was refused" };
      if (/rate.?limit|too many|max requests/i.test(error)) return { status: 429, error: "too many requests" };
      // An HTTP failure of any status: refusals of Redis itself are in the results of the pipeline.
      return { unsure: true, error };
    }
  };
}
