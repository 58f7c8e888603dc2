import { encodeText } from "./crypto.ts";
import type { Place } from "./redis/run.ts";

export const TICKET_VERSION = 1;

/** The ticket of a hold before it is signed: version, kind, name, group, id and token. */
export const ticketOf = ({ kind, name, group }: Place, id: string, token: number): string =>
  encodeText(JSON.stringify([TICKET_VERSION, kind, name, group ?? null, id, token]));
