import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLocks, type Lease, LeaseLostError, type Lock, type Locks } from "../../src/index.ts";
import { shiftableClock } from "../support/server-clock.ts";
import { freshName, useStack } from "../support/use-stack.ts";

/** Leases and jumps of the server's clock are whole units, so long that the time a run takes does not count. */
const UNIT_MS = 30_000;

interface Hold {
  readonly lease: Lease;
  until: number;
  open: boolean;
}
interface Model {
  now: number;
  reentryKey: string | undefined;
  token: number;
  holds: Hold[];
}
interface Real {
  readonly locks: Locks;
  readonly clients: Lock[];
  readonly server: ReturnType<typeof shiftableClock>;
  readonly url: string;
  readonly token: string;
}
type Step = fc.AsyncCommand<Model, Real>;

const alive = (model: Model): Hold[] => model.holds.filter((hold) => hold.open && hold.until > model.now);
const pick = (model: Model, index: number): Hold | undefined => model.holds[index % Math.max(model.holds.length, 1)];
const step = (text: string, run: (model: Model, real: Real) => Promise<void>): Step => ({
  check: () => true,
  run,
  toString: () => text,
});

const acquire = (client: number, reentryKey: string | undefined, units: number): Step =>
  step(`acquire(${client}, ${reentryKey}, ${units})`, async (model, real) => {
    const holders = alive(model);
    const lease = await real.clients[client]?.tryAcquire({ reentryKey, lease: units * UNIT_MS });
    const joins = reentryKey !== undefined && reentryKey === model.reentryKey;
    if (holders.length > 0 && !joins) {
      expect(lease).toBeNull();
      return;
    }
    if (!lease) throw new Error("a free lock, or our own, was refused");
    if (holders.length > 0) expect(lease.token).toBe(model.token);
    else expect(lease.token).toBeGreaterThan(model.token);
    expect(lease.holds).toBe(holders.length + 1);
    Object.assign(model, { reentryKey, token: lease.token });
    model.holds.push({ lease, until: model.now + units, open: true });
  });

const extend = (index: number, units: number): Step =>
  step(`extend(${index}, ${units})`, async (model) => {
    const hold = pick(model, index);
    if (!hold) return;
    const outcome = await hold.lease.extend(units * UNIT_MS).catch((error: unknown) => error);
    if (!alive(model).includes(hold)) expect(outcome).toBeInstanceOf(LeaseLostError);
    else {
      expect(outcome).toBeUndefined();
      hold.until = Math.max(hold.until, model.now + units);
    }
  });

const release = (index: number): Step =>
  step(`release(${index})`, async (model) => {
    const hold = pick(model, index);
    if (!hold) return;
    const ours = alive(model).includes(hold);
    expect(await hold.lease.release()).toBe(ours);
    hold.open = false;
  });

const verify = (index: number): Step =>
  step(`verify(${index})`, async (model) => {
    const hold = pick(model, index);
    if (hold) expect(await hold.lease.verify()).toBe(alive(model).includes(hold));
  });

const resume = (index: number): Step =>
  step(`resume(${index})`, async (model, real) => {
    const hold = pick(model, index);
    if (!hold) return;
    const resumed = await real.locks.resume(hold.lease.ticket());
    expect(await resumed.verify()).toBe(alive(model).includes(hold));
  });

const force = (): Step =>
  step("force", async (model, real) => {
    expect(await real.clients[0]?.forceRelease()).toBe(alive(model).length > 0);
    for (const hold of model.holds) hold.open = false;
    const state = await real.clients[0]?.inspect();
    expect(state?.token).toBeGreaterThan(model.token);
    model.token = state?.token ?? 0;
  });

const advance = (units: number): Step =>
  step(`advance(${units})`, async (model, real) => {
    model.now += units;
    real.server.shiftMs = model.now * UNIT_MS;
  });

/**
 * Any earlier request arrives once more, unchanged. Not one that was refused: a refusal is not remembered, so that its
 * copy could still be granted within the time-out of the request (and holds until its lease ends).
 */
const replay = (index: number): Step =>
  step(`replay(${index})`, async (_model, real) => {
    const { sent, fetch } = real.server;
    const { body, status } = sent[index % Math.max(sent.length, 1)] ?? {};
    if (!body || status === "held") return;
    const headers = { authorization: `Bearer ${real.token}` };
    await (await fetch(real.url, { method: "POST", headers, body })).text();
  });

/** After every step the server says what the model says. */
const inspected = (inner: Step): Step =>
  step(inner.toString(), async (model, real) => {
    await inner.run(model, real);
    const holders = alive(model);
    const state = await real.clients[1]?.inspect();
    expect(state).toMatchObject({ state: holders.length > 0 ? "held" : "free", token: model.token });
    if (state?.state !== "held") return;
    expect(state.holds).toBe(holders.length);
    const left = Math.max(...holders.map(({ until }) => until)) - model.now;
    expect(Math.abs(state.remaining - left * UNIT_MS)).toBeLessThan(UNIT_MS / 2);
  });

const stack = useStack();

describe("one lock and several clients against a model", () => {
  it("agree after every step, replays of old requests included", async () => {
    const reentryKey = fc.constantFrom(undefined, "alice", "bob");
    const units = fc.integer({ min: 1, max: 3 });
    const index = fc.nat({ max: 30 });
    const commands = fc.commands(
      [
        fc.tuple(fc.nat({ max: 2 }), reentryKey, units).map((args) => inspected(acquire(...args))),
        fc.tuple(fc.nat({ max: 2 }), reentryKey, units).map((args) => inspected(acquire(...args))),
        fc.tuple(index, units).map((args) => inspected(extend(...args))),
        index.map((value) => inspected(release(value))),
        index.map((value) => inspected(release(value))),
        index.map((value) => inspected(verify(value))),
        index.map((value) => inspected(resume(value))),
        index.map((value) => inspected(replay(value))),
        index.map((value) => inspected(replay(value))),
        units.map((value) => inspected(advance(value))),
        fc.constant(inspected(force())),
      ],
      { maxCommands: 40, size: "+1" },
    );
    const property = fc.asyncProperty(commands, async (steps) => {
      const server = shiftableClock(stack.fetch);
      const options = { url: stack.url, token: stack.token, fetch: server.fetch as never };
      const locks = createLocks(options);
      const name = freshName("model");
      // Clients with clocks of their own idea of the server's: it is set ahead under them.
      const clients = [0, 1, 2].map(() => createLocks(options).lock(name));
      const real: Real = { locks, clients, server, url: stack.url, token: stack.token };
      await fc.asyncModelRun(
        () => ({ model: { now: 0, reentryKey: undefined, token: 0, holds: [] } as Model, real }),
        steps,
      );
    });
    await fc.assert(property, { numRuns: Number(process.env["MODEL_RUNS"] ?? 80) });
  }, 900_000);
});
