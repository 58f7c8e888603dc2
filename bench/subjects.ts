import { createHash, randomUUID } from "node:crypto";
import { Lock as UpstashLock } from "@upstash/lock";
import { Redis } from "@upstash/redis";
import { type Connection, connect, fairLock, type Lease, lock } from "../src/index.ts";
import type { Endpoint } from "./stage.ts";

/** A granted acquisition. */
export interface Grant {
  /** The fencing token, if there is one. */
  readonly token?: number;
  /** False if it was no longer held. */
  release(): Promise<boolean>;
}

/** One client of one name, with its own connections and state. */
export interface Contender {
  /** Null if it was not acquired. */
  acquire(): Promise<Grant | null>;
}

export interface Terms {
  readonly leaseMs: number;
  /** Waits until it is granted; otherwise tries like the library by default. */
  readonly waits?: boolean;
  /** How long it waits, in ms. Default: without a limit. Libraries without such a limit ignore it. */
  readonly waitMs?: number;
  /** How long one HTTP attempt may take. Default: the library's. */
  readonly timeoutMs?: number;
}

export interface Subject {
  readonly label: string;
  open(endpoint: Endpoint, name: string, terms: Terms): Contender;
  /** Reads whether the name is held. */
  isHeld(endpoint: Endpoint, name: string): Promise<boolean>;
}

const asGrant = (lease: Lease): Grant => ({ token: lease.token, release: () => lease.release() });

const TEN_MINUTES_MS = 600_000;

/** A contender over a connection of leasehold. */
export function leaseholdOf(
  connection: Connection,
  name: string,
  { leaseMs, waits, waitMs = TEN_MINUTES_MS }: Terms,
  kind: typeof lock | typeof fairLock = lock,
): Contender {
  const one = kind(connection, name, { lease: leaseMs });
  if (waits) return { acquire: async () => asGrant(await one.acquire({ wait: `${waitMs}ms` })) };
  return {
    async acquire() {
      const lease = await one.tryAcquire();
      return lease && asGrant(lease);
    },
  };
}

function leaseholdOver(label: string, open: (endpoint: Endpoint, timeoutMs?: number) => Connection): Subject {
  return {
    label,
    open: (endpoint, name, terms) => leaseholdOf(open(endpoint, terms.timeoutMs), name, terms),
    isHeld: async ({ url, token }, name) => (await lock(connect({ url, token }), name).inspect()).state === "held",
  };
}

/** An `@upstash/redis` client as in its README, with a time-out in the form that makes a call throw. */
const upstashClient = ({ url, token }: Endpoint, timeoutMs?: number): Redis =>
  new Redis({ url, token, ...(timeoutMs === undefined ? {} : { signal: () => AbortSignal.timeout(timeoutMs) }) });

export const leasehold: Subject = leaseholdOver("leasehold", ({ url, token }, requestTimeout) =>
  connect({ url, token, requestTimeout }),
);

export const leaseholdOverUpstash: Subject = leaseholdOver(
  "leasehold over @upstash/redis",
  (endpoint, requestTimeout) => connect({ redis: upstashClient(endpoint), requestTimeout }),
);

/** Its fair lock; a lock's record shows in the same way whether a name is held. */
export const leaseholdFair: Subject = {
  label: "leasehold, fairLock",
  open: ({ url, token }, name, terms) => leaseholdOf(connect({ url, token }), name, terms, fairLock),
  isHeld: async ({ url, token }, name) => (await fairLock(connect({ url, token }), name).inspect()).state === "held",
};

/** Both without a server that holds requests, with their own names. */
export const leaseholdPolling: Subject = { ...leasehold, label: "leasehold, polling" };
export const leaseholdFairPolling: Subject = { ...leaseholdFair, label: "leasehold, fairLock, polling" };

/** Woken by the messages of a subscription, over a server that holds no requests. */
export const leaseholdSubscribing: Subject = leaseholdOver("leasehold, subscribe", ({ url, token }) =>
  connect({ url, token, wake: "subscribe" }),
);
export const leaseholdFairSubscribing: Subject = {
  ...leaseholdSubscribing,
  label: "leasehold, fairLock, subscribe",
  open: ({ url, token }, name, terms) => leaseholdOf(connect({ url, token, wake: "subscribe" }), name, terms, fairLock),
};

