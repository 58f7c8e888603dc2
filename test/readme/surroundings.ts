import { createLocks, type Lease, type Locks } from "../../src/index.ts";

/** What the README's examples take for granted: typed here for the compiler, and real enough to run them. */
export interface Surroundings {
  readonly url: string;
  readonly token: string;
  readonly env: { readonly UPSTASH_REDIS_REST_URL: string; readonly UPSTASH_REDIS_REST_TOKEN: string };
  readonly locks: Locks;
  readonly lease: Lease;
  readonly ctx: { waitUntil(promise: Promise<unknown>): void };
  readonly deliveryId: string;
  readonly body: string;
  charge(what: { invoice: number; fencingToken: number; signal: AbortSignal }): Promise<void>;
  record(token: number): Promise<void>;
  respond(status: number, body?: unknown): void;
  settle(signal: AbortSignal): Promise<string>;
  build(): Promise<void>;
}

export async function surroundings(url: string, token: string): Promise<{ globals: Surroundings; calls: string[] }> {
  const calls: string[] = [];
  const note = (what: string) => async (): Promise<void> => void calls.push(what);
  const locks = createLocks({ url, token });
  return {
    calls,
    globals: {
      url,
      token,
      env: { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token },
      locks,
      lease: await locks.lock("invoice for the database").acquire(),
      ctx: { waitUntil: () => void calls.push("waitUntil") },
      deliveryId: crypto.randomUUID(),
      body: "{}",
      charge: note("charge"),
      record: note("record"),
      respond: (status) => void calls.push(`respond ${status}`),
      settle: async () => "settled",
      build: note("build"),
    },
  };
}
