import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startRedis } from "../tools/redis.ts";
import type { Counted, FromGateway } from "./gateway.ts";

/** The round trip to a server that is far away, in ms. */
export const AWAY_MS = 5;

/** How to reach a REST endpoint. */
export interface Endpoint {
  readonly url: string;
  readonly token: string;
  /** The Redis behind it. */
  readonly redisUrl: string;
}

/** The traffic so far. `commands` are those that Redis ran, calls inside scripts included. */
export interface Traffic extends Counted {
  readonly commands: number;
}

/** A private Redis and the gateway in front of it, in three processes with this one. */
export interface Stage extends Endpoint {
  readonly redisVersion: string;
  /** The same endpoint behind a round trip of {@link AWAY_MS}. */
  readonly far: Endpoint;
  /** The same Redis behind a gateway that holds no requests. */
  readonly polling: Endpoint;
  /** Totals since the start. */
  traffic(): Promise<Traffic>;
  stop(): Promise<void>;
}

/** Commands that connections and the gateway send for themselves, and this benchmark to look at the server. */
const NOT_COUNTED = /^(info|quit|ping|hello|client|auth|select|echo)\b/;

function commandsIn(info: string): number {
  let sum = 0;
  for (const [, name = "", calls] of info.matchAll(/cmdstat_(\S+?):calls=(\d+)/g)) {
    if (!NOT_COUNTED.test(name)) sum += Number(calls);
  }
  return sum;
}

/** The next message of the gateway, which must be of this type; or an error, when it ends before. */
async function hear<Type extends FromGateway["type"]>(child: ChildProcess, type: Type) {
  const listening = new AbortController();
  const { signal } = listening;
  const ended = once(child, "exit", { signal }).then(([code]) => {
    throw new Error(`the gateway ended with ${code}`);
  });
  try {
    const [message] = (await Promise.race([once(child, "message", { signal }), ended])) as [FromGateway];
    if (message.type !== type) throw new Error(`the gateway said ${message.type}, not ${type}`);
    return message as Extract<FromGateway, { type: Type }>;
  } finally {
    listening.abort();
  }
}

export async function startStage(): Promise<Stage> {
  const redis = await startRedis();
  const token = "bench-token-0123456789";
  const sources = new URL("../tools/sources.ts", import.meta.url).href;
  // Without our own flags: a profile of this process is not one of that process.
  const child = fork(fileURLToPath(new URL("gateway.ts", import.meta.url)), [redis.url, token, `${AWAY_MS}`], {
    execArgv: ["--import", sources],
  });
  const { url, farUrl, pollingUrl } = await hear(child, "listening");
  const server = await redis.command("INFO", "server");
  return {
    url,
    token,
    redisUrl: redis.url,
    far: { url: farUrl, token, redisUrl: redis.url },
    polling: { url: pollingUrl, token, redisUrl: redis.url },
    redisVersion: /redis_version:(\S+)/.exec(server)?.[1] ?? "unknown",
    async traffic() {
      const answer = hear(child, "counted");
      child.send("count");
      const { counted } = await answer;
      return { ...counted, commands: commandsIn(await redis.command("INFO", "commandstats")) };
    },
    async stop() {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
      await redis.stop();
    },
  };
}

/** The traffic between two moments, for each of `count` operations. */
export function perOperation(before: Traffic, after: Traffic, count: number): Traffic {
  const per = (key: keyof Traffic): number => (after[key] - before[key]) / count;
  return {
    requests: per("requests"),
    commands: per("commands"),
    bytesSent: per("bytesSent"),
    bytesReceived: per("bytesReceived"),
  };
}
