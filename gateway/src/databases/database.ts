import { readOnly, readOnlyAnswers } from "../access/read-only.ts";
import type { Access } from "../access/tokens.ts";
import { Holding, type Waits } from "../holding/holding.ts";
import { createMemoryBackend } from "../memory/backend.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Backend } from "../redis/backend.ts";
import { createClusterBackend } from "../redis/cluster/cluster.ts";
import { createPrimaryBackend } from "../redis/demotion.ts";
import { createSentinelBackend } from "../redis/sentinel/sentinel.ts";
import type { Servers } from "../redis/url.ts";
import { NoRoom, NotSent } from "../shared/error-answers.ts";
import type { Limits } from "../shared/limits.ts";
import type { Log } from "../shared/log.ts";
import { createGate, type Gate } from "../shared/token-shares.ts";
import { createProbe } from "./probe.ts";

/** How long Redis may be unreachable before callers are asked to wait for a second. Most interruptions are shorter. */
const BLIP_MS = 1_000;

/** How long a Redis has been unreachable, as its callers see it. */
class Outage {
  #since: number | undefined;

  /** Records an answer of Redis. */
  answered(): void {
    this.#since = undefined;
  }

  /**
   * The headers to add to the answer for a failure: `Retry-After` if Redis has been unreachable for a while, or if the
   * caller waits anyway, who would otherwise use up its retries during a failover.
   */
  adviceFor(error: unknown, isWaiting: boolean): Readonly<Record<string, string>> {
    if (!(error instanceof NotSent) || error instanceof NoRoom) return {};
    const now = performance.now();
    this.#since ??= now;
    return now - this.#since < BLIP_MS && !isWaiting ? {} : { "retry-after": "1" };
  }
}

const RETIRE_MS = 20;
const HOLDS_NONE = "ERR this gateway holds no requests, so it does not know who waits";

/** One Redis, and the request handlers for it, one for each permission. */
export interface Database<App> {
  readonly name: string;
  readonly opened: Promise<void>;
  /** Whether commands can be sent. */
  readonly isReady: boolean;
  /** The gate that a request passes before it is answered. */
  readonly gate: Gate;
  readonly outage: Outage;
  readonly apps: Readonly<Record<Access, App>>;
  /** Checks whether Redis answers. It never throws, and takes at most a second. */
  isUp(): Promise<boolean>;
  /** Answers held requests, and holds none from now on. */
  endWaiting(): void;
  /** Ends the connections once the last request in flight is answered. */
  retire(): void;
  /** Ends the connections immediately. */
  close(): void;
}

/** The parts that all databases share. */
export interface Shared<App> {
  /** Makes the request handler from a backend; only the layer above knows its type. */
  readonly appOf: (backend: Backend, waits: Waits) => App;
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** The servers of a database, or a Redis in memory. */
export type Source = Servers | { readonly kind: "memory" };

/** @param onReady called whenever commands can be sent to one more server */
function createBackend(servers: Source, timeoutMs: number, onReady: () => void): Backend {
  switch (servers.kind) {
    case "memory":
      return createMemoryBackend();
    case "server":
      return createPrimaryBackend({ ...servers.server, onReady }, timeoutMs);
    case "cluster": {
      const [first, ...others] = servers.seeds;
      return createClusterBackend([{ ...first, onReady }, ...others], timeoutMs);
    }
    case "sentinel":
      return createSentinelBackend({ ...servers, access: { ...servers.access, onReady } }, timeoutMs);
  }
}

export function createDatabase<App>(
  name: string,
  servers: Source,
  { appOf, limits, metrics, log }: Shared<App>,
): Database<App> {
  const backend = createBackend(servers, limits.timeoutMs, () => holding.reachable());
  const probe = createProbe(backend, (isUp) => {
    if (isUp) log.info({ database: name }, "Redis answers again");
    else log.warn({ database: name }, "Redis does not answer");
  });
  const counted = metrics.measured(backend, name, probe.outcomes);
  const ofHolding = metrics.ofHolding(name);
  const holding = new Holding(backend, {
    timeoutMs: limits.timeoutMs,
    isReported: servers.kind !== "memory",
    counted: (other) => metrics.measured(other, name, probe.outcomes),
    onEvent(event) {
      if (event.type === "tried") ofHolding.tried(event.isRefused ? "refused" : "answered");
      if (event.type === "ended") ofHolding.ended(event.ending, event.heldMs / 1_000);
    },
    onRefused: (reason) =>
      log.warn({ database: name, reason }, "Redis reports no writes: held requests try four times a second"),
  });
  const isHolding = limits.maxHeld > 0 && limits.maxHeldInAll > 0;
  const answer: Waits["answer"] = (command) => (isHolding ? holding.answer(command) : new Error(HOLDS_NONE));
  const apps = {
    full: appOf(counted, { holding, answer }),
    // A read-only handler acquires nothing, and waits for nothing.
    "read-only": appOf(readOnly(counted), { answer: readOnlyAnswers(answer) }),
  };
  const gate = createGate();

  function close(): void {
    holding.close();
    backend.close();
  }

  return {
    name,
    opened: backend.opened,
    get isReady() {
      return backend.isReady;
    },
    gate,
    outage: new Outage(),
    apps,
    isUp: probe.isUp,
    endWaiting: () => holding.end(),
    retire() {
      holding.end();
      const timer = setInterval(() => {
        if (gate.inFlight > 0) return;
        clearInterval(timer);
        close();
      }, RETIRE_MS);
    },
    close,
  };
}
