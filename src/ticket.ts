import { fromBase64Url, ID_PATTERN, type Signer, toBase64Url } from "./crypto.ts";
import { toText } from "./options.ts";

/** What a lease is known by on the server, without the server. */
export interface TicketData {
  readonly kind: string;
  readonly name: string;
  readonly group: string | undefined;
  readonly id: string;
  readonly token: number;
}

const VERSION = 1;

/** The ticket of a lease, signed where there is a signer. */
export async function writeTicket(
  { kind, name, group, id, token }: TicketData,
  signer: Signer | undefined,
): Promise<string> {
  const fields = JSON.stringify([VERSION, kind, name, group ?? null, id, token]);
  const body = toBase64Url(new TextEncoder().encode(fields));
  return signer ? `${body}.${await signer.sign(body)}` : body;
}

/**
 * Reads a ticket from anywhere, so believes nothing: its form, its signature where there is a signer, every field.
 *
 * @throws TypeError that never quotes the ticket: it is a secret.
 */
export async function readTicket(ticket: string, signer: Signer | undefined): Promise<TicketData> {
  const refuse = (why: string): never => {
    throw new TypeError(`this ticket ${why}`);
  };
  if (typeof ticket !== "string" || ticket.length > 4096) return refuse("is not a string of a ticket's length");
  const [body = "", signature, ...more] = ticket.split(".");
  if (signer && !(signature !== undefined && (await signer.verify(body, signature)))) refuse("has no valid signature");
  if (!signer && signature !== undefined) refuse("is signed, and this client has no ticketKey to check it");
  let fields: unknown;
  try {
    fields = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(fromBase64Url(body)));
  } catch {}
  if (more.length > 0 || !Array.isArray(fields) || fields.length !== 6) return refuse("is not one of ours");
  const [version, kind, name, group, id, token] = fields as [number, string, string, string | null, string, number];
  if (version !== VERSION) refuse("was made by another release of leasehold");
  if (typeof kind !== "string" || typeof id !== "string" || !ID_PATTERN.test(id)) refuse("is not one of ours");
  if (!Number.isSafeInteger(token) || token < 1) refuse("is not one of ours");
  toText(name, "the name in a ticket");
  if (group !== null) toText(group, "the group in a ticket");
  return { kind, name, group: group ?? undefined, id, token };
}
