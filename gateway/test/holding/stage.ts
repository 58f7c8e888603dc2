import { connect, createLocks, type Locks } from "../../../src/index.ts";
import type { RedisServer } from "../../../tools/redis.ts";
import { TOKEN } from "../support/client.ts";

/** What a client of the tests heard of the server. */
export interface Heard {
  /** How many requests it made, and how many of them were held. */
  requests: number;
  held: number;
}

/** Locks whose requests ask to be held, over a gateway; counts what comes back. */
export function waitingLocks(url: string, token: string = TOKEN): { readonly locks: Locks; readonly heard: Heard } {
  const heard: Heard = { requests: 0, held: 0 };
  const locks = createLocks(
    connect({
      url,
      token,
      async fetch(input, init) {
        heard.requests++;
        const response = await fetch(input, { ...init, headers: { ...init?.headers, prefer: "wait=5" } });
        if (response.headers.get("preference-applied") === "wait") heard.held++;
        return response;
      },
    }),
  );
  return { locks, heard };
}

/** The Redis commands that were run since the last reset, those inside of scripts included. */
export async function commandsSince(redis: RedisServer): Promise<number> {
  const info = await redis.command("INFO", "commandstats");
  let sum = 0;
  for (const [, name = "", count] of info.matchAll(/cmdstat_(\S+?):calls=(\d+)/g)) {
    if (!/^(config|info|quit|ping|hello|client)/.test(name)) sum += Number(count);
  }
  return sum;
}
