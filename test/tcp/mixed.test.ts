import { afterAll, describe, expect, it } from "vitest";
import { createLocks, type Locks } from "../../src/index.ts";
import { EARLIER_CLIENTS, TCP_CLIENTS, type TcpClient } from "../support/tcp-clients.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
const open: TcpClient[] = [];
afterAll(() => {
  for (const client of open) client.close();
});

/** One and the same Redis, by HTTP as a Worker reaches it and by TCP as services of any version do. */
function fleet(): Locks[] {
  const tcp = Object.values({ ...TCP_CLIENTS, ...EARLIER_CLIENTS }).map((make) => make(stack.redis.url));
  open.push(...tcp);
  const { url, token } = stack;
  return [createLocks({ url, token }), ...tcp.map(({ redis }) => createLocks({ redis }))];
}

describe("a fleet over HTTP and TCP", () => {
  it("excludes one another, whoever holds, and tokens rise from each to the next", async () => {
    const members = fleet();
    const name = freshName();
    let last = 0;
    for (const holder of [...members, ...members]) {
      const lease = await holder.lock(name).acquire({ lease: "20s" });
      expect(lease.token).toBeGreaterThan(last);
      last = lease.token;
      for (const other of members) expect(await other.lock(name).tryAcquire()).toBeNull();
      expect(await lease.release()).toBe(true);
    }
  });

  it("loses no update of a counter", async () => {
    const members = fleet();
    const name = freshName();
    let counter = 0;
    const add = async (locks: Locks): Promise<void> => {
      for (let round = 0; round < 5; round++) {
        await locks.lock(name).run({ wait: "20s" }, async () => {
          const read = counter;
          await new Promise((resolve) => setTimeout(resolve, 1));
          counter = read + 1;
        });
      }
    };
    await Promise.all([...members, ...members].map(add));
    expect(counter).toBe(2 * 5 * members.length);
  });

  it("hands a lease from one to the other by its ticket, and a waiter of one follows a holder of the other", async () => {
    const [http, ...services] = fleet() as [Locks, ...Locks[]];
    for (const service of services) {
      const name = freshName();
      const lease = await http.lock(name).acquire({ lease: "20s" });
      const resumed = await service.resume(lease.ticket());
      expect(await resumed.verify()).toBe(true);
      const waiting = http.lock(name).acquire({ wait: "10s" });
      expect(await resumed.release()).toBe(true);
      expect((await waiting).token).toBeGreaterThan(lease.token);
    }
  });
});
