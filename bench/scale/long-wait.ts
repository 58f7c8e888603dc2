import { Redis } from "ioredis";
import { connect, fairLock, type LeaseholdEvent, lock } from "../../src/index.ts";
import { ioredis } from "../../src/tcp/ioredis.ts";
import { type Stack, startStack } from "../../test/support/stack.ts";

/** What one waiter costs while another client holds the name. */
export interface LongWait {
  readonly label: string;
  readonly requests: number;
  /** Redis commands, including those inside scripts; undefined without a Redis. */
  readonly commands: number | undefined;
}

type Options = Exclude<Parameters<typeof connect>[0], undefined>;

const KINDS = { lock, fairLock } as const;

const SERVERS = {
  "Upstash: polls": { holds: false },
  "leasehold-gateway: held": { holds: true },
  "Redis over TCP: polls": { holds: false, isTcp: true },
  "Durable Objects: held": { objects: true },
} as const;

async function wait(stack: Stack, kind: keyof typeof KINDS, client: Options, heldMs: number): Promise<number> {
  const name = `long-${kind}`;
  const { url, token } = stack;
  const holder = await KINDS[kind](connect({ url, token }), name, { lease: "10m" }).acquire();
  let requests = 0;
  const onEvent = ({ type }: LeaseholdEvent): void => void (type === "request" && requests++);
  const waiter = connect({ ...client, onEvent });
  const waiting = KINDS[kind](waiter, name).acquire({ wait: "5m" });
  await new Promise((resolve) => setTimeout(resolve, heldMs));
  await holder.release();
  await waiting;
  return requests;
}

async function measure(label: keyof typeof SERVERS, kind: keyof typeof KINDS, heldMs: number): Promise<LongWait> {
  const { isTcp, ...options } = { isTcp: false, ...SERVERS[label] };
  const stack = await startStack({ ...options, warm: true });
  const tcp = isTcp ? new Redis(stack.redis.url) : undefined;
  try {
    const client = tcp ? { redis: ioredis(tcp) } : { url: stack.url, token: stack.token };
    const row = `${label}, \`${kind}\``;
    if ("objects" in options)
      return { label: row, requests: await wait(stack, kind, client, heldMs), commands: undefined };
    // The commands of the connection, and the holder's own.
    const idle = await stack.commandsOf(async () => {
      const locks = connect({ url: stack.url, token: stack.token });
      await (await KINDS[kind](locks, "idle").acquire()).release();
    });
    let requests = 0;
    const commands = await stack.commandsOf(async () => {
      requests = await wait(stack, kind, client, heldMs);
    });
    return { label: row, requests, commands: commands - idle };
  } finally {
    tcp?.disconnect();
    await stack.stop();
  }
}

/** One waiter on each server, all at once, behind a holder that releases after `heldMs`. */
export async function longWaits(heldMs: number): Promise<LongWait[]> {
  const labels = Object.keys(SERVERS) as (keyof typeof SERVERS)[];
  return Promise.all(
    labels.flatMap((label) => (["lock", "fairLock"] as const).map((kind) => measure(label, kind, heldMs))),
  );
}
