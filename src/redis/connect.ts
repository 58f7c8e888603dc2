import type { Around } from "../shared/around.ts";
import {
  checkOptions,
  type Duration,
  toChoice,
  toCount,
  toFunction,
  toLease,
  toMs,
  toOptionalFunction,
  toText,
} from "../shared/checks.ts";
import { hmac } from "../shared/crypto.ts";
import { emitter, type LeaseholdEvent, type OnEvent } from "../shared/events.ts";
import { refuseMissing, toIdentity } from "../shared/identity.ts";
import { inCall, kindOf, misuse, shown } from "../shared/misuse.ts";
import { toNote } from "../shared/note.ts";
import { sleep } from "../shared/timers.ts";
import { toToken, toUrl } from "./address.ts";
import { type Clock, type Offsets, stopwatch, systemClock } from "./clock.ts";
import { type Fetch, fetchPort } from "./fetch.ts";
import { HeldPlaces } from "./long-poll.ts";
import type { Port, RedisOverTcp } from "./port.ts";
import { StreamedWakeUps } from "./streamed-wake-ups.ts";
import type { WakeUps } from "./wake-ups.ts";

/** `flagged` scripts begin with a line that makes Upstash lock only their keys instead of the whole database. */
export type Dialect = "plain" | "flagged";

/** A client of `@upstash/redis`, made from a URL and a token. */
export interface UpstashRedis {
  pipeline(): object;
}

/** The client's own HTTP client, which is not in its public types. */
interface UpstashClient {
  readonly client?: { readonly baseUrl: string; readonly headers?: { readonly authorization?: string } };
}

/** Settings of a connection, apart from its server. */
export interface ConnectionSettings {
  /** The prefix of every key, without braces. Default `"leasehold:"`. */
  readonly prefix?: string | undefined;
  /**
   * The lease of calls that set none, in ms or like `"30s"`; at least 10 ms. A number below 100 needs its unit:
   * `"20ms"`. Default 30 s.
   */
  readonly lease?: Duration | undefined;
  /**
   * How long a free name is remembered, in ms or like `"60s"`; it limits the retries of an unanswered request. At least
   * twice `requestTimeout`. All clients of a name should use the same value. Default 60 s.
   */
  readonly retention?: Duration | undefined;
  /**
   * The time limit of a call that does not wait, with its retries and its cancel, in ms or like `"5s"`. A call that
   * waits takes at most `wait` plus this. Default 5 s.
   */
  readonly requestTimeout?: Duration | undefined;
  /**
   * The maximum number of requests that a server [holds](https://leasehold.github.io/leasehold/waiting) for this
   * connection at a time; further waiters poll. 0: none. Default: 2 on Cloudflare Workers, where an invocation may have
   * six requests that wait for an answer; no limit elsewhere.
   */
  readonly maxHeld?: number | undefined;
  /**
   * How a waiter learns that a name is free: `"subscribe"`, by a message, with a poll now and then; or `"poll"`. Default:
   * `"subscribe"` over TCP, on a second connection that is made from the client when the first waiter waits; otherwise
   * `"poll"`.
   */
  readonly wake?: "poll" | "subscribe" | undefined;
  /**
   * The dialect of the scripts. If a server rejects flagged scripts, the connection sends plain ones. Default:
   * `"flagged"` for hosts under `upstash.io`, otherwise `"plain"`.
   */
  readonly dialect?: Dialect | undefined;
  /**
   * A name for this process, for people: 1 to 200 bytes, shown by `inspect` next to the label. See the recipes in
   * docs/locks.md. Default: none.
   */
  readonly holder?: string | undefined;
  /**
   * A name of the server, the same on every client, whatever the address: 1 to 512 bytes. A multi-lock on several
   * servers needs it, so that all clients acquire in the same order. Default: none.
   */
  readonly serverId?: string | undefined;
  /** Called with every event; see {@link LeaseholdEvent}. */
  readonly onEvent?: OnEvent | undefined;
  /**
   * Returns a text that each ticket carries, such as the W3C `traceparent` of its trace; an event `resumed` reports it
   * when the ticket is used. It must not contain secrets. Default: none.
   */
  readonly trace?: (() => string | undefined) | undefined;
  /** Called around work under a lease, for example to run it inside a span; see {@link Around}. Default: none. */
  readonly around?: Around | undefined;
  /**
   * A secret that signs tickets. With it, tickets without a valid signature are rejected. Default: tickets are not
   * signed.
   */
  readonly ticketKey?: string | undefined;
  /** Another clock, for tests. */
  readonly clock?: Clock | undefined;
  /** Another source of jitter, uniform in [0, 1), for tests. IDs always come from `crypto`. */
  readonly random?: (() => number) | undefined;
}

