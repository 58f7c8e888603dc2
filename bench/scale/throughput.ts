import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { cpuSeconds } from "../../gateway/bench/process.ts";
import type { RedisServer } from "../../tools/redis.ts";

const TOKEN = "bench-token-0123456789";
const SECONDS = 3;

/** What a cycle of acquire and release costs, and how many there are in a second. */
export interface Throughput {
  readonly gateways: number;
  readonly perSecond: number;
  /** Processor time for a cycle, in µs: of Redis, of all gateways, and of the clients. */
  readonly redisUs: number;
  readonly gatewayUs: number;
  readonly clientUs: number;
}

interface Running {
  readonly url: string;
  readonly child: ChildProcess;
}

/** For programs that run from the sources. */
const SOURCES = new URL("../../tools/sources.ts", import.meta.url).href;

async function startGateway(redis: string): Promise<Running> {
  const file = fileURLToPath(new URL("../../gateway/bench/server.ts", import.meta.url));
  const child = fork(file, [redis, TOKEN], { execArgv: ["--import", SOURCES] });
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  return { url, child };
}

async function stop({ child }: Running): Promise<void> {
  const ended = once(child, "exit");
  child.disconnect();
  await ended;
}

const pidOf = ({ pid }: ChildProcess): number => pid ?? 0;
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Loads the servers behind a URL through a number of gateways. */
export async function throughput(
  url: string,
  servers: readonly RedisServer[],
  gateways: number,
  kind: string,
): Promise<Throughput> {
  const running = await Promise.all(Array.from({ length: gateways }, () => startGateway(url)));
  const load = fork(
    fileURLToPath(new URL("load.ts", import.meta.url)),
    [TOKEN, kind, String(SECONDS), ...running.map((one) => one.url)],
    { execArgv: [] },
  );
  const times = (): readonly [redis: number, gateway: number, client: number] => [
    sum(servers.map(({ pid }) => cpuSeconds(pid))),
    sum(running.map(({ child }) => cpuSeconds(pidOf(child)))),
    cpuSeconds(pidOf(load)),
  ];
  try {
    const [{ warm }] = (await once(load, "message")) as [{ warm: number }];
    const [before, since] = [times(), performance.now()];
    const [{ cycles }] = (await once(load, "message")) as [{ cycles: number }];
    const [after, seconds] = [times(), (performance.now() - since) / 1_000];
    const count = cycles - warm;
    const us = (at: 0 | 1 | 2): number => ((after[at] - before[at]) * 1e6) / count;
    return { gateways, perSecond: count / seconds, redisUs: us(0), gatewayUs: us(1), clientUs: us(2) };
  } finally {
    await Promise.all(running.map(stop));
  }
}
