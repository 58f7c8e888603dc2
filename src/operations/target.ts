import type { Connection } from "../redis/connect.ts";

/** A server, and the ways to it. */
export interface Target {
  readonly connection: Connection;
  /** The address that the user gave, without user, password and token. */
  readonly address: string;
  /** The REST endpoint, which may be a gateway in this process. */
  readonly url: string;
  /** Its API token, for requests beside the connection's own. Nobody prints it. */
  readonly token: string;
  /** The `fetch` that reaches the endpoint. */
  readonly fetch: typeof fetch;
}
