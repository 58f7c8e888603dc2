import {
  type Attributes,
  type Counter,
  type Histogram,
  type Meter,
  metrics,
  type UpDownCounter,
} from "@opentelemetry/api";
import type { LeaseholdEvent } from "../shared/events.ts";
import { errorType, isUnknownScript } from "./spans.ts";

/** Seconds, from a round trip nearby to a job of an hour. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600];

interface Instruments {
  readonly histogram: (name: string) => Histogram;
  readonly counter: (name: string) => Counter;
  readonly waiting: UpDownCounter;
}

/** The histograms, all of them in seconds. */
const HISTOGRAMS: Readonly<Record<string, string>> = {
  "leasehold.acquire.duration": "How long acquisitions took, whatever came of them",
  "leasehold.wait.duration": "How long those acquisitions took that had to wait",
  "leasehold.hold.duration": "How long leases were held",
  "leasehold.request.duration": "How long single attempts to send a request took",
  "leasehold.dedupe.duration": "How long deduplicated requests took",
  "leasehold.cron.duration": "How long calls of cron guards took",
};

const COUNTERS: Readonly<Record<string, string>> = {
  "leasehold.refused": "Acquisitions that ended because somebody else held the name",
  "leasehold.lost": "Leases that ended before they were released",
  "leasehold.expiring": "Leases that came close to their end",
  "leasehold.unanswered": "Operations that ended without an answer",
  "leasehold.retried": "Requests that were sent again",
  "leasehold.stale": "Writes that a fence refused",
  "leasehold.unprotected": "Work that ran without a lease",
  "leasehold.turns": "Turns of a once",
};

function instrumentsOf(meter: Meter): Instruments {
  const histograms = new Map(
    Object.entries(HISTOGRAMS).map(([name, description]) => [
      name,
      meter.createHistogram(name, { description, unit: "s", advice: { explicitBucketBoundaries: BUCKETS } }),
    ]),
  );
  const counters = new Map(
    Object.entries(COUNTERS).map(([name, description]) => [name, meter.createCounter(name, { description })]),
  );
  return {
    histogram: (name) => histograms.get(name) as Histogram,
    counter: (name) => counters.get(name) as Counter,
    waiting: meter.createUpDownCounter("leasehold.waiting", { description: "Operations that wait now" }),
  };
}

/** Records an event in the instruments. */
function measure(event: LeaseholdEvent, about: Attributes, { histogram, counter, waiting }: Instruments): unknown {
  /** Records a duration given in ms. */
  const took = (name: string, ms: number, more: Attributes): unknown =>
    histogram(name).record(ms / 1000, { ...about, ...more });
  const count = (name: string, more: Attributes = {}): unknown => counter(name).add(1, { ...about, ...more });
  switch (event.type) {
    case "request": {
      const { operation, status, why, durationMs } = event;
      const failed = status === undefined && !isUnknownScript(why);
      const ended = failed ? { "error.type": errorType(why) } : { "leasehold.status": status ?? "unknown_script" };
      return took("leasehold.request.duration", durationMs, { "leasehold.operation": operation, ...ended });
    }
    case "retried":
    case "unanswered":
      return count(`leasehold.${event.type}`, { "leasehold.operation": event.operation });
    case "waiting":
      return waiting.add(1, { ...about, "leasehold.operation": event.operation });
    case "ended": {
      const { operation, waited, waitedMs, status } = event;
      const more = { "leasehold.operation": operation, "leasehold.outcome": status };
      took("leasehold.acquire.duration", waitedMs, more);
      if (!waited) return undefined;
      took("leasehold.wait.duration", waitedMs, more);
      return waiting.add(-1, { ...about, "leasehold.operation": operation });
    }
    case "refused":
    case "expiring":
    case "stale":
      return count(`leasehold.${event.type}`);
    case "lost":
      count("leasehold.lost", { "leasehold.reason": event.reason });
      return took("leasehold.hold.duration", event.heldMs, { "leasehold.outcome": "lost" });
    case "released":
      return took("leasehold.hold.duration", event.heldMs, { "leasehold.outcome": "released" });
    case "unprotected":
      return count("leasehold.unprotected", { "leasehold.why": event.why });
    case "turn":
      if (event.status === "completed")
        took("leasehold.hold.duration", event.heldMs ?? 0, { "leasehold.outcome": "completed" });
      return count("leasehold.turns", { "leasehold.outcome": event.status });
    case "answered": {
      const more = { "leasehold.sender": event.sender, "leasehold.outcome": event.status };
      return took("leasehold.dedupe.duration", event.durationMs, more);
    }
    case "occurred":
      return took("leasehold.cron.duration", event.durationMs, { "leasehold.outcome": event.status });
    default:
      return undefined;
  }
}

/** Makes the function that records events. */
export function recorder(given: Meter | undefined): (event: LeaseholdEvent, about: Attributes) => void {
  let known: { readonly provider: unknown; readonly instruments: Instruments } | undefined;
  return (event, about) => {
    // Unlike a tracer, a meter of the time before a provider is registered records nothing ever after.
    const provider = given ?? metrics.getMeterProvider();
    if (known?.provider !== provider)
      known = { provider, instruments: instrumentsOf(given ?? metrics.getMeter("leasehold")) };
    measure(event, about, known.instruments);
  };
}
