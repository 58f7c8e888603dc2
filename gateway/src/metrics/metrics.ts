import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import {
  type CommandMetrics,
  createCommandMetrics,
  createRequestMetrics,
  createTokenMetrics,
  named,
  type RequestMetrics,
  type TokenMetrics,
} from "./counts.ts";
import { createHoldingMetrics, type HoldingMetrics } from "./holding-metrics.ts";
import { createTallies } from "./tally.ts";

/** The sources of the gauges, read whenever the metrics are read. */
export interface Sources {
  inFlight(): number;
  /** The bytes in memory for requests in flight, by kind. */
  heldBytes(): Readonly<Record<string, number>>;
  streams(): number;
  /** Held requests. */
  waiting(): number;
  /** Whether the Redis of each database answers, by the database's name. */
  redis(): Promise<ReadonlyMap<string, boolean>>;
}

/**
 * The gateway in numbers. Labels are from closed sets, so that no caller can add series; no label contains a key or a
 * value.
 */
export interface Metrics extends RequestMetrics, CommandMetrics {
  readonly contentType: string;
  text(): Promise<string>;
  /** The numbers of a token by its name. */
  ofToken(database: string, token: string): TokenMetrics;
  /** The numbers of a database's held requests. */
  ofHolding(database: string): HoldingMetrics;
  /** Adds the numbers of the connections of clients. */
  withConnections(read: () => { readonly open: number; readonly refused: number }): void;
  /** Adds the numbers of the Node process. Only one gateway of a process may do so. */
  withProcess(): void;
}

function registerGauges(sources: Sources, registers: Registry[]): void {
  new Gauge({
    name: named("requests_in_flight"),
    help: "Requests that are being answered, without those that wait for their turn.",
    registers,
    collect() {
      this.set(sources.inFlight());
    },
  });
  new Gauge({
    name: named("held_bytes"),
    help: "Bytes that are held for requests, by what they are.",
    labelNames: ["of"],
    registers,
    collect() {
      for (const [of, bytes] of Object.entries(sources.heldBytes())) this.set({ of }, bytes);
    },
  });
  new Gauge({
    name: named("streams_open"),
    help: "Streams of server-sent events that are open.",
    registers,
    collect() {
      this.set(sources.streams());
    },
  });
  new Gauge({
    name: named("requests_held"),
    help: "Requests that wait for their turn.",
    registers,
    collect() {
      this.set(sources.waiting());
    },
  });
  new Gauge({
    name: named("redis_up"),
    help: "1 while Redis answers, 0 while it does not.",
    labelNames: ["database"],
    registers,
    async collect() {
      this.reset();
      for (const [database, isUp] of await sources.redis()) this.set({ database }, isUp ? 1 : 0);
    },
  });
}

function registerConnections(read: () => { open: number; refused: number }, registers: Registry[]): void {
  new Gauge({
    name: named("connections_open"),
    help: "Connections of clients that are open.",
    registers,
    collect() {
      this.set(read().open);
    },
  });
  new Counter({
    name: named("connections_refused_total"),
    help: "Connections that were closed at once because there were too many.",
    registers,
    collect() {
      this.reset();
      this.inc(read().refused);
    },
  });
}

export function createMetrics(sources: Sources): Metrics {
  const registry = new Registry();
  const tallies = createTallies();
  const requests = createRequestMetrics(tallies, [registry]);
  const commands = createCommandMetrics(tallies, [registry]);
  registerGauges(sources, [registry]);
  return {
    contentType: registry.contentType,
    text: async () => `${await tallies.text()}\n${await registry.metrics()}`,
    ...requests,
    ...commands,
    ofToken: createTokenMetrics(tallies),
    ofHolding: createHoldingMetrics(tallies, named("")),
    withConnections: (read) => registerConnections(read, [registry]),
    withProcess: () => collectDefaultMetrics({ register: registry }),
  };
}
