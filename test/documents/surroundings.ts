import { createLocks, type Locks } from "../../src/index.ts";

/** The names that the examples take for granted: typed here for the compiler, and real enough to run them. */
export interface Surroundings {
  readonly url: string;
  readonly token: string;
  readonly env: {
    readonly UPSTASH_REDIS_REST_URL: string;
    readonly UPSTASH_REDIS_REST_TOKEN: string;
    /** The address of a Redis over TCP. */
    readonly REDIS_URL: string;
    readonly REDIS_A_URL: string;
    readonly REDIS_B_URL: string;
    readonly REDIS_C_URL: string;
    readonly GITHUB_SECRET: string;
  };
  readonly locks: Locks;
  readonly ctx: { waitUntil(promise: Promise<unknown>): void };
  readonly deliveryId: string;
  readonly body: string;
  charge(what: { invoice: number; fencingToken: number; signal: AbortSignal }): Promise<void>;
  record(token: number): Promise<void>;
  respond(status: number, body?: unknown): void;
  settle(signal: AbortSignal): Promise<string>;
  build(): Promise<void>;
  send(message: { tenant: string; ticket: string }): Promise<void>;
  oldLock(name: string, work: () => Promise<void>): Promise<void>;
}

export const SECRET = "the secret of the hook";

/** `others`: two more servers, for a quorum. `redisUrl`: the Redis behind `url`. */
export function surroundings(
  url: string,
  token: string,
  others: readonly [string, string],
  redisUrl = "",
): { globals: Surroundings; calls: string[] } {
  const calls: string[] = [];
  const note = (what: string) => async (): Promise<void> => void calls.push(what);
  const locks = createLocks({ url, token });
  return {
    calls,
    globals: {
      url,
      token,
      env: {
        UPSTASH_REDIS_REST_URL: url,
        UPSTASH_REDIS_REST_TOKEN: token,
        REDIS_URL: redisUrl,
        REDIS_A_URL: url,
        REDIS_B_URL: others[0],
        REDIS_C_URL: others[1],
        GITHUB_SECRET: SECRET,
      },
      locks,
      ctx: { waitUntil: () => void calls.push("waitUntil") },
      deliveryId: crypto.randomUUID(),
      body: "{}",
      charge: note("charge"),
      record: note("record"),
      respond: (status) => void calls.push(`respond ${status}`),
      settle: async () => "settled",
      build: note("build"),
      send: note("send"),
      oldLock: async (_, work) => {
        calls.push("oldLock");
        await work();
      },
    },
  };
}
