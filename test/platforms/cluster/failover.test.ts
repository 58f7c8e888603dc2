import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks, type Locks } from "../../../src/index.ts";
import { type Cluster, startCluster } from "../../../tools/redis-topologies.ts";
import { type Front, freshName, pause, startFront } from "../../support/stack.ts";

let cluster: Cluster;
let front: Front;
let locks: Locks;
beforeAll(async () => {
  cluster = await startCluster(3, 1);
  front = await startFront(cluster);
  locks = createLocks({ url: front.url, token: front.token });
});
afterAll(() => front?.stop());

describe("a cluster that loses a primary", () => {
  it("keeps the locks, and tokens keep rising", async () => {
    // Names enough that each of the three has some.
    const names = Array.from({ length: 12 }, () => freshName("failover"));
    const replicas = { min: 1 };
    const held = await Promise.all(names.map((name) => locks.lock(name).acquire({ lease: "60s", replicas })));
    await cluster.servers[0]?.kill();

    for (const lease of held) {
      // Until the others have noticed, nobody can say.
      let ours: boolean | undefined;
      for (const end = performance.now() + 20_000; ours === undefined && performance.now() < end; ) {
        ours = await lease.verify().catch(() => pause(100).then(() => undefined));
      }
      expect(ours).toBe(true);
      expect(await locks.lock(lease.name).tryAcquire()).toBeNull();
      await lease.extend("60s");
      expect(await lease.release()).toBe(true);
      const next = await locks.lock(lease.name).acquire();
      expect(next.token).toBeGreaterThan(lease.token);
    }
  });
});
