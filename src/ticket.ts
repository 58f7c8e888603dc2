import { encodeText } from "./crypto.ts";
import type { Place } from "./redis/run.ts";

export const TICKET_VERSION = 1;

interface Ticketed {
  readonly place: Place;
  readonly id: string;
  readonly token: number;
}

/** The ticket of a hold: version, kind, name or names, group, id and token; signed where tickets are. */
export async function ticketOf({ place, id, token }: Ticketed): Promise<string> {
  const { kind, names, group = null, connection } = place;
  const name = names.length === 1 ? names[0] : names;
  const body = encodeText(JSON.stringify([TICKET_VERSION, kind, name, group, id, token]));
  return connection.sign ? `${body}.${await connection.sign(body)}` : body;
}
