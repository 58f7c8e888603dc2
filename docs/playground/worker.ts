import type { RedisFence } from "../../src/fence/index.ts";
import type { Lock } from "../../src/index.ts";

/** The means of an instance of the application. */
export interface Instance {
  readonly name: string;
  readonly lock: Pick<Lock, "acquire">;
  readonly fence: Pick<RedisFence, "claim" | "write">;
  /** Takes a while, as charging an invoice does. */
  work(seconds: number): Promise<void>;
  rest(seconds: number): Promise<void>;
  report(error: unknown): void;
}

// The code that each instance runs.
export async function run({ name, lock, fence, work, rest, report }: Instance): Promise<never> {
  for (let round = 1; ; round++) {
    try {
      const lease = await lock.acquire({ lease: "8s", wait: "1h", label: name });
      try {
        await fence.claim(lease); // from here on no older holder can write
        await work(3);
        // A look at lease.signal does not replace the fence:
        // an instance can freeze right after it.
        await fence.write(lease, `${name}, round ${round}`);
      } finally {
        await lease.release();
      }
    } catch (error) {
      report(error); // a StaleTokenError, for one: somebody else has gone on
    }
    await rest(2);
  }
}
