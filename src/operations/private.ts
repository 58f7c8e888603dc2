import { type Connection, connect } from "../redis/connect.ts";
import type { Fetch } from "../redis/fetch.ts";
import { randomId } from "../shared/crypto.ts";
import type { OnEvent } from "../shared/events.ts";
import type { Target } from "./target.ts";

/** Makes a connection whose names nobody else uses, and whose keys end soon by themselves. */
export function privateConnection(
  { url, token, connection: { requestTimeoutMs, state } }: Target,
  purpose: string,
  fetch: Fetch,
  onEvent?: OnEvent,
): Connection {
  return connect({
    ...{ url, token, fetch, onEvent, dialect: state.dialect },
    prefix: `leasehold-${purpose}:${randomId().slice(0, 8)}:`,
    requestTimeout: requestTimeoutMs,
    retention: 2 * requestTimeoutMs,
  });
}
