import { Redis } from "ioredis";
import { connect } from "../../src/index.ts";
import { ioredis } from "../../src/tcp/ioredis.ts";
import { startRedis } from "../../tools/redis.ts";
import { KINDS, type Kind } from "./kinds.ts";

const NAMES = 4_000;
const AT_ONCE = 100;

/** Redis's memory for one name, in bytes, including its key. */
export interface NameMemory {
  readonly label: string;
  readonly held: number;
  /** After the release: its last token, or its result, is remembered. */
  readonly free: number;
}

async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    done.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  return done;
}

async function memoryOf(kind: Kind): Promise<NameMemory> {
  const server = await startRedis();
  const client = new Redis(server.url);
  try {
    const redis = connect({ redis: ioredis(client) });
    const used = async (): Promise<number> => Number(/used_memory:(\d+)/.exec(await client.info("memory"))?.[1]);
    // The scripts are loaded before.
    await (await kind.take(redis, "first"))();
    const empty = await used();
    const names = Array.from({ length: NAMES }, (_, at) => `invoice:${100_000 + at}`);
    const releases = await inBatches(names, (name) => kind.take(redis, name));
    const full = await used();
    await inBatches(releases, (release) => release());
    return { label: kind.label, held: (full - empty) / NAMES, free: ((await used()) - empty) / NAMES };
  } finally {
    client.disconnect();
    await server.stop();
  }
}

/** The memory for a name of each kind, in a separate server. */
export async function memoryOfNames(): Promise<NameMemory[]> {
  const figures: NameMemory[] = [];
  for (const kind of KINDS) figures.push(await memoryOf(kind));
  return figures;
}
