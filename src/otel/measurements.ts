import {
  type Attributes,
  type Counter,
  type Histogram,
  type Meter,
  metrics,
  type UpDownCounter,
} from "@opentelemetry/api";
import type { LeaseholdEvent } from "../shared/events.ts";
import { errorType, isUnknownScript } from "./failures.ts";
import { serverOf } from "./server.ts";
import { VERSION } from "./version.ts";

/** Seconds, from a nearby round trip to a job of an hour. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600];

/** Histograms of seconds, counters, and an up-down counter. */
interface Instruments {
  readonly acquire: Histogram;
  readonly wait: Histogram;
  readonly hold: Histogram;
  readonly request: Histogram;
  readonly dedupe: Histogram;
  readonly cron: Histogram;
  readonly refused: Counter;
  readonly lost: Counter;
  readonly expiring: Counter;
  readonly unanswered: Counter;
  readonly retried: Counter;
  readonly stale: Counter;
  readonly unprotected: Counter;
  readonly turns: Counter;
  readonly waiting: UpDownCounter;
}

function instrumentsOf(meter: Meter): Instruments {
  const seconds = (name: string, description: string): Histogram =>
    meter.createHistogram(name, { description, unit: "s", advice: { explicitBucketBoundaries: BUCKETS } });
  const counter = (name: string, description: string): Counter => meter.createCounter(name, { description });
  return {
    acquire: seconds("leasehold.acquire.duration", "How long acquisitions took, whatever came of them"),
    wait: seconds("leasehold.wait.duration", "How long those acquisitions took that had to wait"),
    hold: seconds("leasehold.hold.duration", "How long leases were held"),
    request: seconds("leasehold.request.duration", "How long single attempts to send a request took"),
    dedupe: seconds("leasehold.dedupe.duration", "How long deduplicated requests took"),
    cron: seconds("leasehold.cron.duration", "How long calls of crons took"),
    refused: counter("leasehold.refused", "Acquisitions that ended because another client held the name"),
    lost: counter("leasehold.lost", "Leases that ended before they were released"),
    expiring: counter("leasehold.expiring", "Leases that came close to their end"),
    unanswered: counter("leasehold.unanswered", "Operations that ended without an answer"),
    retried: counter("leasehold.retried", "Requests that were retried"),
    stale: counter("leasehold.stale", "Writes that a fence refused"),
    unprotected: counter("leasehold.unprotected", "Work that ran without a lease"),
    turns: counter("leasehold.turns", "Turns of a once"),
    waiting: meter.createUpDownCounter("leasehold.waiting", { description: "Operations that wait now" }),
  };
}

/** Records an event in the instruments. Histograms are in seconds. */
function measure(event: LeaseholdEvent, about: Attributes, to: Instruments): unknown {
  switch (event.type) {
    case "request": {
      const attributes: Attributes = { ...about, "leasehold.operation": event.operation, ...serverOf(event.server) };
      if (event.status !== undefined) attributes["leasehold.status"] = event.status;
      else if (isUnknownScript(event.why)) attributes["leasehold.status"] = "unknown_script";
      else attributes["error.type"] = errorType(event.why);
      return to.request.record(event.durationMs / 1000, attributes);
    }
    case "retried":
    case "unanswered":
      return to[event.type].add(1, { ...about, "leasehold.operation": event.operation });
    case "waiting":
      return to.waiting.add(1, { ...about, "leasehold.operation": event.operation });
    case "ended": {
      const { operation, waited, waitedMs, status } = event;
      const attributes = { ...about, "leasehold.operation": operation, "leasehold.outcome": status };
      to.acquire.record(waitedMs / 1000, attributes);
      if (!waited) return undefined;
      to.wait.record(waitedMs / 1000, attributes);
      return to.waiting.add(-1, { ...about, "leasehold.operation": operation });
    }
    case "refused":
    case "expiring":
    case "stale":
      return to[event.type].add(1, about);
    case "lost":
      to.lost.add(1, { ...about, "leasehold.reason": event.reason });
      return to.hold.record(event.heldMs / 1000, { ...about, "leasehold.outcome": "lost" });
    case "released":
      return to.hold.record(event.heldMs / 1000, { ...about, "leasehold.outcome": "released" });
    case "unprotected":
      return to.unprotected.add(1, { ...about, "leasehold.why": event.why });
    case "turn": {
      const attributes = { ...about, "leasehold.outcome": event.status };
      if (event.status === "completed") to.hold.record((event.heldMs ?? 0) / 1000, attributes);
      return to.turns.add(1, attributes);
    }
    case "answered": {
      const attributes = { ...about, "leasehold.sender": event.sender, "leasehold.outcome": event.status };
      return to.dedupe.record(event.durationMs / 1000, attributes);
    }
    case "occurred":
      return to.cron.record(event.durationMs / 1000, { ...about, "leasehold.outcome": event.status });
    default:
      return undefined;
  }
}

/** Makes the function that records events. */
export function recorder(meter: Meter | undefined): (event: LeaseholdEvent, about: Attributes) => void {
  let known: unknown;
  let instruments: Instruments;
  return (event, about) => {
    // Unlike a tracer, a meter obtained before a provider is registered never records anything.
    const provider = meter ?? metrics.getMeterProvider();
    if (known !== provider) {
      known = provider;
      instruments = instrumentsOf(meter ?? metrics.getMeter("leasehold", VERSION));
    }
    measure(event, about, instruments);
  };
}
