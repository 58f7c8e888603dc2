import { createTestRedis } from "leasehold-testing";
import { expect, it } from "vitest";
import { createClient } from "../../verification/histories/client.ts";
import type { Order } from "../../verification/histories/orders.ts";

const TRY_ONCE = -1;
const acquire = (id: number, wait: number): Order => ({
  ...{ id, kind: "lock", name: "a", action: "acquire", hold: id, reentryKey: "", reentrant: false, lease: 10_000 },
  ...{ wait, side: "write", permits: 0, max: 0, value: "", slot: "", ticket: "", apart: false },
});

it("reports no error for a refused acquisition", async () => {
  const answer = createClient(createTestRedis({ time: "real" }).options);
  expect(await answer(acquire(1, 0))).toMatchObject({ status: "ok" });
  expect(await answer(acquire(2, 0))).toEqual({ id: 2, status: "refused" });
  expect(await answer(acquire(3, TRY_ONCE))).toEqual({ id: 3, status: "failed" });
});

it("reports the error of an acquisition that was cancelled without an answer", { timeout: 20_000 }, async () => {
  const redis = createTestRedis({ time: "real" });
  const answer = createClient(redis.options);
  redis.fault({ kind: "answer lost", on: "acquire", times: Infinity });
  expect(await answer(acquire(1, 0))).toEqual({ id: 1, status: "failed", isError: true });
});
