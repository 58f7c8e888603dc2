import type { Target } from "../redis/target.ts";
import { encodeText } from "../shared/crypto.ts";

export const TICKET_VERSION = 3;

/** The side of a read-write lock that a hold belongs to. */
export type Mode = "read" | "write";

interface Ticketed {
  readonly target: Target;
  readonly id: string;
  readonly token: number;
  readonly leaseMs: number;
  readonly mode?: Mode | undefined;
  /** Default: the connection's current context. */
  readonly trace?: unknown;
}

/**
 * Makes the ticket of a hold: version, kind, names, group, ID, token, length of the lease, trace and mode. It is signed
 * now if there is a `ticketKey`. Otherwise the text is made on demand, since most tickets are never read.
 */
export function ticketOf({
  target,
  id,
  token,
  leaseMs,
  mode,
  trace = target.connection.trace?.(),
}: Ticketed): (() => string) | Promise<() => string> {
  const { kind, names, connection } = target;
  const { group = null } = connection;
  const body = () => encodeText(JSON.stringify([TICKET_VERSION, kind, names, group, id, token, leaseMs, trace, mode]));
  if (!connection.sign) return body;
  return connection.sign(body()).then((signature) => {
    const signed = `${body()}.${signature}`;
    return () => signed;
  });
}

/** The number of permits of the hold with this ID; undefined if the ID is not one of permits. */
export function permitsOf(id: string): number | undefined {
  const [, permits] = /^.{36}#([1-9]\d{0,2}|1000)(@|$)/.exec(id) ?? [];
  return permits === undefined ? undefined : Number(permits);
}

/** Describes in words the hold of a ticket. The names are no secret; the ID is. */
export function inWords(
  { kind, names, connection: { group } }: Pick<Target, "kind" | "names" | "connection">,
  id: string,
  mode: Mode | undefined,
): string {
  const listed = names.map((name) => `"${name}"`).join(", ");
  const of = group === undefined ? listed : `${listed} in the group "${group}"`;
  if (kind === "rw") return `the ${mode ?? "read or write"} side of the read-write lock ${of}`;
  if (kind === "semaphore") return `${permitsOf(id)} permits of the semaphore ${of}`;
  if (kind === "fair") return `a fair lock of ${of}`;
  if (kind === "quorum") return `a quorum lock of ${of}`;
  if (kind === "once") return `an attempt of ${of}`;
  return `a lock of ${of}`;
}
