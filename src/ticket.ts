import { encodeText } from "./crypto.ts";
import type { Place } from "./redis/run.ts";

export const TICKET_VERSION = 1;

interface Ticketed {
  readonly place: Place;
  readonly id: string;
  readonly token: number;
}

/** The ticket of a hold before it is signed: version, kind, name or names, group, id and token. */
export const ticketOf = ({ place: { kind, names, group }, id, token }: Ticketed): string =>
  encodeText(JSON.stringify([TICKET_VERSION, kind, names.length === 1 ? names[0] : names, group ?? null, id, token]));
