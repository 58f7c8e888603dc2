import { expect, it } from "vitest";
import type { Fault, Seen } from "../support/proxy.ts";
import { useStack } from "../support/use-stack.ts";
import { answerLost } from "./faults.ts";
import { started } from "./site.ts";
import { startWorld, type World } from "./world.ts";

const stack = useStack({ warm: true });

interface Call {
  readonly script: string;
  /** The state before, and the call that meets the restart. */
  arrange(world: World, name: string): Promise<() => Promise<unknown>>;
  /** The outcome that it must have. */
  readonly expected: unknown;
}

const lost = { code: "lease_lost", reason: "gone" };

/** A server without its data has no memory of any lease; "gone" is neither "taken" nor "held by somebody else". */
const calls: Record<string, Call> = {
  tryAcquire: {
    script: "lock-acquire",
    arrange:
      async ({ client }, name) =>
      () =>
        client({ requestTimeout: "3s" }).lock(name).tryAcquire(),
    expected: { holds: 1 },
  },
  acquire: {
    script: "lock-acquire",
    arrange:
      async ({ client }, name) =>
      () =>
        client({ requestTimeout: "3s" }).lock(name).acquire(),
    expected: { holds: 1 },
  },
  extend: {
    script: "hold-extend",
    arrange: async ({ ours }, name) => {
      const lease = await ours.lock(name).acquire();
      return () => lease.extend();
    },
    expected: lost,
  },
  verify: {
    script: "hold-extend",
    arrange: async ({ client }, name) => {
      const lease = await client({ requestTimeout: "3s" }).lock(name).acquire();
      return () => lease.verify();
    },
    expected: false,
  },
  release: {
    script: "lock-close",
    arrange: async ({ ours }, name) => {
      const lease = await ours.lock(name).acquire();
      return () => lease.release();
    },
    expected: false,
  },
  inspect: {
    script: "record-inspect",
    arrange: async ({ client, theirs }, name) => {
      await theirs.lock(name).acquire();
      return () => client({ requestTimeout: "3s" }).lock(name).inspect();
    },
    expected: { state: "free" },
  },
  forceRelease: {
    script: "record-force",
    arrange: async ({ client, theirs }, name) => {
      await theirs.lock(name).acquire();
      return () => client({ requestTimeout: "3s" }).lock(name).forceRelease();
    },
    expected: false,
  },
  begin: {
    script: "once-begin",
    arrange:
      async ({ client }, name) =>
      () =>
        client({ requestTimeout: "3s" }).once(name).begin(),
    expected: { status: "started", attempt: 1 },
  },
  complete: {
    script: "once-complete",
    arrange: async ({ client }, name) => {
      const turn = started(await client({ requestTimeout: "3s" }).once(name).begin());
      return () => turn.complete("result");
    },
    expected: lost,
  },
  fail: {
    script: "once-close",
    arrange: async ({ ours }, name) => {
      const turn = started(await ours.once(name).begin());
      return () => turn.fail();
    },
    expected: false,
  },
};

/** Resolves for everybody once `count` have come and `then` is done. */
function meeting(count: number, then: () => Promise<unknown>): () => Promise<unknown> {
  let here = 0;
  let open: (value: Promise<unknown>) => void;
  const met = new Promise<unknown>((resolve) => {
    open = resolve;
  });
  return () => {
    if (++here === count) open(then());
    return met;
  };
}

/** All calls at once, each on a name of its own; the server goes down when all their requests are at the proxy. */
async function allMeet(world: World, fault: (met: () => Promise<unknown>) => Fault): Promise<void> {
  const { proxy, stack } = world;
  const entries = Object.entries(calls);
  const met = meeting(entries.length, () => stack.redis.restart(50));
  const nameOf = (what: string): string => `${world.name}-${what}`;
  const arranged = await Promise.all(entries.map(([what, { arrange }]) => arrange(world, nameOf(what))));
  const tokens = await Promise.all(entries.map(([what]) => tokenOf(world, nameOf(what))));
  for (const [what, { script }] of entries) {
    const match = (seen: Seen): boolean => seen.script === script && seen.body.includes(`{${nameOf(what)}}`);
    proxy.next(match, fault(met));
  }
  const outcomes = await Promise.all(arranged.map((call) => call().catch((error: unknown) => error)));
  for (const [index, [what, { expected }]] of entries.entries()) {
    const outcome = outcomes[index];
    if (typeof expected === "object") expect(outcome, what).toMatchObject(expected ?? {});
    else expect(outcome, what).toBe(expected);
    world.keepsSecrets(outcome);
    const held = what.startsWith("try") || what === "acquire" || what === "begin";
    const next = await (what === "begin" || what === "complete" || what === "fail"
      ? world.theirs
          .once(nameOf(what))
          .begin()
          .then((turn) => (turn.status === "started" ? turn.lease : null))
      : world.theirs.lock(nameOf(what)).tryAcquire());
    // Held by whoever won it, or free with the next request; and the clock keeps the tokens rising.
    expect(next === null, what).toBe(held);
    const token = next?.token ?? (await tokenOf(world, nameOf(what)));
    expect(token, what).toBeGreaterThan(tokens[index] ?? 0);
  }
  expect(proxy.unmet()).toBe(0);
}

async function tokenOf({ theirs }: World, name: string): Promise<number> {
  const read = name.match(/-(begin|complete|fail)$/) ? theirs.once(name) : theirs.lock(name);
  return (await read.inspect()).token;
}

it("Redis is stopped before the request arrives, and starts again empty", async () => {
  await using world = await startWorld(stack);
  await allMeet(world, (met) => async ({ forward, answer }) => {
    await met();
    answer(await forward());
  });
});

it("Redis is stopped after the script ran and before its answer arrives, and starts again empty", async () => {
  await using world = await startWorld(stack);
  await allMeet(world, (met) => async (exchange) => {
    await exchange.forward();
    await met();
    await answerLost(exchange);
  });
});

it("while Redis is gone nothing is said to be held by anybody", async () => {
  await using world = await startWorld(stack);
  const { ours, theirs, name, events } = world;
  const lease = await ours.lock(name).tryAcquire({ lease: 700 });
  // One that is not over before the answer could come.
  const longer = await ours.lock(`${name}-longer`).tryAcquire();
  const back = stack.redis.restart(3_500);
  const calls = [ours.lock(name).tryAcquire(), ours.lock(name).inspect(), ours.once(name).begin(), longer?.verify()];
  for (const outcome of await Promise.allSettled(calls)) {
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "outcome_unknown" } });
  }
  expect(events.map(({ type }) => type)).not.toContain("refused");
  await back;
  expect((await theirs.lock(name).acquire()).token).toBeGreaterThan(lease?.token ?? 0);
});
