import {
  type Attributes,
  context,
  isSpanContextValid,
  type Link,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { LeaseholdEvent } from "../shared/events.ts";
import { errorType, isUnknownScript } from "./failures.ts";
import { serverOf } from "./server.ts";
import { VERSION } from "./version.ts";

/** A span that ends with its event. */
export interface Ended {
  readonly called: string;
  readonly tookMs: number;
  readonly attributes: Attributes;
  /** Why it failed. */
  readonly failure?: string | undefined;
  readonly kind?: SpanKind;
  readonly links?: Link[];
}

/** Operations whose polls one event `ended` reports together. */
const POLLING: ReadonlySet<string> = new Set(["acquire", "begin", "wait", "next"]);
/** Outcomes of an operation that are not failures. */
const EXPECTED: ReadonlySet<string> = new Set(
  "granted held running done exhausted mismatch live free aborted closed kept handled full ended".split(" "),
);
const SAMPLED = 1;

/** The active span as a W3C `traceparent`; undefined without one. */
export function traceparent(): string | undefined {
  const active = trace.getSpanContext(context.active());
  if (!active || !isSpanContextValid(active)) return undefined;
  return `00-${active.traceId}-${active.spanId}-0${active.traceFlags & SAMPLED}`;
}

/** The link to the trace that a ticket carries, which is untrusted input. */
function linksTo(carried: string | undefined): Link[] {
  const [, traceId = "", spanId = "", flags = ""] =
    /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(carried ?? "") ?? [];
  const linked = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & SAMPLED, isRemote: true };
  return isSpanContextValid(linked) ? [{ context: linked }] : [];
}

/** The span of one attempt to send a request. */
function ofRequest(event: Extract<LeaseholdEvent, { type: "request" }>, about: Attributes): Ended | undefined {
  const { kind, operation, attempt, durationMs, status, why } = event;
  // A server that does not know a script yet receives its text right after.
  if (POLLING.has(operation) || isUnknownScript(why)) return undefined;
  const attributes: Attributes = {
    ...about,
    "db.system.name": "redis",
    "db.operation.name": operation === "list" ? "SCAN" : "EVALSHA",
    ...serverOf(event.server),
  };
  if (attempt > 1) attributes["leasehold.attempt"] = attempt;
  const failure = status === undefined ? errorType(why) : undefined;
  if (failure === undefined) attributes["leasehold.status"] = status;
  else attributes["error.type"] = failure;
  return { called: `${operation} ${kind}`, tookMs: durationMs, attributes, failure, kind: SpanKind.CLIENT };
}

/** The name of the span for the time of a hold. */
export const holdName = (kind: string): string => (kind === "once" ? kind : `hold ${kind}`);

/** The span for the time of a hold. */
const ofHold = (
  { kind }: LeaseholdEvent,
  about: Attributes,
  tookMs: number,
  token: number | undefined,
  outcome: string,
  failure?: string,
): Ended => ({
  called: holdName(kind),
  tookMs,
  failure,
  attributes: { ...about, "leasehold.outcome": outcome, "leasehold.token": token },
});

/** The span of a hold, if the event ends one. */
function holdSpanOf(event: LeaseholdEvent, about: Attributes): Ended | undefined {
  switch (event.type) {
    case "released":
      return ofHold(event, about, event.heldMs, event.token, event.kind === "once" ? "failed" : "released");
    case "lost":
      return ofHold(event, about, event.heldMs, event.token, "lost", event.reason);
    case "turn":
      // A failed attempt was released.
      if (event.status === "completed") return ofHold(event, about, event.heldMs ?? 0, event.token, "completed");
      if (event.status === "lost") return ofHold(event, about, event.heldMs ?? 0, event.token, "lost", "taken");
      return undefined;
    default:
      return undefined;
  }
}

/** The span that another event ends, if it ends one. */
function spanOf(event: LeaseholdEvent, about: Attributes): Ended | undefined {
  const { kind } = event;
  switch (event.type) {
    case "request":
      return ofRequest(event, about);
    case "ended": {
      const { operation, waitedMs, polls, waited, status } = event;
      const attributes: Attributes = { ...about, "leasehold.outcome": status };
      if (waited) Object.assign(attributes, { "leasehold.waited": waited, "leasehold.polls": polls });
      const failure = EXPECTED.has(status) ? undefined : status;
      return { called: `${operation} ${kind}`, tookMs: waitedMs, attributes, failure };
    }
    case "resumed":
      return {
        called: `resume ${kind}`,
        tookMs: 0,
        attributes: { ...about, "leasehold.token": event.token },
        links: linksTo(event.trace),
      };
    case "answered": {
      const { sender, status, durationMs } = event;
      const failure = /^(failed|stale|unavailable)$/.exec(status)?.[0];
      const attributes: Attributes = { ...about, "leasehold.sender": sender, "leasehold.outcome": status };
      if (event.cause !== undefined) attributes["leasehold.cause"] = event.cause;
      return { called: `dedupe ${sender}`, tookMs: durationMs, failure, attributes };
    }
    case "occurred": {
      const { slot, status, durationMs } = event;
      const failure = /^(failed|lost|unavailable)$/.exec(status)?.[0];
      const attributes = { ...about, "leasehold.slot": slot, "leasehold.outcome": status };
      return { called: "cron", tookMs: durationMs, failure, attributes };
    }
    default:
      return undefined;
  }
}

/** The tracer of the spans. It reads the registered provider only when it makes a span. */
export const tracerOf = (tracer: Tracer | undefined): Tracer => tracer ?? trace.getTracer("leasehold", VERSION);

/**
 * Makes the function that makes a span from an event that ends one, in the active context. `endHold` returns whether
 * the span of a hold has already begun.
 */
export function spanMaker(
  custom: Tracer | undefined,
  endHold: (event: LeaseholdEvent, ended: Ended) => boolean,
): (event: LeaseholdEvent, about: Attributes) => void {
  const tracer = tracerOf(custom);
  return (event, about) => {
    const held = holdSpanOf(event, about);
    const ended = held ?? spanOf(event, about);
    if (!ended || (held && endHold(event, held))) return;
    const { called, tookMs, attributes, failure, kind = SpanKind.INTERNAL, links } = ended;
    const endTime = Date.now();
    const options: SpanOptions = { kind, attributes, startTime: endTime - tookMs };
    if (links) options.links = links;
    const span = tracer.startSpan(called, options);
    if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
    span.end(endTime);
  };
}
