import { type Channels, createChannels, createEngine, sha1 } from "leasehold-engine";
import {
  type Answer,
  admit,
  channelsIn,
  createService,
  incomingOf,
  responseOf,
  type Service,
  subscriptionTo,
  tokenOf,
  toText,
} from "leasehold-engine/rest";
import { scriptsOfServer } from "./compiled-scripts.ts";
import { createFaults, type Fault, type FaultOptions, type Faults } from "./faults.ts";
import { checkOptions } from "./known-options.ts";
import { createHolds, type Held, type Loss } from "./locks/holds.ts";
import { createPurposes, type Purpose } from "./locks/operation.ts";
import type { HoldKind } from "./locks/record.ts";
import { type Client, type ClientClock, createClient } from "./time/client-clock.ts";
import { type Duration, toMs, toSignedMs } from "./time/duration.ts";
import { manualTime, realTime, type ServerTime } from "./time/server-time.ts";

export interface TestRedisOptions {
  /**
   * `"manual"`: the clock of the server and of every client advances only by `advance`, or with fake timers if they are
   * installed. `"real"`: the runtime's clock. Default `"manual"`.
   */
  readonly time?: "manual" | "real" | undefined;
  /** The start of a manual clock, in ms since 1970. Default: now. */
  readonly start?: number | undefined;
  /** The seed of the clients' jitter and the server's random choices, which are the same in every run. Default 1. */
  readonly seed?: number | undefined;
  /** The key prefix of the clients under test. Default `"leasehold:"`. */
  readonly prefix?: string | undefined;
}

/** The options of leasehold's `connect` and `createLocks` for one client. */
export interface ClientOptions {
  readonly url: string;
  readonly token: string;
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  readonly clock: ClientClock;
  readonly random: () => number;
}

/** A request that arrived at the server, or would have without a fault. */
export interface SentRequest extends Purpose {
  readonly commands: readonly (readonly string[])[];
  /** When it was sent, in ms since 1970. */
  readonly at: number;
}

export interface HoldOptions {
  /** Default `"lock"`. */
  readonly kind?: HoldKind | undefined;
  /** Default 30 s. */
  readonly lease?: Duration | undefined;
  readonly label?: string | undefined;
}

/** A hold of another client. */
export interface SomebodysHold {
  readonly token: number;
  /** True if it was still held. */
  release(): Promise<boolean>;
}

/** A Redis in memory for tests, with a clock that tests advance. */
export interface TestRedis {
  /** The options for one client. Every read returns options for a new client. */
  readonly options: ClientOptions;
  /**
   * Advances the clock, and calls the due timers in order. When it resolves, everything that follows from them has
   * happened, unless it waits for something else.
   */
  advance(duration: Duration): Promise<void>;
  /**
   * Steps only the server's clock, forward or, by `"-10s"`, back. The clients' clocks continue unchanged, and no timer
   * becomes due.
   */
  stepClock(duration: Duration): void;
  /**
   * Makes another client hold a name.
   *
   * @throws Error if it is already held; TypeError for an unknown option
   */
  hold(name: string, options?: HoldOptions): Promise<SomebodysHold>;
  /**
   * Makes the holder of a name lose it.
   *
   * @throws Error if it is free
   */
  lose(name: string, how?: Loss): Promise<void>;
  /** Adds a fault for requests. Returns a function that removes it. */
  fault(options: FaultOptions): () => void;
  /** Lists the current holds. */
  held(): Held[];
  /** The requests so far, in order. */
  readonly requests: readonly SentRequest[];
  /**
   * Freezes a client made from `options`, as an instance may freeze: its timers stop, and so do its requests and their
   * answers.
   */
  freeze(client: unknown, duration: Duration): void;
}

const TOKEN = "test-redis-token";

/** Random numbers from a seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An error as `fetch` throws it. */
function broken(code: "ECONNRESET" | "ECONNREFUSED"): TypeError {
  const syscall = code === "ECONNREFUSED" ? "connect" : "read";
  return new TypeError("fetch failed", { cause: Object.assign(new Error(`${syscall} ${code}`), { code, syscall }) });
}

/** The server's clock in ms. It advances by 1 µs on every read, since two requests never have the same time. */
function rising(now: () => number): () => number {
  let looks = 0;
  return () => (Math.round(now() * 1000) + ++looks) / 1000;
}

const UNAVAILABLE: Answer = { status: 503, body: '{"error":"Service Unavailable"}' };

/** Runs a request with a fault. */
async function meet(fault: Fault | undefined, run: () => Promise<Answer>, time: ServerTime): Promise<Answer> {
  switch (fault?.kind) {
    case undefined:
      return run();
    case "away":
      throw broken("ECONNREFUSED");
    case "request lost":
      throw broken("ECONNRESET");
    case "status 503":
      return UNAVAILABLE;
    case "late":
      // It also runs if its caller no longer waits.
      return new Promise((resolve) => time.after(fault.byMs, () => resolve(run())));
    case "twice":
      // The first answer is lost, whatever it is.
      run().catch(() => {});
      return run();
    case "answer lost":
      await run();
      throw broken("ECONNRESET");
  }
}

