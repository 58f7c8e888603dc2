import type { Log } from "./log.ts";

/** A token with its name in logs and metrics: 1 to 64 letters, digits, `-`, `_` and `.`. */
export interface NamedToken {
  readonly name: string;
  readonly token: string;
}

/** The SHA-256 of a token in hexadecimal, with the name of the token. */
export interface NamedSha256 {
  readonly name: string;
  readonly sha256: string;
}

/** One value, or several. */
type Some<T> = T | readonly T[];

/**
 * The tokens of one database. All of them are valid at the same time, so that an old and a new token can overlap. In
 * logs and metrics, tokens without a name are `token-1`, `token-2` and so on, or `read-only-token-1`, by position.
 */
export interface TokenOptions {
  /** The bearer token, or several. */
  readonly token?: Some<string | NamedToken>;
  /** The SHA-256 of a token in hexadecimal, or several, if the token itself must not be written down. */
  readonly tokenSha256?: Some<string | NamedSha256>;
  /** A token for read-only commands, or several. */
  readonly readOnlyToken?: Some<string | NamedToken>;
  /** The SHA-256 of such a token in hexadecimal, or several. */
  readonly readOnlyTokenSha256?: Some<string | NamedSha256>;
}

/** TLS with Redis, if Node's defaults are not enough. Certificates and keys are PEM texts. */
export interface TlsOptions {
  /** The authority that signed the server's certificate. By default the authorities that Node trusts. */
  readonly ca?: string;
  /**
   * The client certificate, for a server that requires one (`tls-auth-clients yes`, Redis's default); requires `key`.
   */
  readonly cert?: string;
  /** The private key of `cert`. */
  readonly key?: string;
  /** The name expected in the server's certificate, and sent as SNI. By default the host of the URL. */
  readonly servername?: string;
}

/** The login and TLS of a Redis server, in addition to its URL. */
export interface ServerOptions {
  /** The ACL user to log in as, instead of the URL's. */
  readonly username?: string;
  /** The password, instead of the URL's. */
  readonly password?: string;
  /** TLS, for `rediss:` URLs only. */
  readonly tls?: TlsOptions;
  /** The ACL user at the Sentinels, which have their own login. For Sentinel URLs only. */
  readonly sentinelUsername?: string;
  /** The password at the Sentinels. For Sentinel URLs only. */
  readonly sentinelPassword?: string;
  /** Whether the Sentinels use TLS, with the same `tls`. By default as in the URL. For Sentinel URLs only. */
  readonly sentinelTls?: boolean;
}

/** One Redis, by its `redis` or as `memory`, and its tokens. */
export interface DatabaseOptions extends TokenOptions, ServerOptions {
  /** The name in logs and metrics: letters, digits, `-`, `_` and `.`. `default` by default. */
  readonly name?: string;
  /**
   * The URL of the Redis or Valkey server: `redis://user:password@host:port/database`, `rediss://` for TLS, or
   * `unix:///path/of/socket`. A Redis Cluster is `redis+cluster://host:port,host2:port2`, a server named by Sentinels
   * `redis+sentinel://host:port,…/name`. The server need not be up yet.
   */
  readonly redis?: string;
  /**
   * Whether to use a Redis in memory instead of a server, for development and tests. It begins empty, is not persisted,
   * and belongs to this gateway alone. False by default.
   */
  readonly memory?: boolean;
}

/** One database, or several in a list. */
export interface DatabasesOptions extends DatabaseOptions {
  /** Several databases. The token of each request says which one it is for. */
  readonly databases?: readonly DatabaseOptions[];
}

/** The limits of one gateway. */
export interface LimitOptions {
  /**
   * The maximum time for Redis to reply, including WAIT; then the request ends with 504. Milliseconds, 5 000 by
   * default, at least 1.
   */
  readonly timeoutMs?: number;
  /** The maximum request body; a larger one ends with 413. Bytes, 8 MiB by default, at least 1. */
  readonly maxBodyBytes?: number;
  /**
   * The maximum memory for the replies of one request; with more, it ends with 504, although its commands have run.
   * Bytes, 64 MiB by default, at least 1. Small replies take more memory than their bytes, and count as such.
   */
  readonly maxReplyBytes?: number;
  /** The maximum pipeline or transaction; a longer one ends with 413. Commands, 10 000 by default, at least 1. */
  readonly maxPipeline?: number;
  /**
   * The maximum requests per second with one token; further ones end with 429 and `Retry-After`. A burst of this size
   * is served immediately. A pipeline is one request. 0 by default, which means no limit.
   */
  readonly maxRequestsPerSecond?: number;
  /**
   * The maximum concurrent requests with one token; further ones end with 503. 1 000 by default, at least 1. Open
   * streams do not count. Each token has this many for itself: neither a frozen Redis nor stalled uploads with one
   * token affect the others.
   */
  readonly maxInFlight?: number;
  /**
   * The maximum held requests with one token (`Prefer: wait`); further ones are answered immediately, and their clients
   * poll. 1 000 by default; 0 holds none. Held requests do not count as concurrent requests.
   */
  readonly maxHeld?: number;
  /**
   * The same for all tokens together, 2 000 by default. A single token gets at most half of them, two get a third each,
   * and so on, so that none takes all.
   */
  readonly maxHeldInAll?: number;
  /**
   * The memory for request bodies, each held from its first byte until the request is answered; a body without room
   * ends with 503. Bytes, 128 MiB by default, at least twice `maxBodyBytes`. All tokens share it: a single one gets at
   * most half, two get a third each, and so on. There is always room for the first 16 KiB of a request.
   */
  readonly bodyBudgetBytes?: number;
  /**
   * The memory for Redis's replies, each held from its first byte until the client has read its answer; a request
   * without room for its replies ends with 504, and the next one with the same token with 503. Bytes, 256 MiB by
   * default, at least 1. Tokens share it like `bodyBudgetBytes`. Small replies take more memory than their bytes, and
   * count as such.
   */
  readonly replyBudgetBytes?: number;
  /**
   * The maximum concurrent subscriptions and monitors with one token; further ones end with 503. 256 by default, at
   * least 1.
   */
  readonly maxStreams?: number;
  /** How much a client may leave unread before its stream is ended. Bytes, 1 MiB by default, at least 1. */
  readonly streamBufferBytes?: number;
  /** How often a stream gets a comment as a heartbeat. Milliseconds, 15 000 by default, at least 1. */
  readonly streamKeepAliveMs?: number;
}

