import { type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { crowdExtend } from "../redis/scripts/crowd-extend.gen.ts";
import { fairClose } from "../redis/scripts/fair-close.gen.ts";
import { holdExtend } from "../redis/scripts/hold-extend.gen.ts";
import { lockClose } from "../redis/scripts/lock-close.gen.ts";
import { onceClose } from "../redis/scripts/once-close.gen.ts";
import { rwClose } from "../redis/scripts/rw-close.gen.ts";
import { semaphoreClose } from "../redis/scripts/semaphore-close.gen.ts";
import { toMs, toText } from "../shared/checks.ts";
import { equal } from "../shared/crypto.ts";
import { holding } from "./hold.ts";
import { createLease, type Hold, type Lease } from "./lease.ts";
import { placeOf, withCrowd } from "./place.ts";
import { several } from "./several-names.ts";
import { TICKET_VERSION, ticketOf } from "./ticket.ts";

/** How a hold of each kind is extended and closed. */
const scripts = new Map<
  unknown,
  readonly [extend: Parameters<typeof holding>[1], close: Parameters<typeof holding>[2]]
>([
  ["lock", [holdExtend, lockClose]],
  ["fair", [crowdExtend, fairClose]],
  ["once", [holdExtend, onceClose]],
  ["rw", [crowdExtend, rwClose]],
  ["semaphore", [crowdExtend, semaphoreClose]],
]);

/** Longer than one of 64 names and a group: of 512 bytes each, six characters a byte as JSON, and a third more as Base64. */
const LONGEST_TICKET = 270_000;

function decode(body: string): unknown[] {
  try {
    const bytes = Uint8Array.from(atob(body.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
    const fields: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
    if (Array.isArray(fields)) return fields;
  } catch {}
  return [];
}

/**
 * The lease of a ticket. A ticket may come from anywhere, so nothing in it is believed before it was looked at.
 *
 * @throws TypeError that never quotes the ticket: it is a secret.
 */
export const resume = (connection: ConnectionSource, ticket: string): Promise<Lease> => resumeAs(connection, ticket);

/** The same; for a lock that is not on one connection only its own tickets, and as what it is. */
export async function resumeAs(
  source: ConnectionSource,
  ticket: string,
  own?: Pick<Hold, "place" | "extend" | "close">,
): Promise<Lease> {
  const connection = connectionOf(source);
  const refuse = (why: string): never => {
    throw new TypeError(`this ticket ${why}`);
  };
  if (typeof ticket !== "string" || ticket.length > LONGEST_TICKET) return refuse("has no ticket's length");
  const [body = "", signature, ...more] = ticket.split(".");
  if (connection.sign && !equal(await connection.sign(body), signature ?? "")) refuse("has no valid signature");
  if (!connection.sign && signature !== undefined) refuse("is signed, and there is no ticketKey");
  const [version, kind, name, group, id, token, leaseMs] = decode(body);
  if (version !== TICKET_VERSION || more.length > 0) refuse("is of another release of leasehold");
  const known = scripts.get(kind);
  if (!known && !own) return refuse("is of another release of leasehold");
  if (
    typeof id !== "string" ||
    !/^[\da-f-]{36}[\w#-]{0,24}$/.test(id) ||
    !Number.isSafeInteger(token) ||
    (token as number) < 1 ||
    typeof leaseMs !== "number"
  ) {
    return refuse("is not one of ours");
  }
  const tag = group === null ? undefined : toText(group as string, "the group in a ticket");
  const names = Array.isArray(name) ? name : [name];
  // Only locks stand for several.
  if (names.length !== 1 && (names.length === 0 || kind !== "lock")) return refuse("is not one of ours");
  for (const each of names) toText(each as string, "the name in a ticket");
  const record = placeOf(connection, kind as string, names as string[], tag);
  const place = known?.[0] === crowdExtend ? withCrowd(record) : record;
  const length = toMs(leaseMs, "the lease in a ticket", 10);
  const hold = { id, token: token as number, leaseMs: length };
  if (own && (await ticketOf({ place: own.place, ...hold })) !== ticket) refuse("is for another lock");
  const held = own ?? holding(place, ...(known as NonNullable<typeof known>));
  return createLease(
    {
      place,
      ...held,
      ...several(place, held),
      ...hold,
      // Nobody here knows.
      doubted: true,
      works: kind === "once" ? 1 : 0,
    },
    undefined,
    ticket,
  ).lease;
}
