import { type Connection, connect } from "../../../src/redis/connect.ts";
import type { Port } from "../../../src/redis/port.ts";
import { randomId } from "../../../src/shared/crypto.ts";
import type { Target } from "./target.ts";

/** Makes a connection to the same server with unique names, whose keys expire soon. */
export function privateConnection(
  { connection: { requestTimeoutMs, server, state } }: Target,
  purpose: string,
  port: Port,
): Connection {
  return connect({
    redis: { port, server },
    dialect: state.dialect,
    prefix: `leasehold-${purpose}:${randomId().slice(0, 8)}:`,
    requestTimeout: requestTimeoutMs,
    retention: 2 * requestTimeoutMs,
  });
}