/** One database by its `redis` and tokens, or several in `databases`; and limits for all of them together. */
export interface GatewayOptions extends DatabasesOptions, LimitOptions {
  /**
   * The origins whose scripts may use the gateway from a browser (`https://app.example`), or `*` for all. None by
   * default. A token in a web page is public: use a read-only one.
   */
  readonly corsOrigin?: string | readonly string[];
}

/** The limits of the HTTP server for its clients. */
export interface HttpOptions {
  /**
   * The maximum client connections; further ones are closed immediately. 10 000 by default, at least 1. An `adminPort`
   * has its own limit of the same size, so that probes still work.
   */
  readonly maxConnections?: number;
  /** How long the headers of a request may take to arrive; then 408. Milliseconds, 10 000 by default, at least 1. */
  readonly headersTimeoutMs?: number;
  /**
   * How long a whole request may take to arrive; then 408. Milliseconds, 30 000 by default, at least
   * `headersTimeoutMs`.
   */
  readonly requestTimeoutMs?: number;
  /**
   * How long a connection stays open between requests. Milliseconds, 65 000 by default: more than the 60 s of most load
   * balancers.
   */
  readonly keepAliveTimeoutMs?: number;
  /** The maximum headers, including the request line; larger ones get 431. Bytes, 16 KiB by default. */
  readonly maxHeaderBytes?: number;
  /**
   * How long a connection may be without traffic during a request, for example because the client does not read its
   * answer; then, or up to a quarter later, the connection is closed. Milliseconds, 60 000 by default. The value is
   * raised to the time that an answer may take by the other limits: three times `timeoutMs`, twice `streamKeepAliveMs`,
   * or `requestTimeoutMs`, and a little more.
   */
  readonly idleTimeoutMs?: number;
  /** How long {@link GatewayServer.close} waits for requests in flight. Milliseconds, 9 000 by default. */
  readonly drainTimeoutMs?: number;
}

/** TLS with clients. Both options are PEM texts, and both are required. */
export interface ServerTls {
  /** The server certificate, followed by the intermediate certificates. */
  readonly tlsCert?: string;
  /** The private key of `tlsCert`. */
  readonly tlsKey?: string;
}

/** The options that a running server can reload. */
export interface ReloadOptions extends DatabasesOptions, ServerTls {}

/** A gateway on a port. With `tlsCert` and `tlsKey`, the port uses only TLS; a separate `adminPort` uses plain HTTP. */
export interface ServeOptions extends GatewayOptions, HttpOptions, ServerTls {
  /** The port to listen on; 0 chooses a free one. 8080 by default. */
  readonly port?: number;
  /** The address to listen on. 127.0.0.1 by default. */
  readonly host?: string;
  /** A separate port for `/health`, `/ready` and `/metrics`; 0 chooses a free one. `port` by default. */
  readonly adminPort?: number;
  /** The address that `adminPort` listens on; `host` by default. */
  readonly adminHost?: string;
  /** The bearer token for `/health`, `/ready` and `/metrics`, or several. No token is needed by default. */
  readonly adminToken?: string | readonly string[];
  /** The SHA-256 of such a token in hexadecimal, or several. */
  readonly adminTokenSha256?: string | readonly string[];
  /** Whether the metrics include those of the Node process. False by default. */
  readonly processMetrics?: boolean;
  /**
   * How long a request may take before it is logged at `warn`, with its command but never its keys; 0 is off.
   * Milliseconds, 1 000 by default.
   */
  readonly slowRequestMs?: number;
  /** The log: every request at `debug`, failures not caused by the caller at `warn` or `error`. None by default. */
  readonly log?: Log;
}
