/** Calls that end the holds of others, in an outage that is longer than the server remembers their IDs. */
import { expect, it } from "vitest";
import { createLocks, type Locks } from "../../../src/index.ts";
import { createTestRedis } from "../../../testing/src/index.ts";
import { turn } from "../../src/index.ts";

type Work = (lease: { readonly signal: AbortSignal }) => Promise<unknown>;
type Take = (locks: Locks, work: Work) => Promise<unknown>;
const TAKES: Readonly<Record<string, Take>> = {
  "a turn that supersedes": (locks, work) =>
    turn(locks, "a", { onBusy: "supersede", lease: "5s", wait: "10m" }, (mine) => work(mine)),
  "a steal": (locks, work) => locks.request("a", { steal: true, lease: "5s", wait: "10m" }, work),
};

it.each(Object.entries(TAKES))("%s does not take the name back from a later call (B8)", async (_, take) => {
  const redis = createTestRedis();
  let isAway = false;
  const { fetch: send, ...options } = redis.options;
  /** Loses the answer to the first grant, and then every request. */
  const losing: typeof send = async (...request) => {
    if (isAway) throw new TypeError("fetch failed");
    const response = await send(...request);
    isAway = (await response.clone().text()).includes('"granted"');
    if (isAway) throw new TypeError("fetch failed");
    return response;
  };
  const earlier = take(createLocks({ ...options, fetch: losing }), () => expect.unreachable("it must not work")).catch(
    (error: unknown) => error,
  );
  await redis.advance("1s");
  expect(isAway).toBe(true);

  let end = (): void => {};
  let later: AbortSignal | undefined;
  const working = take(createLocks(redis.options), async ({ signal }) => {
    later = signal;
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    return "done";
  });
  // Longer than the retention of a minute, in steps in which the later call extends its lease.
  for (let second = 0; second < 120; second++) await redis.advance("1s");
  isAway = false;
  for (let second = 0; second < 30; second++) await redis.advance("1s");
  expect(later?.aborted).toBe(false);
  expect(await earlier).toMatchObject({ code: expect.stringMatching(/^(lease_lost|lock_timeout|outcome_unknown)$/) });
  end();
  await redis.advance("1s");
  await working;
});
