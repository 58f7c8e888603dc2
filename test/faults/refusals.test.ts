import { describe, expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { lockSites, staysFree } from "../kinds/lock/sites.ts";
import { onceSites } from "../kinds/once/sites.ts";
import type { Fault } from "../support/proxy.ts";
import { useStack } from "../support/use-stack.ts";
import { instead, internalError, ranBut, rateLimited, wrongToken } from "./faults.ts";
import { fails, overcomes } from "./play.ts";
import type { Site } from "./site.ts";
import { startWorld, TIMEOUT_MS, type Way } from "./world.ts";

const stack = useStack({ warm: true });
const sites = [...lockSites, ...onceSites];
const ways: readonly Way[] = ["own transport", "@upstash/redis"];

/** A refused result is followed by the mark that the work is done: the same reason refuses both. */
const requestsOf = (site: Site): number => (site.name === "complete" ? 2 : 1);
const allOf = (site: Site, fault: Fault): Fault[] => Array.from({ length: requestsOf(site) }, () => fault);

describe.concurrent.each(sites)("refused before it ran: $name", (site) => {
  it.each(ways)("a wrong API token is an UnauthorizedError at once, by %s", async (way) => {
    const { error } = await fails(stack, way, site, allOf(site, wrongToken), "unauthorized");
    expect(error).toHaveProperty("name", "UnauthorizedError");
  });

  it("429 with a Retry-After is waited for, or said when there is no time for it", async () => {
    const seconds = site.patient ? 1 : 3;
    const list = [instead(rateLimited(seconds))];
    if (site.patient) {
      const start = performance.now();
      await overcomes(stack, "own transport", site, list);
      expect(performance.now() - start).toBeGreaterThan(1000);
    } else {
      const { error } = await fails(stack, "own transport", site, list, "rate_limited");
      expect(error).toMatchObject({ name: "RateLimitedError", retryAfterMs: 3000 });
    }
  });
});

it.concurrent.each(sites.filter(({ script }) => /acquire|begin/.test(script)))(
  "500 with JSON after it ran leaves nothing held: $name",
  async (site) => {
    await fails(stack, "own transport", site, [ranBut(internalError)], "redis_error");
  },
);

it("a server that keeps limiting the rate causes a RateLimitedError with the server's text", async () => {
  await using world = await startWorld(stack);
  const stop = world.proxy.always(() => true, instead(rateLimited()));
  const silent = await world.ours
    .lock(world.name)
    .tryAcquire()
    .catch((error: unknown) => error);
  expect(silent).toMatchObject({ code: "rate_limited" });
  expect((silent as { retryAfterMs?: number }).retryAfterMs ?? 0).toBe(0);
  stop();
  const inAnHour = { ...rateLimited(), headers: { "retry-after": new Date(Date.now() + 3_600_000).toUTCString() } };
  world.proxy.always(() => true, instead(inAnHour));
  const said = await world.ours
    .lock(world.name)
    .tryAcquire()
    .catch((error: unknown) => error);
  const { retryAfterMs } = said as { retryAfterMs: number };
  expect([retryAfterMs > 3_500_000, retryAfterMs <= 3_600_000]).toEqual([true, true]);
  await staysFree(world);
});

it.each(ways)("a client with a wrong API token is refused everywhere, by %s", async (way) => {
  await using world = await startWorld(stack, way);
  const { proxy, name } = world;
  const lease = await world.ours.lock(name).tryAcquire();
  proxy.always(() => true, wrongToken);
  const one = world.ours.lock(name);
  const calls = [
    () => one.tryAcquire(),
    () => one.acquire({ wait: "5s" }),
    () => one.run(() => {}),
    () => one.inspect(),
    () => one.forceRelease(),
    () => lease?.verify(),
    () => lease?.extend(),
    () => world.ours.once(name).begin(),
    () => lease?.release(),
  ];
  for (const call of calls) {
    const before = proxy.count();
    const error = await Promise.resolve(call()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "unauthorized" });
    expect(proxy.count() - before).toBe(1);
    world.keepsSecrets(error);
  }
  expect(await world.theirs.lock(name).inspect()).toMatchObject({ state: "held", token: lease?.token });
  await world.theirs.lock(name).forceRelease();
  await staysFree(world);
  const wrong = createLocks({ url: stack.url, token: "another-token", requestTimeout: TIMEOUT_MS });
  await expect(wrong.lock(name).tryAcquire()).rejects.toMatchObject({ code: "unauthorized" });
});
