import type { Inspected } from "../../../src/list/index.ts";
import type { Connection } from "../../../src/redis/connect.ts";
import { clockOffset } from "./ask.ts";
import { inspectName } from "./inspect-name.ts";
import { makeWaitingReader } from "./waiting.ts";

/** Whether the tenure with a token holds a name right now, by the server's clock. */
export interface Checked {
  readonly isLive: boolean;
  /** The time left of its lease, in ms; 0 if it has ended. */
  readonly leftMs: number;
  /** The last token of the name; 0 if the server remembers none. */
  readonly lastToken: number;
  /** Why the token must not write; undefined if it is live. */
  readonly why: string | undefined;
}

/** The states in which a token excludes other writers, or, of a semaphore, stands for permits. */
const OF_A_HOLDER: ReadonlySet<Inspected["state"]> = new Set(["held", "write", "running"]);

/** When the hold with this token ends; undefined if none has it. */
function endOf({ kind, state, token: last, until, holders }: Inspected, token: number): number | undefined {
  if (kind === "semaphore") return holders.find((holder) => holder.token === token)?.until;
  return OF_A_HOLDER.has(state) && last === token ? until : undefined;
}

function whyNot({ held, token: last, state }: Inspected, token: number): string {
  if (state === "read") return "readers hold it, and a read does not allow a write";
  if (token > last) return "the server never gave this token, or has lost its data";
  if (held && token < last) return `another holder has it now, with token ${last}`;
  return "its lease has ended, and nobody holds it";
}

/**
 * Asks the server whether a token still holds a name, and changes nothing.
 *
 * @throws LeaseholdError if the server does not answer: unknown does not mean live.
 */
export async function checkToken(
  connection: Connection,
  named: { readonly name: string; readonly group?: string | undefined },
  token: number,
  signal: AbortSignal,
): Promise<Checked> {
  const entry = await inspectName(connection, makeWaitingReader(connection), named, signal);
  const until = endOf(entry, token);
  if (until === undefined) return { isLive: false, leftMs: 0, lastToken: entry.token, why: whyNot(entry, token) };
  const { offsetMs, uncertainMs } = await clockOffset(connection, signal);
  // The server's clock may be ahead by as much as the round trip.
  const leftMs = Math.max(0, Math.floor(until - (Date.now() + offsetMs + uncertainMs)));
  if (leftMs === 0) return { isLive: false, leftMs, lastToken: entry.token, why: "its lease ends now" };
  return { isLive: true, leftMs, lastToken: entry.token, why: undefined };
}
