import fc from "fast-check";
import { expect, it } from "vitest";
import { createLocks, type Lease, LeaseLostError, type Locks, type ReadWriteLock } from "../../../src/index.ts";
import { shiftableClock } from "../../support/server-clock.ts";
import { freshName, useStack } from "../../support/use-stack.ts";

/** Leases and jumps of the server's clock are whole units, so long that the time a run takes does not count. */
const UNIT_MS = 30_000;

type Side = "read" | "write";
interface Hold {
  readonly lease: Lease;
  readonly side: Side;
  readonly reentryKey: string | undefined;
  until: number;
  open: boolean;
}
interface Model {
  now: number;
  /** The last token given, and that of the read phase that goes on. */
  last: number;
  phase: number | undefined;
  holds: Hold[];
}
interface Real {
  readonly locks: Locks;
  readonly clients: ReadWriteLock[];
  readonly server: ReturnType<typeof shiftableClock>;
  readonly url: string;
  readonly token: string;
  readonly name: string;
}
type Step = fc.AsyncCommand<Model, Real>;

const alive = (model: Model, side?: Side): Hold[] =>
  model.holds.filter((hold) => hold.open && hold.until > model.now && (!side || hold.side === side));
const pick = (model: Model, index: number): Hold | undefined => model.holds[index % Math.max(model.holds.length, 1)];
const close = (model: Model, side?: Side): void => {
  for (const hold of alive(model, side)) hold.open = false;
};

/** After every step the server says what the model says. */
const step = (text: string, run: (model: Model, real: Real) => Promise<void>): Step => ({
  check: () => true,
  toString: () => text,
  async run(model, real) {
    await run(model, real);
    const [readers, writers] = [alive(model, "read"), alive(model, "write")];
    const state = await real.clients[1]?.inspect();
    expect(state).toMatchObject({
      state: writers.length > 0 ? "write" : readers.length > 0 ? "read" : "free",
      token: model.last,
      readers: readers.length,
      holds: writers.length,
      waitingWriters: 0,
      waitingReaders: 0,
    });
    const left = Math.max(model.now, ...alive(model).map(({ until }) => until)) - model.now;
    expect(Math.abs((state?.remaining ?? 0) - left * UNIT_MS)).toBeLessThan(UNIT_MS / 2);
  },
});

const acquire = (client: number, side: Side, reentryKey: string | undefined, units: number): Step =>
  step(`${side}(${client}, ${reentryKey}, ${units})`, async (model, real) => {
    const [readers, writers] = [alive(model, "read"), alive(model, "write")];
    const mine = (holds: Hold[]): Hold[] =>
      holds.filter((hold) => reentryKey !== undefined && hold.reentryKey === reentryKey);
    const outcome = await real.clients[client]?.[side]
      .tryAcquire({ reentryKey, lease: units * UNIT_MS })
      .catch((error) => error);
    const joined = mine(writers)[0] ?? (side === "read" ? mine(readers)[0] : undefined);
    if (side === "write" && writers.length === 0 && mine(readers).length > 0) {
      expect(outcome).toMatchObject({ code: "upgrade_refused" });
      return;
    }
    if (!joined && (writers.length > 0 || (side === "write" && readers.length > 0))) {
      expect(outcome).toBeNull();
      return;
    }
    if (!outcome || outcome instanceof Error) throw outcome ?? new Error("refused, though nobody is in the way");
    const lease = outcome as Lease;
    if (joined) expect(lease.token).toBe(joined.lease.token);
    else {
      if (readers.length === 0) model.phase = undefined;
      if (side === "read" && model.phase !== undefined) expect(lease.token).toBe(model.phase);
      else {
        expect(lease.token).toBeGreaterThan(model.last);
        model.last = lease.token;
        if (side === "read") model.phase = lease.token;
      }
    }
    expect(lease.holds).toBe((side === "write" ? writers : mine(readers)).length + 1);
    model.holds.push({ lease, side, reentryKey, until: model.now + units, open: true });
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
    expect(await hold.lease.release()).toBe(alive(model).includes(hold));
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

const force = (side?: Side): Step =>
  step(`force(${side ?? "both"})`, async (model, real) => {
    const rw = real.clients[0] as ReadWriteLock;
    expect(await (side ? rw[side] : rw).forceRelease()).toBe(alive(model, side).length > 0);
    close(model, side);
    const { token } = await rw.inspect();
    if (alive(model, "write").length > 0) expect(token).toBe(model.last);
    else expect(token).toBeGreaterThan(model.last);
    model.last = token;
  });

const steal = (): Step =>
  step("steal", async (model, real) => {
    const token = await real.locks.request(real.name, { steal: true }, (lease) => lease.token);
    expect(token).toBeGreaterThan(model.last);
    close(model);
    model.last = token;
  });

const advance = (units: number): Step =>
  step(`advance(${units})`, async (model, real) => {
    model.now += units;
    real.server.shiftMs = model.now * UNIT_MS;
  });

/** Any earlier request arrives once more. Not one that was refused: a refusal is not remembered. */
const replay = (index: number): Step =>
  step(`replay(${index})`, async (_model, real) => {
    const { sent, fetch } = real.server;
    const { body, status } = sent[index % Math.max(sent.length, 1)] ?? {};
    if (!body || status === "held" || status === "upgrade_refused") return;
    const headers = { authorization: `Bearer ${real.token}` };
    await (await fetch(real.url, { method: "POST", headers, body })).text();
  });

const stack = useStack();

it("a read-write lock and several clients agree with a model after every step, replays of old requests included", async () => {
  const reentryKey = fc.constantFrom(undefined, "alice", "bob");
  const side = fc.constantFrom<Side>("read", "read", "write");
  const units = fc.integer({ min: 1, max: 3 });
  const index = fc.nat({ max: 30 });
  const some = fc.tuple(fc.nat({ max: 2 }), side, reentryKey, units).map((args) => acquire(...args));
  const commands = fc.commands(
    [
      some,
      some,
      some,
      fc.tuple(index, units).map((args) => extend(...args)),
      index.map(release),
      index.map(release),
      index.map(verify),
      index.map(resume),
      index.map(replay),
      index.map(replay),
      units.map(advance),
      fc.constantFrom<Side | undefined>("read", "write", undefined).map(force),
      fc.constant(steal()),
    ],
    { maxCommands: 40, size: "+1" },
  );
  const property = fc.asyncProperty(commands, async (steps) => {
    const server = shiftableClock(stack.fetch);
    const { url, token } = stack;
    const options = { url, token, fetch: server.fetch as never };
    const locks = createLocks(options);
    const name = freshName("model");
    const clients = [0, 1, 2].map(() => createLocks(options).readWriteLock(name));
    const real: Real = { locks, clients, server, url, token, name };
    const model: Model = { now: 0, last: 0, phase: undefined, holds: [] };
    await fc.asyncModelRun(() => ({ model, real }), steps);
  });
  await fc.assert(property, { numRuns: Number(process.env["MODEL_RUNS"] ?? 60) });
}, 900_000);
