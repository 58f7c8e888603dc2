import { type Attributes, diag, type Meter, type Tracer } from "@opentelemetry/api";
import type { Around } from "../shared/around.ts";
import { checkOptions, toCount, toFunction } from "../shared/checks.ts";
import { emitter, type LeaseholdEvent, type OnEvent } from "../shared/events.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";
import { holdSpans } from "./holds.ts";
import { recorder } from "./measurements.ts";
import { withoutIds } from "./names.ts";
import { spanMaker, traceparent } from "./spans.ts";

/** Returns the name to show in spans and metrics for a name of this kind; undefined leaves it out. */
export type NameOf = (name: string, kind: string) => string | undefined;

/** Options of {@link otel}. */
export interface OtelOptions {
  /** Makes the spans. Default: the registered provider's, `trace.getTracer("leasehold")`. */
  readonly tracer?: Tracer | undefined;
  /** Makes the instruments. Default: the registered provider's, `metrics.getMeter("leasehold")`. */
  readonly meter?: Meter | undefined;
  /** Keeps the number of values small. Default: {@link withoutIds}, which replaces IDs with `*`. */
  readonly nameOf?: NameOf | undefined;
  /** The name in spans alone, where the number of values does not matter. Default: `nameOf`. */
  readonly spanNameOf?: NameOf | undefined;
  /**
   * The maximum number of names in metrics. Later names become `other`, and an event `capped` reports the first of
   * them. Spans keep every name. Default 200.
   */
  readonly maxNames?: number | undefined;
  /** Your own listener, which also receives every event. */
  readonly onEvent?: OnEvent | undefined;
}

/** Settings of a connection. */
export interface OtelSettings {
  readonly onEvent: OnEvent;
  readonly trace: () => string | undefined;
  readonly around: Around;
}

/** The maximum number of remembered names of one kind. */
const MAX_NAMES = 1000;

/** Makes the function that computes and caches the attributes of a name. */
function describing(nameOf: NameOf): (event: Pick<LeaseholdEvent, "kind" | "name">) => Attributes {
  const kinds = new Map<string, Map<string, Attributes>>();
  return ({ kind, name }) => {
    const known = kinds.get(kind) ?? new Map<string, Attributes>();
    if (known.size === 0) kinds.set(kind, known);
    let about = known.get(name);
    if (!about) {
      if (known.size >= MAX_NAMES) known.clear();
      about = { "leasehold.kind": kind };
      const called = nameOf(name, kind);
      if (called !== undefined) about["leasehold.name"] = called;
      known.set(name, about);
    }
    return about;
  };
}

/** The default limit of names in metrics: each name has about twenty series. */
const MAX_METRIC_NAMES = 200;

/** Makes the function that replaces names beyond the first `max` with `other`, and reports the first of these. */
function capping(max: number): (about: Attributes) => { readonly attributes: Attributes; readonly isFirst: boolean } {
  const known = new Set<unknown>();
  let isFull = false;
  return (about) => {
    const name = about["leasehold.name"];
    if (name === undefined || known.has(name)) return { attributes: about, isFirst: false };
    if (known.size < max) {
      known.add(name);
      return { attributes: about, isFirst: false };
    }
    const isFirst = !isFull;
    isFull = true;
    return { attributes: { ...about, "leasehold.name": "other" }, isFirst };
  };
}

/**
 * Makes the settings of a connection that records its operations as OpenTelemetry spans and metrics. Without a
 * registered SDK, nothing is recorded.
 *
 * Work under a lease runs inside the span of its hold. Every other span is made at the end of its operation, with its
 * start time, as a child of the span that is active in the operation's asynchronous context. A ticket carries its
 * trace, and the span of a resumed lease links to it.
 *
 * @example
 * ```ts
 * import { createLocks } from "leasehold";
 * const kinds = createLocks({ url, token, ...otel() });
 * await kinds.lock("invoice 17").run(() => build());
 * ```
 *
 * @throws TypeError for an unknown or invalid option.
 */
export function otel(options: OtelOptions = {}): OtelSettings {
  const { tracer, meter, onEvent, nameOf = withoutIds, spanNameOf = nameOf } = options ?? {};
  const maxNames = inCall("otel", () => {
    checkOptions(options, "tracer meter nameOf spanNameOf maxNames onEvent");
    toFunction(nameOf, "nameOf");
    toFunction(spanNameOf, "spanNameOf");
    if (tracer !== undefined && !tracer?.startSpan)
      throw misuse(TypeError, `tracer must be a Tracer of OpenTelemetry, not ${shown(tracer)}`);
    if (meter !== undefined && !meter?.createHistogram)
      throw misuse(TypeError, `meter must be a Meter of OpenTelemetry, not ${shown(meter)}`);
    if (onEvent !== undefined) toFunction(onEvent, "onEvent");
    return toCount(options.maxNames ?? MAX_METRIC_NAMES, "maxNames");
  });
  const describe = describing(nameOf);
  const describeSpan = spanNameOf === nameOf ? describe : describing(spanNameOf);
  const listener = emitter(onEvent);
  const measured = capping(maxNames);
  const { around, end } = holdSpans(tracer, describeSpan);
  const span = spanMaker(tracer, end);
  const record = recorder(meter);
  return {
    onEvent(event: LeaseholdEvent) {
      listener?.(event);
      const { attributes, isFirst } = measured(describe(event));
      if (isFirst) {
        listener?.({ kind: event.kind, name: event.name, type: "capped", limit: maxNames });
        diag.warn(`leasehold: metrics distinguish ${maxNames} names, and further ones are "other": set nameOf`);
      }
      record(event, attributes);
      span(event, describeSpan(event));
    },
    trace: traceparent,
    around,
  };
}
