/** Digests are computed by other threads, and a busy machine may finish one of them late. */
import { expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { createTestRedis } from "../src/index.ts";

/** How late a digest is finished, in real ms. */
const LATE_MS = 60;

it.each(["digest", "sign", "importKey"] as const)("the clock does not advance while %s is late", async (method) => {
  const { subtle } = crypto;
  const real = subtle[method] as (...args: unknown[]) => Promise<unknown>;
  const slow = async (...args: unknown[]): Promise<unknown> => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    return real.apply(subtle, args);
  };
  Object.defineProperty(subtle, method, { value: slow, configurable: true, writable: true });
  try {
    const redis = createTestRedis();
    const { clock, ...options } = redis.options;
    const start = clock.now();
    const locks = createLocks({ ...options, clock, ticketKey: "a key of this test" });
    const called = locks.lock("invoice:42").tryAcquire({ lease: "1m", reentryKey: "one" });
    const ended = called.then(() => clock.now());
    await redis.advance("10s");
    expect(redis.requests[0]?.at).toBe(start);
    expect(await ended).toBe(start);
  } finally {
    Object.defineProperty(subtle, method, { value: real, configurable: true, writable: true });
  }
});
