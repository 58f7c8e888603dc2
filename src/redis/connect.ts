import { hmac, type Signer } from "../crypto.ts";
import { emitter, type LeaseholdEvent, type OnEvent } from "../events.ts";
import { type Duration, toMs, toText } from "../options.ts";
import { type Clock, systemClock } from "./clock.ts";
import { type Fetch, fetchPort } from "./fetch.ts";
import type { Port } from "./port.ts";
import { type UpstashRedis, upstashPort } from "./upstash.ts";

/** `flagged` scripts begin with the line that lets Upstash lock their keys only, instead of the whole database. */
export type Dialect = "plain" | "flagged";

export interface ConnectionSettings {
  /** Begins every key; no braces. Default `"leasehold:"`. */
  readonly prefix?: string | undefined;
  /** How long a lease runs when the call does not say. Default 30 s. */
  readonly lease?: Duration | undefined;
  /** How long a name that is free again is remembered: its token, and the ids of holds that are over. Default 60 s. */
  readonly retention?: Duration | undefined;
  /** Time limit of one HTTP attempt. Default 5 s. */
  readonly requestTimeout?: Duration | undefined;
  /** Default: `"flagged"` for hosts under `upstash.io`, else `"plain"`. A server that refuses flagged scripts is sent plain ones. */
  readonly dialect?: Dialect | undefined;
  /** Called with every event; see {@link LeaseholdEvent}. */
  readonly onEvent?: OnEvent | undefined;
  /** Secret that signs tickets; those without a valid signature are then refused. */
  readonly ticketKey?: string | undefined;
  /** For tests: another clock. */
  readonly clock?: Clock | undefined;
  /** For tests: another source of jitter, uniform in [0, 1). Ids always come from `crypto`. */
  readonly random?: (() => number) | undefined;
}

export type ConnectOptions = ConnectionSettings &
  (
    | {
        /** URL of the REST endpoint. */
        readonly url: string;
        /** Its API token. */
        readonly token: string;
        /** Instead of the global `fetch`. */
        readonly fetch?: Fetch | undefined;
        readonly redis?: undefined;
      }
    | {
        /** An `@upstash/redis` client. */ readonly redis: UpstashRedis;
        readonly url?: undefined;
        readonly token?: undefined;
      }
  );

/** A way to Redis and the defaults of what is made over it. It holds no promise, timer or stream, so requests may share it. */
export interface Connection {
  readonly prefix: string;
  readonly leaseMs: number;
  readonly retentionMs: number;
  readonly requestTimeoutMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly port: Port;
  readonly signer: Signer | undefined;
  readonly emit: (event: LeaseholdEvent) => void;
  /** What was learnt of the server: its clock minus ours, in ms, and the dialect that it takes. */
  readonly state: { offsetMs: number; dialect: Dialect };
}

function checkedUrl(url: unknown): URL {
  if (typeof url !== "string" || url === "") throw new TypeError("url is missing: the REST endpoint of your Redis");
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new TypeError("url is not a URL");
  }
  if (!/^https?:$/.test(parsed.protocol)) {
    throw new TypeError(
      `url must be http or https, not ${parsed.protocol.slice(0, -1)}: the REST endpoint, not the Redis port`,
    );
  }
  if (parsed.username || parsed.password) throw new TypeError("url must not hold credentials: use token");
  return parsed;
}

function openPort(options: ConnectOptions): { port: Port; host: string } {
  if (options.redis !== undefined) {
    if (typeof options.redis?.pipeline !== "function") throw new TypeError("redis must be an @upstash/redis client");
    return { port: upstashPort(options.redis), host: "" };
  }
  const url = checkedUrl(options.url);
  const { token } = options;
  if (typeof token !== "string" || token === "")
    throw new TypeError("token is missing: the API token of the REST endpoint");
  // fetch would quote the token in its own error.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError("token must be printable ASCII without spaces");
  if (options.fetch !== undefined && typeof options.fetch !== "function")
    throw new TypeError("fetch must be a function");
  const fetch: Fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  return { port: fetchPort(url.href, token, fetch), host: url.hostname };
}

/**
 * Makes a connection; nothing is sent yet. Make it where you like, per request or once per isolate.
 *
 * @throws TypeError when the url, token or another option is missing or not what it should be; RangeError for a duration out of range.
 */
export function connect(options: ConnectOptions): Connection {
  if (typeof options !== "object" || options === null) throw new TypeError("connect needs { url, token } or { redis }");
  const { port, host } = openPort(options);
  const prefix = toText(options.prefix ?? "leasehold:", "prefix");
  if (/[{}]/.test(prefix)) throw new TypeError("prefix must not contain braces: they would move the hash tag");
  const { dialect } = options;
  if (dialect !== undefined && dialect !== "plain" && dialect !== "flagged") {
    throw new TypeError('dialect must be "plain" or "flagged"');
  }
  return Object.freeze({
    prefix,
    leaseMs: toMs(options.lease ?? 30_000, "lease"),
    retentionMs: toMs(options.retention ?? 60_000, "retention"),
    requestTimeoutMs: toMs(options.requestTimeout ?? 5_000, "requestTimeout"),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    port,
    signer: options.ticketKey === undefined ? undefined : hmac(toText(options.ticketKey, "ticketKey")),
    emit: emitter(options.onEvent),
    state: { offsetMs: 0, dialect: dialect ?? (host.endsWith(".upstash.io") ? "flagged" : "plain") },
  });
}