/** A promise that a signal can end. */
function until<T>(promise: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const aborted = (): void => reject(signal.reason);
    signal.addEventListener("abort", aborted);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", aborted));
  });
}

/** The parts of a Redis that a request passes. */
interface Server {
  readonly service: Service;
  readonly time: ServerTime;
  readonly faults: Faults;
  readonly purposeOf: (commands: readonly (readonly string[])[]) => Purpose;
  readonly channels: Channels;
  readonly requests: SentRequest[];
}

/** Runs a request of a client. */
async function exchange(
  { service, time, faults, purposeOf, channels, requests }: Server,
  client: Client,
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  await client.thawed();
  init?.signal?.throwIfAborted();
  const incoming = await incomingOf(input, init);
  const subscribed = tokenOf(incoming) === TOKEN ? channelsIn(incoming) : undefined;
  if (subscribed) {
    const commands = [["SUBSCRIBE", ...subscribed.map(toText)]];
    const purpose = purposeOf(commands);
    requests.push({ ...purpose, commands, at: time.now() });
    if (faults.meet(purpose)) throw broken("ECONNRESET");
    return subscriptionTo(channels, subscribed, init?.signal, client.thawed);
  }
  const request = admit(incoming, TOKEN);
  if ("status" in request) return responseOf(request, incoming.method);
  const commands = request.commands.map((words) => words.map(toText));
  const purpose = purposeOf(commands);
  requests.push({ ...purpose, commands, at: time.now() });
  const run = (): Promise<Answer> => service.perform(request, incoming, init?.signal);
  const answer = await meet(faults.meet(purpose), run, time);
  await client.thawed();
  return responseOf(answer, incoming.method);
}

/** Makes a change without a client, and tries the waiters. */
function changed<T>(service: Service, change: () => T): T {
  const result = change();
  service.changed();
  return result;
}

/** The clock of a result of `createLocks` or `connect`: a connection has it, and `Locks` have a connection. */
function clockOf(client: unknown): ClientClock | undefined {
  const { clock, connection } = Object(client) as { clock?: ClientClock; connection?: { clock?: ClientClock } };
  return clock ?? connection?.clock;
}

/**
 * Makes a Redis in memory for tests. It is empty, and need not be closed.
 *
 * @example
 * ```ts
 * const redis = createTestRedis();
 * const locks = createLocks(redis.options);
 * await redis.hold("invoice:42", { lease: "20s" });
 * const waiting = locks.lock("invoice:42").acquire({ wait: "1m" });
 * await redis.advance("21s");
 * const lease = await waiting;
 * ```
 *
 * @throws TypeError for an unknown option
 */
export function createTestRedis(options: TestRedisOptions = {}): TestRedis {
  checkOptions(options, "createTestRedis", {
    time: ["manual", "real"],
    start: "number",
    seed: "number",
    prefix: "string",
  });
  const { time: mode = "manual", start, seed = 1, prefix = "leasehold:" } = options;
  const time = mode === "manual" ? manualTime(start) : realTime();
  const random = seeded(seed);
  let steppedMs = 0;
  const now = rising(() => time.now() + steppedMs);
  const channels = createChannels();
  const scripts = scriptsOfServer("upstash");
  const engine = createEngine({ dialect: "upstash", now, random, publish: channels.publish, scripts });
  const holds = createHolds(engine, prefix, now);
  const faults = createFaults();
  const requests: SentRequest[] = [];
  const clients = new WeakMap<ClientClock, Client>();

  const service = createService(engine, { now: () => time.now(), after: (...args) => time.after(...args).stop });
  const server: Server = { service, time, faults, purposeOf: createPurposes(prefix, sha1), channels, requests };

  return {
    get options() {
      const client = createClient(time);
      const { clock } = client;
      clients.set(clock, client);
      return {
        url: "https://redis.invalid",
        token: TOKEN,
        fetch: (input: string | URL | Request, init?: RequestInit) =>
          until(exchange(server, client, input, init), init?.signal),
        clock,
        random,
      };
    },
    advance: async (duration) => time.advance(toMs(duration, "duration")),
    stepClock(duration) {
      steppedMs += toSignedMs(duration, "duration");
    },
    async hold(name, options: HoldOptions = {}) {
      checkOptions(options, "hold", { kind: ["lock", "fair", "rw", "once"], lease: "duration", label: "string" });
      const { kind = "lock", lease = "30s", label } = options;
      const { token, release } = holds.take(name, kind, toMs(lease, "lease"), label);
      return { token, release: async () => changed(service, release) };
    },
    async lose(name, how = "expired") {
      changed(service, () => holds.lose(name, how));
    },
    fault: (fault) => faults.add(fault),
    held: () => holds.list(),
    requests,
    freeze(client, duration) {
      const clock = clockOf(client);
      const frozen = clock && clients.get(clock);
      if (!frozen)
        throw new TypeError("client must be made from options of this Redis: what createLocks or connect gave");
      frozen.freeze(toMs(duration, "duration"));
    },
  };
}
