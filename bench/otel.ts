/**
 * Compares a cycle of acquire and release with and without `leasehold/otel`: over HTTP, on the same machine and 5 ms
 * away, and over TCP; with the real SDK, and exporters that drop all data.
 *
 *   node bench/otel.ts [--rounds N]
 *
 * "By hand" is the minimum that a user would write: three spans and two histograms with leasehold's attributes.
 *
 * It prints medians and the share that spans and metrics add. Timings depend on the machine; the share hardly does.
 */
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { context, metrics, ROOT_CONTEXT, SpanKind, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import { Redis } from "ioredis";
import { type ConnectionSettings, type ConnectOptions, connect } from "../src/index.ts";
import { otel } from "../src/otel/index.ts";
import { ioredis } from "../src/tcp/ioredis.ts";
import { requireRedis } from "../tools/redis.ts";
import { createChecks } from "./check.ts";
import { benchCycle } from "./cycle.ts";
import { type Endpoint, startStage } from "./stage.ts";
import { median } from "./stats.ts";
import { type Contender, leaseholdOf, type Subject } from "./subjects.ts";

/** Drops a batch, like an exporter that passes it to another process. */
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

/** The span of a whole request. */
const request = trace.setSpan(ROOT_CONTEXT, trace.getTracer("bench").startSpan("request"));

const clients: Redis[] = [];
function overTcp(url: string): ReturnType<typeof ioredis> {
  const client = new Redis(url, { maxRetriesPerRequest: 0, enableOfflineQueue: false, lazyConnect: false });
  clients.push(client);
  return ioredis(client);
}

const AWAY = 5;
/** Sends a request with a round trip of 5 ms. */
const fromAway: typeof fetch = async (...request) => {
  await pause(AWAY);
  return await fetch(...request);
};

const WAYS: Readonly<Record<string, (endpoint: Endpoint) => ConnectOptions>> = {
  "HTTP, loopback": ({ url, token }) => ({ url, token }),
  "HTTP, 5 ms away": ({ url, token }) => ({ url, token, fetch: fromAway }),
  "TCP, loopback": ({ redisUrl }) => ({ redis: overTcp(redisUrl) }),
};

const tracer = trace.getTracer("by hand");
const meter = metrics.getMeter("by hand");
const advice = { explicitBucketBoundaries: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] };
const acquiring = meter.createHistogram("acquire", { unit: "s", advice });
const holding = meter.createHistogram("hold", { unit: "s", advice });

/** Makes spans and metrics around the calls of another contender. */
function byHand(contender: Contender): Contender {
  const about = { kind: "lock", name: "cycle-*" };
  return {
    async acquire() {
      const start = performance.now();
      const span = tracer.startSpan("acquire lock", { attributes: { ...about, outcome: "granted" } });
      const grant = await contender.acquire();
      span.end();
      acquiring.record((performance.now() - start) / 1000, { ...about, outcome: "granted" });
      if (!grant) return null;
      const since = performance.now();
      const attributes = { ...about, outcome: "released", token: grant.token };
      const hold = tracer.startSpan("hold lock", { attributes });
      return {
        async release() {
          const request = { kind: SpanKind.CLIENT, attributes: { ...about, status: "closed" } };
          const release = tracer.startSpan("release lock", request);
          const released = await grant.release();
          release.end();
          hold.end();
          holding.record((performance.now() - since) / 1000, { ...about, outcome: "released" });
          return released;
        },
      };
    },
  };
}

const subject = (
  label: string,
  way: string,
  settings: () => ConnectionSettings,
  around: (contender: Contender) => Contender = (contender) => contender,
): Subject => ({
  label: `${way}, ${label}`,
  open(endpoint, name, terms) {
    const server = WAYS[way]?.(endpoint);
    if (!server) throw new Error(`there is no way ${way}`);
    const contender = around(leaseholdOf(connect({ ...server, ...settings() }), name, terms));
    return { acquire: () => context.with(request, () => contender.acquire()) };
  },
  isHeld: async () => false,
});
const settings: readonly (readonly [string, () => ConnectionSettings, typeof byHand?])[] = [
  ["without", () => ({})],
  ["a listener", () => ({ onEvent: () => {} })],
  ["OpenTelemetry", () => otel()],
  ["OpenTelemetry by hand", () => ({}), byHand],
];
const checks = createChecks();

console.log("| acquire + release | median | more than without |\n|---|--:|--:|");
for (const way of Object.keys(WAYS)) {
  const subjects = settings.map(([label, make, around]) => subject(label, way, make, around));
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
