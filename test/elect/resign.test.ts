import { describe, expect, it } from "vitest";
import { elect } from "../../src/elect/index.ts";
import { createLocks, type Lease, type LeaseholdEvent, type Locks } from "../../src/index.ts";
import { heldBack } from "../faults/faults.ts";
import { startWorld } from "../faults/world.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack({ warm: true });
const make = (more: object = {}): Locks => createLocks({ url: stack.url, token: stack.token, ...more });

/** Work as in the documents: it ends when its signal aborts. */
const untilAborted = ({ signal }: Lease): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });

/** A leader that works, with a lease of an hour: whatever waits for its end never ends in a test. */
async function lead(locks: Locks, name: string, work: (lease: Lease) => unknown = untilAborted, lease = 3_600_000) {
  const stop = new AbortController();
  const lost: string[] = [];
  let led = (_: Lease): void => {};
  const leading = new Promise<Lease>((resolve) => {
    led = resolve;
  });
  const done = elect(locks, name, {
    lease,
    signal: stop.signal,
    async onGained(held) {
      led(held);
      await work(held);
    },
    onLost: ({ reason }) => void lost.push(reason),
  });
  return { held: await leading, done, stop, lost };
}

describe.concurrent("elect, on resigning", () => {
  it("aborts the work's signal at once, with the campaign's reason, and frees the name (E14)", async () => {
    const name = freshName();
    const events: LeaseholdEvent[] = [];
    const { held, done, stop, lost } = await lead(
      make({ onEvent: (event: LeaseholdEvent) => events.push(event) }),
      name,
    );
    const { signal } = held;
    const reason = new Error("SIGTERM");
    expect(signal.aborted).toBe(false);
    stop.abort(reason);
    expect(signal.aborted).toBe(true);
    expect([signal.reason, held.signal]).toEqual([reason, signal]);
    await done;
    expect(lost).toEqual(["resigned"]);
    expect((await make().lock(name).inspect()).state).toBe("free");
    expect(events.filter(({ type }) => type === "lost")).toEqual([]);
    expect(events.filter(({ type }) => type === "released")).toHaveLength(1);
  });

  it("holds the lease until the work has ended, so that a last write is still under it (E14)", async () => {
    const name = freshName();
    let flush = (): void => {};
    const flushing = new Promise<void>((resolve) => {
      flush = resolve;
    });
    const { held, done, stop } = await lead(make(), name, async (lease) => {
      await untilAborted(lease);
      await flushing;
      lease.throwIfEnded();
    });
    stop.abort();
    await pause(200);
    held.throwIfEnded();
    expect(await held.verify()).toBe(true);
    expect((await make().lock(name).inspect()).state).toBe("held");
    flush();
    await done;
    expect(held.throwIfEnded).toThrow(expect.objectContaining({ reason: "released" }));
    expect((await make().lock(name).inspect()).state).toBe("free");
  });

  it("aborts the signal with the loss where the lease was lost, and with the failure where the work failed (E14)", async () => {
    const name = freshName();
    const { held, done, stop, lost } = await lead(make(), name, untilAborted, 3000);
    const { signal } = held;
    await make().lock(name).forceRelease();
    while (!signal.aborted) await pause(20);
    expect(signal.reason).toMatchObject({ code: "lease_lost", reason: "forced" });
    expect(lost[0]).toBe("forced");
    stop.abort();
    await done;

    const failure = new Error("the work failed");
    const failed = await lead(make(), freshName(), async () => {
      await pause(20);
      throw failure;
    });
    await expect(failed.done).rejects.toBe(failure);
    expect(failed.held.signal.reason).toBe(failure);
  });

  it("gives up the extension that is under way, and retries nothing until the lease ends (E14)", async () => {
    await using world = await startWorld(stack);
    const end = world.proxy.always("hold-extend", heldBack);
    const { held, done, stop } = await lead(world.ours, world.name, untilAborted, 9000);
    await world.proxy.arrived("hold-extend");
    stop.abort();
    await done;
    const extended = () => world.proxy.count(({ script }) => script === "hold-extend");
    const sent = extended();
    expect(Date.now()).toBeLessThan(held.expiresAt - 3000);
    await pause(1500);
    expect(extended()).toBe(sent);
    end();
    // What was under way arrives, and brings nothing back.
    await world.proxy.deliver();
    expect((await world.theirs.lock(world.name).inspect()).state).toBe("free");
  });

  it.each(["leader", "follower"])("a %s ends long before its lease while Redis is away (E14)", async (who) => {
    await using world = await startWorld(stack);
    const name = freshName();
    if (who === "leader") {
      const { done, stop } = await lead(world.ours, name, untilAborted, 600_000);
      await world.proxy.close();
      stop.abort();
      return done;
    }
    const stop = new AbortController();
    await world.theirs.lock(name).acquire({ lease: "10m" });
    const done = elect(world.ours, name, { signal: stop.signal, lease: "10m", onGained: () => expect.unreachable() });
    await world.proxy.arrived("lock-acquire");
    await world.proxy.close();
    await pause(500);
    stop.abort();
    return done;
  });

  it.each<[string, (lease: Lease) => unknown]>([
    ["signal", (lease) => lease.signal],
    ["remaining", (lease) => lease.remaining],
    ["throwIfEnded", (lease) => expect(lease.throwIfEnded).toThrow(expect.objectContaining({ reason: "expired" }))],
  ])("calls onLost on the first look of a leader that froze: %s (E15)", async (_, look) => {
    let frozenMs = 0;
    const clock = { now: () => Date.now() + frozenMs, monotonic: () => performance.now() + frozenMs };
    const { held, done, stop, lost } = await lead(make({ clock }), freshName());
    const { signal } = held;
    frozenMs = 2 * 3_600_000;
    look(held);
    expect(lost).toEqual(["expired"]);
    expect(signal.reason).toMatchObject({ code: "lease_lost", reason: "expired" });
    stop.abort();
    await done;
  });
});