/** Options of {@link connect} and `createLocks`: a server, and settings. */
export type ConnectOptions = ConnectionSettings &
  (
    | {
        /** URL of the REST endpoint. */
        readonly url: string;
        /** Its API token. */
        readonly token: string;
        /** Used instead of the global `fetch`. */
        readonly fetch?: Fetch | undefined;
        readonly redis?: undefined;
      }
    | {
        /**
         * An `@upstash/redis` client, whose URL and token are used; or a TCP client in its port: `ioredis(client)` of
         * `leasehold/ioredis`, `nodeRedis(client)` of `leasehold/node-redis`, `bunRedis(client)` of `leasehold/bun`.
         */
        readonly redis: UpstashRedis | RedisOverTcp;
        readonly url?: undefined;
        readonly token?: undefined;
      }
  );

/**
 * A connection to Redis, with defaults for everything that uses it. It holds no promise, timer or stream, so requests
 * may share it.
 */
export interface Connection {
  readonly prefix: string;
  /** The group of the names that are used through this view; undefined for names of no group. See `group`. */
  readonly group: string | undefined;
  /** The default lease, in ms. */
  readonly leaseMs: number;
  /** How long answers are remembered for retries, in ms; see `retention`. */
  readonly retentionMs: number;
  /** How long one attempt of a request may take, in ms. */
  readonly requestTimeoutMs: number;
  /** `@` and the name of this process, percent-encoded; empty for none. */
  readonly holder: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** @throws TypeError if the environment has no URL and token; see `fromEnv`. */
  readonly port: Port;
  /** Messages that wake waiters; undefined if they poll. */
  readonly wakeUps: WakeUps | undefined;
  /** Host and path, empty if unknown. Other clients may reach the server under other addresses. */
  readonly server: string;
  /** The name of the server, the same on every client. */
  readonly serverId: string | undefined;
  /** Signs tickets if there is a `ticketKey`. */
  readonly sign: ((text: string) => Promise<string>) | undefined;
  /** Undefined without a listener. */
  readonly emit: ((event: LeaseholdEvent) => unknown) | undefined;
  /** Returns the text that each ticket carries. */
  readonly trace: (() => string | undefined) | undefined;
  /** Called around work under a lease. */
  readonly around: Around | undefined;
  /**
   * Facts learned on this connection, which all its views share: the server's clocks, the dialect that it accepts, the
   * server time (µs) after which every request sent so far is void, the last tokens granted, the places for requests
   * that a server holds, and whether it is known that waiters poll.
   */
  readonly state: {
    readonly offsets: Offsets;
    dialect: Dialect;
    due: number;
    readonly tokens: Map<string, number>;
    readonly heldPlaces: HeldPlaces;
    /** Whether an event has reported that no message can wake the waiters. */
    hasReportedPolling: boolean;
  };
}

/** A connection, or the result of `createLocks`, which has one. */
export type ConnectionSource = Connection | { readonly connection: Connection };

/** @throws TypeError for anything else. */
export function connectionOf(source: ConnectionSource): Connection {
  const { connection = source as Connection } = Object(source) as Partial<Record<"connection", Connection>>;
  return connection?.retentionMs
    ? connection
    : refuse("a connection is missing: pass what connect() or createLocks() returned");
}

/**
 * The same connection with other members. It is not a copy: one would read the port of a `fromEnv` connection, which
 * throws if the environment is not set, and would lose the members of a connection that is itself made here.
 */
