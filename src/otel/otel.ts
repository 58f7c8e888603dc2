import { type Attributes, diag, type Meter, type Tracer } from "@opentelemetry/api";
import type { Around } from "../shared/around.ts";
import { checkOptions, toCount, toFunction } from "../shared/checks.ts";
import { emitter, type LeaseholdEvent, type OnEvent } from "../shared/events.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";
import { holdSpans } from "./holds.ts";
import { recorder } from "./measurements.ts";
import { withoutIds } from "./names.ts";
import { spanMaker, traceparent } from "./spans.ts";

/** Says how a name of this kind is called in spans and metrics; undefined leaves it out. */
export type NameOf = (name: string, kind: string) => string | undefined;

/** Options of {@link otel}. */
export interface OtelOptions {
  /** Makes the spans. Default: that of the registered provider, `trace.getTracer("leasehold")`. */
  readonly tracer?: Tracer | undefined;
  /** Makes the instruments. Default: that of the registered provider, `metrics.getMeter("leasehold")`. */
  readonly meter?: Meter | undefined;
  /** Keeps the number of values small. Default: {@link withoutIds}, which puts `*` in the place of ids. */
  readonly nameOf?: NameOf | undefined;
  /**
   * The most names in metrics; later ones are `other`, and an event `capped` reports the first
   * of them. Spans keep every name. Default 200.
   */
  readonly maxNames?: number | undefined;
  /** A listener of your own, which gets every event too. */
  readonly onEvent?: OnEvent | undefined;
}

/** Settings of a connection. */
export interface OtelSettings {
  readonly onEvent: OnEvent;
  readonly trace: () => string | undefined;
  readonly around: Around;
}

/** Most names of one kind that are remembered. */
const MOST_NAMES = 1000;

/** Makes the function that finds what all spans and metrics of a name say of it, and remembers that. */
function describing(nameOf: NameOf): (event: Pick<LeaseholdEvent, "kind" | "name">) => Attributes {
  const kinds = new Map<string, Map<string, Attributes>>();
  return ({ kind, name }) => {
    const known = kinds.get(kind) ?? new Map<string, Attributes>();
    if (known.size === 0) kinds.set(kind, known);
    let about = known.get(name);
    if (!about) {
      if (known.size >= MOST_NAMES) known.clear();
      about = { "leasehold.kind": kind };
      const called = nameOf(name, kind);
      if (called !== undefined) about["leasehold.name"] = called;
      known.set(name, about);
    }
    return about;
  };
}

/** The default limit of names in metrics: each has some twenty series. */
const MOST_METRIC_NAMES = 200;

/** Makes the function that puts `other` in the place of names beyond the first `most`, and tells the first of these. */
function capping(most: number): (about: Attributes) => { readonly attributes: Attributes; readonly isFirst: boolean } {
  const known = new Set<unknown>();
  let isFull = false;
  return (about) => {
    const name = about["leasehold.name"];
    if (name === undefined || known.has(name)) return { attributes: about, isFirst: false };
    if (known.size < most) {
      known.add(name);
      return { attributes: about, isFirst: false };
    }
    const isFirst = !isFull;
    isFull = true;
    return { attributes: { ...about, "leasehold.name": "other" }, isFirst };
  };
}

/**
 * Makes the settings of a connection whose operations are spans and metrics of OpenTelemetry. Without a registered SDK
 * nothing is recorded.
 *
 * Work under a lease runs inside the span of its hold. Every other span is made when something has ended, with the time
 * at which it began, as a child of the span that is active in the operation's asynchronous context. A ticket carries the trace that it comes from, and the span of the lease that
 * is made of it has a link to there.
 *
 * @example
 * ```ts
 * import { createLocks } from "leasehold";
 * const kinds = createLocks({ url, token, ...otel() });
 * await kinds.lock("invoice 17").run(() => build());
 * ```
 *
 * @throws TypeError for an option that does not exist, or is not what it should be.
 */
export function otel(options: OtelOptions = {}): OtelSettings {
  const { tracer, meter, onEvent, nameOf = withoutIds } = options ?? {};
  const maxNames = inCall("otel", () => {
    checkOptions(options, "tracer meter nameOf maxNames onEvent");
    toFunction(nameOf, "nameOf");
    if (tracer !== undefined && !tracer?.startSpan)
      throw misuse(TypeError, `tracer must be a Tracer of OpenTelemetry, not ${shown(tracer)}`);
    if (meter !== undefined && !meter?.createHistogram)
      throw misuse(TypeError, `meter must be a Meter of OpenTelemetry, not ${shown(meter)}`);
    if (onEvent !== undefined) toFunction(onEvent, "onEvent");
    return toCount(options.maxNames ?? MOST_METRIC_NAMES, "maxNames");
  });
  const describe = describing(nameOf);
  const listener = emitter(onEvent);
  const measured = capping(maxNames);
  const { around, end } = holdSpans(tracer, describe);
  const span = spanMaker(tracer, end);
  const record = recorder(meter);
  return {
    onEvent(event: LeaseholdEvent) {
      listener?.(event);
      const about = describe(event);
      const { attributes, isFirst } = measured(about);
      if (isFirst) {
        listener?.({ kind: event.kind, name: event.name, type: "capped", limit: maxNames });
        diag.warn(`leasehold: metrics tell ${maxNames} names apart, and further ones are "other": give nameOf`);
      }
      record(event, attributes);
      span(event, about);
    },
    trace: traceparent,
    around,
  };
}
