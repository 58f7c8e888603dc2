import type { Place } from "../redis/run.ts";
import { encodeText } from "../shared/crypto.ts";

export const TICKET_VERSION = 2;

interface Ticketed {
  readonly place: Place;
  readonly id: string;
  readonly token: number;
  readonly leaseMs: number;
}

/** The ticket of a hold: version, kind, name or names, group, id, token and how long it was acquired for; signed where tickets are. */
export async function ticketOf({ place, id, token, leaseMs }: Ticketed): Promise<string> {
  const { kind, names, group = null, connection } = place;
  const name = names.length === 1 ? names[0] : names;
  const body = encodeText(JSON.stringify([TICKET_VERSION, kind, name, group, id, token, leaseMs]));
  return connection.sign ? `${body}.${await connection.sign(body)}` : body;
}
