import { encodeText } from "./crypto.ts";
import type { Place } from "./redis/run.ts";

export const TICKET_VERSION = 1;

interface Ticketed {
  readonly place: Place;
  readonly id: string;
  readonly token: number;
}

/** The ticket of a hold before it is signed: version, kind, name, group, id and token. */
export const ticketOf = ({ place: { kind, name, group }, id, token }: Ticketed): string =>
  encodeText(JSON.stringify([TICKET_VERSION, kind, name, group ?? null, id, token]));
