import type { Key } from "../access/tokens.ts";
import { createDatabases } from "../databases/databases.ts";
import { originsOf } from "../http/cors.ts";
import type { HttpResponse, Stage } from "../http/message.ts";
import { createMetrics, type Metrics } from "../metrics/metrics.ts";
import { createApp } from "../rest/app.ts";
import { checkServeOptions } from "../shared/known-options.ts";
import { limitsOf } from "../shared/limits.ts";
import { type Log, SILENT } from "../shared/log.ts";
import type { DatabasesOptions, GatewayOptions } from "../shared/options.ts";
import { createShares } from "../shared/token-shares.ts";
import { createOpenStreams, type OpenStreams } from "../streams/open-streams.ts";
import { createStages, type Database, type Trace } from "./stages.ts";

/** A gateway without a port: its databases, and the stages that a request passes before them. */
export interface Handler {
  readonly metrics: Metrics;
  /** Resolves when the first attempt to reach each Redis has ended, successfully or not. */
  readonly opened: Promise<void>;
  /** Answers a request, and counts it. */
  readonly answer: Stage<Trace>;
  /** The names of the databases whose Redis does not answer. */
  missing(): Promise<readonly string[]>;
  /**
   * Changes databases and tokens, and ends streams whose token is no longer valid. Throws like {@link createHandler}.
   */
  take(options: DatabasesOptions): void;
  /** Ends all streams, including later ones, and answers held requests. Later requests are answered, but not held. */
  endStreams(): void;
  close(): void;
}

/** Watches streams that were opened with a key. */
function watchBy(
  metrics: Metrics,
  streams: OpenStreams<Key<Database>>,
  isOver: (key: Key<Database>) => boolean,
): (response: HttpResponse, key: Key<Database>) => HttpResponse {
  return (response, key) => {
    const { sent } = metrics.ofToken(key.to.name, key.name);
    const watched = streams.watch(response, key, sent);
    // Ends a stream that began while the tokens changed or the gateway closed.
    streams.end(isOver);
    return watched;
  };
}

/** The names of the databases whose Redis does not answer. */
async function missingOf(all: readonly Database[]): Promise<readonly string[]> {
  const up = await Promise.all(all.map((it) => it.isUp()));
  return all.filter((_, at) => !up[at]).map(({ name }) => name);
}

/** @throws {TypeError} and {RangeError} for invalid options */
export function createHandler(options: GatewayOptions, log: Log = SILENT): Handler {
  const limits = limitsOf(options);
  const origins = originsOf(options.corsOrigin);
  const shares = createShares(limits, () => metrics.overloaded());
  const streams = createOpenStreams<Key<Database>>();
  let ended = false;

  const metrics = createMetrics({
    inFlight: () => shares.inFlight,
    heldBytes: () => ({ bodies: shares.bodies.held, replies: shares.replies.held }),
    streams: () => streams.count,
    waiting: () => shares.waiting,
    redis: async () => new Map(await Promise.all(databases.all.map(async (it) => [it.name, await it.isUp()] as const))),
  });
  const databases = createDatabases(
    { appOf: (backend, waits) => createApp(backend, limits, waits), limits, metrics, log },
    () => streams.end(isOver),
  );
  databases.take(options);

  function isOver(key: Key<Database>): boolean {
    const now = databases.keys.find(({ id }) => id === key.id);
    return ended || now?.to !== key.to || now.access !== key.access;
  }

  const watch = watchBy(metrics, streams, isOver);

  return {
    metrics,
    opened: Promise.all(databases.all.map(({ opened }) => opened)).then(() => {}),
    answer: createStages({ databases, shares, metrics, log, origins, watch }),
    missing: () => missingOf(databases.all),
    take(options) {
      checkServeOptions(options);
      const before = databases.keys;
      databases.take(options);
      streams.end(isOver);
      shares.endHeldBut(new Set(before.filter((key) => !isOver(key)).map(({ id }) => id)));
    },
    endStreams() {
      ended = true;
      streams.end(() => true);
      for (const database of databases.all) database.endWaiting();
    },
    close: () => databases.close(),
  };
}
