import type { Place } from "../redis/run.ts";
import { encodeText } from "../shared/crypto.ts";

export const TICKET_VERSION = 3;

interface Ticketed {
  readonly place: Place;
  readonly id: string;
  readonly token: number;
  readonly leaseMs: number;
  /** Default: what the connection says now. */
  readonly trace?: unknown;
}

/**
 * Makes the ticket of a hold: version, kind, names, group, id, token, length of the lease and trace, signed now if
 * there is a `ticketKey`. Without one the text is only made when it is asked for, as most never are.
 */
export function ticketOf({
  place,
  id,
  token,
  leaseMs,
  trace = place.connection.trace?.(),
}: Ticketed): (() => string) | Promise<() => string> {
  const { kind, names, group = null, connection } = place;
  const body = () => encodeText(JSON.stringify([TICKET_VERSION, kind, names, group, id, token, leaseMs, trace]));
  if (!connection.sign) return body;
  return connection.sign(body()).then((signature) => {
    const signed = `${body()}.${signature}`;
    return () => signed;
  });
}
