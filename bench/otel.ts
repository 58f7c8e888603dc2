/**
 * A cycle of acquire and release with `leasehold/otel` beside one without, over HTTP and TCP, with the real SDK and
 * exporters that drop what they are given.
 *
 *   node bench/otel.ts [--rounds N]
 *
 * It prints medians and the share that spans and metrics add. Timings depend on the machine; the share hardly does.
 */
import { parseArgs } from "node:util";
import { context, metrics, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import { Redis } from "ioredis";
import { type ConnectionSettings, connect } from "../src/index.ts";
import { otel } from "../src/otel/index.ts";
import { ioredis } from "../src/tcp/ioredis.ts";
import { requireRedis } from "../tools/redis.ts";
import { createChecks } from "./check.ts";
import { benchCycle } from "./cycle.ts";
import { startStage } from "./stage.ts";
import { median } from "./stats.ts";
import { leaseholdOf, type Subject } from "./subjects.ts";

/** Takes a batch and forgets it, as one that hands it to another process would. */
const dropping: SpanExporter = {
  export: (_, done) => done({ code: 0 }),
  shutdown: async () => {},
};

const { values } = parseArgs({ options: { rounds: { type: "string", default: "2000" } } });
const plan = { rounds: Number(values.rounds), blocks: 20, warmUp: 300, counted: 1 };

requireRedis();
const stage = await startStage();
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const tracers = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(dropping)] });
const exporter = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const meters = new MeterProvider({
  readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 10_000 })],
});
trace.setGlobalTracerProvider(tracers);
metrics.setGlobalMeterProvider(meters);

/** The span of a request, in which all of it happens. */
const request = trace.setSpan(ROOT_CONTEXT, trace.getTracer("bench").startSpan("request"));

const clients: Redis[] = [];
function overTcp(url: string): ReturnType<typeof ioredis> {
  const client = new Redis(url, { maxRetriesPerRequest: 0, enableOfflineQueue: false, lazyConnect: false });
  clients.push(client);
  return ioredis(client);
}

const subject = (label: string, way: "HTTP" | "TCP", settings: () => ConnectionSettings): Subject => ({
  label: `${way}, ${label}`,
  open({ url, token, redisUrl }, name, terms) {
    const server = way === "HTTP" ? { url, token } : { redis: overTcp(redisUrl) };
    const contender = leaseholdOf(connect({ ...server, ...settings() }), name, terms);
    return { acquire: () => context.with(request, () => contender.acquire()) };
  },
  isHeld: async () => false,
});
const settings: readonly (readonly [string, () => ConnectionSettings])[] = [
  ["without", () => ({})],
  ["a listener", () => ({ onEvent: () => {} })],
  ["OpenTelemetry", () => otel()],
];
const checks = createChecks();

console.log("| acquire + release | median | more than without |\n|---|--:|--:|");
for (const way of ["HTTP", "TCP"] as const) {
  const subjects = settings.map(([label, make]) => subject(label, way, make));
  const [without, ...others] = await benchCycle(stage, subjects, plan, checks);
  if (!without) throw new Error("nothing was measured");
  console.log(`| ${without.label} | ${without.medianMs.toFixed(3)} ms | |`);
  for (const { label, medianMs, blockMediansMs } of others) {
    const shares = blockMediansMs.map((ms, n) => ms / (without.blockMediansMs[n] ?? Number.NaN) - 1);
    console.log(`| ${label} | ${medianMs.toFixed(3)} ms | ${(100 * median(shares)).toFixed(1)} % |`);
  }
}

for (const client of clients) client.disconnect();
await Promise.all([tracers.shutdown(), meters.shutdown()]);
await stage.stop();