export const withMembers = (connection: Connection, members: Partial<Connection>): Connection =>
  Object.create(connection, Object.getOwnPropertyDescriptors(members)) as Connection;

/** The time for an operation that does not wait: a little less than `requestTimeout`, since timers are late. */
export const patienceOf = (connection: Connection): number => 0.9 * connection.requestTimeoutMs;

/** The time of an operation that makes several requests, from now on. Returns how much of it is left, in ms. */
export function startPatience(connection: Connection): () => number {
  const elapsed = stopwatch(connection.clock);
  return () => patienceOf(connection) - elapsed();
}

/** The route of one run to its server: alone, or together with the other runs of its operation. */
export interface Route {
  readonly port: Port;
  /** The time over which the attempts are spread, in ms: the longest budget of all runs on the route. */
  readonly spreadMs: () => number;
  /** Uniform in [0, 1): the jitter of the next delay, the same for all runs on the route. */
  readonly random: () => number;
  /** Sleeps until the next attempt: for `delayMs`, or less if another run of the route retries earlier. */
  pause(delayMs: number, signal: AbortSignal | undefined): Promise<void>;
  /** The run sends nothing more; the others need not wait for it. */
  leave(): void;
}

/** The routes of one operation. A run requests its route before anything is awaited. */
export type Routes = (connection: Connection, budgetMs: number) => Route;

/** The route of a single run. */
export const routeAlone: Routes = ({ port, random, clock }, budgetMs) => ({
  port,
  random,
  spreadMs: () => budgetMs,
  pause: (delayMs, signal) => sleep(delayMs, signal, clock),
  leave() {},
});

function refuse(why: string): never {
  throw misuse(TypeError, why);
}

const globalFetch: Fetch = (...request) => globalThis.fetch(...request);

interface OpenedPort {
  readonly port: Port;
  readonly href: string;
  /** Messages that wake waiters, if the client can receive any; and whether they are used unless asked for. */
  readonly wakeUps?: WakeUps | undefined;
  readonly isWokenByDefault?: boolean;
}

/** A connection over HTTP. */
const overHttp = (href: string, token: string, fetch: Fetch): OpenedPort => ({
  port: fetchPort(href, token, fetch),
  href,
  wakeUps: new StreamedWakeUps(href, token, fetch),
});

function openPort({ redis, url, token, fetch }: ConnectOptions & { fetch?: Fetch | undefined }): OpenedPort {
  if (redis !== undefined) {
    const { port, server, client, wakeUps } = Object(redis) as Partial<RedisOverTcp> & UpstashClient;
    if (port !== undefined) return { port, href: server ?? "", wakeUps, isWokenByDefault: true };
    // The client's own requests are not used: it keeps sending them after an attempt was abandoned, and reports success
    // after an abort. Without URL and token, as in a build, requests fail and `connect` does not.
    const { baseUrl = "", headers } = Object(client) as UpstashClient["client"] & {};
    if (!headers?.authorization)
      refuse(
        `redis must be an @upstash/redis client with url and token, or a TCP client wrapped by leasehold/ioredis, leasehold/node-redis or leasehold/bun, not ${kindOf(redis)}`,
      );
    return overHttp(baseUrl, headers.authorization.slice(7), globalFetch);
  }
  const href = toUrl(url, "url");
  return overHttp(href, toToken(token, "token"), toFunction(fetch ?? globalFetch, "fetch"));
}

/** The messages that a connection uses. @throws TypeError if it is to use some and its client can receive none. */
function toWakeUps(
  wake: ConnectOptions["wake"],
  { wakeUps, isWokenByDefault = false }: OpenedPort,
): WakeUps | undefined {
  const how = toChoice(wake ?? (isWokenByDefault && wakeUps ? "subscribe" : "poll"), "wake", "poll or subscribe");
  if (how === "poll") return undefined;
  return wakeUps ?? refuse('wake "subscribe" needs a client that can subscribe, which a pool of node-redis cannot');
}

