import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { Around, AroundLease } from "../shared/around.ts";
import type { LeaseholdEvent } from "../shared/events.ts";
import { type Ended, holdName, tracerOf } from "./spans.ts";

/** A hold whose work runs inside its span. */
interface OpenHold {
  readonly lease: AroundLease;
  readonly span: Span;
  /** Whether the work or the release is running. */
  isRunning: boolean;
  /** Whether an event has reported the end of the hold, which ended the span. */
  isReported: boolean;
  /** The hold whose work this hold is part of. */
  readonly outer: OpenHold | undefined;
}

/** The spans of holds that work runs under. */
interface HoldSpans {
  readonly around: Around;
  /** Ends the span of a hold, with its outcome. Returns false if no work runs inside that span. */
  end(event: LeaseholdEvent, ended: Ended): boolean;
}

/** Finds the hold of an event, among those whose work emitted it, since one token may have several holds. */
function found(event: LeaseholdEvent, innermost: OpenHold | undefined): OpenHold | undefined {
  let hold = innermost;
  while (hold) {
    const { kind, name, token } = hold.lease;
    const isSame = kind === event.kind && name === event.name && "token" in event && Object.is(token, event.token);
    if (hold.isRunning && isSame) return hold;
    hold = hold.outer;
  }
  return undefined;
}

/** Makes the spans of holds when their work begins, and keeps them active while it runs. */
export function holdSpans(custom: Tracer | undefined, describe: (lease: AroundLease) => Attributes): HoldSpans {
  const tracer = tracerOf(custom);
  const key = createContextKey("leasehold hold");
  const innermost = (from: Context): OpenHold | undefined => from.getValue(key) as OpenHold | undefined;

  function begin(lease: AroundLease, outer: OpenHold | undefined): OpenHold {
    const attributes = { ...describe(lease), "leasehold.token": lease.token };
    const startTime = Date.now() - lease.heldMs;
    const span = tracer.startSpan(holdName(lease.kind), { attributes, startTime });
    return { lease, span, isRunning: true, isReported: false, outer };
  }

  return {
    async around(lease, work) {
      const caller = context.active();
      const probe = caller.setValue(key, undefined);
      // Without a context manager, nothing can be inside the span, so it is made from the event that ends the hold.
      if (!context.with(probe, () => context.active() === probe)) return work();
      const hold = begin(lease, innermost(caller));
      await context.with(trace.setSpan(caller, hold.span).setValue(key, hold), work);
      hold.isRunning = false;
      // There was no event if the release had no answer, or if the lease is still held.
      if (!hold.isReported) hold.span.end(Date.now());
    },
    end(event, { attributes, failure }) {
      const hold = found(event, innermost(context.active()));
      if (!hold) return false;
      if (hold.isReported) return true;
      hold.isReported = true;
      hold.span.setAttributes(attributes);
      if (failure !== undefined) hold.span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
      hold.span.end(Date.now());
      return true;
    },
  };
}
