import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Lease } from "../../src/index.ts";
import { takeOver } from "../../src/queue/index.ts";
import { transientOf } from "../faults/faults.ts";
import { startWorld, type World } from "../faults/world.ts";
import { startFrozen } from "../platforms/freeze/frozen.ts";
import type { Exchange } from "../support/book.ts";
import { pause, useStack } from "../support/use-stack.ts";

const stack = useStack({ warm: true });
const never = (): never => expect.unreachable("the work must not run");

/** A request of a hand-over. */
interface Request {
  readonly name: string;
  readonly script: string;
}

const BEGIN: Request = { name: "its beginning", script: "held-begin" };
const EXTENSION: Request = { name: "its extension", script: "hold-extend" };
const COMPLETION: Request = { name: "its completion", script: "held-end" };
const FAILURE: Request = { name: "its failure", script: "held-end" };

const TIMEOUT_MS = 2500;
const TICKETS = ["live", "late"] as const;
const requests = [BEGIN, EXTENSION, COMPLETION, FAILURE].flatMap((request) =>
  TICKETS.map((when) => [request.name, when, request] as const),
);

/** Issues a ticket, whose lease has ended where it is late. */
async function issue({ theirs, name }: World, when: (typeof TICKETS)[number]): Promise<Lease> {
  const lease = await theirs.lock(name).acquire({ lease: "1m" });
  if (when === "late") await lease.release();
  return lease;
}

describe.concurrent.each(requests)("a hand-over overcomes, at %s, under a %s ticket (50.2)", (_, when, request) => {
  it.each(Object.entries(transientOf("takeOver", TIMEOUT_MS)))("%s", async (__, faults) => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    const ticketed = await issue(world, when);
    const ticket = ticketed.ticket();
    const lock = world.client({ requestTimeout: TIMEOUT_MS }).lock(name);
    const tokens: number[] = [];
    proxy.next(request.script, ...faults);
    const job = takeOver(lock, ticket, async (lease, { attempt }) => {
      tokens.push(lease.token);
      expect(attempt).toBe(tokens.length);
      if (request === EXTENSION) await lease.extend("70s");
      await proxy.deliver();
      // Nobody else works, nor has the lock, whatever was lost on the way here.
      expect((await takeOver(theirs.lock(name), ticket, never)).status).toBe("running");
      expect(await theirs.lock(name).inspect()).toMatchObject({ state: "held", token: lease.token });
      if (request === FAILURE) throw new Error("the source is down");
      return lease.token;
    });
    if (request === FAILURE) await expect(job).rejects.toThrow("the source is down");
    else expect(await job).toMatchObject({ status: "done", stored: true, fresh: true, result: tokens[0] });
    expect(proxy.unmet()).toBe(0);
    await proxy.deliver();
    if (request === FAILURE) {
      const again = await takeOver(theirs.lock(name), ticket, ({ token }, { attempt }) => {
        tokens.push(token);
        expect(attempt).toBe(2);
        return token;
      });
      expect(again).toMatchObject({ status: "done", fresh: true });
    }
    // No copy of a request changes anything.
    for (const order of ["forward", "backward"] as const) {
      await proxy.replay(undefined, order);
      const later = await takeOver(theirs.lock(name), ticket, never);
      expect(later).toMatchObject({ status: "done", fresh: false, result: tokens.at(-1) });
      expect(await theirs.lock(name).inspect()).toMatchObject({ state: "free" });
    }
    const [first = 0, second] = tokens;
    if (when === "live") expect(first).toBe(ticketed.token);
    else expect(first).toBeGreaterThan(ticketed.token);
    if (request === FAILURE) expect(second).toBeGreaterThan(first);
    else expect(tokens).toHaveLength(1);
    expect((await theirs.lock(name).acquire()).token).toBeGreaterThan(tokens.at(-1) as number);
    world.keepsSecrets(world.events);
  });
});

/** Longer than a request takes on a busy machine. */
const LEASE_MS = 2000;

/** A line at which a consumer freezes, and what becomes of it and of the next consumer. */
interface Freeze {
  readonly at: string;
  /** Where its process is stopped: before this request arrives, after it was done, or by itself. */
  readonly request?: "held-begin" | "hold-extend" | "held-end";
  readonly side?: "before" | "after";
  readonly itself?: "before the work" | "in the work";
  /** How the work ends, once the consumer wakes. */
  readonly end: "complete" | "fail";
  /** How often the frozen consumer works, and the next one. */
  readonly runs: readonly [number, number];
  /** What the frozen consumer reports; an expression where several are right. */
  readonly reports: RegExp;
}

