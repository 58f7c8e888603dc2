import { expect, it } from "vitest";
import { useStack } from "../../support/use-stack.ts";
import { type Stage, setStage } from "./stage.ts";

const LEASE_MS = 500;
const stack = useStack();

/** Somebody else gets the lock when the lease is over, and its first act raises the token. */
async function takeOver({ theirs, name, ledger }: Stage) {
  const lease = await theirs.lock(name).acquire({ lease: "30s", wait: "10s" });
  expect(ledger.raise(lease.token)).toBe(1);
  expect(ledger.write(lease.token, "by the next")).toBe(1);
  return lease;
}

it("a process frozen past its lease knows so when it wakes, and its write is refused", async () => {
  await using stage = await setStage(stack, 5000);
  const { frozen, ledger } = stage;
  const first = (await frozen.ask("acquire", LEASE_MS)) as { token: number };
  expect(first).toMatchObject({ aborted: false });
  expect([await frozen.ask("raise"), await frozen.ask("write")]).toEqual([1, 1]);

  await frozen.freeze();
  const next = await takeOver(stage);
  expect(next.token).toBeGreaterThan(first.token);
  frozen.wake();

  expect(await frozen.ask("look")).toEqual({ remaining: 0, aborted: true });
  expect(await frozen.ask("verify")).toBe(false);
  expect(await frozen.ask("extend")).toMatchObject({ code: "lease_lost" });
  expect(await frozen.ask("write")).toBe(0);
  expect(await frozen.ask("release")).toBe(false);
  expect(ledger.read()).toEqual({ token: next.token, value: "by the next" });
  expect(await next.verify()).toBe(true);
});

it("frozen on the line between its look at the lease and its write, it is refused by the token alone", async () => {
  await using stage = await setStage(stack, 5000);
  const { frozen, ledger } = stage;
  await frozen.ask("acquire", LEASE_MS);
  const waking = frozen.ask("lookFreezeWrite") as Promise<{ remaining: number; rows: number }>;
  await frozen.stopped();
  const next = await takeOver(stage);
  frozen.wake();
  const { remaining, rows } = await waking;
  // All that it could see said that the lease was its own.
  expect(remaining).toBeGreaterThan(0);
  expect(rows).toBe(0);
  expect(ledger.read()).toEqual({ token: next.token, value: "by the next" });
});

it.each(["signal", "remaining", "expiresAt", "throwIfEnded", "extend", "verify", "release", "keepAlive"])(
  "%s says on the first line after a freeze that the lease has ended (E15)",
  async (accessor) => {
    await using stage = await setStage(stack, 5000);
    const { frozen } = stage;
    const way = ["signal", "remaining", "expiresAt", "throwIfEnded", "extend", "verify", "release", "keepAlive"];
    await frozen.ask("acquire", LEASE_MS);
    const looked = frozen.ask("freezeLook", way.indexOf(accessor));
    await frozen.stopped();
    await takeOver(stage);
    frozen.wake();
    const throws = /throwIfEnded|extend|keepAlive/.test(accessor);
    expect(await looked).toEqual(throws ? { code: "lease_lost", reason: "expired" } : true);
  },
);

it("an extend that is in flight when it is frozen does not bring the lease back", async () => {
  await using stage = await setStage(stack, 5000);
  const { frozen, proxy } = stage;
  await frozen.ask("acquire", LEASE_MS);
  // The connection stays, and the request is on its way until the lease is long over.
  proxy.next("hold-extend", ({ keep }) => keep());
  const extending = frozen.ask("extend");
  await proxy.arrived("hold-extend");
  await frozen.freeze();
  const next = await takeOver(stage);
  expect(await proxy.deliver()).not.toContain("extended");
  frozen.wake();
  expect(await extending).toMatchObject({ code: "lease_lost" });
  expect(await frozen.ask("look")).toEqual({ remaining: 0, aborted: true });
  expect(await frozen.ask("write")).toBe(0);
  expect(await next.verify()).toBe(true);
});

it("an attempt frozen past its lease cannot complete what another one took over", async () => {
  await using stage = await setStage(stack, 5000);
  const { frozen, theirs, name, ledger } = stage;
  let first: { token?: number } = {};
  // On a busy machine a short lease may be over before its answer is there, and then nothing has begun.
  while (first.token === undefined) first = (await frozen.ask("begin", LEASE_MS)) as typeof first;
  await frozen.freeze();
  const once = theirs.once(name);
  let turn = await once.begin();
  while (turn.status === "running") {
    await new Promise((resolve) => setTimeout(resolve, 20));
    turn = await once.begin();
  }
  if (turn.status !== "started") throw new Error(`unexpected: ${turn.status}`);
  expect([turn.attempt, turn.lease.token > first.token]).toEqual([2, true]);
  ledger.raise(turn.lease.token);
  frozen.wake();
  expect(await frozen.ask("complete")).toEqual({ code: "lease_lost", reason: "taken" });
  expect(await frozen.ask("write")).toBe(0);
  await turn.complete("by the next");
  expect(await frozen.ask("complete")).toMatchObject({ code: "lease_lost" });
  expect(await once.begin()).toMatchObject({ status: "done", result: "by the next" });
});
