import { afterAll, beforeAll, expect, it } from "vitest";
import { tell } from "../../verification/histories/history.ts";
import { playRound, type RoundOptions } from "../../verification/histories/run.ts";
import { openTheatre, type Theatre } from "../../verification/histories/theatre.ts";
import { OTHERS, WORKLOADS } from "../../verification/histories/workloads.ts";

/** The long form is `npm run histories`. */
const SHORT: Omit<RoundOptions, "workloads"> = { seconds: 2, atLeast: 200, atOnce: 20, seed: 15 };
/** A round may see or find nothing, the more so on a slow machine; one of the first five is enough as a rule. */
const MAX_ROUNDS = 60;

let theatre: Theatre;
beforeAll(async () => {
  theatre = await openTheatre({
    site: "single",
    runtimes: ["node", "node"],
    faulty: 0.08,
    calmMs: 500,
    only: ["client frozen"],
  });
});
afterAll(() => theatre?.stop());

it("explains what clients of one server saw, through freezes and lost answers, of every kind", {
  timeout: 60_000,
}, async () => {
  const { bad, errors, operations, perWorkload } = await playRound(theatre, { ...SHORT, workloads: WORKLOADS });
  expect(bad.map(({ name, history }) => [name, ...history.map(tell)])).toEqual([]);
  expect(errors).toEqual([]);
  expect(Object.keys(perWorkload).sort()).toEqual(Object.keys(WORKLOADS).sort());
  expect(operations).toBeGreaterThan(100);
});

it("explains what clients of two gateways saw, whose waiters were held and woken by each other", {
  timeout: 120_000,
}, async () => {
  const two = await openTheatre({
    site: "gateways",
    runtimes: ["node", "node"],
    faulty: 0.08,
    calmMs: 500,
    only: ["client frozen", "gateway killed"],
  });
  try {
    const waiting = Object.entries(WORKLOADS).filter(([, { waits }]) => waits);
    const options = { ...SHORT, workloads: Object.fromEntries(waiting) };
    const { bad, errors, operations } = await playRound(two, options);
    expect(bad.map(({ name, history }) => [name, ...history.map(tell)])).toEqual([]);
    expect(errors).toEqual([]);
    expect(operations).toBeGreaterThan(100);
  } finally {
    await two.stop();
  }
});

it("explains what clients saw whose waiters were woken by messages, through cut subscriptions", {
  timeout: 120_000,
}, async () => {
  const woken = await openTheatre({
    site: "subscriptions",
    runtimes: [],
    faulty: 0,
    calmMs: 300,
    only: ["client frozen", "subscriptions cut"],
  });
  try {
    const waiting = Object.entries(WORKLOADS).filter(([, { waits }]) => waits);
    const options = { ...SHORT, workloads: Object.fromEntries(waiting) };
    const { bad, errors, operations, heard, perRuntime } = await playRound(woken, options);
    expect(bad.map(({ name, history }) => [name, ...history.map(tell)])).toEqual([]);
    expect(errors).toEqual([]);
    expect(operations).toBeGreaterThan(100);
    expect(heard).toBeGreaterThan(0);
    expect(Object.keys(perRuntime).sort().join()).toMatch(/ioredis .*node-redis /);
  } finally {
    await woken.stop();
  }
});

it("explains what clients of Durable Objects saw, whose process was killed", { timeout: 240_000 }, async () => {
  const objects = await openTheatre({
    site: "objects",
    runtimes: ["node", "node"],
    faulty: 0.08,
    calmMs: 500,
    only: ["client frozen", "objects killed", "objects replaced by a version"],
  });
  try {
    let known = 0;
    // On a busy machine the objects may be away for most of a round.
    for (let round = 0; round < MAX_ROUNDS && known < 50; round++) {
      const options = { ...SHORT, seed: round, atLeast: 50, atOnce: 4, workloads: WORKLOADS };
      const { bad, errors, operations, unknown } = await playRound(objects, options);
      expect(bad.map(({ name, history }) => [name, ...history.map(tell)])).toEqual([]);
      expect(errors).toEqual([]);
      known += operations - unknown;
    }
    expect(known).toBeGreaterThanOrEqual(50);
  } finally {
    await objects.stop();
  }
});

it("cannot explain what the clients of other locks saw, or those that make a mistake", {
  timeout: 240_000,
}, async () => {
  const kinds = ["cron", "handOver", "naive", "upstash"];
  const found = new Set<string>();
  for (let round = 0; round < MAX_ROUNDS && found.size < kinds.length; round++) {
    const options = { ...SHORT, seconds: 1, atLeast: 100, seed: round, workloads: OTHERS };
    for (const { workload, verdict } of (await playRound(theatre, options)).bad)
      if (verdict.verdict === "violated") found.add(workload.kind);
  }
  expect([...found].sort()).toEqual(kinds);
});