const UNANSWERED = /^(lock_timeout|outcome_unknown|lease_lost)$/;
const LOST = /^lease_lost$/;
const FREEZES: readonly Freeze[] = [
  {
    ...{ at: "while its beginning is on its way", request: "held-begin", side: "before", end: "complete" },
    ...{ runs: [0, 1], reports: UNANSWERED },
  },
  {
    ...{ at: "while the answer to its beginning is on its way", request: "held-begin", side: "after", end: "complete" },
    ...{ runs: [0, 1], reports: UNANSWERED },
  },
  { at: "before its work", itself: "before the work", end: "complete", runs: [0, 1], reports: LOST },
  // Both work: the first one froze for longer than its lease lasts. The token is what stops it.
  { at: "in its work", itself: "in the work", end: "complete", runs: [1, 1], reports: LOST },
  { at: "in work that fails", itself: "in the work", end: "fail", runs: [1, 1], reports: /^failed$/ },
  {
    ...{ at: "while its extension is on its way", request: "hold-extend", side: "before", end: "complete" },
    ...{ runs: [1, 1], reports: LOST },
  },
  {
    ...{
      at: "while the answer to its extension is on its way",
      request: "hold-extend",
      side: "after",
      end: "complete",
    },
    ...{ runs: [1, 1], reports: LOST },
  },
  {
    ...{ at: "while its completion is on its way", request: "held-end", side: "before", end: "complete" },
    ...{ runs: [1, 1], reports: LOST },
  },
  {
    ...{ at: "while the answer to its completion is on its way", request: "held-end", side: "after", end: "complete" },
    ...{ runs: [1, 0], reports: /^done$/ },
  },
  {
    ...{ at: "while its failure is on its way", request: "held-end", side: "before", end: "fail" },
    ...{ runs: [1, 1], reports: /^failed$/ },
  },
  {
    ...{ at: "while the answer to its failure is on its way", request: "held-end", side: "after", end: "fail" },
    ...{ runs: [1, 1], reports: /^failed$/ },
  },
];

describe.concurrent.each(TICKETS)("a consumer under a %s ticket that freezes for longer than its lease", (when) => {
  it.each(FREEZES)("$at (50.2)", { timeout: 30_000 }, async (freeze) => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    // A live one outlives the consumer, so that the next may be under the same ticket.
    const ticketed = await issue(world, when);
    const script = fileURLToPath(new URL("./consumer.ts", import.meta.url));
    const args = [proxy.url, world.stack.token, name, ticketed.ticket(), String(LEASE_MS), freeze.itself ?? ""];
    await using consumer = await startFrozen(script, ...args);
    let open = (): void => {};
    const frozen = new Promise<void>((resolve) => {
      open = resolve;
    });
    const stop = async ({ forward, answer }: Exchange): Promise<void> => {
      const early = freeze.side === "after" ? await forward() : undefined;
      await consumer.freeze();
      open();
      await woken;
      answer(early ?? (await forward()));
    };
    let wake = (): void => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    if (freeze.request) proxy.next(freeze.request, stop);

    const began = consumer.ask("begin");
    let waking: Promise<unknown> = began;
    let token = ticketed.token;
    if (freeze.itself === "before the work") await consumer.stopped();
    else if (freeze.request === "held-begin") await frozen;
    else {
      token = (await began) as number;
      if (when === "live") expect(token).toBe(ticketed.token);
      else expect(token).toBeGreaterThan(ticketed.token);
      if (freeze.itself) await consumer.freeze();
      else {
        waking = consumer.ask(freeze.request === "hold-extend" ? "extend" : freeze.end);
        await frozen;
      }
    }
    // An extension that was done makes it longer by less than that.
    await pause(LEASE_MS + 300);
    let runs = 0;
    let heldToken = 0;
    const next = await takeOver(theirs.lock(name), ticketed.ticket(), (lease) => {
      runs++;
      heldToken = lease.token;
      return "theirs";
    });
    wake();
    consumer.wake();
    await waking;
    if (freeze.itself === "in the work" || freeze.request === "hold-extend") await consumer.ask(freeze.end);
    expect(await consumer.ask("ended")).toMatch(freeze.reports);
    expect([await consumer.ask("runs"), runs]).toEqual(freeze.runs);
    if (freeze.request) expect(proxy.unmet()).toBe(0);
    // Whatever arrives late, one result is stored, and no later token is lower.
    const result = runs > 0 ? "theirs" : "ours";
    expect(next).toMatchObject({ status: "done", result, fresh: runs > 0 });
    if (runs > 0) expect(heldToken).toBeGreaterThanOrEqual(token);
    for (const late of [() => proxy.deliver(), () => proxy.replay()]) {
      await late();
      expect(await takeOver(theirs.lock(name), ticketed.ticket(), never)).toMatchObject({ status: "done", result });
      expect(await theirs.lock(name).inspect()).toMatchObject({ state: "free" });
    }
    expect((await theirs.lock(name).acquire()).token).toBeGreaterThan(heldToken);
  });
});

describe.concurrent("a consumer that wakes while the next one works under the same ticket (50.2)", () => {
  it.each(["complete", "fail"])("leaves it the lock: %s", { timeout: 30_000 }, async (end) => {
    await using world = await startWorld(stack);
    const { name, theirs, proxy } = world;
    const ticketed = await issue(world, "live");
    const script = fileURLToPath(new URL("./consumer.ts", import.meta.url));
    const args = [proxy.url, world.stack.token, name, ticketed.ticket(), String(LEASE_MS), ""];
    await using consumer = await startFrozen(script, ...args);
    expect(await consumer.ask("begin")).toBe(ticketed.token);
    await consumer.freeze();
    await pause(LEASE_MS + 200);
    const next = await takeOver(theirs.lock(name), ticketed.ticket(), async (lease) => {
      expect(lease.token).toBe(ticketed.token);
      consumer.wake();
      expect(await consumer.ask(end)).toMatch(/^(lease_lost|failed)$/);
      expect(await theirs.lock(name).inspect()).toMatchObject({ state: "held", token: lease.token });
      expect(await lease.verify()).toBe(true);
      return "theirs";
    });
    expect(next).toMatchObject({ status: "done", result: "theirs", fresh: true });
    await proxy.replay();
    expect(await theirs.lock(name).inspect()).toMatchObject({ state: "free" });
  });
});
