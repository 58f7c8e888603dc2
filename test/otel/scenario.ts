import { type Context, type ContextManager, context, metrics, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";

/** A data point, as far as the tests look at it. */
export interface Point {
  readonly name: string;
  readonly unit: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The sum of a counter, or the number of values of a histogram. */
  readonly value: number;
  /** The sum of a histogram. */
  readonly sum: number | undefined;
}

/** The SDK of OpenTelemetry with exporters in memory, registered globally. */
export function startSdk(manager: ContextManager): {
  spans(): readonly ReadableSpan[];
  points(): Promise<readonly Point[]>;
  stop(): Promise<void>;
} {
  const spans = new InMemorySpanExporter();
  const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 30 });
  const meters = new MeterProvider({ readers: [reader] });
  context.setGlobalContextManager(manager.enable());
  trace.setGlobalTracerProvider(tracers);
  metrics.setGlobalMeterProvider(meters);
  return {
    spans: () => spans.getFinishedSpans(),
    async points() {
      exporter.reset();
      await reader.forceFlush();
      const [batch] = exporter.getMetrics();
      return (batch?.scopeMetrics ?? []).flatMap(({ metrics: list }) =>
        list.flatMap(({ descriptor, dataPoints }) =>
          dataPoints.map(({ attributes, value }): Point => {
            const { count = 0, sum } = Object(value) as { readonly count?: number; readonly sum?: number };
            const { name, unit } = descriptor;
            return { name, unit, attributes, value: typeof value === "number" ? value : count, sum };
          }),
        ),
      );
    },
    async stop() {
      await Promise.all([tracers.shutdown(), meters.shutdown()]);
      trace.disable();
      metrics.disable();
    },
  };
}

/** Runs something under a span of its own, as a request handler does. */
export async function inSpan<T>(name: string, work: (context: Context) => Promise<T>): Promise<T> {
  const span = trace.getTracer("application").startSpan(name, {}, ROOT_CONTEXT);
  const active = trace.setSpan(ROOT_CONTEXT, span);
  try {
    return await context.with(active, () => work(active));
  } finally {
    span.end();
  }
}
