/** Checks of time: how long an answer takes, and the server's clock. */
import { ask, clockOffset } from "../ask.ts";
import { percentile } from "../percentile.ts";
import { type Check, ok, warn } from "./finding.ts";

const REQUESTS = 50;
const CLOCK_READS = 5;
/** A round trip above this makes every hand-over slow. */
const SLOW_MS = 100;
const CLOCKS_APART_MS = 1000;
/** The maximum drift of a clock during the examination; a step is larger. */
const STEP_MS = 100;

const inMs = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;

export const roundTrip: Check = {
  name: "round trip",
  async run(patient) {
    const { connection, signal } = patient;
    await ask(connection, ["PING"], signal);
    const times: number[] = [];
    for (let n = 0; n < REQUESTS; n++) {
      const began = performance.now();
      await ask(connection, ["PING"], signal);
      times.push(performance.now() - began);
    }
    const [half, max] = [percentile(times, 0.5), percentile(times, 0.99)];
    patient.slowestMs = Math.max(...times);
    const says = `${REQUESTS} requests: p50 ${inMs(half)}, p99 ${inMs(max)}`;
    if (max > connection.requestTimeoutMs / 4)
      return warn(says, "the slowest are near `requestTimeout`: raise it, or find out what slows the server down");
    if (half > SLOW_MS) return warn(says, "acquire and release take one round trip each: run closer to the database");
    return ok(says);
  },
};

export const clock: Check = {
  name: "clock",
  async run(patient) {
    const reads = [];
    for (let n = 0; n < CLOCK_READS; n++)
      reads.push({ ...(await clockOffset(patient.connection, patient.signal)), readAt: performance.now() });
    const best = reads.reduce((min, each) => (each.uncertainMs < min.uncertainMs ? each : min));
    patient.clock = best;
    const { offsetMs, uncertainMs } = best;
    const says = `${inMs(Math.abs(offsetMs))} ${offsetMs < 0 ? "behind" : "ahead of"} this machine's, ±${inMs(uncertainMs)}`;
    if (Math.abs(offsetMs) - uncertainMs < CLOCKS_APART_MS) return ok(says);
    return warn(says, "leases are still right, since the server's clock decides; times in logs do not match: run NTP");
  },
};

/** The last check, since it needs time between two readings. */
export const steadyClock: Check = {
  name: "clock steps",
  async run({ connection, signal, clock: before }) {
    const elapsed = performance.now() - (before?.readAt ?? 0);
    const after = await clockOffset(connection, signal);
    // The local wall clock may have stepped, as the monotonic one shows.
    const stepMs = after.offsetMs - (before?.offsetMs ?? 0);
    const doubtMs = after.uncertainMs + (before?.uncertainMs ?? 0) + STEP_MS;
    const says = `${inMs(Math.abs(stepMs))} gained or lost in ${inMs(elapsed)}`;
    if (Math.abs(stepMs) <= doubtMs) return ok(says);
    return warn(says, "a clock that steps ends leases early or late: let NTP slew it, and keep fences on");
  },
};
