import { type Connection, lock } from "../../src/index.ts";

export const WAITERS = 20;

/** Waits for a held lock with many waiters, each giving it back at once. Returns when each had its turn. */
export async function waitThrough(connection: Connection, name: string, wait: string): Promise<number[]> {
  // The server loses this hold, as it loses everything else.
  await lock(connection, name).acquire({ lease: "30m", wait: "5s" });
  return Promise.all(
    Array.from({ length: WAITERS }, async () => {
      const lease = await lock(connection, name).acquire({ wait: wait as "1m" });
      const at = Date.now();
      await lease.release();
      return at;
    }),
  );
}
