import { type Connection, type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { viewOf } from "../redis/group.ts";
import { type Target, targetOf, withCrowd } from "../redis/target.ts";
import { toMs } from "../shared/checks.ts";
import { equal } from "../shared/crypto.ts";
import { inCall, kindOf } from "../shared/misuse.ts";
import { HeldLease } from "./held-lease.ts";
import { type Hold, type HoldKind, holdCalls } from "./hold.ts";
import type { Lease } from "./lease.ts";
import { several } from "./several-names.ts";
import { inWords, type Mode, permitsOf, TICKET_VERSION } from "./ticket.ts";

/** More than 64 names and a group need: 512 bytes each, six characters per byte as JSON, and a third more as Base64. */
const LONGEST_TICKET = 270_000;

/** The beginning of every ticket: Base64 of `[` and the version. */
const BEGINNING = /^Wz[\w-]/;
/** The length of a signature: SHA-256 as Base64. */
const SIGNATURE_LENGTH = 43;

function decode(body: string): unknown[] | undefined {
  try {
    const bytes = Uint8Array.from(atob(body.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
    // The types of Workers require `ignoreBOM`, whose default is false.
    const strict = { fatal: true } as { fatal: true; ignoreBOM: false };
    const fields: unknown = JSON.parse(new TextDecoder("utf-8", strict).decode(bytes));
    return Array.isArray(fields) ? fields : undefined;
  } catch {
    return undefined;
  }
}

function refuse(why: string): never {
  throw new TypeError(`resume: this ticket ${why}`);
}

/** The error for a text that is not a ticket. It does not quote the text. */
function refuseText(body: string): never {
  if (BEGINNING.test(body)) return refuse("is truncated or changed: pass it on unchanged");
  throw new TypeError("resume: this is not a ticket: lease.ticket() returns one");
}

/**
 * Parses the fields of a ticket. @throws TypeError for a text that is not a ticket, or lacks the signature that
 * `ticketKey` requires.
 */
async function fieldsOf(ticket: string, { sign }: Connection): Promise<readonly unknown[]> {
  if (typeof ticket !== "string") throw new TypeError(`resume: ticket must be a string, not ${kindOf(ticket)}`);
  if (ticket.length > LONGEST_TICKET) return refuse("is too long to be one");
  const [body = "", signature, ...more] = ticket.split(".");
  if (sign && signature === undefined)
    return decode(body) ? refuse("is not signed, and ticketKey asks for it") : refuseText(body);
  if (sign && !equal(await sign(body), signature ?? "")) {
    const isCutOff = (signature ?? "").length < SIGNATURE_LENGTH;
    return refuse(`has no valid signature: ${isCutOff ? "it is truncated" : "another ticketKey made it"}`);
  }
  const fields = decode(body);
  if (!fields || more.length > 0) return refuseText(body);
  return !sign && signature !== undefined ? refuse("is signed, and there is no ticketKey") : fields;
}

/** Whether two targets are of the same kind and the same names. */
const isSame = (one: Target, other: Target): boolean =>
  one.kind === other.kind &&
  one.connection.group === other.connection.group &&
  JSON.stringify(one.names) === JSON.stringify(other.names);

/**
 * Makes the lease of a ticket, for one of these `kinds`. A lock on several connections resumes only its `own` tickets.
 * A ticket is untrusted input, so every field is checked.
 *
 * @throws TypeError, which never quotes the ticket, since it is a secret.
 */
export async function resumeAs(
  source: ConnectionSource,
  ticket: string,
  kinds: readonly HoldKind[],
  own?: Pick<Hold, "target" | "extend" | "close" | "mode" | "adds">,
): Promise<Lease> {
  return (await resumeHold(source, ticket, kinds, own)).lease;
}

/** Like {@link resumeAs}, and also returns the ID of the hold and the length of its lease. */
export async function resumeHold(
  source: ConnectionSource,
  ticket: string,
  kinds: readonly HoldKind[],
  own?: Pick<Hold, "target" | "extend" | "close" | "mode" | "adds">,
): Promise<{ readonly lease: Lease; readonly id: string; readonly leaseMs: number }> {
  const connection = inCall("resume", () => connectionOf(source));
  const [version, kind, names, group, id, token, leaseMs, trace, mode] = await fieldsOf(ticket, connection);
  if (version !== TICKET_VERSION) refuse("is of another release of leasehold");
  if (!Array.isArray(names) || !names.length) return refuse("is not one of ours");
  const known = kinds.find((each) => each.kind === kind && !each.several === names.length < 2);
  if (!known && !own) return refuse("is of another release of leasehold");
  if (
    typeof id !== "string" ||
    !/^[\da-f-]{36}[\w#-]{0,24}(@[\w.!~*'()%@-]{1,2200})?$/.test(id) ||
    !Number.isSafeInteger(token) ||
    (token as number) < 1 ||
    typeof leaseMs !== "number" ||
    // The semaphore's own target for this ticket has the same number of members.
    (own && kind === "semaphore" && permitsOf(id) === undefined) ||
    ![undefined, null, "read", "write"].includes(mode as Mode)
  ) {
    return refuse("is not one of ours");
  }
  const record = inCall("resume: in this ticket", () => {
    // The ticket has its own group, whatever view it is resumed on.
    const view = viewOf(connection, group === null ? undefined : (group as string));
    return targetOf(view, kind as string, names as string[]);
  });
  const target = own?.target ?? (known?.crowd ? withCrowd(record) : record);
  const length = inCall("resume: in this ticket", () => toMs(leaseMs, "lease", 10));
  const side = (mode ?? undefined) as Mode | undefined;
  const hold = { id, token: token as number, leaseMs: length, mode: side };
  if (own && !(isSame(record, own.target) && side === own.mode))
    refuse(`is for another lock: it stands for ${inWords(record, id, side)}`);
  const calls = own ?? holdCalls(target, known as HoldKind);
  const together = several(target, calls);
  const traceparent = typeof trace === "string" ? trace : undefined;
  target.emit?.({ type: "resumed", token: hold.token, trace: traceparent });
  const { lease } = new HeldLease(
    {
      target,
      ...calls,
      ...together,
      adds: (own ?? known)?.adds ?? together.adds,
      ...hold,
      // It is unknown here, so the worst case is assumed.
      doubted: "another's",
      works: kind === "once" ? 1 : 0,
    },
    undefined,
    () => ticket,
  );
  return { lease, id, leaseMs: length };
}