type UpstashLockConfig = ConstructorParameters<typeof UpstashLock>[0];

const UPSTASH_DELAY_MS = 100;

/** `@upstash/lock`, with its default delay of 100 ms between tries; three tries unless it must wait. */
export const upstashLock: Subject = {
  label: "@upstash/lock",
  open(endpoint, name, { leaseMs, waits, waitMs, timeoutMs }) {
    // The same class, whose types are resolved once as ESM and once as CommonJS.
    const redis = upstashClient(endpoint, timeoutMs) as unknown as UpstashLockConfig["redis"];
    const attempts = waitMs === undefined ? 1_000_000 : waitMs / UPSTASH_DELAY_MS;
    const retry = waits ? { attempts, delay: UPSTASH_DELAY_MS } : undefined;
    const one = new UpstashLock({ id: name, redis, lease: leaseMs, ...(retry ? { retry } : {}) });
    return { acquire: async () => ((await one.acquire()) ? { release: () => one.release() } : null) };
  },
  isHeld: async (endpoint, name) => (await upstashClient(endpoint).exists(name)) === 1,
};

export const COMPARE_AND_DELETE =
  'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0';
const COMPARE_AND_DELETE_SHA = createHash("sha1").update(COMPARE_AND_DELETE).digest("hex");

/**
 * The minimum of a lock: `SET NX PX`, and a compare-and-delete script that the server knows. No token, no retry, no
 * time-out.
 */
export const twoFetches: Subject = {
  label: "two raw fetches",
  open({ url, token }, name, { leaseMs }) {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    async function run(...command: (string | number)[]): Promise<unknown> {
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(command) });
      const answer = (await response.json()) as { result?: unknown; error?: string };
      if (answer.error?.startsWith("NOSCRIPT")) return run("EVAL", COMPARE_AND_DELETE, ...command.slice(2));
      return answer.result;
    }
    return {
      async acquire() {
        const id = randomUUID();
        if ((await run("SET", name, id, "NX", "PX", leaseMs)) !== "OK") return null;
        return { release: async () => (await run("EVALSHA", COMPARE_AND_DELETE_SHA, 1, name, id)) === 1 };
      },
    };
  },
  isHeld: upstashLock.isHeld,
};

type Words = readonly (string | number)[];

/** The two commands of a cycle as leasehold sends them, with scripts that the server already knows. */
async function requestsOf(
  { url, token }: Pick<Endpoint, "url" | "token">,
  name: string,
  leaseMs: number,
): Promise<[Words, Words]> {
  const sent: Words[] = [];
  const watching: typeof fetch = (input, init) => {
    if (typeof init?.body === "string") sent.push(JSON.parse(init.body));
    return fetch(input, init);
  };
  const one = lock(connect({ url, token, fetch: watching }), name, { lease: leaseMs });
  for (let done = 0; done < 2; done++) await (await one.tryAcquire())?.release();
  const [acquire, release] = sent.slice(-2);
  if (acquire?.[0] !== "EVALSHA" || release?.[0] !== "EVALSHA") throw new Error("a cycle is not two EVALSHA any more");
  return [acquire, release];
}

/**
 * The requests that leasehold sends, by two raw fetches: the cost of its scripts and of the lengths of its requests and
 * answers, without its code. No retry, no time-out, and the answers are not checked.
 */
export const sameRequests: Subject = {
  label: "the same requests, raw",
  open({ url, token }, name, { leaseMs }) {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    let known: Promise<[Words, Words]> | undefined;
    async function run(command: Words): Promise<Words> {
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(command) });
      return ((await response.json()) as { result?: Words }).result ?? [];
    }
    return {
      async acquire() {
        known ??= requestsOf({ url, token }, name, leaseMs);
        const [[evalsha = "", sha = "", keys = 1, key = "", , , ...rest], release] = await known;
        const id = randomUUID();
        const [status, , fencingToken = 0] = await run([
          evalsha,
          sha,
          keys,
          key,
          (Date.now() + 2_000) * 1_000,
          id,
          ...rest,
        ]);
        if (status !== "granted") return null;
        const closing = [...release.slice(0, 4), id, fencingToken, ...release.slice(6)];
        return { release: async () => (await run(closing))[0] === "closed" };
      },
    };
  },
  isHeld: leasehold.isHeld,
};
