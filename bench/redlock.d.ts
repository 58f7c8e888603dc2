/** The part of redlock 5.0.0-beta.2 that the benchmark and a test use. No current setting of the compiler finds its own types. */
declare module "redlock" {
  import type { Redis } from "ioredis";

  export default class Redlock {
    constructor(clients: readonly Redis[], settings?: { readonly retryCount?: number; readonly retryJitter?: number });
    on(event: "error", listener: (error: unknown) => void): unknown;
    acquire(
      names: readonly string[],
      leaseMs: number,
    ): Promise<{ readonly expiration: number; release(): Promise<unknown> }>;
  }
}
