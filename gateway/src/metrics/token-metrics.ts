import { memoized } from "../shared/memo.ts";
import type { Tallies } from "./tally.ts";

/** The most tokens with series of their own; any more are counted together as `other`. */
const MAX_TOKENS = 200;
const OTHER = "other";

/** What one request was, to the operator of a token. */
interface TokenRequest {
  readonly status: number;
  readonly isScriptMiss?: boolean;
  readonly seconds: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** The numbers of one token. */
export interface TokenMetrics {
  /** Counts a request that has ended. A stream counts when it begins. */
  request(ended: TokenRequest): void;
  /** Counts the bytes of a stream. */
  sent(bytes: number): void;
}

/**
 * Counts requests by the name of their token. Names come from the settings and never from a caller, and the number of
 * series is limited, because a gateway that reloads may see new names for as long as it lives.
 */
export function createTokenMetrics(
  tallies: Tallies,
  prefix: string,
): (database: string, token: string) => TokenMetrics {
  const requests = tallies.counter(`${prefix}token_requests_total`, "Requests that have ended, by token.");
  const refusals = tallies.counter(
    `${prefix}token_refusals_total`,
    "Requests that ended with a status of 400 or more, by token and status.",
  );
  const seconds = tallies.counter(`${prefix}token_seconds_total`, "Time from requests to their answers, by token.");
  const bytesIn = tallies.counter(`${prefix}token_received_bytes_total`, "Bytes of paths and bodies, by token.");
  const bytesOut = tallies.counter(`${prefix}token_sent_bytes_total`, "Bytes of answers without heads, by token.");

  function create(database: string, token: string): TokenMetrics {
    const labels = { database, token };
    const [ended, time] = [requests.of(labels), seconds.of(labels)];
    const [received, sent] = [bytesIn.of(labels), bytesOut.of(labels)];
    const refused = memoized((status: number) => refusals.of({ ...labels, status: String(status) }));
    return {
      request({ status, isScriptMiss = false, ...one }) {
        ended.add();
        time.add(one.seconds);
        received.add(one.bytesIn);
        sent.add(one.bytesOut);
        if (status >= 400 && !isScriptMiss) refused(status).add();
      },
      sent: (bytes) => sent.add(bytes),
    };
  }

  let count = 0;
  const others = memoized((database: string) => create(database, OTHER));
  const tokensOf = memoized((database: string) =>
    memoized((token: string) => (++count > MAX_TOKENS ? others(database) : create(database, token))),
  );
  return (database, token) => tokensOf(database)(token);
}
