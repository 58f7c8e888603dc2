import { describe, expect, it } from "vitest";
import { pause } from "../support/client.ts";
import { startRelay } from "../support/relay.ts";
import { heldNow, holdingStage, waitingLocks } from "./stage.ts";

const it_ = holdingStage();

/** Longer than the gateway lets a held request go without a try. */
const TRIED_MS = 1_500;

describe("a client that disconnects while its held request is tried", () => {
  it("costs nobody else anything: the connection to Redis stays, and so do the requests on it (W3)", async () => {
    const relay = await startRelay(it_.redis.port);
    try {
      const gateway = await it_.serve({ redis: relay.url });
      const { locks } = waitingLocks(gateway.url);
      const { locks: others, heard } = waitingLocks(gateway.url);
      // Redis knows the scripts from here on.
      await others.lock("warm").run({}, async () => {});
      const first = await locks.lock("a").acquire({ lease: "60s" });
      const second = await others.lock("b").acquire({ lease: "60s" });
      const away = new AbortController();
      const aborted = locks.lock("a").acquire({ wait: "30s", signal: away.signal });
      const waiter = others.lock("b").acquire({ wait: "30s", lease: "30s" });
      await heldNow(gateway, 2);
      const before = [relay.connections, heard.requests];
      const { pass } = relay.holdBack();
      await pause(TRIED_MS);
      away.abort();
      await expect(aborted).rejects.toThrow();
      await pause(100);
      pass();
      expect(await second.release()).toBe(true);
      const lease = await waiter;
      expect(await lease.release()).toBe(true);
      await first.release();
      // Two releases, and no retry.
      expect([relay.connections, heard.requests - 2]).toEqual(before);
    } finally {
      await relay.close();
    }
  });
});
