import { afterEach, beforeEach } from "vitest";
import { type ConnectionSettings, connect, createLocks, type Locks } from "../../../src/index.ts";
import { type RedisServer, startRedis } from "../../../tools/redis.ts";
import { type GatewayServer, type ServeOptions, serveGateway } from "../../src/index.ts";
import { TOKEN, until } from "../support/client.ts";

/** What a client of the tests heard of the server. */
export interface Heard {
  /** How many requests it made, and how many of them were held. */
  requests: number;
  held: number;
}

/** Locks over a gateway; counts what comes back. */
export function waitingLocks(
  url: string,
  settings: ConnectionSettings = {},
): { readonly locks: Locks; readonly heard: Heard } {
  const heard: Heard = { requests: 0, held: 0 };
  const locks = createLocks(
    connect({
      url,
      token: TOKEN,
      ...settings,
      async fetch(input, init) {
        heard.requests++;
        const response = await fetch(input, init);
        if (response.headers.get("preference-applied") === "wait") heard.held++;
        return response;
      },
    }),
  );
  return { locks, heard };
}

/** The Redis commands that were run since the last reset, those inside of scripts included. */
export async function commandsSince(redis: RedisServer): Promise<number> {
  const info = await redis.command("INFO", "commandstats");
  let sum = 0;
  for (const [, name = "", count] of info.matchAll(/cmdstat_(\S+?):calls=(\d+)/g)) {
    if (!/^(config|info|quit|ping|hello|client)/.test(name)) sum += Number(count);
  }
  return sum;
}

/** A Redis for each test, and gateways in front of it. */
export interface HoldingStage {
  readonly redis: RedisServer;
  readonly serve: (options?: Partial<ServeOptions>) => Promise<GatewayServer>;
}

export function holdingStage(): HoldingStage {
  let redis: RedisServer | undefined;
  const gateways: GatewayServer[] = [];
  const running = (): RedisServer => {
    if (redis === undefined) throw new Error("Redis has not started");
    return redis;
  };
  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    await Promise.all(gateways.splice(0).map((gateway) => gateway.close()));
    await redis?.stop();
  });
  return {
    get redis() {
      return running();
    },
    async serve(options = {}) {
      const where = options.memory ? {} : { redis: running().url };
      const gateway = await serveGateway({ ...where, token: TOKEN, port: 0, ...options });
      gateways.push(gateway);
      return gateway;
    },
  };
}

/** The sum of the series of a metric whose text begins like this. */
export async function metric(gateway: GatewayServer, beginning: string): Promise<number> {
  const text = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
  return text
    .split("\n")
    .filter((line) => line.startsWith(`leasehold_gateway_${beginning}`))
    .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

/** Waits until so many requests are held. */
export const heldNow = (gateway: GatewayServer, count: number): Promise<number> =>
  until(
    () => metric(gateway, "requests_held"),
    (number) => number === count,
  );
