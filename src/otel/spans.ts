import {
  type Attributes,
  context,
  isSpanContextValid,
  type Link,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { LeaseholdEvent } from "../shared/events.ts";

/** A span that has ended with the event. */
interface Ended {
  readonly called: string;
  readonly tookMs: number;
  readonly attributes: Attributes;
  /** Why it is a failure. */
  readonly failure?: string | undefined;
  readonly kind?: SpanKind;
  readonly links?: Link[];
}

/** Operations whose polls are told together by one event `ended`. */
const POLLING: ReadonlySet<string> = new Set(["acquire", "begin", "wait"]);
/** Ends of an operation that are none of its failures. */
const EXPECTED: ReadonlySet<string> = new Set(
  ["granted", "held", "running", "done", "exhausted", "mismatch", "live", "free", "aborted"].concat("closed"),
);
const SAMPLED = 1;

/** The span that is active, as W3C's `traceparent`; undefined without one. */
export function traceparent(): string | undefined {
  const active = trace.getSpanContext(context.active());
  if (!active || !isSpanContextValid(active)) return undefined;
  return `00-${active.traceId}-${active.spanId}-0${active.traceFlags & SAMPLED}`;
}

/** The link to the trace that a ticket carries. It may come from anywhere. */
function linksTo(carried: string | undefined): Link[] {
  const [, traceId = "", spanId = "", flags = ""] =
    /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(carried ?? "") ?? [];
  const linked = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & SAMPLED, isRemote: true };
  return isSpanContextValid(linked) ? [{ context: linked }] : [];
}

/** Failures that are told in words, and their classes. */
const CLASSES: readonly (readonly [words: RegExp, type: string])[] = [
  [/time-?out/i, "timeout"],
  [/token was refused/, "unauthorized"],
  [/too many requests/, "rate_limited"],
  [/without JSON/, "malformed_answer"],
];

/**
 * The class of a failure, from its text: the prefix of an error of Redis (`OOM`), the code or name of an error of the
 * runtime (`ECONNREFUSED`, `TypeError`), `HTTP 502`, a class of {@link CLASSES}; else `_OTHER`, by the convention.
 */
export const errorType = (why: string): string =>
  CLASSES.find(([words]) => words.test(why))?.[1] ?? /^(HTTP \d+|[A-Z]\w*)/.exec(why)?.[0] ?? "_OTHER";

/** Whether the server only had to be sent the text of a script. */
export const isUnknownScript = (why: string): boolean => why.startsWith("NOSCRIPT");

/** The span of one attempt to send a request. */
function ofRequest(event: Extract<LeaseholdEvent, { type: "request" }>): Ended | undefined {
  const { kind, operation, attempt, durationMs, status, why } = event;
  // A server that does not know a script yet is sent its text right after.
  if (POLLING.has(operation) || isUnknownScript(why)) return undefined;
  const failure = status === undefined ? errorType(why) : undefined;
  return {
    called: `${operation} ${kind}`,
    tookMs: durationMs,
    kind: SpanKind.CLIENT,
    failure,
    attributes: {
      "db.system.name": "redis",
      "db.operation.name": operation === "list" ? "SCAN" : "EVALSHA",
      "db.query.summary": `${operation} ${kind}`,
      "leasehold.attempt": attempt,
      ...(status !== undefined && { "leasehold.status": status }),
      ...(failure !== undefined && { "error.type": failure }),
    },
  };
}

/** The span of the time for which something was held. */
function ofHold(kind: string, tookMs: number, token: number | undefined, outcome: string, failure?: string): Ended {
  return {
    called: kind === "once" ? kind : `hold ${kind}`,
    tookMs,
    failure,
    attributes: { "leasehold.outcome": outcome, ...(token !== undefined && { "leasehold.token": token }) },
  };
}

/** The span that an event ends, if it ends one. */
function spanOf(event: LeaseholdEvent): Ended | undefined {
  const { kind } = event;
  switch (event.type) {
    case "request":
      return ofRequest(event);
    case "ended": {
      const { operation, waitedMs, polls, waited, status } = event;
      return {
        called: `${operation} ${kind}`,
        tookMs: waitedMs,
        failure: EXPECTED.has(status) ? undefined : status,
        attributes: { "leasehold.outcome": status, "leasehold.polls": polls, "leasehold.waited": waited },
      };
    }
    case "released":
      return ofHold(kind, event.heldMs, event.token, kind === "once" ? "failed" : "released");
    case "lost":
      return ofHold(kind, event.heldMs, event.token, "lost", event.reason);
    case "turn":
      // An attempt that failed was released.
      if (event.status === "completed") return ofHold(kind, event.heldMs ?? 0, event.token, event.status);
      if (event.status === "lost") return ofHold(kind, event.heldMs ?? 0, event.token, event.status, "taken");
      return undefined;
    case "resumed":
      return {
        called: `resume ${kind}`,
        tookMs: 0,
        attributes: { "leasehold.token": event.token },
        links: linksTo(event.trace),
      };
    case "answered": {
      const { sender, status, durationMs } = event;
      const failure = /^(failed|stale|unavailable)$/.exec(status)?.[0];
      const attributes = { "leasehold.sender": sender, "leasehold.outcome": status };
      return { called: `dedupe ${sender}`, tookMs: durationMs, failure, attributes };
    }
    case "occurred": {
      const { slot, status, durationMs } = event;
      const failure = /^(failed|lost|unavailable)$/.exec(status)?.[0];
      return {
        called: "cron",
        tookMs: durationMs,
        failure,
        attributes: { "leasehold.slot": slot, "leasehold.outcome": status },
      };
    }
    default:
      return undefined;
  }
}

/** Makes the function that makes a span of an event that ends one, in the context that is active. */
export function spanMaker(given: Tracer | undefined): (event: LeaseholdEvent, about: Attributes) => void {
  // It asks for the registered provider only when it makes a span.
  const tracer = given ?? trace.getTracer("leasehold");
  return (event, about) => {
    const ended = spanOf(event);
    if (!ended) return;
    const { called, tookMs, attributes, failure, kind = SpanKind.INTERNAL, links = [] } = ended;
    const endTime = Date.now();
    const span = tracer.startSpan(
      called,
      { kind, attributes: { ...about, ...attributes }, links, startTime: endTime - tookMs },
      context.active(),
    );
    if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
    span.end(endTime);
  };
}
