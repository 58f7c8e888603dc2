import { encodeText } from "./crypto.ts";
import type { Place } from "./redis/run.ts";

export const TICKET_VERSION = 1;

/** The ticket of a hold: version, kind, name, group, id and token; signed where the connection has a key. */
export async function writeTicket(place: Place, id: string, token: number): Promise<string> {
  const { kind, name, group = null, connection } = place;
  const body = encodeText(JSON.stringify([TICKET_VERSION, kind, name, group, id, token]));
  return connection.sign ? `${body}.${await connection.sign(body)}` : body;
}
