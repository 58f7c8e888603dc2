import type { Log } from "./log.ts";

/** The tokens of one database. All that are given are valid at once, so that an old and a new one can overlap. */
export interface TokenOptions {
  /** The bearer token, or several. */
  readonly token?: string | readonly string[];
  /** The SHA-256 of a token in hexadecimal, or several, where the token itself is not to be written down. */
  readonly tokenSha256?: string | readonly string[];
  /** A token that may run commands that only read, or several. */
  readonly readOnlyToken?: string | readonly string[];
  readonly readOnlyTokenSha256?: string | readonly string[];
}

/** How to speak TLS with Redis, where Node's own defaults will not do. Certificates and keys are PEM texts. */
export interface TlsOptions {
  /** The authority that signed the server's certificate. Without it those that Node trusts. */
  readonly ca?: string;
  /** The certificate to show to a server that asks for one (`tls-auth-clients yes`, Redis's default); `key` belongs to it. */
  readonly cert?: string;
  /** The private key of `cert`. */
  readonly key?: string;
  /** The name to expect in the server's certificate, and to ask for (SNI), where it is not the host of the URL. */
  readonly servername?: string;
}

/** What goes with a URL but is not in it. */
export interface ServerOptions {
  /** The ACL user to log in as, instead of the URL's. */
  readonly username?: string;
  /** The password, instead of the URL's. */
  readonly password?: string;
  /** For `rediss:` URLs only. */
  readonly tls?: TlsOptions;
  /** The login at the Sentinels, which is not that at Redis; for Sentinel URLs only. */
  readonly sentinelUsername?: string;
  readonly sentinelPassword?: string;
  /** Whether the Sentinels speak TLS as well, with the same `tls`; as the URL says by default. For Sentinel URLs only. */
  readonly sentinelTls?: boolean;
}

/** One Redis, and the tokens that open it. */
export interface DatabaseOptions extends TokenOptions, ServerOptions {
  /** What logs and metrics call it: letters, digits, `-`, `_` and `.`. `default` by default. */
  readonly name?: string;
  /**
   * The Redis or Valkey behind: `redis://user:password@host:port/database`, or `rediss://` for TLS, or `unix:///path/of/socket`.
   * A Redis Cluster is `redis+cluster://host:port,host2:port2`, one that Sentinels know `redis+sentinel://host:port,…/name`.
   * It need not be there yet.
   */
  readonly redis: string;
}

/** What options name: one database by itself, or several in a list. */
export interface DatabasesOptions extends Partial<DatabaseOptions> {
  /** The databases, where there is more than one: each request's token says which one it is for. */
  readonly databases?: readonly DatabaseOptions[];
}

/** How much one gateway takes on. */
export interface LimitOptions {
  /** How long Redis may take to answer, WAIT included, before a request ends with 504. Milliseconds, 5 000 by default, at least 1. */
  readonly timeoutMs?: number;
  /** The largest request body; a larger one ends with 413. Bytes, 10 MiB by default, at least 1. */
  readonly maxBodyBytes?: number;
  /** The longest pipeline or transaction; a longer one ends with 413. Commands, 10 000 by default, at least 1. */
  readonly maxPipeline?: number;
  /**
   * Requests at once with one token; one more ends with 503. 1 000 by default, at least 1. Open streams do not count. Each token has so
   * many for itself: neither a Redis that is frozen nor stalled uploads with one token take any from the others.
   */
  readonly maxInFlight?: number;
  /**
   * What request bodies may take here, from their first byte until the request is answered; a body for which there is no room ends
   * with 503. Bytes, 128 MiB by default, at least twice `maxBodyBytes`. Tokens share it: one alone gets half of it at most, two a third
   * each, and so on. The first 16 KiB of a request always find room.
   */
  readonly bodyBudgetBytes?: number;
  /**
   * What replies of Redis may take here, until the client has taken its answer; a request whose replies find no room ends with 504, and
   * one more with a token that has no room left with 503. Bytes, 256 MiB by default, at least 1. Tokens share it as they do
   * `bodyBudgetBytes`. What a library makes of many small replies takes more than their bytes, and counts as that.
   */
  readonly replyBudgetBytes?: number;
  /** Subscriptions and monitors at once with one token; one more ends with 503. 256 by default, at least 1. */
  readonly maxStreams?: number;
  /** What the client of a stream may leave unread before the stream is broken off. Bytes, 1 MiB by default, at least 1. */
  readonly streamBufferBytes?: number;
  /** How often a stream gets a comment, so that nobody takes it for dead. Milliseconds, 15 000 by default, at least 1. */
  readonly streamKeepAliveMs?: number;
}

/** One database by its `redis` and tokens, or several in `databases`; and limits for all of them together. */
export interface GatewayOptions extends DatabasesOptions, LimitOptions {
  /**
   * The origins whose scripts may use the gateway from a browser (`https://app.example`), or `*` for all. None by default: a token in
   * a web page is everybody's, so give it one that only reads.
   */
  readonly corsOrigin?: string | readonly string[];
}

/** How patient the HTTP server is with those who ask. */
export interface HttpOptions {
  /** How long the headers of a request may take to arrive, else 408. Milliseconds, 10 000 by default, at least 1. */
  readonly headersTimeoutMs?: number;
  /** How long a request may take to arrive as a whole, else 408. Milliseconds, 30 000 by default, at least `headersTimeoutMs`. */
  readonly requestTimeoutMs?: number;
  /** How long a connection stays open between requests. Milliseconds, 65 000 by default (more than load balancers', which is 60 s). */
  readonly keepAliveTimeoutMs?: number;
  /** The largest headers, request line included, else 431. Bytes, 16 KiB by default. */
  readonly maxHeaderBytes?: number;
  /**
   * How long nothing may move on a connection in the middle of a request: one whose client does not read its answer is closed then, or
   * up to a quarter later.
   * Milliseconds, 60 000 by default. It is never less than what an answer may take by the other limits: three times `timeoutMs`, twice
   * `streamKeepAliveMs`, `requestTimeoutMs`, and a bit more.
   */
  readonly idleTimeoutMs?: number;
  /** How long {@link GatewayServer.close} waits for requests in flight. Milliseconds, 9 000 by default. */
  readonly drainTimeoutMs?: number;
}

export interface ServeOptions extends GatewayOptions, HttpOptions {
  /** The port to listen on; 0 takes a free one. 8080 by default. */
  readonly port?: number;
  /** The address to listen on. 127.0.0.1 by default. */
  readonly host?: string;
  /** A port of its own for `/health`, `/ready` and `/metrics`; 0 takes a free one. They are on `port` by default. */
  readonly adminPort?: number;
  /** The address that `adminPort` listens on; `host` by default. */
  readonly adminHost?: string;
  /** The bearer token for `/health`, `/ready` and `/metrics`, or several. They need none by default. */
  readonly adminToken?: string | readonly string[];
  /** The same as SHA-256 in hexadecimal. */
  readonly adminTokenSha256?: string | readonly string[];
  /** Whether the metrics hold those of the Node process as well. False by default. */
  readonly processMetrics?: boolean;
  /** Where to say what happens: every request at `debug`, those that fail through no fault of the caller at `warn` or `error`. */
  readonly log?: Log;
}