/** @throws TypeError for a value without the functions of a clock. */
function toClock(clock: Clock): Clock {
  const isClock = typeof clock?.now === "function" && typeof clock.monotonic === "function";
  return isClock ? clock : refuse(`clock must have the functions now and monotonic, not be ${shown(clock)}`);
}

/** The prefix of every key, unless the connection has another one. */
export const DEFAULT_PREFIX = "leasehold:";

/** The names of {@link ConnectionSettings}, and `fetch`. */
export const SETTINGS =
  "fetch prefix lease retention requestTimeout maxHeld wake dialect holder serverId onEvent trace around ticketKey clock random";

/**
 * Makes a connection. Nothing is sent yet, so it may be made per request or once per isolate.
 *
 * @example
 * ```ts
 * const redis = connect({ url, token, lease: "10s" });
 * await lock(redis, "report").run({ wait: "2s" }, () => build());
 * ```
 *
 * @throws TypeError if the URL, the token or another option is missing, unknown or invalid; RangeError for a duration
 * out of range.
 */
export const connect = (options: ConnectOptions): Connection => inCall("connect", () => open(options));

/** An invocation may have six requests there that wait for an answer; others must not wait behind these. */
const MAX_HELD_ON_WORKERS = 2;
const isWorker = (): boolean =>
  (globalThis as { readonly navigator?: { readonly userAgent?: string } }).navigator?.userAgent ===
  "Cloudflare-Workers";

/** Opens a connection. @throws like {@link connect}; the message does not name the call. */
export function open(input: ConnectOptions): Connection {
  const options = input ?? {};
  // The value may be a token, or a URL with a password, so it is not shown.
  if (typeof options !== "object") refuse(`options must be an object, not ${kindOf(options)}: pass { url, token }`);
  checkOptions(options, `url token redis ${SETTINGS}`);
  const { prefix = DEFAULT_PREFIX, serverId, ticketKey } = options;
  const opened = openPort(options);
  const { port, href } = opened;
  const server = href.replace(/^\w+:\/\/(.*@)?|\/?([?#].*)?$/g, "");
  if (/[{}]/.test(refuseMissing(toText(prefix, "prefix", 0), "prefix")))
    refuse(`prefix ${shown(prefix)} must not contain braces`);
  const requestTimeoutMs = toMs(options.requestTimeout ?? 5_000, "requestTimeout");
  const twiceMs = 2 * requestTimeoutMs;
  const retentionMs = toMs(options.retention ?? Math.max(60_000, twiceMs), "retention");
  if (retentionMs < twiceMs)
    throw misuse(
      RangeError,
      `retention ${shown(options.retention)} is too short: at least twice requestTimeout, ${twiceMs} ms`,
    );
  return {
    prefix,
    group: undefined,
    port,
    wakeUps: toWakeUps(options.wake, opened),
    server,
    serverId: serverId === undefined ? undefined : toText(serverId, "serverId"),
    leaseMs: toLease(options.lease ?? 30_000),
    retentionMs,
    requestTimeoutMs,
    holder: toNote(options.holder, "holder", "@", 200),
    clock: toClock(options.clock ?? systemClock),
    random: toFunction(options.random ?? Math.random, "random"),
    sign: ticketKey === undefined ? undefined : hmac(toIdentity(ticketKey, "ticketKey")),
    emit: emitter(toOptionalFunction(options.onEvent, "onEvent")),
    trace: toOptionalFunction(options.trace, "trace"),
    around: toOptionalFunction(options.around, "around"),
    state: {
      offsets: new Map(),
      dialect: toChoice(
        options.dialect ?? (/\.upstash\.io([:/]|$)/.test(server) ? "flagged" : "plain"),
        "dialect",
        "plain or flagged",
      ),
      due: 0,
      tokens: new Map(),
      heldPlaces: new HeldPlaces(
        toCount(options.maxHeld ?? (isWorker() ? MAX_HELD_ON_WORKERS : undefined), "maxHeld", 0),
      ),
      hasReportedPolling: false,
    },
  };
}
