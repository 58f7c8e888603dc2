import { describe, expect, it } from "vitest";
import { gate } from "../../../agents/test/turn/stage.ts";
import { createLocks, type Locks, singleFlight } from "../../../src/index.ts";
import { answerLost, onItsWay } from "../../faults/faults.ts";
import { startWorld } from "../../faults/world.ts";
import { startFrozen } from "../../platforms/freeze/frozen.ts";
import { freshName, pause, useStack } from "../../support/use-stack.ts";

const stack = useStack({ warm: true });
const locks = (more: object = {}): Locks => createLocks({ url: stack.url, token: stack.token, ...more });
const never = (): never => expect.unreachable("the work must not run");
const TTL = { ttl: "1m" } as const;

describe.concurrent("singleFlight", () => {
  it("works once for twenty who call at once, and all of them get the result", async () => {
    const key = freshName();
    let runs = 0;
    const work = async (): Promise<{ access: string }> => {
      runs++;
      await pause(200);
      return { access: "token" };
    };
    const results = await Promise.all(Array.from({ length: 20 }, () => singleFlight(locks(), key, TTL, work)));
    expect(results).toEqual(Array.from({ length: 20 }, () => ({ access: "token" })));
    expect(runs).toBe(1);
    expect(await singleFlight(locks(), key, TTL, never)).toEqual({ access: "token" });
  });

  it("works anew once the result is forgotten, under a higher token", async () => {
    const key = freshName();
    const token = () => singleFlight(locks(), key, { ttl: 150 }, (lease) => lease.token);
    const first = await token();
    await pause(250);
    expect(await token()).toBeGreaterThan(first);
  });

  it("gives what the work throws to its caller alone, and another one works", async () => {
    const key = freshName();
    const begun = gate();
    const failing = singleFlight(locks(), key, TTL, async () => {
      begun.open();
      await pause(100);
      throw new Error("the provider is down");
    });
    const failed = expect(failing).rejects.toThrow("the provider is down");
    await begun.opened;
    expect(await singleFlight(locks(), key, TTL, () => "second")).toBe("second");
    await failed;
  });

  it("waits no longer than `wait`, and does not touch another caller's work", async () => {
    const key = freshName();
    const begun = gate();
    const end = gate();
    const first = singleFlight(locks(), key, TTL, async () => {
      begun.open();
      await end.opened;
      return "first";
    });
    await begun.opened;
    const second = singleFlight(locks(), key, { ...TTL, wait: 100 }, never);
    await expect(second).rejects.toMatchObject({ code: "lock_timeout" });
    const stop = AbortSignal.timeout(50);
    await expect(singleFlight(locks(), key, { ...TTL, signal: stop }, never)).rejects.toMatchObject({
      name: "TimeoutError",
    });
    end.open();
    expect(await first).toBe("first");
  });

  it("runs for longer than its lease", async () => {
    const key = freshName();
    const options = { ...TTL, lease: "1500ms" } as const;
    const begun = gate();
    const first = singleFlight(locks(), key, options, async () => {
      begun.open();
      await pause(3000);
      return "first";
    });
    await begun.opened;
    const second = pause(2000).then(() => singleFlight(locks(), key, options, never));
    expect(await Promise.all([first, second])).toEqual(["first", "first"]);
  });

  it("says so to the others where the result cannot be stored, and does not work again", async () => {
    const key = freshName();
    const large = "x".repeat(300_000);
    expect(await singleFlight(locks(), key, TTL, () => large)).toBe(large);
    await expect(singleFlight(locks(), key, TTL, never)).rejects.toMatchObject({
      code: "no_result",
      message: `the work of "${key}" was done by another call, and its result could not be stored`,
    });
  });

  it("works once where an answer is lost, or a request arrives after all is done", async () => {
    for (const fault of [answerLost, onItsWay]) {
      await using world = await startWorld(stack);
      const { proxy, ours, theirs, name } = world;
      let runs = 0;
      for (const script of ["once-begin", "once-complete"]) proxy.next(script, fault);
      expect(await singleFlight(ours, name, TTL, () => ++runs)).toBe(1);
      expect(proxy.unmet()).toBe(0);
      await proxy.deliver();
      await proxy.replay();
      expect(await singleFlight(theirs, name, TTL, never)).toBe(1);
    }
  });

  it("reports a mistake at the call, in words", async () => {
    const wrong = (options: unknown, work: unknown = () => 1): Promise<unknown> =>
      singleFlight(locks(), "a", options as never, work as never);
    await expect(wrong({})).rejects.toThrow("singleFlight: ttl is missing: how long the result is remembered");
    await expect(wrong({ ttl: 5 })).rejects.toThrow('singleFlight: ttl 5 has no unit: "5ms" or "5s"?');
    await expect(wrong({ ...TTL, waits: 1 })).rejects.toThrow('singleFlight: no option "waits": did you mean "wait"?');
    await expect(wrong(() => 1, TTL)).rejects.toThrow("singleFlight: the options come before work: singleFlight(");
    await expect(wrong(TTL, "work")).rejects.toThrow("singleFlight: work must be a function");
  });
});

it("another caller works where the first one is killed or frozen, and the late result of the frozen one is refused", async () => {
  const script = new URL("../../platforms/freeze/flight.ts", import.meta.url).pathname;
  for (const fate of ["freeze", "kill"] as const) {
    const key = freshName();
    await using first = await startFrozen(script, stack.url, stack.token, key);
    expect(await first.ask("begin")).toBe("working");
    await (fate === "freeze" ? first.freeze() : first[Symbol.asyncDispose]());
    const second = await singleFlight(locks(), key, { ...TTL, wait: "20s" }, () => "second");
    expect(second).toBe("second");
    if (fate === "freeze") {
      first.wake();
      expect(await first.ask("end")).toBe("lease_lost");
      expect(await singleFlight(locks(), key, TTL, never)).toBe("second");
    }
  }
});
