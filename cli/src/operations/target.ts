import type { Connection } from "../../../src/redis/connect.ts";

/** The REST endpoint of a server, for requests in addition to the connection's. */
export interface RestEndpoint {
  readonly url: string;
  /** Its API token. It is never printed. */
  readonly token: string;
}

/** A server, and how to reach it. */
export interface Target {
  readonly connection: Connection;
  /** The user's address, without user, password and token. */
  readonly address: string;
  /** Undefined for a server over TCP. */
  readonly rest: RestEndpoint | undefined;
}

/** A target that a command has opened. */
export interface OpenTarget {
  readonly target: Target;
  /** The texts that must never be printed. */
  readonly secrets: readonly string[];
  close(): void;
}
