import { type RedisFence, redisFence } from "../../src/fence/index.ts";
import { createLocks, type Lease, type LeaseholdEvent, type LeaseLostError } from "../../src/index.ts";
import type { TestRedis } from "../../testing/src/index.ts";
import type { Belief, Exchange, InstanceHistory, Name, Phase } from "./history.ts";
import { type Arrival, createNetwork, pause } from "./network.ts";
import type { LeaseView } from "./view.ts";
import { run } from "./worker.ts";

export const LOCK_NAME = "invoice:42";
const REQUEST_TIMEOUT = "2s";
/** How much shorter or longer work may take, in seconds. */
const UNEVEN = 0.5;

export interface Listener {
  sent(exchange: Exchange): void;
  arrived(arrival: Arrival): void;
  lost(arrival: Arrival): void;
  told(event: LeaseholdEvent): void;
  failed(error: unknown): void;
}

/** An instance of the application, running. */
export interface Running {
  readonly locks: ReturnType<typeof createLocks>;
  /** Its lease as it sees it; undefined while it has none. */
  view(): LeaseView | undefined;
  loseNextAnswer(): void;
  readonly isLosing: boolean;
}

/** What an instance runs in. */
interface Place {
  readonly who: Name;
  readonly redis: TestRedis;
  seconds(): number;
  /** Where the resource takes every write: the tokens of leases, by what it compares instead. */
  readonly unfenced: Map<number, number> | undefined;
}

/** A resource that takes every write, since each brings a higher number than the last one. */
function takesAll(fence: RedisFence, unfenced: Map<number, number>): Pick<RedisFence, "claim" | "write"> {
  return {
    async claim() {},
    async write({ name, token }, value) {
      const number = Math.max(token, ...[...unfenced.keys()].map((before) => before + 1));
      unfenced.set(number, token);
      await fence.write({ name, token: number }, value);
    },
  };
}

/** Starts an instance, with its own client, which can freeze, and its own way to the server. */
export function startInstance(
  { who, redis, seconds, unfenced }: Place,
  { phases, beliefs }: InstanceHistory,
  listener: Listener,
): Running {
  const options = redis.options;
  const { clock, random } = options;
  const network = createNetwork({
    who,
    carrier: redis.options,
    clock,
    seconds,
    operationOf: (command) =>
      redis.requests.findLast(({ commands }) => commands[0]?.join() === command.join())?.operation ?? "other",
    ...listener,
  });
  const { fetch } = network;
  const locks = createLocks({ ...options, fetch, requestTimeout: REQUEST_TIMEOUT, onEvent: listener.told });
  const lock = locks.lock(LOCK_NAME);
  let lease: Lease | undefined;

  function enter(what: Phase["what"]): void {
    const last = phases.at(-1);
    if (last && last.to === undefined) last.to = seconds();
    phases.push({ what, from: seconds() });
  }

  function letGo(): void {
    lease = undefined;
    const belief = beliefs.at(-1);
    if (belief) belief.to ??= Math.min(seconds(), belief.until);
  }

  function believe({ token, expiresAt }: Lease): Belief {
    const startedAt = clock.now() - seconds() * 1000;
    return { token, from: seconds(), until: (expiresAt - startedAt) / 1000 };
  }

  const takes = (length: number): Promise<void> => pause(clock, (length + (random() - 0.5) * 2 * UNEVEN) * 1000);

  void run({
    name: who,
    lock: {
      async acquire(given) {
        enter("asks");
        lease = await lock.acquire(given);
        enter("works");
        beliefs.push(believe(lease));
        return lease;
      },
    },
    fence: unfenced ? takesAll(redisFence(locks), unfenced) : redisFence(locks),
    work: takes,
    rest(length) {
      letGo();
      enter("rests");
      return takes(length);
    },
    report: (error) => listener.failed(error),
  });

  return {
    locks,
    view: () =>
      lease && {
        token: lease.token,
        remaining: lease.remaining / 1000,
        over: (lease.signal.reason as LeaseLostError | undefined)?.reason,
      },
    loseNextAnswer: () => network.loseNext(),
    get isLosing() {
      return network.isLosing;
    },
  };
}
